/**
 * How a cluster serves returning clients and workers: how soon a second client's first frame begins, what a worker
 * downloads after its connection was cut, and how soon a viewer's frame is abandoned when its camera has moved. Master
 * and workers are processes, as a user would start them; the clients run here.
 *
 * Reports use the master's clock, which is aligned with ours by frames of a few pixels: none arrives here before it ended
 * there, and the transfer time of the fastest one is negligible.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { invariant } from '../../shared/errors.ts'
import type { FrameReport } from '../../shared/frame/frame-report.ts'
import type { Size } from '../../shared/frame/rect.ts'
import type { SessionOrder } from '../../shared/protocol/session-order.ts'
import { DEFAULT_STRATEGY } from '../../shared/session/default-strategy.ts'
import { type FrameSource, film, type SessionRunner } from '../../shared/session/session.ts'
import { Viewer } from '../../shared/session/viewer.ts'
import type { Log } from '../../shared/text/log.ts'
import { untilAborted } from '../../shared/time/until-aborted.ts'
import { connectToCluster } from '../library/remote-cluster.ts'
import { startMasterProcess, startWorkerProcess, type WorkerProcess } from '../library/worker-process.ts'
import { type PreparedScene, prepareScene } from '../run/prepare-scene.ts'
import { median } from './measure.ts'
import { type MeteredLine, startMeteredLine } from './metered-line.ts'
import { benchOrder, reportsTo } from './order.ts'

export interface SessionBenchOptions {
  /** A built-in scene, or a mesh file. */
  readonly scene: string
  readonly size: Size
  /** Workers of one thread each. */
  readonly workers: number
  readonly rounds: number
  /** Least estimated duration of an abandoned frame, ms. @default 1000 */
  readonly slowFrameMs?: number
}

/** Times in ms, medians over the rounds. */
interface SessionFigures {
  /** From a client's connecting until its first frame begins, for a scene that was rendered before. */
  readonly secondRenderMs: number
  /** Scene bytes that a disconnected worker downloads after it reconnects: maximum over the rounds. */
  readonly reconnectBytes: number
  /** From a viewer's new camera until all workers have left the old frame and trace the new one, including planning. */
  readonly abandonMs: number
  /** From the new camera until the master begins its frame. */
  readonly nextFrameMs: number
  /** Like `secondRenderMs`, for a new scene: includes upload, download, build and warm-up. */
  readonly firstRenderMs: number
  /** Bytes that a worker downloads if it has nothing of the scene. */
  readonly sceneBytes: number
  /** Duration of a viewer's frame that is not abandoned. */
  readonly slowFrameMs: number
}

export interface SessionBench extends SessionFigures {
  readonly scene: string
  readonly triangles: number
  readonly size: Size
  readonly workers: number
  readonly rounds: number
}

/** The defaults of `render`. */
const QUALITY = { samples: 2, ambientRays: 2, maxDepth: 6 } as const
const MAX_SAMPLES = 1024
/** Frames that align the clocks, and their size. */
const CLOCK_FRAMES = 8
const CLOCK_SIZE: Size = [16, 16]

/** @throws UsageError for a scene that cannot be loaded; WorkerStartError. Rejects with the signal's reason on abort. */
export async function benchSession(options: SessionBenchOptions, signal: AbortSignal, log: Log): Promise<SessionBench> {
  const { size, workers, rounds, slowFrameMs = 1000 } = options
  const scene = await prepareScene(options.scene, size, undefined, log, signal)
  const processes: WorkerProcess[] = []
  try {
    const { master, url } = await startMasterProcess()
    processes.push(master)
    for (let i = 1; i <= workers; i++) processes.push(startWorkerProcess(`worker-${i}`, [url, '--no-cache']))
    const hire = (name: string, of: string) => void processes.push(startWorkerProcess(name, [of, '--no-cache']))
    const ground: Ground = { url, scene, size, workers, hire, log, signal }
    const figures = await untilAborted(signal, measured(ground, rounds, slowFrameMs))
    return { ...figures, scene: scene.name, triangles: scene.triangles, size, workers, rounds }
  } finally {
    for (const each of processes) each.leave()
    await Promise.all(processes.map(({ ended }) => ended))
  }
}

/** The cluster under test. */
interface Ground {
  readonly url: string
  readonly scene: PreparedScene
  readonly size: Size
  readonly workers: number
  /** Starts another worker for a master at an address. */
  hire(name: string, url: string): void
  readonly log: Log
  readonly signal: AbortSignal
}

async function measured(ground: Ground, rounds: number, slowFrameMs: number): Promise<SessionFigures> {
  const { log } = ground
  const first = await beginning(ground, 0)
  const clockMs = await clockOffset(ground)
  log.info(`the first render started after ${first(clockMs).ms.toFixed(0)} ms`)
  const second: Beginning[] = []
  for (let round = 1; round <= rounds; round++) second.push((await beginning(ground, round))(clockMs))
  log.info('further renders of the scene started')
  const samples = samplesFor(slowFrameMs, median(second.map(({ report }) => report.frameMs)))
  const views = await abandonments(ground, clockMs, rounds, samples)
  log.info('frames were abandoned')
  const downloads = await comingsBack(ground, rounds)
  return {
    secondRenderMs: median(second.map(({ ms }) => ms)),
    reconnectBytes: Math.max(...downloads.again),
    abandonMs: median(views.map(({ tracedMs }) => tracedMs)),
    nextFrameMs: median(views.map(({ beganMs }) => beganMs)),
    firstRenderMs: first(clockMs).ms,
    sceneBytes: downloads.first,
    slowFrameMs: median(views.map(({ frameMs }) => frameMs)),
  }
}

interface Beginning {
  /** From connecting until the first frame began. */
  readonly ms: number
  readonly report: FrameReport
}

/** A client connects and renders one frame; the time until that began can be computed once the clocks are aligned. */
async function beginning(ground: Ground, frame: number): Promise<(clockMs: number) => Beginning> {
  const connectedAt = performance.now()
  const [got] = await withClient(ground, client => render(ground, client, [frame]))
  const { report } = got!
  return clockMs => ({ ms: beganAt(report) + clockMs - connectedAt, report })
}

/** What to add to the master's clock to get ours, ms. */
async function clockOffset(ground: Ground): Promise<number> {
  const frames = Array.from({ length: CLOCK_FRAMES }, (_, frame) => frame)
  const small = { ...ground, size: CLOCK_SIZE }
  const got = await withClient(small, client => render(small, client, frames))
  return Math.min(...got.map(({ at, report }) => at - endedAt(report)))
}

interface View {
  readonly beganMs: number
  readonly tracedMs: number
  readonly frameMs: number
}

/** A viewer moves its camera in the middle of each frame. */
async function abandonments(ground: Ground, clockMs: number, rounds: number, samples: number): Promise<View[]> {
  const { scene, workers, signal } = ground
  const viewer = new Viewer()
  const reports: FrameReport[] = []
  let came = () => {}
  const take = (report: FrameReport) => {
    reports.push(report)
    came()
  }
  const look = (frame: number) => viewer.look({ frame, camera: scene.cameraAt(frame) })
  const next = () =>
    new Promise<void>(resolve => {
      came = resolve
    })
  const order = { ...orderOf(ground), kind: 'viewer', spans: true, quality: { ...QUALITY, samples } } as const
  return withClient(ground, async client => {
    const over = client.run(order, scene.held, viewer, reportsTo(take), signal)
    const views: View[] = []
    const watch = async () => {
      // The first frame is complete: the next is planned like any viewer frame, and the duration is known.
      const whole = next()
      look(0)
      await whole
      for (let frame = 1; views.length < rounds; frame += 2) {
        const before = reports.length
        look(frame)
        await delay(reports[0]!.frameMs / 3)
        // The frame was faster than expected: nothing to abandon.
        if (reports.length > before) continue
        const taken = next()
        const movedAt = performance.now()
        viewer.abandon()
        look(frame + 1)
        await taken
        const report = reports.at(-1)!
        if (report.frame === frame) {
          await next()
          continue
        }
        const tracedAt = tracedByAll(report, workers)
        // On a busy host others may have taken all that was a worker's.
        if (tracedAt === undefined) continue
        const since = (time: number) => time + clockMs - movedAt
        views.push({
          beganMs: since(beganAt(report)),
          tracedMs: since(tracedAt),
          frameMs: report.frameMs,
        })
      }
      viewer.close()
    }
    await Promise.all([over, watch()])
    return views
  })
}

/** When the last worker started to trace a frame, ms on the master's clock; undefined: not all of them traced it. */
function tracedByAll({ spans }: FrameReport, workers: number): number | undefined {
  const first = new Map<string, number>()
  for (const { kind, worker = '', start } of spans)
    if (kind === 'render') first.set(worker, Math.min(start, first.get(worker) ?? start))
  return first.size === workers ? Math.max(...first.values()) : undefined
}

/** A worker without the scene joins; then its connection is repeatedly cut in the middle of a render. */
async function comingsBack(ground: Ground, rounds: number): Promise<{ first: number; again: number[] }> {
  const line = await startMeteredLine(ground.url)
  try {
    ground.hire('visitor', line.url)
    const all = { ...ground, workers: ground.workers + 1 }
    await withClient(all, client => render(all, client, [0]))
    const first = line.sceneBytes
    const again: number[] = []
    for (let round = 1; round <= rounds; round++) again.push(await comingBack(all, line, round))
    return { first, again }
  } finally {
    await line.close()
  }
}

async function comingBack(ground: Ground, line: MeteredLine, round: number): Promise<number> {
  const before = line.sceneBytes
  let back: Promise<void> | undefined
  await withClient(ground, client => render(ground, client, [round, round + 1], () => (back ??= line.cut())))
  await back
  // Starts once all workers are back.
  await withClient(ground, client => render(ground, client, [round]))
  return line.sceneBytes - before
}

/** A frame, and when the client received it, ms. */
interface Got {
  readonly report: FrameReport
  readonly at: number
}

/** Renders a film on all workers. */
async function render(
  ground: Ground,
  client: SessionRunner,
  frames: readonly number[],
  took: () => unknown = () => {},
): Promise<Got[]> {
  const { scene, signal } = ground
  const got: Got[] = []
  const source: FrameSource = film(frames.map(frame => ({ frame, camera: scene.cameraAt(frame) })))
  const take = (report: FrameReport) => {
    got.push({ report, at: performance.now() })
    took()
  }
  await client.run(orderOf(ground), scene.held, source, reportsTo(take), signal)
  return got
}

async function withClient<T>({ url, signal }: Ground, work: (client: SessionRunner) => Promise<T>): Promise<T> {
  const client = await connectToCluster(url, {}, signal)
  try {
    return await work(client)
  } finally {
    await client.close()
  }
}

const orderOf = ({ scene, size, workers }: Ground): SessionOrder =>
  benchOrder(scene, { size, quality: QUALITY, strategy: DEFAULT_STRATEGY, workers })

/** The sample count at which a frame takes 1.5 times `leastMs`, if it takes `ms` with the samples of `QUALITY`. */
const samplesFor = (leastMs: number, ms: number): number =>
  Math.min(MAX_SAMPLES, Math.ceil((1.5 * leastMs * QUALITY.samples) / ms))

function beganAt({ beganAt }: FrameReport): number {
  invariant(beganAt !== undefined, 'live frames record when they began')
  return beganAt
}

function endedAt({ endedAt }: FrameReport): number {
  invariant(endedAt !== undefined, 'live frames record when they ended')
  return endedAt
}
