/** Tracers whose speed is measured. */

import type { View } from '../../../../shared/frame/view.ts'
import { threadCpuClock } from '../../../../worker/node/thread-cpu-clock.ts'
import type { PlainScene } from './plain-scene.ts'
import type { Tracer } from './tracer.ts'

export interface TimedTracer<Scene = PlainScene> extends Tracer<Scene> {
  /** With the CPU time of tracing alone, on one thread: without that of loading the scene and building its tree. */
  traceTimed(scene: Scene, view: View): Promise<TimedPicture>
}

export interface TimedPicture {
  readonly picture: Float64Array
  readonly cpuSeconds: number
}

/** For a tracer that traces in the calling thread, and prepares a scene when it first meets it. */
export function timedHere<Scene extends object>(tracer: Tracer<Scene>): TimedTracer<Scene> {
  const clock = threadCpuClock()
  const met = new WeakSet<Scene>()
  return {
    name: tracer.name,
    trace: (scene, view) => tracer.trace(scene, view),
    async traceTimed(scene, view) {
      if (!met.has(scene)) {
        // One pixel, one sample: builds what is built once.
        await tracer.trace(scene, { ...view, size: [1, 1], quality: { ...view.quality, samples: 1 } })
        met.add(scene)
      }
      const start = clock.now()
      const picture = await tracer.trace(scene, view)
      return { picture, cpuSeconds: (clock.now() - start) / 1000 }
    },
  }
}
