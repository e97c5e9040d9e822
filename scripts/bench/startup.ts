/**
 * Startup times: from a command to its first PNG, with an empty cache and with a full one; until a large mesh is ready on
 * eight workers of this machine, and a large glTF file on one, again with both; and the resources of an idle worker.
 *
 * Everything is measured from outside, on separate processes as users run them.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { processProgram } from '../../shared/node/program-files.ts'
import type { Log } from '../../shared/text/log.ts'
import { untilAborted } from '../../shared/time/until-aborted.ts'
import { startMasterProcess, startWorkerProcess, type WorkerProcess } from '../library/worker-process.ts'
import { BenchError } from './bench-error.ts'
import { writeLargeGltf } from './large-gltf.ts'
import { median } from './measure.ts'

export interface StartupBenchOptions {
  /** A built-in scene, or a mesh file. */
  readonly scene: string
  readonly workers: number
  /** Triangles of the large mesh. */
  readonly triangles: number
  /** Triangles of the large glTF file, which also has two pictures. */
  readonly gltfTriangles: number
  readonly rounds: number
}

/** From the command until something is known or done, ms. */
interface ReadyTimes {
  /** The scene is loaded. */
  readonly loadedMs: number
  /** All workers hold it built: the first pixel can be traced. */
  readonly readyMs: number
}

export interface StartupBench {
  readonly scene: string
  readonly workers: number
  readonly rounds: number
  /** From the command to the first PNG, ms: with an empty cache, and again with a full one; with `workers` local workers. */
  readonly firstPngMs: number
  readonly againMs: number
  /** The same with the default cluster: one worker, all cores. */
  readonly defaultFirstPngMs: number
  readonly defaultAgainMs: number
  /** From the command until all workers have built the large mesh, ms, with an empty cache. */
  readonly largeTriangles: number
  readonly largeReadyMs: number
  /** The large glTF file with the default cluster: with an empty cache, and again with a full one. */
  readonly gltf: {
    readonly triangles: number
    readonly bytes: number
    readonly first: ReadyTimes
    readonly again: ReadyTimes
  }
  /** CPU time, ms, and memory, MiB, of a worker that joined a master but has no scene; null if the system reports none. */
  readonly idleWorkerCpuMs: number | null
  readonly idleWorkerMiB: number | null
}

const PROGRAM = fileURLToPath(processProgram('scripts/sortfirst.js'))

/** Rejects with BenchError, or with the signal's reason. */
export async function benchStartup(
  { scene, workers, triangles, gltfTriangles, rounds }: StartupBenchOptions,
  signal: AbortSignal,
  log: Log,
): Promise<StartupBench> {
  const folder = mkdtempSync(join(tmpdir(), 'sortfirst-startup-'))
  try {
    const started = new Starts(folder, signal)
    const eight = ['--workers', `${workers}`]
    const [firsts, agains] = await rendered(started, rounds, [scene, ...eight], log)
    const [defaultFirsts, defaultAgains] = await rendered(started, rounds, [scene], log)
    log.info(`a mesh of ${triangles.toLocaleString('en')} triangles for ${workers} workers`)
    const large = join(folder, 'large.ply')
    const largeTriangles = writeHills(large, triangles)
    const readies: number[] = []
    for (let round = 0; round < rounds; round++)
      readies.push((await started.untilReady([large, ...eight], true)).readyMs)
    const gltf = await gltfReady(started, join(folder, 'large.glb'), gltfTriangles, rounds, log)
    log.info('an idle worker')
    const idle: { cpuMs: number; miB: number }[] = []
    for (let round = 0; round < rounds; round++) idle.push(...(await idleWorker(signal)))
    const of = (read: (worker: (typeof idle)[number]) => number) => (idle.length > 0 ? median(idle.map(read)) : null)
    return {
      scene,
      workers,
      rounds,
      firstPngMs: median(firsts),
      againMs: median(agains),
      defaultFirstPngMs: median(defaultFirsts),
      defaultAgainMs: median(defaultAgains),
      largeTriangles,
      largeReadyMs: median(readies),
      gltf,
      idleWorkerCpuMs: of(({ cpuMs }) => cpuMs),
      idleWorkerMiB: of(({ miB }) => miB),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Alternates runs with an empty and with a full cache, `rounds` times. */
async function rendered(
  started: Starts,
  rounds: number,
  words: readonly string[],
  log: Log,
): Promise<[first: number[], again: number[]]> {
  const [first, again]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    first.push(await started.untilPng(words, true))
    again.push(await started.untilPng(words, false))
    log.info(`${words.join(' ')}: ${first.at(-1)!.toFixed(0)} ms, again ${again.at(-1)!.toFixed(0)} ms`)
  }
  return [first, again]
}

/** Side of each picture of the large glTF file, px. */
const PICTURE_SIDE = 4096

async function gltfReady(
  started: Starts,
  path: string,
  wanted: number,
  rounds: number,
  log: Log,
): Promise<StartupBench['gltf']> {
  const { triangles, bytes } = await writeLargeGltf(path, wanted, PICTURE_SIDE)
  log.info(`a glTF file of ${(bytes / 1e6).toFixed(0)} MB`)
  const [first, again]: [ReadyTimes[], ReadyTimes[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    first.push(await started.untilReady([path], true))
    again.push(await started.untilReady([path], false))
    log.info(`ready after ${first.at(-1)!.readyMs.toFixed(0)} ms, again ${again.at(-1)!.readyMs.toFixed(0)} ms`)
  }
  const medians = (times: readonly ReadyTimes[]): ReadyTimes => ({
    loadedMs: median(times.map(({ loadedMs }) => loadedMs)),
    readyMs: median(times.map(({ readyMs }) => readyMs)),
  })
  return { triangles, bytes, first: medians(first), again: medians(again) }
}

/** Renders one frame repeatedly, each time in a new process. */
class Starts {
  readonly #folder: string
  readonly #signal: AbortSignal

  constructor(folder: string, signal: AbortSignal) {
    this.#folder = folder
    this.#signal = signal
  }

  /** ms from the command to the first PNG. */
  async untilPng(words: readonly string[], empty: boolean): Promise<number> {
    const out = mkdtempSync(join(this.#folder, 'out-'))
    return this.#render(words, out, empty, (child, done) => {
      const watcher = watch(out, () => readdirSync(out).some(name => name.endsWith('.png')) && done())
      child.once('exit', () => watcher.close())
    })
  }

  /** Until the command reports that the scene is loaded, and that all workers are ready. */
  async untilReady(words: readonly string[], empty: boolean): Promise<ReadyTimes> {
    const out = mkdtempSync(join(this.#folder, 'out-'))
    const startedAt = performance.now()
    let loadedMs = 0
    const readyMs = await this.#render(words, out, empty, (child, done) => {
      createInterface({ input: child.stderr! }).on('line', line => {
        if (line.startsWith('scene ')) loadedMs = performance.now() - startedAt
        if (/\bready\b/.test(line)) done()
      })
    })
    return { loadedMs, readyMs }
  }

  async #render(
    words: readonly string[],
    out: string,
    empty: boolean,
    look: (child: ChildProcess, done: () => void) => void,
  ): Promise<number> {
    this.#signal.throwIfAborted()
    const cache = join(this.#folder, 'cache')
    if (empty) rmSync(cache, { recursive: true, force: true })
    const args = ['render', ...words, '--frames', '1', '--out', out, '--cache', cache]
    const startedAt = performance.now()
    const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
    const stop = () => child.kill()
    this.#signal.addEventListener('abort', stop)
    let lastWords = ''
    child.stderr.on('data', (chunk: Buffer) => {
      lastWords = `${lastWords}${chunk}`.slice(-500)
    })
    let ms: number | undefined
    look(child, () => {
      ms ??= performance.now() - startedAt
    })
    const code = await new Promise(resolve => child.once('close', resolve))
    this.#signal.removeEventListener('abort', stop)
    this.#signal.throwIfAborted()
    if (code !== 0 || ms === undefined) throw new BenchError(`render ${words.join(' ')} failed: ${lastWords.trim()}`)
    return ms
  }
}

/** Usage of a worker that joined a master and waits; empty if the system does not report it. */
async function idleWorker(signal: AbortSignal): Promise<{ cpuMs: number; miB: number }[]> {
  const { master, url } = await startMasterProcess()
  const worker = startWorkerProcess('idle', [url])
  try {
    await untilAborted(signal, joined(worker))
    return used(worker.child.pid!)
  } finally {
    for (const each of [worker, master]) each.leave()
    await Promise.all([worker.ended, master.ended])
  }
}

async function joined({ child, ended }: WorkerProcess): Promise<void> {
  const said = new Promise<void>(resolve => {
    createInterface({ input: child.stderr! }).on('line', line => /joined/.test(line) && resolve())
  })
  const lost = ended.then(how => Promise.reject(new BenchError(`the worker ended before it had joined (${how})`)))
  await Promise.race([said, lost])
}

function used(pid: number): { cpuMs: number; miB: number }[] {
  try {
    // Sum over all threads: nanoseconds on a CPU.
    const tasks = readdirSync(`/proc/${pid}/task`)
    const ns = tasks.map(task => Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]))
    const [, kiB] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return [{ cpuMs: ns.reduce((sum, each) => sum + each, 0) / 1e6, miB: Number(kiB) / 1024 }]
  } catch {
    return []
  }
}

/** Writes a binary PLY of a hilly square with about `triangles` triangles; returns their exact number. */
function writeHills(path: string, triangles: number): number {
  const side = Math.max(2, Math.round(Math.sqrt(triangles / 2)))
  const [vertices, faces] = [(side + 1) ** 2, 2 * side * side]
  const head = `ply\nformat binary_little_endian 1.0\nelement vertex ${vertices}\nproperty float x\nproperty float y\nproperty float z\nelement face ${faces}\nproperty list uchar int vertex_indices\nend_header\n`
  const bytes = Buffer.alloc(head.length + vertices * 12 + faces * 13)
  let at = bytes.write(head, 'latin1')
  for (let j = 0; j <= side; j++) {
    for (let i = 0; i <= side; i++) {
      const [x, z] = [(2 * i) / side - 1, (2 * j) / side - 1]
      at = bytes.writeFloatLE(x, at)
      at = bytes.writeFloatLE(0.2 * Math.sin(9 * x) * Math.cos(7 * z) + 0.02 * Math.sin(80 * x * z), at)
      at = bytes.writeFloatLE(z, at)
    }
  }
  for (let j = 0; j < side; j++) {
    for (let i = 0; i < side; i++) {
      const corner = j * (side + 1) + i
      for (const [a, b, c] of [
        [corner, corner + side + 1, corner + 1],
        [corner + 1, corner + side + 1, corner + side + 2],
      ] as const) {
        at = bytes.writeUInt8(3, at)
        for (const index of [a, b, c]) at = bytes.writeInt32LE(index, at)
      }
    }
  }
  writeFileSync(path, bytes)
  return faces
}
