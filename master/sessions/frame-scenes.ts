/**
 * The scenes of a session: its own, and those of single frames of a film in which something moves. Workers prepare the scene of
 * the next frame while they trace the one before.
 */
import type { SceneChange, WorkerInfo } from '../../shared/frame-report.ts'
import { areaId } from '../../shared/ids.ts'
import { mean } from '../../shared/metrics/statistics.ts'
import type { SessionOrder } from '../../shared/protocol/session-order.ts'
import { type Bodies, BodyReader } from '../../shared/scene/bodies.ts'
import type { NamedScene } from '../../shared/scene/held-scene.ts'
import type { WantedFrame } from '../../shared/session.ts'
import type { SceneArrival } from '../cluster/scene-delivery.ts'
import { type AreasPorts, areasReady } from './ready-areas.ts'
import type { SessionCluster, SessionPorts } from './session-ports.ts'
import { SessionScene } from './session-scene.ts'
import { type TracePorts, tracersOf } from './trace-frame.ts'

/** What tracing a scene needs. */
export interface SceneUse {
  readonly scene: SessionScene
  readonly areas: AreasPorts
  readonly tracing: TracePorts
}

/** A frame whose scene workers prepare. */
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

export class FrameScenes {
  readonly own: SceneUse
  readonly #order: SessionOrder
  readonly #cluster: SessionCluster
  readonly #ports: SessionPorts
  readonly #lost: (error: unknown) => void
  readonly #bodies = new BodyReader()
  /** The scene of the frame before; that of the session is there before any frame. */
  #newest: string

  /** @param lost called if the content of a scene cannot be had */
  constructor(scene: NamedScene, order: SessionOrder, ports: SessionPorts, lost: (error: unknown) => void) {
    this.#order = order
    this.#cluster = ports.cluster
    this.#ports = ports
    this.#lost = lost
    this.#newest = scene.hash
    this.own = this.#useOf(scene)
  }

  /** Has workers prepare the scene of a frame. */
  prepare(request: WantedFrame): NextFrame {
    const { scene } = request
    const bodies = async () => (scene ? this.#bodies.read(scene.manifest, await partsOf(scene)) : undefined)
    const before = this.#newest
    if (scene) this.#newest = scene.hash
    const change = (waitMs: number) => {
      if (!scene) return undefined
      return sceneChange(scene.hash === before ? [] : this.#cluster.arrivals(scene.hash), waitMs)
    }
    if (!scene || scene.hash === this.own.scene.hash)
      return { request, at: this.own, bodies, change, release: () => {} }
    const at = this.#useOf(scene, this.own.scene.hash)
    this.#cluster.provide(at.scene, true)
    return { request, at, bodies, change, release: () => this.#cluster.release(scene.hash) }
  }

  /** The areas for a frame: at least one; of a frame's own scene all whose workers had the session's. */
  areasFor({ scene, areas }: SceneUse, say: (text: string) => void, signal: AbortSignal): Promise<WorkerInfo[]> {
    const { engine, waitMs } = this.#order
    if (scene === this.own.scene) return areasReady({ count: 1, engine, waitMs, say }, areas, signal)
    const count = () => Math.max(1, areas.expectedWorkers())
    // This happens in every frame.
    return areasReady({ count, engine, waitMs, say: () => {} }, areas, signal)
  }

  /** @param having the scene whose workers are to have this one, too */
  #useOf(named: NamedScene, having?: string): SceneUse {
    const cluster = this.#cluster
    const { engine, waitMs } = this.#order
    const { hash } = named
    const ready = () => cluster.readyWorkers(engine, hash)
    const expectedWorkers = () => cluster.expectedWorkers(engine, hash, having)
    const readyIds = () => ready().map(({ id }) => areaId(id))
    const tracers = tracersOf(cluster)
    return {
      scene: new SessionScene(named, this.#lost),
      areas: { ...this.#ports, ready, expectedWorkers, connected: () => cluster.workers(), observe: tracers.observe },
      tracing: { ...this.#ports, waitMs, tracers: { ...tracers, readyIds, expectedWorkers } },
    }
  }
}

function sceneChange(arrivals: readonly SceneArrival[], waitMs: number): SceneChange {
  const builds = arrivals.map(({ buildMs }) => buildMs)
  return {
    bytesPerWorker: mean(arrivals.map(({ bytes }) => bytes)),
    buildMs: mean(builds),
    slowestBuildMs: Math.max(0, ...builds),
    waitMs,
  }
}

const partsOf = async (scene: NamedScene): Promise<(part: string) => Uint8Array> => {
  const { parts } = await scene.content()
  return part => parts.get(part)!
}
