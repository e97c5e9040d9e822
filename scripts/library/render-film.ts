/** The frames of a scene with options that are resolved: an order for a cluster, and its requests, one by one. */
import { setMaxListeners } from 'node:events'
import { type CostlyOption, excessOf } from '../../master/clients/order-cost.ts'
import { strategies, strategyByName } from '../../master/strategies/index.ts'
import { CancelledError } from '../../shared/errors.ts'
import type { FrameProgress } from '../../shared/frame/frame-progress.ts'
import type { Camera } from '../../shared/frame/view.ts'
import { lookOf } from '../../shared/light/tone-map.ts'
import { type SessionOrder, sessionOrderSchema } from '../../shared/protocol/session-order.ts'
import { film, type Moment, type SessionSink, type WantedFrame } from '../../shared/session/session.ts'
import { workerCount } from '../../shared/session/worker-count.ts'
import { guardedLog, type Log, silentLog } from '../../shared/text/log.ts'
import { schemaProblem } from '../../shared/text/schema-problem.ts'
import { untilAborted } from '../../shared/time/until-aborted.ts'
import { type EngineName, engineKind } from '../../worker/engine/engine.ts'
import { checkMixed, engineElsewhere, engineNameOf } from '../../worker/node/engines.ts'
import { said } from '../options/declare/kinds.ts'
import { waitMsOf } from '../options/groups/cluster.ts'
import { exposureFrom } from '../options/groups/exposure.ts'
import { wholeSize } from '../options/groups/film.ts'
import { timesOf } from '../options/groups/shutter.ts'
import { cameraByName, camerasOf, ownCamera } from './cameras.ts'
import { type Cluster, isOneWorker, startCluster } from './cluster.ts'
import type { Frame } from './frame.ts'
import { type FilmOptions, FRAME_NUMBERS, isFrameNumber, RenderOptionError, VOICE } from './program-options.ts'
import { gapsOf, loadScene, type ReadyScene, type SceneSource } from './ready-scene.ts'

/** For `render` of the library, and for commands. Throws as `render` does. */
export async function* renderFilm(
  source: SceneSource | ReadyScene,
  options: FilmOptions,
): AsyncGenerator<Frame, void, undefined> {
  const over = new AbortController()
  const signal = AbortSignal.any([over.signal, ...(options.signal ? [options.signal] : [])])
  // Every tile that is being traced adds a listener.
  setMaxListeners(0, signal)
  const log = guardedLog(options.log ?? silentLog)
  // Workers start while the scene loads.
  const { engine, mixEngines, onPreview, keeper } = options
  const onProgress = options.onProgress && endedByFailure(options.onProgress, over)
  const opening = options.cluster ? Promise.resolve(options.cluster) : startCluster({ engine, mixEngines, log, signal })
  opening.catch(() => {})
  let loaded: ReadyScene | undefined
  try {
    if (!isReady(source)) loaded = await loadScene(source, { signal })
    const scene = loaded ?? (source as ReadyScene)
    const order = orderOf(scene, options)
    for (const problem of loaded ? [...scene.problems, ...gapsOf(scene, order.quality)] : []) log.warn(problem)
    checkReach(order.strategy, options.cluster)
    const requests = requestsOf(scene, options)
    const { plugIns } = options
    const cluster = await opening
    yield* framesOf(
      { ...order, minWorkers: cluster.workers },
      scene,
      requests,
      cluster,
      { onPreview, onProgress, keeper, plugIns, log },
      signal,
    )
  } finally {
    over.abort(new CancelledError())
    await loaded?.close?.()
    if (!options.cluster) await opening.then(cluster => cluster.close()).catch(() => {})
  }
}

/** Nothing waits for it: what it throws ends the rendering. */
const endedByFailure = (onProgress: Required<FilmOptions>['onProgress'], over: AbortController) => {
  const told = async (progress: FrameProgress) => onProgress!(progress)
  return (progress: FrameProgress): void => void told(progress).catch(error => over.abort(error))
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
  {
    onPreview,
    onProgress,
    keeper,
    plugIns,
    log,
  }: Pick<FilmOptions, 'onPreview' | 'onProgress' | 'keeper' | 'plugIns'> & { readonly log: Required<Log> },
  signal: AbortSignal,
): AsyncGenerator<Frame, void, undefined> {
  const { size, strategy } = order
  // No buffering: a frame is taken from the cluster only on demand.
  const { readable, writable } = new TransformStream<Frame, Frame>({}, { highWaterMark: 1 }, { highWaterMark: 0 })
  const taker = writable.getWriter()
  /** Of the frames that are on their way. */
  const cameras = new Map<number, Camera>()
  // One worker alone has no balance, and its user no need to know who would keep it.
  const isAlone = isOneWorker(cluster)
  const who = isAlone ? '' : `${strategy}: `
  const noted = async function* () {
    for await (const request of requests) {
      cameras.set(request.frame, request.camera)
      yield request
    }
  }
  const sink: SessionSink = {
    started: areas => {
      const count = workerCount(areas)
      if (!signal.aborted)
        log.step(isAlone ? 'tracing' : `${who}${count} ${count === 1 ? 'worker is' : 'workers are'} ready; tracing`)
    },
    status: (text, isEvent) => signal.aborted || log[isEvent ? 'info' : 'step'](`${who}${text}`),
    frame: (report, pixels, planes) => {
      const camera = cameras.get(report.frame)!
      cameras.delete(report.frame)
      return taker.write({ frame: report.frame, size, pixels, planes, report, camera })
    },
    ...(keeper ? { keeper } : {}),
    ...(onProgress ? { progress: progress => (signal.aborted ? undefined : onProgress(progress)) } : {}),
    ...(onPreview ? { preview: frame => (signal.aborted ? undefined : onPreview(frame)) } : {}),
  }
  // Settles as soon as the signal aborts, whatever the cluster does; its later outcome is ignored.
  const what = [order, scene.held, film(noted()), sink, signal] as const
  const session = cluster.embedded ? cluster.run(...what, plugIns) : cluster.run(...what)
  keeper?.during(session)
  const running = untilAborted(signal, session)
  // The reader may be gone already.
  running.then(() => taker.close()).catch(error => taker.abort(error).catch(() => {}))
  for await (const frame of readable) yield frame
}

/** @throws RenderOptionError, UnknownNameError */
function orderOf(scene: ReadyScene, options: FilmOptions): SessionOrder {
  const { size, quality, passes, inFlight, clock, engine, mixEngines, record, spans } = options
  const { noise, time, verify, tileCommand, channels, denoise } = options
  const strategy = strategyByName(options.strategy, options.plugIns?.strategies)
  const order: SessionOrder = {
    kind: 'film',
    sceneName: scene.name,
    scene: scene.held.hash,
    size,
    quality,
    ...lookOf({ ...options, exposure: exposureFrom(options.exposure, scene.exposure, wrongExposure) }),
    passes,
    ...(noise === undefined ? {} : { noise }),
    ...(time === undefined ? {} : { timeMs: time * 1000 }),
    ...(verify ? { verify } : {}),
    ...(options.transparent ? { transparent: true } : {}),
    ...(denoise === 'on' ? { denoise: true } : {}),
    ...(options.keeper?.keepsSums ? { sums: true } : {}),
    ...keepOf(options),
    ...(channels.length > 0 ? { channels: [...channels] } : {}),
    ...countOf(options.frames),
    ...(tileCommand === undefined ? {} : { tileCommand }),
    progressive: options.onPreview !== undefined,
    inFlight,
    strategy: strategy.name,
    options: options.strategyOptions,
    record,
    spans,
    clock,
    engine: engineKind(nameOf(engine, options)),
    ...(mixEngines ? { mixEngines } : {}),
    minWorkers: 1,
    waitMs: waitMsOf(options),
  }
  const checked = sessionOrderSchema.safeParse(order)
  if (!checked.success) throw new RenderOptionError(`render: ${schemaProblem(checked.error)}`)
  const excess = excessOf({ ...checked.data, strategy })
  if (excess) throw VOICE.error(nameOfOption(excess.option, options), excess.expected, excess.got)
  return checked.data
}

/** @throws UnknownNameError, OptionError, OptionRuleError */
function nameOf(engine: string, { cluster, mixEngines }: FilmOptions): EngineName {
  const name = engineNameOf(engine)
  checkMixed(name, mixEngines, 'mixEngines')
  return cluster?.embedded === false ? engineElsewhere(name, 'engine') : name
}

const wrongExposure = (expected: string, got: string): Error => VOICE.error('exposure', expected, got)

/** Where `RenderOptions` has what decides what an order costs. */
function nameOfOption(option: CostlyOption, { shutter }: FilmOptions): string {
  if (option === 'tile' || option === 'scatter' || option === 'cell') return `strategyOptions.${option}`
  return option === 'passes' && shutter ? 'timeSteps' : option
}

/** Told to a master elsewhere; that of this process is asked directly. */
function keepOf({ keeper, cluster }: FilmOptions): Pick<SessionOrder, 'keep'> {
  if (keeper?.kernel === undefined || cluster?.embedded !== false) return {}
  const { mostTileSamples: tileSamples, kernel } = keeper
  return { keep: { kernel, ...(tileSamples === undefined ? {} : { tileSamples }) } }
}

/** Of frames, as far as it is known. */
function countOf(frames: FilmOptions['frames']): { frameCount?: number } {
  const count = typeof frames === 'number' ? frames : (frames as { readonly length?: unknown }).length
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? { frameCount: count } : {}
}

/** The frames of a film, each with its camera, and its scene if something moves. @throws UnknownNameError, CameraError */
function requestsOf(scene: ReadyScene, options: FilmOptions): AsyncGenerator<WantedFrame> {
  const { frames, fps, camera, cameraName, shutter, region, keeper, cluster } = options
  const size = wholeSize(options)
  const named = cameraName === undefined ? undefined : cameraByName(scene, cameraName, 'cameraName')
  const own = named && ownCamera(scene.cameras.indexOf(named), size[0] / size[1])
  const cameraAt = camerasOf(scene, own ?? camera, size)
  const numbers = typeof frames === 'number' ? upTo(frames) : frames
  /** @param time as a fraction of a frame number */
  const look = async (frame: number, time: number): Promise<Moment> => {
    const then = await scene.at?.(time / fps, frame)
    const seen = { ...cameraAt(frame, then?.cameras, time), ...(region ? { region } : {}) }
    return { camera: seen, ...(then ? { scene: then.held } : {}) }
  }
  return (async function* () {
    for (const frame of numbers) {
      if (!isFrameNumber(frame)) throw VOICE.error('frames', FRAME_NUMBERS, said(frame))
      // A master elsewhere is sent it by its connection.
      const from = cluster?.embedded === false ? undefined : await keeper?.from(frame)
      if (!shutter) {
        yield { frame, ...(await look(frame, frame)), from }
        continue
      }
      const moments: Moment[] = []
      for (const time of timesOf(frame, shutter)) moments.push(await look(frame, time))
      yield { frame, ...moments[0]!, moments, from }
    }
  })()
}

function* upTo(count: number): Generator<number> {
  for (let frame = 0; frame < count; frame++) yield frame
}
