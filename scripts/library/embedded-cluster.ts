/**
 * A cluster on this machine: a master in this process, and worker processes that connect to it over real WebSockets on
 * loopback, exactly like remote workers.
 */
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { ANY_KERNEL } from '../../master/cluster/kernel-check.ts'
import { startMaster } from '../../master/main.ts'
import type { LocalRunner } from '../../master/sessions/methods.ts'
import { CancelledError, SortfirstError, UsageError } from '../../shared/errors.ts'
import { isWriting } from '../../shared/node/cache-folder.ts'
import { DEFAULT_HEARTBEAT } from '../../shared/protocol/heartbeat.ts'
import type { SessionRunner } from '../../shared/session/session.ts'
import type { Log } from '../../shared/text/log.ts'
import { silentLog } from '../../shared/text/log.ts'
import { type EngineKind, type EngineName, engineKind, isWebgpu, WEBGPU } from '../../worker/engine/engine.ts'
import { DEFAULT_ENGINE, engineFingerprints } from '../../worker/node/engines.ts'
import type { Pacing } from '../options/groups/pacing.ts'
import { linkOf, type ShowScene } from './shown-view.ts'
import { type SpareWorker, startWorkerProcess, type WorkerProcess } from './worker-process.ts'

export interface EmbeddedOptions {
  readonly pacing: Pacing
  readonly threads: number
  readonly engine: EngineName
  /** Whether the first worker alone has it, and the others that of CPUs. @default false */
  readonly mixEngines?: boolean
  /** Of every worker. @default none */
  readonly accelerators?: readonly string[]
  /** Of the master. @default any that is free */
  readonly port?: number
  /** Folder in which the workers share built scenes. @default none */
  readonly cache?: string
}

/** Workers were told what they cannot do: another run of the same would end in the same way. */
class WrongWorkersError extends UsageError {
  readonly code = 'BAD_OPTION'
}

/** All workers of a cluster have ended, or the one that nothing can begin without; the last one of them with this. */
export class WorkersEndedError extends SortfirstError {
  readonly code = 'WORKERS_ENDED'
  constructor(last: string, engine: EngineName, expected = 'at least one to stay, got none') {
    const advice = isWebgpu(engine) ? '; the engine wasm needs no graphics card' : ''
    super(`workers: expected ${expected}: ${last}${advice}`)
  }
}

/** An embedded cluster; exposes its processes for fault injection. */
export interface EmbeddedCluster extends LocalRunner, Pick<SessionRunner, 'close'> {
  readonly processes: readonly ChildProcess[]
  readonly show: ShowScene
  /** Fingerprint of its workers with an engine, when there is one. Rejects with the signal's reason, or when they have ended. */
  kernelOf(engine: EngineKind, signal: AbortSignal): Promise<string>
}

const A_DEVICE = 'the graphics card to join, beside which CPUs trace, got the end of its worker'

/**
 * Silent heartbeats after which a worker is dropped where nobody could take over from it. The end of a process of this machine is seen at once: what
 * is silent waits for a core. Of several, idle ones trace what a quiet one holds.
 */
const LONE_PATIENCE = 240
/** For how long workers try to reach their master: for as long as both are there. s */
const WHOLE_LIFE_S = 86_400
/** How long workers have to exit by themselves, unless they are writing what they have built to the cache. */
const PARTING_MS = 400
/** How often that is checked, and for how long it may take, ms. */
const LOOK_MS = 50
const WRITING_MS = 15_000

/**
 * @param spare becomes the first worker
 * @throws ListenError, WorkerStartError
 */
export async function startEmbeddedCluster(
  { pacing, threads, engine, mixEngines = false, accelerators = [], port = 0, cache }: EmbeddedOptions,
  log: Log,
  spare?: SpareWorker,
): Promise<EmbeddedCluster> {
  // Other users of this machine can reach the port, too.
  const token = randomBytes(32).toString('hex')
  const plain = mixEngines ? DEFAULT_ENGINE : engine
  const kernels = {
    ...(isWebgpu(plain) ? {} : engineFingerprints([engineKind(plain)])),
    ...(isWebgpu(engine) ? { [WEBGPU]: ANY_KERNEL } : {}),
  }
  const heartbeat = { patience: pacing.speeds.length === 1 ? LONE_PATIENCE : DEFAULT_HEARTBEAT.longPatience }
  /** Names of the workers that have not ended. */
  const living = new Set(pacing.speeds.map((_, i) => `worker-${i + 1}`))
  const master = await startMaster(
    {
      ...{ listen: `127.0.0.1:${port}`, token, kernels, heartbeat },
      ...{ ownNames: () => [...living], buildPatienceMs: Number.POSITIVE_INFINITY },
    },
    silentLog,
  )
  const workers: WorkerProcess[] = []
  const deserted = new AbortController()
  // A viewer and its still, or films one after the other.
  setMaxListeners(0, deserted.signal)
  // The only way to end stopped or stuck processes. Also the last resort if this process exits without closing.
  const killAll = () => {
    for (const { child } of workers) child.kill('SIGKILL')
  }
  process.once('exit', killAll)
  let closing = false
  /** Of mixed engines: what was there once may be lost, and the CPUs go on. */
  let isDeviceAwaited = mixEngines
  if (mixEngines) {
    const joined = master.kernelOf(WEBGPU, deserted.signal)
    joined.then(
      () => {
        isDeviceAwaited = false
      },
      () => {},
    )
  }
  const close = async (): Promise<void> => {
    closing = true
    for (const worker of workers) worker.leave()
    // Begun before waiting for anything: the master, too, may wait for workers that do not respond.
    const gone = new AbortController()
    // Of any number of workers.
    setMaxListeners(0, gone.signal)
    const patience = Promise.all(workers.map(worker => endStuck(worker, cache, gone.signal)))
    await Promise.all([master.close(), ...workers.map(worker => worker.ended)])
    gone.abort()
    await patience
    process.off('exit', killAll)
  }
  try {
    for (const [i, name] of [...living].entries()) {
      const speed = pacing.speeds[i]
      const share = pacing.shares?.[i]
      const args = [
        ...[master.url, '--threads', `${threads}`, '--engine', i === 0 ? engine : plain, '--speed', `${speed}`],
        // It ends with this process, which on a busy machine may be slow to answer. When the cluster closes, it is stopped in another way.
        ...['--retry-for', `${WHOLE_LIFE_S}`, '--threads-at-once', ...(share ? ['--cores', `${share}`] : [])],
        ...(cache === undefined ? ['--no-cache'] : ['--cache', cache]),
        ...accelerators.flatMap(accelerator => ['--accelerator', accelerator]),
      ]
      const worker = (i === 0 && spare?.become(name, args, token)) || startWorkerProcess(name, args, token)
      void worker.ended.then(how => {
        living.delete(name)
        const wrong = worker.wrongUsage()
        if (wrong !== undefined) return deserted.abort(new WrongWorkersError(wrong))
        const end = closing ? 'the cluster was closed' : `${name} ended (${how})`
        if (living.size === 0) deserted.abort(new WorkersEndedError(end, engine))
        else if (closing) return
        else if (i === 0 && isDeviceAwaited) deserted.abort(new WorkersEndedError(end, engine, A_DEVICE))
        else log.warn(end)
      })
      workers.push(worker)
    }
    await Promise.all(workers.map(worker => worker.started))
  } catch (error) {
    await close()
    throw error
  }
  // Nobody else can come.
  const run: LocalRunner['run'] = async (order, scene, source, sink, signal, ...rest) => {
    const { signal: none } = deserted
    try {
      await master.run(order, scene, source, sink, AbortSignal.any([signal, none]), ...rest)
    } catch (error) {
      throw error instanceof CancelledError && none.aborted && !signal.aborted ? none.reason : error
    }
  }
  const kernelOf: EmbeddedCluster['kernelOf'] = (kind, signal) =>
    master.kernelOf(kind, AbortSignal.any([signal, deserted.signal]))
  const lost = new Promise<never>((_, reject) => {
    deserted.signal.addEventListener('abort', () => reject(deserted.signal.reason))
  })
  lost.catch(() => {})
  const show: ShowScene = async (order, scene, facts, _, source) => {
    const view = master.offerView({ order, scene, facts, ...(source ? { source } : {}) })
    return {
      link: async () => linkOf(master.url, view.ticket()),
      close: () => view.close(),
      lost,
    }
  }
  return { processes: workers.map(({ child }) => child), run, close, show, kernelOf }
}

/** Kills a worker that does not exit although it writes nothing to the cache, unless `gone` aborts before. */
async function endStuck({ child }: WorkerProcess, cache: string | undefined, gone: AbortSignal): Promise<void> {
  const startedAt = performance.now()
  for (let idleAt = startedAt; performance.now() - idleAt < PARTING_MS; ) {
    await delay(LOOK_MS, undefined, { signal: gone }).catch(() => {})
    if (gone.aborted) return
    const mayWrite = cache !== undefined && performance.now() - startedAt < WRITING_MS
    if (mayWrite && (await isWriting(cache, child.pid ?? 0))) idleAt = performance.now()
  }
  child.kill('SIGKILL')
}
