/** The naive tracer where tracers are plugged in. */
import type { PlainScene } from '../model/plain-scene.ts'
import type { Tracer } from '../model/tracer.ts'
import { NaiveTracer } from './naive-tracer.ts'

/** Other seeds give independent pictures. */
export function naiveTracer(name: string, seed: number): Tracer {
  // Building one takes longer than many a picture.
  const built = { true: new WeakMap<PlainScene, NaiveTracer>(), false: new WeakMap<PlainScene, NaiveTracer>() }
  return {
    name,
    async trace(scene, view) {
      const compensation = !view.quality.singleScattering
      const tracer = built[`${compensation}`].get(scene) ?? new NaiveTracer(scene, { compensation })
      built[`${compensation}`].set(scene, tracer)
      return tracer.trace(view, seed).mean
    },
  }
}
