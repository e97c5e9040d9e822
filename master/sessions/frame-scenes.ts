/**
 * The scenes of a session: its own, and those of single frames of a film in which something moves, or of all moments of a frame with
 * motion blur. Workers prepare the scenes of the next frame while they trace the one before.
 */
import type { WorkerInfo } from '../../shared/frame-report.ts'
import { areaId } from '../../shared/ids.ts'
import type { SessionOrder } from '../../shared/protocol/session-order.ts'
import { type Bodies, BodyReader } from '../../shared/scene/bodies.ts'
import type { NamedScene } from '../../shared/scene/held-scene.ts'
import type { WantedFrame } from '../../shared/session.ts'
import { type AreasPorts, areasReady } from './ready-areas.ts'
import type { SessionCluster, SessionPorts } from './session-ports.ts'
import { SessionScene } from './session-scene.ts'
import { type TracePorts, tracersOf } from './trace-frame.ts'

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

  /** @param lost called if the content of a scene cannot be had */
  constructor(scene: NamedScene, order: SessionOrder, ports: SessionPorts, lost: (error: unknown) => void) {
    this.#order = order
    this.#cluster = ports.cluster
    this.#ports = ports
    this.#lost = lost
    this.own = this.#useOf(new SessionScene(scene, lost), [scene.hash])
  }

  /** Has workers prepare the scenes of a frame: its own, or those of all its moments. */
  prepare(request: WantedFrame): NextFrame {
    const { scene, moments = [] } = request
    const own = this.own.scene
    const bodies = async () => (scene ? this.#bodies.read(scene.manifest, await partsOf(scene)) : undefined)
    // Where nothing moves for a while, moments have equal scenes.
    const scenes = new Map<string, SessionScene>()
    for (const { scene = own } of [request, ...moments])
      if (!scenes.has(scene.hash))
        scenes.set(scene.hash, scene.hash === own.hash ? own : new SessionScene(scene, this.#lost))
    const [first] = scenes.values()
    const passing = [...scenes.values()].filter(scene => scene !== own)
    if (passing.length === 0) return { request, at: this.own, bodies, release: () => {} }
    for (const scene of passing) this.#cluster.provide(scene, true)
    const at = this.#useOf(first!, [...scenes.keys()], own.hash)
    const release = () => {
      for (const { hash } of passing) this.#cluster.release(hash)
    }
    return { request, at, bodies, release }
  }

  /** The areas for a frame: at least one; of a frame's own scenes all whose workers had the session's. */
  areasFor(at: SceneUse, say: (text: string) => void, signal: AbortSignal): Promise<WorkerInfo[]> {
    const { engine, waitMs } = this.#order
    if (at === this.own) return areasReady({ count: 1, engine, waitMs, say }, at.areas, signal)
    const count = () => Math.max(1, at.areas.expectedWorkers())
    // This happens in every frame.
    return areasReady({ count, engine, waitMs, say: () => {} }, at.areas, signal)
  }

  /**
   * @param all scenes that are traced
   * @param having the scene whose workers are to have these, too
   */
  #useOf(scene: SessionScene, all: readonly string[], having?: string): SceneUse {
    const cluster = this.#cluster
    const { engine, waitMs } = this.#order
    const ready = () => cluster.readyWorkers(engine, all)
    const expectedWorkers = () => cluster.expectedWorkers(engine, all, having)
    const readyIds = () => ready().map(({ id }) => areaId(id))
    const tracers = tracersOf(cluster)
    return {
      scene,
      areas: { ...this.#ports, ready, expectedWorkers, connected: () => cluster.workers(), observe: tracers.observe },
      tracing: { ...this.#ports, waitMs, tracers: { ...tracers, readyIds, expectedWorkers } },
    }
  }
}

const partsOf = async (scene: NamedScene): Promise<(part: string) => Uint8Array> => {
  const { parts } = await scene.content()
  return part => parts.get(part)!
}
