/**
 * A master under load for minutes: a process of its own, hundreds of fake workers in a few processes, and clients in this one that
 * check every pixel of every frame. Whether its memory stays flat, anything is lost, and how soon a worker has its next order.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { messageOf } from '../../../shared/errors.ts'
import { processProgram } from '../../../shared/node/program-files.ts'
import type { SessionOrder } from '../../../shared/protocol/session-order.ts'
import type { Size } from '../../../shared/rect.ts'
import { film, type SessionRunner, type WantedFrame } from '../../../shared/session.ts'
import { connectToCluster } from '../../library/remote-cluster.ts'
import { startMasterProcess } from '../../library/worker-process.ts'
import { BenchError } from '../bench-error.ts'
import { CAMERA, ORDER, SCENE } from '../fuzz/ground.ts'
import type { FakeWorkersReport } from './fake-worker.ts'
import { Latencies } from './latencies.ts'
import { isPainted } from './painting.ts'
import { growth, residentMiB, type Sample } from './resident.ts'

export interface SoakOptions {
  readonly workers: number
  readonly minutes: number
  readonly clients: number
  readonly size: Size
  readonly strategy: string
  /** What a fake worker pretends to trace per ms. */
  readonly pxPerMs: number
}

export interface SoakBench extends SoakOptions {
  readonly seconds: number
  /** Frames that came complete, with the right pixels. */
  readonly frames: number
  /** Frames that were asked for and did not come, or came with other pixels. */
  readonly lost: number
  /** Of these, with other pixels. */
  readonly wrong: number
  readonly framesPerSecond: number
  /** Orders and answers. */
  readonly messagesPerSecond: number
  /** How often the master dropped a worker. */
  readonly drops: number
  /** Growth of the master's resident size after warm-up, as a share; null where the system does not say. */
  readonly rssGrowth: number | null
  readonly rss: readonly Sample[]
  /** From a worker's finished tile to its next order in the same frame, as it sees it, ms. */
  readonly dispatchMs: { readonly p50: number | null; readonly p99: number | null; readonly count: number }
  readonly problems: readonly string[]
}

const PER_PROCESS = 50
/** Of all clients together; they render one film after the other. */
const FILM_FRAMES = 16
const SAMPLE_MS = 1000
const MOST_PROBLEMS = 10

/** @param progress called now and then with a line */
export async function benchSoak(
  options: SoakOptions,
  signal: AbortSignal,
  progress: (line: string) => void,
): Promise<SoakBench> {
  const { workers, minutes, clients, size } = options
  const { master, url } = await startMasterProcess()
  const fakes: FakeProcess[] = []
  const open: SessionRunner[] = []
  const samples: Sample[] = []
  const made = { asked: 0, frames: 0, wrong: 0 }
  const problems: string[] = []
  const note = (problem: string) => {
    if (problems.length < MOST_PROBLEMS) problems.push(problem)
  }
  const killAll = () => {
    for (const { child } of [master, ...fakes]) child.kill('SIGKILL')
  }
  process.once('exit', killAll)
  let sampling: NodeJS.Timeout | undefined
  try {
    for (let first = 0; first < workers; first += PER_PROCESS)
      fakes.push(startFakes(url, Math.min(PER_PROCESS, workers - first), first, options.pxPerMs))
    for (let i = 0; i < clients; i++) open.push(await connectToCluster(url, {}, signal))
    const filmFrames = Math.max(2, Math.round(FILM_FRAMES / clients))
    const began = performance.now()
    let until = Infinity
    const work = async (client: SessionRunner, i: number): Promise<void> => {
      let next = i
      const some = (): WantedFrame[] =>
        Array.from({ length: filmFrames }, () => {
          const frame = next
          next += clients
          return { frame, camera: CAMERA }
        })
      const sink = {
        started: () => {
          if (until < Infinity) return
          until = performance.now() + minutes * 60_000
          progress(`${workers} workers have joined after ${seconds(began)} s`)
        },
        status: () => {},
        frame: ({ frame }: { readonly frame: number }, pixels: Uint8Array) => {
          if (isPainted(frame, size, pixels)) made.frames++
          else {
            made.wrong++
            note(`frame ${frame} of client ${i + 1} has other pixels`)
          }
        },
      }
      while (performance.now() < until) {
        made.asked += filmFrames
        await client.run(orderOf(options), SCENE, film(some()), sink, signal)
      }
    }
    let said = 0
    sampling = setInterval(() => {
      const mib = residentMiB(master.child.pid ?? 0)
      if (mib !== undefined && until < Infinity)
        samples.push({ seconds: seconds(until - minutes * 60_000), mib: Math.round(10 * mib) / 10 })
      if (samples.length >= said + 30) {
        said = samples.length
        progress(`${made.frames} frames, ${made.asked - made.frames} under way or lost, master ${mib?.toFixed(0)} MiB`)
      }
    }, SAMPLE_MS)
    const runs = await Promise.allSettled(open.map(work))
    signal.throwIfAborted()
    for (const run of runs) if (run.status === 'rejected') note(messageOf(run.reason))
    clearInterval(sampling)
    const took = seconds(until - minutes * 60_000)
    const reports = await Promise.all(fakes.map(fake => fake.finish()))
    const latencies = new Latencies()
    for (const report of reports) latencies.addAll(report.latencies)
    const sum = (of: (report: FakeWorkersReport) => number) => reports.reduce((all, report) => all + of(report), 0)
    return {
      ...options,
      seconds: took,
      frames: made.frames,
      lost: made.asked - made.frames,
      wrong: made.wrong,
      framesPerSecond: round(made.frames / took),
      messagesPerSecond: Math.round(sum(({ tiles, orders }) => tiles + orders) / took),
      drops: sum(({ drops }) => drops),
      rssGrowth: growth(samples),
      dispatchMs: { p50: latencies.quantile(0.5), p99: latencies.quantile(0.99), count: latencies.size },
      rss: thinned(samples),
      problems,
    }
  } finally {
    clearInterval(sampling)
    await Promise.allSettled(open.map(client => client.close()))
    for (const { child } of fakes) child.kill('SIGKILL')
    master.leave()
    await Promise.all([master.ended, ...fakes.map(({ ended }) => ended)])
    process.off('exit', killAll)
  }
}

const orderOf = ({ size, strategy, workers }: SoakOptions): SessionOrder => {
  const { channels: _, ...order } = ORDER
  return { ...order, sceneName: 'soak', size, strategy, engine: 'wasm', progressive: false, minWorkers: workers }
}

interface FakeProcess {
  readonly child: ChildProcess
  readonly ended: Promise<unknown>
  /** Ends it, and returns what its workers have seen. */
  finish(): Promise<FakeWorkersReport>
}

function startFakes(url: string, count: number, first: number, pxPerMs: number): FakeProcess {
  const program = fileURLToPath(processProgram('scripts/sortfirst.js'))
  const args = ['bench', 'fake-workers', url, `${count}`, `${first}`, `${pxPerMs}`]
  // Its own group: Ctrl-C reaches this process alone.
  const child = spawn(process.execPath, [program, ...args], { detached: true, stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  const lines = createInterface({ input: child.stdout })
  const report = once(lines, 'line').then(([line]) => JSON.parse(line as string) as FakeWorkersReport)
  report.catch(() => {})
  return {
    child,
    ended,
    async finish() {
      child.stdin.end()
      const lost = ended.then(() => {
        throw new BenchError('a process of fake workers has ended without its report')
      })
      return Promise.race([report, lost])
    },
  }
}

const seconds = (since: number): number => round((performance.now() - since) / 1000)
const round = (value: number): number => Math.round(10 * value) / 10

/** At most thirty of them, evenly. */
const thinned = (samples: readonly Sample[]): Sample[] =>
  samples.filter((_, i) => i % Math.ceil(samples.length / 30) === 0)

/** @throws BenchError if a frame was lost */
export function expectNothingLost({ lost, frames, problems }: SoakBench): void {
  if (lost > 0)
    throw new BenchError(`${lost} of ${lost + frames} frames were lost, expected none: ${problems.join('; ')}`)
}
