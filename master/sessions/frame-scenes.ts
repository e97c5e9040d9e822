/**
 * The scenes of a session: its own, and those of single frames of a film in which something moves, or of all moments of a frame with
 * motion blur. Workers prepare the scenes of the next frame while they trace the one before.
 */
import type { SceneChange, WorkerInfo } from '../../shared/frame/frame-report.ts'
import type { AreaId } from '../../shared/ids.ts'
import { mean } from '../../shared/metrics/statistics.ts'
import type { SessionOrder } from '../../shared/protocol/session-order.ts'
import { type Bodies, BodyReader } from '../../shared/scene/bodies.ts'
import type { NamedScene } from '../../shared/scene/held-scene.ts'
import { manifestBytes } from '../../shared/scene/manifest.ts'
import { enginesOf } from '../../shared/session/engines.ts'
import type { WantedFrame } from '../../shared/session/session.ts'
import { workerCount } from '../../shared/session/worker-count.ts'
import { isDeserted } from '../cluster/own-workers.ts'
import type { SceneArrival } from '../cluster/scene-delivery.ts'
import type { TileTracers, TracePorts, Tracers } from '../live-frames/tracers.ts'
import { type AreasPorts, areasReady, tooFewWorkers, type Wanted } from './ready-areas.ts'
import type { SessionCluster, SessionPorts } from './session-ports.ts'
import { SessionScene } from './session-scene.ts'

/** What tracing a frame needs. */
export interface SceneUse {
  /** Of a frame with motion blur that of its first moment. */
  readonly scene: SessionScene
  readonly areas: AreasPorts
  readonly tracing: TracePorts
}

/** A frame whose scenes workers prepare. */
export interface NextFrame {
  readonly request: WantedFrame
  readonly at: SceneUse
  /** Where things are; undefined if nothing moves. */
  bodies(): Promise<Bodies | undefined>
  /** What its scene took, once its areas are known; undefined if nothing moves. @param waitMs how long it waited for them */
  change(waitMs: number): SceneChange | undefined
  /** It has been made, or will not be. */
  release(): void
}

/**
 * Scenes of frames are prepared ahead while those in use have at most as many bytes together, before they are built: several moments
 * of several frames would leave no room in a worker.
 */
const AHEAD_BYTES = 512 * 2 ** 20
/** A frame's own scene is waited for at least so long, ms; a worker that has it later joins the frame in progress. */
const GRACE_MS = 250

export class FrameScenes {
  readonly own: SceneUse
  readonly #order: SessionOrder
  readonly #cluster: SessionCluster
  readonly #ports: SessionPorts
  readonly #lost: (error: unknown) => void
  readonly #aheadBytes: number
  readonly #bodies = new BodyReader()
  /** Names of the scenes of the frame before; that of the session is there before any frame. */
  #newest: ReadonlySet<string>
  /** Bytes of the scenes of frames that are in use, and how to tell who waits that they are fewer. */
  #bytes = 0
  #released = () => {}

  /**
   * @param lost called if the content of a scene cannot be had
   * @param aheadBytes of scenes in use, while others are prepared
   */
  constructor(
    scene: NamedScene,
    order: SessionOrder,
    ports: SessionPorts,
    lost: (error: unknown) => void,
    aheadBytes = AHEAD_BYTES,
  ) {
    this.#aheadBytes = aheadBytes
    this.#order = order
    this.#cluster = ports.cluster
    this.#ports = ports
    this.#lost = lost
    this.#newest = new Set([scene.hash])
    this.own = this.#useOf(new SessionScene(scene, order.sceneName, lost), [scene.hash])
  }

  /** Resolves when workers have room for the scenes of a frame beside those of the frames in progress. */
  async room(request: WantedFrame): Promise<void> {
    const bytes = bytesOf(this.#scenesOf(request))
    while (this.#bytes > 0 && this.#bytes + bytes > this.#aheadBytes)
      await new Promise<void>(resolve => {
        this.#released = resolve
      })
  }

  /** Has workers prepare the scenes of a frame: its own, or those of all its moments. */
  prepare(request: WantedFrame): NextFrame {
    const { scene } = request
    const bodies = async () => (scene ? this.#bodies.read(scene.manifest, await partsOf(scene)) : undefined)
    const scenes = this.#scenesOf(request)
    const names = scenes.map(({ hash }) => hash)
    const before = this.#newest
    const moves = scene !== undefined || request.moments !== undefined
    if (moves) this.#newest = new Set(names)
    const change = (waitMs: number) => {
      if (!moves) return undefined
      const fresh = names.filter(name => !before.has(name))
      return sceneChange(
        fresh.map(name => this.#cluster.arrivals(name)),
        waitMs,
      )
    }
    const passing = scenes.filter(({ hash }) => hash !== this.own.scene.hash)
    if (passing.length === 0) return { request, at: this.own, bodies, change, release: () => {} }
    const prepared = scenes.map(scene =>
      passing.includes(scene) ? new SessionScene(scene, this.#order.sceneName, this.#lost) : this.own.scene,
    )
    for (const scene of prepared) if (scene !== this.own.scene) this.#cluster.provide(scene, true)
    this.#bytes += bytesOf(passing)
    const at = this.#useOf(prepared[0]!, names, this.own.scene.hash)
    const release = () => {
      for (const { hash } of passing) this.#cluster.release(hash)
      this.#bytes -= bytesOf(passing)
      this.#released()
    }
    return { request, at, bodies, change, release }
  }

  /** The scenes of a frame, each once: where nothing moves for a while, moments have equal ones. */
  #scenesOf(request: WantedFrame): NamedScene[] {
    const all = [request, ...(request.moments ?? [])].map(({ scene = this.own.scene }) => scene)
    return [...new Map(all.map(scene => [scene.hash, scene])).values()]
  }

  /** The areas for a frame: at least one; of a frame's own scenes all whose workers had the session's. */
  areasFor(at: SceneUse, say: Wanted['say'], signal: AbortSignal): Promise<WorkerInfo[]> {
    const engines = enginesOf(this.#order)
    const waitMs = () => at.tracing.waitMs
    if (at === this.own) return areasReady({ count: 1, engines, waitMs, say }, at.areas, signal)
    const count = () => Math.max(1, at.areas.expectedWorkers())
    const sayWaiting = (text: string, what: 'loading' | 'waiting') => {
      // Workers load a scene in every frame.
      if (what === 'waiting') say(text, what)
    }
    return areasReady({ count, engines, waitMs, graceMs: GRACE_MS, say: sayWaiting }, at.areas, signal)
  }

  /**
   * @param all scenes that are traced
   * @param having the scene whose workers are to have these, too
   */
  #useOf(scene: SessionScene, all: readonly string[], having?: string): SceneUse {
    const cluster = this.#cluster
    const { waitMs } = this.#order
    const engines = enginesOf(this.#order)
    const { closing } = this.#ports.turns
    // No worker joins a master that closes.
    const own = () => (closing.aborted ? undefined : cluster.own?.(all))
    const ready = () => cluster.readyWorkers(engines, all)
    const expectedWorkers = () => cluster.expectedWorkers(engines, all, having)
    const readyArea = (area: AreaId) => cluster.readyArea(area, engines, all)
    const connected = () => cluster.workers()
    const refusals = () => cluster.refusals(engines, all)
    const tracers = tracersOf(cluster)
    const areas = { ...this.#ports, ready, expectedWorkers, own, connected, refusals, subscribe: tracers.subscribe }
    const vainly = (least: number) => isDeserted(own(), workerCount(connected()), least)
    const tooFew: TileTracers['tooFew'] = (wanted, waitMs) => tooFewWorkers(wanted, engines, areas, waitMs)
    const tracing = {
      ...this.#ports,
      get waitMs() {
        if (closing.aborted) return 0
        return own()?.coming ? Number.POSITIVE_INFINITY : waitMs
      },
      tracers: { ...tracers, ready, readyArea, expectedWorkers, isDeserted: vainly, tooFew },
    }
    return { scene, areas, tracing }
  }
}

/** @param arrivals of each new scene */
function sceneChange(arrivals: readonly (readonly SceneArrival[])[], waitMs: number): SceneChange {
  const total = (of: (workers: readonly SceneArrival[]) => number): number =>
    arrivals.reduce((sum, workers) => sum + of(workers), 0)
  return {
    bytesPerWorker: total(workers => mean(workers.map(({ bytes }) => bytes))),
    buildMs: total(workers => mean(workers.map(({ buildMs }) => buildMs))),
    slowestBuildMs: total(workers => Math.max(0, ...workers.map(({ buildMs }) => buildMs))),
    waitMs,
  }
}

const bytesOf = (scenes: readonly NamedScene[]): number =>
  scenes.reduce((sum, { manifest }) => sum + manifestBytes(manifest), 0)

const partsOf = async (scene: NamedScene): Promise<(part: string) => Uint8Array> => {
  const { parts } = await scene.content()
  return part => parts.get(part)!
}

/** The operations alone, of an object that has more. */
const tracersOf = (cluster: Tracers): Tracers => ({
  nextWork: cluster.nextWork.bind(cluster),
  trace: cluster.trace.bind(cluster),
  trim: cluster.trim.bind(cluster),
  cancel: cluster.cancel.bind(cluster),
  blame: cluster.blame.bind(cluster),
  quarantine: cluster.quarantine.bind(cluster),
  liftQuarantine: cluster.liftQuarantine.bind(cluster),
  cancelWork: cluster.cancelWork.bind(cluster),
  identify: cluster.identify.bind(cluster),
  subscribe: cluster.subscribe.bind(cluster),
  quiet: cluster.quiet,
  received: cluster.received.bind(cluster),
})
