/** Where tracers are plugged in: the naive one, or a kernel that traces the same scene. */
import { setImmediate } from 'node:timers/promises'
import type { View } from '../../../../shared/frame/view.ts'
import { type Estimate, estimateOf } from './estimate.ts'
import type { PlainScene } from './plain-scene.ts'

/** `Scene`: what it traces. */
export interface Tracer<Scene = PlainScene> {
  readonly name: string
  /**
   * Linear RGB by rows from the top: means over the view's samples, before exposure. Equal arguments give equal pictures; another
   * `view.frame` gives an independent one.
   */
  trace(scene: Scene, view: View): Promise<Float64Array>
}

/** A picture with its noise, from independent renderings. Rejects with the signal's reason once it is aborted. */
export async function estimated<Scene>(
  tracer: Tracer<Scene>,
  scene: Scene,
  view: View,
  renderings: number,
  signal: AbortSignal,
): Promise<Estimate> {
  const pictures: Float64Array[] = []
  for (let i = 0; i < renderings; i++) {
    // Tracing may be synchronous: let interruptions be heard.
    await setImmediate()
    signal.throwIfAborted()
    pictures.push(await tracer.trace(scene, { ...view, frame: view.frame + i }))
  }
  return estimateOf(view.size, pictures)
}
