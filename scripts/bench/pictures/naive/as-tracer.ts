/** The naive tracer where tracers are plugged in. */
import type { PlainScene } from '../model/plain-scene.ts'
import type { Tracer } from '../model/tracer.ts'
import { NaiveTracer } from './naive-tracer.ts'

/** Other seeds give independent pictures. */
export function naiveTracer(name: string, seed: number): Tracer {
  // Building one takes longer than many a picture.
  const built = new WeakMap<PlainScene, NaiveTracer>()
  return {
    name,
    async trace(scene, view) {
      const tracer = built.get(scene) ?? new NaiveTracer(scene, { compensation: true })
      built.set(scene, tracer)
      return tracer.trace(view, seed).mean
    },
  }
}
