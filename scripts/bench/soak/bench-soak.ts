/**
 * A master under load for minutes: a process of its own, its workers in others, and clients in this one that check every pixel of
 * every frame. Whether memory stays flat, anything is lost, and how soon a worker has its next order.
 */
import { messageOf } from '../../../shared/errors.ts'
import { film, type SessionRunner, type WantedFrame } from '../../../shared/session/session.ts'
import { untilAborted } from '../../../shared/time/until-aborted.ts'
import { connectToCluster } from '../../library/remote-cluster.ts'
import { startMasterProcess } from '../../library/worker-process.ts'
import { BenchError } from '../bench-error.ts'
import { median } from '../measure.ts'
import { type Crew, type CrewOptions, fakeCrew, realCrew } from './crews.ts'
import type { FakeWorkersReport } from './fake-worker.ts'
import { Latencies } from './latencies.ts'
import { growth, residentMiB, type Sample } from './resident.ts'

export interface SoakOptions extends CrewOptions {
  /** Frames are asked for until so many were, or so many minutes have passed. */
  readonly most: number
  readonly minutes: number
  readonly clients: number
  /** Whether workers trace. */
  readonly real: boolean
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
  /** Orders and answers, as fake workers count them; null of real ones. */
  readonly messagesPerSecond: number | null
  /** How often the master dropped a fake worker. */
  readonly drops: number | null
  /** Growth of the master's resident size after warm-up, as a share; null where the system does not say. */
  readonly rssGrowth: number | null
  readonly rss: readonly Sample[]
  /** The same of real workers: the one that grew most. */
  readonly workerRssGrowth: number | null
  /** From a worker's finished tile to its next order in the same frame, as it sees it, ms. */
  readonly dispatchMs: { readonly p50: number | null; readonly p99: number | null; readonly count: number }
  /** `GET /metrics` when all is made, with all workers there: the median of some times, and how long the text is. */
  readonly metrics: { readonly ms: number; readonly bytes: number }
  readonly problems: readonly string[]
}

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
  const { workers, minutes, clients, most } = options
  // All of them connect from one address.
  const connections = `${2 * (workers + clients) + 64}`
  const { master, url } = await startMasterProcess(
    ['--max-connections', '--max-connections-per-address'].flatMap(flag => [flag, connections]),
  )
  let crew: Crew | undefined
  const open: SessionRunner[] = []
  const samples: Sample[] = []
  const workerSamples: Sample[][] = []
  const made = { asked: 0, frames: 0, wrong: 0 }
  const problems: string[] = []
  const note = (problem: string) => {
    if (problems.length < MOST_PROBLEMS) problems.push(problem)
  }
  const killAll = () => {
    for (const child of [master.child, ...(crew?.processes ?? [])]) child.kill('SIGKILL')
  }
  process.once('exit', killAll)
  let sampling: NodeJS.Timeout | undefined
  try {
    const hired = options.real ? realCrew(options, url) : fakeCrew(options, options.pxPerMs, url)
    crew = hired
    const hiredAt = performance.now()
    // Fake workers would look for it for ever.
    const lost = master.ended.then(how => Promise.reject(new BenchError(`the master has ended (${how})`)))
    await untilAborted(signal, Promise.race([hired.joined, lost]))
    if (!options.real) progress(`${workers} workers are connected after ${seconds(hiredAt)} s`)
    for (let i = 0; i < clients; i++) open.push(await connectToCluster(url, {}, signal))
    const filmFrames = Math.max(2, Math.round(FILM_FRAMES / clients))
    const began = performance.now()
    let until = Infinity
    const work = async (client: SessionRunner, i: number): Promise<void> => {
      let next = i
      const some = (): WantedFrame[] =>
        Array.from({ length: filmFrames }, () => {
          const index = next
          next += clients
          return hired.frame(index)
        })
      const sink = {
        started: () => {
          if (until < Infinity) return
          until = performance.now() + minutes * 60_000
          progress(`${workers} workers are ready after ${seconds(began)} s more`)
        },
        status: () => {},
        frame: ({ frame }: { readonly frame: number }, pixels: Uint8Array) => {
          if (hired.isRight(frame, pixels)) made.frames++
          else {
            made.wrong++
            note(`frame ${frame} of client ${i + 1} has other pixels`)
          }
        },
      }
      while (performance.now() < until && made.asked < most) {
        made.asked += filmFrames
        await client.run(hired.order, hired.scene, film(some()), sink, signal)
      }
    }
    let said = 0
    sampling = setInterval(() => {
      if (until === Infinity) return
      const at = seconds(until - minutes * 60_000)
      const mib = residentMiB(master.child.pid ?? 0)
      const add = (to: Sample[], mib: number | undefined) => {
        if (mib !== undefined) to.push({ seconds: at, mib: round(mib) })
      }
      add(samples, mib)
      for (const [i, pid] of hired.watched.entries()) {
        workerSamples[i] ??= []
        add(workerSamples[i], residentMiB(pid))
      }
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
    const metrics = await metricsOf(url, signal)
    const reports = await hired.finish()
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
      messagesPerSecond: options.real ? null : Math.round(sum(({ tiles, orders }) => tiles + orders) / took),
      drops: options.real ? null : sum(({ drops }) => drops),
      rssGrowth: growth(samples),
      workerRssGrowth: greatest(workerSamples.map(growth)),
      dispatchMs: { p50: latencies.quantile(0.5), p99: latencies.quantile(0.99), count: latencies.size },
      rss: thinned(samples),
      metrics,
      problems,
    }
  } finally {
    clearInterval(sampling)
    await Promise.allSettled(open.map(client => client.close()))
    for (const child of crew?.processes ?? []) child.kill('SIGKILL')
    master.leave()
    await Promise.all([master.ended, crew?.ended])
    process.off('exit', killAll)
  }
}

const SCRAPES = 15

async function metricsOf(url: string, signal: AbortSignal): Promise<SoakBench['metrics']> {
  const address = new URL('/metrics', url.replace(/^ws/, 'http'))
  const times: number[] = []
  let bytes = 0
  for (let i = 0; i < SCRAPES; i++) {
    const since = performance.now()
    const answer = await fetch(address, { signal })
    const text = await answer.text()
    if (!answer.ok) throw new BenchError(`/metrics was answered with ${answer.status}: ${text.trim()}`)
    times.push(performance.now() - since)
    bytes = Buffer.byteLength(text)
  }
  return { ms: round(median(times)), bytes }
}

const seconds = (since: number): number => round((performance.now() - since) / 1000)
const round = (value: number): number => Math.round(10 * value) / 10

const greatest = (values: readonly (number | null)[]): number | null =>
  values.reduce((most, value) => (value === null || (most !== null && most >= value) ? most : value), null)

/** At most thirty of them, evenly. */
const thinned = (samples: readonly Sample[]): Sample[] =>
  samples.filter((_, i) => i % Math.ceil(samples.length / 30) === 0)

/** @throws BenchError if a frame was lost */
export function expectNothingLost({ lost, frames, problems }: SoakBench): void {
  if (lost > 0)
    throw new BenchError(`${lost} of ${lost + frames} frames were lost, expected none: ${problems.join('; ')}`)
}
