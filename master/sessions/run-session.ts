/** Carries out one job: waits for workers, then frame after frame: statistics, decision, tracing, report. */
import type { Clock } from '../../shared/clock.ts'
import { invariant } from '../../shared/errors.ts'
import type { FrameReport, TileReport, WorkerInfo } from '../../shared/frame-report.ts'
import type { AreaId, LeaseId } from '../../shared/ids.ts'
import { areaId } from '../../shared/ids.ts'
import { sha256 } from '../../shared/node/sha256.ts'
import type { Traffic } from '../../shared/protocol/channel.ts'
import type { Job } from '../../shared/protocol/job.ts'
import type { HeldScene } from '../../shared/protocol/scene-transfer.ts'
import { readPackedScene } from '../../shared/scene/packed-scene.ts'
import type { View } from '../../shared/view.ts'
import { FrameBuffer } from '../assembly/frame-buffer.ts'
import type { ClusterObserver } from '../cluster/cluster.ts'
import type { TileRequest } from '../cluster/open-leases.ts'
import { recordedCosts } from '../costs/recorded-costs.ts'
import { projectCoverage } from '../coverage/project.ts'
import { Frame } from '../frames/frame.ts'
import { type FrameOutcome, FramePlanner } from '../frames/frame-planner.ts'
import { frameReport } from '../frames/frame-report.ts'
import type { LeaseRecord } from '../frames/lease-record.ts'
import { roundTripMs } from '../frames/round-trip.ts'
import { sharesOf } from '../frames/shares.ts'
import { leaseNumbers } from '../scheduling/lease-numbers.ts'
import type { SchedulerLimits } from '../scheduling/limits.ts'
import { strategyByName } from '../strategies/index.ts'
import { CancelledError, NoWorkersError } from './errors.ts'
import { type Alarm, type Ticker, traceFrame } from './trace-frame.ts'
import { warmUp } from './warm-up.ts'

/** What a job needs of the cluster; the real one is `Cluster`. */
export interface JobCluster {
  useScene(scene: HeldScene): void
  readyWorkers(engine: string): WorkerInfo[]
  workers(): WorkerInfo[]
  /** How many workers are ready for the scene or on their way to it. */
  hopeful(engine: string): number
  /** A number for a frame in the making, unique for the cluster's life. */
  nextWork(): number
  trace(worker: AreaId, order: TileRequest): void
  trim(worker: AreaId, lease: LeaseId, rows: number): void
  cancel(worker: AreaId, lease: LeaseId): void
  observe(observer: ClusterObserver): () => void
  traffic(): Traffic
}

/** Who wants to know how a job goes. */
export interface JobSink {
  /** All workers that the first frame is planned for. */
  started(workers: readonly WorkerInfo[]): void
  /** One line about something long under way. */
  status(text: string): void
  /**
   * A whole frame, RGB8; the sink owns the pixels. The next frame is being traced meanwhile; the one after it waits for
   * the answer.
   */
  frame(report: FrameReport, pixels: Uint8Array): void | Promise<void>
}

export interface JobPorts {
  readonly cluster: JobCluster
  readonly clock: Clock
  readonly ticker: Ticker
  readonly alarm: Alarm
  readonly limits: SchedulerLimits
}

/** Rejects with NoWorkersError, FrameFailedError, CancelledError or what the sink threw. */
export async function runJob(
  job: Job,
  scene: HeldScene,
  ports: JobPorts,
  sink: JobSink,
  signal: AbortSignal,
): Promise<void> {
  const strategy = strategyByName(job.strategy)
  const geometry = readPackedScene(scene.bytes)
  ports.cluster.useScene(scene)
  const tracePorts = { ...ports, waitMs: job.waitMs, tracers: tracersOf(ports.cluster, job.engine) }
  const viewOf = ({ frame, camera }: Job['frames'][number]): View => {
    const { size, quality, exposure } = job
    return { frame, size, camera, quality, exposure }
  }
  const hopeful = ports.cluster.hopeful(job.engine)
  sink.status(
    hopeful < job.minWorkers
      ? `waiting for ${job.minWorkers - hopeful} more of ${job.minWorkers} workers`
      : 'workers take the scene and build its structure',
  )
  const present = await workersReady(job, job.minWorkers, ports, signal)
  const { size, options, clock, record } = job
  const planner = new FramePlanner({ strategy, options, size, clock, record })
  const numbers = leaseNumbers()
  const [first] = job.frames
  const shares = sharesOf(present)
  const probe = planner.wantsProbe(planner.known(first!.camera, shares))
  const warm = { scene: scene.hash, view: viewOf(first!), areas: shares, cell: planner.cell, probe }
  const warmedUp = await warmUp({ ...warm, limits: ports.limits, numbers }, tracePorts, signal)
  sink.started(present)

  const stopNews = newsOfWorkers(ports.cluster, present, sink)
  let limits = withRoundTrip(ports.limits, warmedUp)
  let delivered = Promise.resolve()
  let previousTiles: readonly TileReport[] | undefined
  try {
    for (const ordered of job.frames) {
      const workers = await workersReady(job, 1, ports, signal)
      const trafficBefore = ports.cluster.traffic()
      const view = viewOf(ordered)
      const { samples } = job.quality
      const facts = { ...ordered, size, areas: sharesOf(workers), samples, passes: 1, limits, numbers }
      const frame = new Frame({ ...facts, beganAt: ports.clock.now() }, planner)
      const buffer = new FrameBuffer(size)
      const coverage = () => projectCoverage(geometry, view.camera, size)
      const work = { scene: scene.hash, view, buffer, coverage, cell: planner.cell, adopts: true }
      await traceFrame(frame, work, tracePorts, signal)
      invariant(buffer.missing === 0, `frame ${ordered.frame} is complete but lacks ${buffer.missing} pixels`)
      limits = withRoundTrip(limits, frame.facts.records)
      const report = frameReport({
        ...frame.facts,
        ...{ frame: ordered.frame, strategy: strategy.name, size, workers, previousTiles },
        traffic: difference(ports.cluster.traffic(), trafficBefore),
      })
      previousTiles = report.tiles
      await delivered
      delivered = deliver(() => ({ ...report, ...fineFacts(frame.outcome(), record) }), buffer.pixels, sink)
      // Its failure is heard where it is awaited, one frame later; until then nobody listens.
      delivered.catch(() => {})
    }
    await delivered
  } finally {
    stopNews()
    // Whatever ended the job, a whole frame that is being handed over is handed over.
    await Promise.allSettled([delivered])
  }
}

/** Tells the sink who comes and goes while frames are made; the answer ends it. */
function newsOfWorkers(cluster: JobCluster, present: readonly WorkerInfo[], sink: JobSink): () => void {
  const names = new Map(present.map(({ id, name }) => [id, name]))
  return cluster.observe({
    ready: id => {
      for (const worker of cluster.workers()) names.set(worker.id, worker.name)
      sink.status(`worker ${names.get(id) ?? id} came and helps from the next frame on`)
    },
    lost: (id, reason) => sink.status(`worker ${names.get(id) ?? id} is gone (${reason}); the others do its part`),
    tileDone: () => {},
    tileFailed: (id, _, reason) =>
      sink.status(`worker ${names.get(id) ?? id} failed a tile (${reason}); it is traced again`),
  })
}

/** Hashing and handing over wait until the next frame's tiles are on their way. */
async function deliver(report: () => Omit<FrameReport, 'sha256'>, pixels: Uint8Array, sink: JobSink): Promise<void> {
  await new Promise(resolve => setImmediate(resolve))
  await sink.frame({ ...report(), sha256: sha256(pixels) }, pixels)
}

const withRoundTrip = (limits: SchedulerLimits, records: readonly LeaseRecord[]): SchedulerLimits => ({
  ...limits,
  roundTripMs: roundTripMs(records) ?? limits.roundTripMs,
})

const fineFacts = ({ costs, predictionError }: FrameOutcome, record: boolean) => ({
  ...(predictionError === undefined ? {} : { predictionError }),
  ...(record && costs ? { recorded: recordedCosts(costs) } : {}),
})

const tracersOf = (cluster: JobCluster, engine: string) => ({
  readyIds: () => cluster.readyWorkers(engine).map(worker => areaId(worker.id)),
  hopeful: () => cluster.hopeful(engine),
  nextWork: cluster.nextWork.bind(cluster),
  trace: cluster.trace.bind(cluster),
  trim: cluster.trim.bind(cluster),
  cancel: cluster.cancel.bind(cluster),
  observe: cluster.observe.bind(cluster),
})

/**
 * The ready workers, as soon as there are `wanted` of them. Rejects with NoWorkersError when fewer than that are even
 * connected for as long as the job may wait.
 */
function workersReady(
  job: Job,
  wanted: number,
  { cluster, ticker, clock }: JobPorts,
  signal: AbortSignal,
): Promise<WorkerInfo[]> {
  const ready = () => cluster.readyWorkers(job.engine)
  if (ready().length >= wanted && !signal.aborted) return Promise.resolve(ready())
  const tooFew = () => {
    const connected = cluster.workers()
    const others = connected.filter(({ engine }) => engine !== job.engine).length
    return new NoWorkersError(wanted, ready().length, connected.length, job.waitMs, others)
  }
  /** Since when there have been too few. Those that are there and build the structure of a large scene take their time. */
  let shortSince: number | undefined
  return new Promise((resolve, reject) => {
    const look = (): void => {
      if (signal.aborted) settle(() => reject(new CancelledError()))
      else if (ready().length >= wanted) settle(() => resolve(ready()))
      else if (cluster.hopeful(job.engine) >= wanted) shortSince = undefined
      else {
        shortSince ??= clock.now()
        if (clock.now() - shortSince >= job.waitMs) settle(() => reject(tooFew()))
      }
    }
    const nothing = () => {}
    const stopObserving = cluster.observe({ ready: look, lost: look, tileDone: nothing, tileFailed: nothing })
    const stopTicking = ticker(look)
    const settle = (end: () => void): void => {
      stopObserving()
      stopTicking()
      end()
    }
    look()
  })
}

const difference = (after: Traffic, before: Traffic): Traffic => ({
  messages: after.messages - before.messages,
  bytes: after.bytes - before.bytes,
})
