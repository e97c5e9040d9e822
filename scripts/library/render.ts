/** The frames of a scene as an async iterator, rendered on any cluster. */
import { setMaxListeners } from 'node:events'
import { type CostlyOption, excessOf } from '../../master/sessions/order-cost.ts'
import { strategies, strategyByName } from '../../master/strategies/index.ts'
import { CancelledError, UnknownNameError, UsageError } from '../../shared/errors.ts'
import type { Clock } from '../../shared/frame/frame-limits.ts'
import type { FramePlanes, PlaneName } from '../../shared/frame/frame-planes.ts'
import type { FrameReport } from '../../shared/frame/frame-report.ts'
import type { Size } from '../../shared/frame/rect.ts'
import type { Camera } from '../../shared/frame/view.ts'
import type { ToneMapping } from '../../shared/light/tone-mapping.ts'
import { type SessionOrder, sessionOrderSchema } from '../../shared/protocol/session-order.ts'
import { DEFAULT_STRATEGY } from '../../shared/session/default-strategy.ts'
import {
  type FramePreview,
  film,
  type Moment,
  type SessionSink,
  type WantedFrame,
} from '../../shared/session/session.ts'
import { DEFAULT_STRATEGY_OPTIONS, type StrategyOptions } from '../../shared/session/strategy-options.ts'
import { workerCount } from '../../shared/session/worker-count.ts'
import { guardedLog, type Log, silentLog } from '../../shared/text/log.ts'
import { schemaProblem } from '../../shared/text/schema-problem.ts'
import { untilAborted } from '../../shared/time/until-aborted.ts'
import { DEFAULT_ENGINE } from '../../worker/node/engines.ts'
import { type CameraChoice, cameraByName, camerasOf, ownCamera } from './cameras.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { DEFAULT_FPS, FPS } from './frame-rate.ts'
import { type OwnStrategy, useStrategy } from './plug-ins.ts'
import { type QualityOptions, qualityOf } from './quality.ts'
import { gapsOf, loadScene, type ReadyScene, type SceneSource } from './ready-scene.ts'
import { type Shutter, TIME_STEPS, timesOf } from './shutter.ts'

export interface RenderOptions extends QualityOptions {
  /** px. @default [1280, 720] */
  readonly size?: Size
  /** Number of frames, from frame 0, or the frame numbers to render, in order. @default 1 */
  readonly frames?: number | Iterable<number>
  /** Frames per second of a scene in which something moves: frame n is at n / fps seconds. @default 24 */
  readonly fps?: number
  /** @default the scene's own camera, or else its path */
  readonly camera?: CameraChoice
  /** One of the scene's own cameras; not with `camera`. @default its first */
  readonly cameraName?: string
  /**
   * Motion blur: for which share of a frame's time its shutter is open, from the frame's own time on, 0 to 1. What is visible through the
   * pixels' centres (`normal`, `position`, `depth`, `id`) is that of the first moment. Not with `passes`, `noise` or `record`.
   * @default 0
   */
  readonly shutter?: number
  /** Moments that the samples are divided among with a `shutter`, 2 to 64, at most as many as samples. @default 8 */
  readonly timeSteps?: number
  /** Passes that the samples are divided into; the frames are the same. Not with `noise`. @default 1 */
  readonly passes?: number
  /** Linear scale before tone mapping, above 0. @default the scene's own */
  readonly exposure?: number
  /** As in three.js: none (which ignores the exposure), linear, reinhard, cineon, aces, agx or neutral. @default aces */
  readonly toneMapping?: ToneMapping
  /** Whether there is no background: `pixels` are the colour of what is there, and `alpha` of `channels` its coverage. @default false */
  readonly transparent?: boolean
  /** Channels wanted beside finished colour: light, albedo, normal, position, depth, id, alpha, samples. @default none */
  readonly channels?: readonly PlaneName[]
  /** How frames are divided: the name of a strategy, or, in a cluster of this process, a custom one. @default predictive */
  readonly strategy?: string | OwnStrategy
  readonly strategyOptions?: Partial<StrategyOptions>
  /** Clock for measuring costs. @default cpu */
  readonly clock?: Clock
  /** @default wasm */
  readonly engine?: string
  /** Frames in progress at once, 1 to 4; with 1 each frame's own time is the shortest. @default 2 */
  readonly inFlight?: number
  /**
   * Share of each frame's rows that a second worker traces again, 0 to 1, such as 0.05: whoever returns other pixels than two others is
   * expelled, and its part of the frame made again. Takes at least two workers, better three. @default 0
   */
  readonly verify?: number
  /** Cluster to render on; it stays open. @default a temporary one, of one worker with all cores */
  readonly cluster?: Cluster
  /** How long to wait for workers, seconds. @default 60 */
  readonly wait?: number
  /** Whether reports include the cost of every part of their frame, and all spans. @default false */
  readonly record?: boolean
  readonly spans?: boolean
  /** Called with each frame after each of its passes but the last. Frames wait for a promise that it returns. */
  readonly onPreview?: (preview: FramePreview) => void | Promise<void>
  /** The command line that traces a tile of these frames alone, but for `--frame` and `--rect`, for errors. @default none */
  readonly tileCommand?: string
  readonly log?: Log
  /** Cancels the rendering immediately; the iteration throws its reason. */
  readonly signal?: AbortSignal
}

/** A finished frame. */
export interface Frame {
  readonly frame: number
  readonly size: Size
  /** RGB8 in sRGB, row by row from the top; not modified after delivery. */
  readonly pixels: Uint8Array
  /** The channels that were asked for, by name: row by row from the top, linear floats (u32 for `id`). */
  readonly planes: FramePlanes
  readonly report: FrameReport
  /** The camera that it was seen by, with a shutter at its first moment. */
  readonly camera: Camera
}

/** Something in `RenderOptions` is out of range. */
export class RenderOptionError extends UsageError {
  readonly code = 'BAD_RENDER_OPTION'
}

/**
 * Renders frames, and yields each in order as soon as it is finished. Breaking out of the loop cancels the rendering.
 *
 * Throws UsageError for invalid requests, NoWorkersError, FrameFailedError, the errors of `loadScene` and `startCluster`, or the
 * signal's reason.
 */
export async function* render(
  source: SceneSource | ReadyScene,
  options: RenderOptions = {},
): AsyncGenerator<Frame, void, undefined> {
  const over = new AbortController()
  const signal = AbortSignal.any([over.signal, ...(options.signal ? [options.signal] : [])])
  // Every tile that is being traced adds a listener.
  setMaxListeners(0, signal)
  const log = guardedLog(options.log ?? silentLog)
  checkOptions(options)
  // Workers start while the scene loads.
  const { engine = DEFAULT_ENGINE } = options
  const opening = options.cluster ? Promise.resolve(options.cluster) : startCluster({ engine, log, signal })
  opening.catch(() => {})
  let loaded: ReadyScene | undefined
  try {
    if (!isReady(source)) loaded = await loadScene(source, { signal })
    const scene = loaded ?? (source as ReadyScene)
    const order = orderOf(scene, options)
    for (const problem of loaded ? [...scene.problems, ...gapsOf(scene, order.quality)] : []) log.warn(problem)
    checkReach(order.strategy, options.cluster)
    const requests = requestsOf(scene, order.size, options)
    const cluster = await opening
    yield* framesOf({ ...order, minWorkers: cluster.workers }, scene, requests, cluster, { ...options, log }, signal)
  } finally {
    over.abort(new CancelledError())
    await loaded?.close?.()
    if (!options.cluster) await opening.then(cluster => cluster.close()).catch(() => {})
  }
}

const isReady = (source: SceneSource | ReadyScene): source is ReadyScene =>
  typeof source === 'object' && source !== null && 'held' in source

/** @throws RenderOptionError for a custom strategy if the master is remote */
function checkReach(strategy: string, cluster: Cluster | undefined): void {
  if (cluster?.embedded === false && !strategies.some(({ name }) => name === strategy))
    throw new RenderOptionError(
      `render: strategy '${strategy}' is defined in this program, but the cluster's master runs elsewhere; use a cluster in this process`,
    )
}

async function* framesOf(
  order: SessionOrder,
  scene: ReadyScene,
  requests: AsyncIterable<WantedFrame>,
  cluster: Cluster,
  { onPreview, log }: Pick<RenderOptions, 'onPreview'> & { readonly log: Required<Log> },
  signal: AbortSignal,
): AsyncGenerator<Frame, void, undefined> {
  const { size, strategy } = order
  // No buffering: a frame is taken from the cluster only on demand.
  const { readable, writable } = new TransformStream<Frame, Frame>({}, { highWaterMark: 1 }, { highWaterMark: 0 })
  const taker = writable.getWriter()
  /** Of the frames that are on their way. */
  const cameras = new Map<number, Camera>()
  const noted = async function* () {
    for await (const request of requests) {
      cameras.set(request.frame, request.camera)
      yield request
    }
  }
  const sink: SessionSink = {
    started: areas => {
      const count = workerCount(areas)
      if (!signal.aborted) log.step(`${strategy}: ${count} ${count === 1 ? 'worker is' : 'workers are'} ready; tracing`)
    },
    status: (text, isEvent) => signal.aborted || log[isEvent ? 'info' : 'step'](`${strategy}: ${text}`),
    frame: (report, pixels, planes) => {
      const camera = cameras.get(report.frame)!
      cameras.delete(report.frame)
      return taker.write({ frame: report.frame, size, pixels, planes, report, camera })
    },
    ...(onPreview ? { preview: frame => (signal.aborted ? undefined : onPreview(frame)) } : {}),
  }
  // Settles as soon as the signal aborts, whatever the cluster does; its later outcome is ignored.
  const running = untilAborted(signal, cluster.run(order, scene.held, film(noted()), sink, signal))
  // The reader may be gone already.
  running.then(() => taker.close()).catch(error => taker.abort(error).catch(() => {}))
  for await (const frame of readable) yield frame
}

/** All options, to reject misspelt ones, which would otherwise be silently ignored. */
const OPTIONS: Readonly<Record<keyof RenderOptions, true>> = {
  integrator: true,
  samples: true,
  ambientRays: true,
  maxDepth: true,
  bounces: true,
  filter: true,
  singleScattering: true,
  noise: true,
  size: true,
  frames: true,
  fps: true,
  camera: true,
  cameraName: true,
  shutter: true,
  timeSteps: true,
  passes: true,
  exposure: true,
  toneMapping: true,
  transparent: true,
  channels: true,
  strategy: true,
  strategyOptions: true,
  clock: true,
  engine: true,
  inFlight: true,
  verify: true,
  cluster: true,
  wait: true,
  record: true,
  spans: true,
  onPreview: true,
  tileCommand: true,
  log: true,
  signal: true,
}

/** @throws RenderOptionError, UnknownNameError */
function checkOptions(options: RenderOptions): void {
  const known = Object.keys(OPTIONS)
  const stray = Object.keys(options).find(name => !known.includes(name))
  if (stray !== undefined) throw new UnknownNameError('option of render', stray, known)
  const { size, fps, camera, cameraName } = options
  if (fps !== undefined && !(fps >= FPS.least && fps <= FPS.most))
    throw new RenderOptionError(`render: fps: expected ${FPS.least} to ${FPS.most}, got ${fps}`)
  if (camera !== undefined && cameraName !== undefined)
    throw new RenderOptionError(`render: cameraName: expected no camera with it, got ${JSON.stringify(cameraName)}`)
  if (size !== undefined && !(Array.isArray(size) && size.length === 2))
    throw new RenderOptionError(`render: size: expected [width, height] in px, got ${JSON.stringify(size)}`)
}

/** @throws RenderOptionError, UnknownNameError */
function orderOf(scene: ReadyScene, options: RenderOptions): SessionOrder {
  const { strategy = DEFAULT_STRATEGY, wait = 60 } = options
  const order: SessionOrder = {
    kind: 'film',
    sceneName: scene.name,
    scene: scene.held.hash,
    size: options.size ?? [1280, 720],
    quality: qualityOf(options),
    exposure: options.exposure ?? scene.exposure,
    passes: shutterOf(options)?.steps ?? options.passes ?? 1,
    ...(options.noise === undefined ? {} : { noise: options.noise }),
    ...(options.verify ? { verify: options.verify } : {}),
    ...(options.toneMapping === undefined ? {} : { toneMapping: options.toneMapping }),
    ...(options.transparent === true ? { transparent: true } : {}),
    ...(options.channels?.length ? { channels: [...options.channels] } : {}),
    ...countOf(options.frames),
    ...(options.tileCommand === undefined ? {} : { tileCommand: options.tileCommand }),
    progressive: options.onPreview !== undefined,
    inFlight: options.inFlight ?? 2,
    strategy: nameOf(strategy),
    options: { ...DEFAULT_STRATEGY_OPTIONS, ...options.strategyOptions },
    record: options.record === true,
    spans: options.spans === true,
    clock: options.clock ?? 'cpu',
    engine: options.engine ?? DEFAULT_ENGINE,
    minWorkers: 1,
    waitMs: wait * 1000,
  }
  const checked = sessionOrderSchema.safeParse(order)
  if (!checked.success) throw new RenderOptionError(`render: ${schemaProblem(checked.error)}`)
  const { samples } = order.quality
  if (shutterOf(options) && order.passes > samples)
    throw new RenderOptionError(
      `render: timeSteps: expected at most as many as samples, ${samples}, got ${order.passes}`,
    )
  const excess = excessOf(checked.data)
  if (excess)
    throw new RenderOptionError(
      `render: ${nameOfOption(excess.option, options)}: expected ${excess.expected}, got ${excess.got}`,
    )
  return checked.data
}

/** Where `RenderOptions` has what decides what an order costs. */
function nameOfOption(option: CostlyOption, options: RenderOptions): string {
  if (option === 'tile' || option === 'scatter' || option === 'cell') return `strategyOptions.${option}`
  return option === 'passes' && shutterOf(options) ? 'timeSteps' : option
}

/** Of frames, as far as it is known. */
function countOf(frames: RenderOptions['frames'] = 1): { frameCount?: number } {
  const count = typeof frames === 'number' ? frames : (frames as { readonly length?: unknown }).length
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? { frameCount: count } : {}
}

/** Undefined: no motion blur. @throws RenderOptionError */
function shutterOf({ shutter = 0, timeSteps: steps, passes, noise, record }: RenderOptions): Shutter | undefined {
  const { least, most, usual } = TIME_STEPS
  if (!(shutter >= 0 && shutter <= 1)) throw new RenderOptionError(`render: shutter: expected 0 to 1, got ${shutter}`)
  if (steps !== undefined && !(Number.isInteger(steps) && steps >= least && steps <= most))
    throw new RenderOptionError(`render: timeSteps: expected a whole number from ${least} to ${most}, got ${steps}`)
  if (shutter === 0) return undefined
  const other = passes !== undefined ? 'passes' : noise !== undefined ? 'noise' : record ? 'record' : undefined
  if (other) throw new RenderOptionError(`render: shutter: expected no ${other} with it, got ${shutter}`)
  return { share: shutter, steps: steps ?? usual }
}

const nameOf = (strategy: string | OwnStrategy): string =>
  typeof strategy === 'string' ? strategyByName(strategy).name : useStrategy(strategy).name

/** The frames of a film, each with its camera, and its scene if something moves. @throws UnknownNameError, CameraError */
function requestsOf(scene: ReadyScene, size: Size, options: RenderOptions): AsyncGenerator<WantedFrame> {
  const { frames = 1, fps = DEFAULT_FPS, camera, cameraName } = options
  const named = cameraName === undefined ? undefined : cameraByName(scene, cameraName, 'cameraName')
  const own = named && ownCamera(scene.cameras.indexOf(named), size[0] / size[1])
  const cameraAt = camerasOf(scene, own ?? camera, size)
  const numbers = typeof frames === 'number' ? upTo(frames) : frames
  const shutter = shutterOf(options)
  /** @param time as a fraction of a frame number */
  const look = async (frame: number, time: number): Promise<Moment> => {
    const then = await scene.at?.(time / fps, frame)
    return { camera: cameraAt(frame, then?.cameras, time), ...(then ? { scene: then.held } : {}) }
  }
  return (async function* () {
    for (const frame of numbers) {
      if (!shutter) {
        yield { frame, ...(await look(frame, frame)) }
        continue
      }
      const moments: Moment[] = []
      for (const time of timesOf(frame, shutter)) moments.push(await look(frame, time))
      yield { frame, ...moments[0]!, moments }
    }
  })()
}

function* upTo(count: number): Generator<number> {
  for (let frame = 0; frame < count; frame++) yield frame
}
