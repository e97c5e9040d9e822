/** The readable engine, one ray at a time. */
import { triangleCount } from '../../../shared/scene/bake.ts'
import { buildBvh } from '../../../worker/engine/reference/bvh-builder.ts'
import { openStructure } from '../../../worker/engine/reference/bvh-layout.ts'
import { Traversal } from '../../../worker/engine/reference/traversal.ts'
import { cpuMsOf } from '../cpu-time.ts'
import type { RayEngine, RayInput } from './ray-engine.ts'
import { RAY_FLOATS, type RaySet } from './ray-sets.ts'
import { timedBuild } from './timed-build.ts'

export async function openReference({ scene, sets }: RayInput): Promise<RayEngine> {
  const { built, buildMs } = timedBuild(() => buildBvh(scene))
  const traversal = new Traversal(openStructure(built), scene)
  const answers = new Float32Array(sets.primary.count)
  return {
    name: 'reference',
    buildMs,
    bytesPerTriangle: built.byteLength / triangleCount(scene),
    trace: kind => cpuMsOf(() => traceAll(traversal, sets[kind], answers)),
    answers: kind => answers.subarray(0, sets[kind].count),
    close: () => {},
  }
}

function traceAll(traversal: Traversal, { kind, rays, count }: RaySet, answers: Float32Array): void {
  for (let i = 0; i < count; i++) {
    const at = i * RAY_FLOATS
    const [x, y, z] = [rays[at]!, rays[at + 1]!, rays[at + 2]!]
    const [dx, dy, dz] = [rays[at + 4]!, rays[at + 5]!, rays[at + 6]!]
    if (kind === 'shadow') {
      answers[i] = traversal.lightFrom(x, y, z, dx, dy, dz) === 0 ? 0 : Number.POSITIVE_INFINITY
    } else {
      const hit = traversal.closestHit(x, y, z, dx, dy, dz, rays[at + 3]!, rays[at + 7]!)
      answers[i] = hit ? traversal.distance : Number.POSITIVE_INFINITY
    }
  }
}
