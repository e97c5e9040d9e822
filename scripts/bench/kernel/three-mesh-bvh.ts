/**
 * The BVH that three.js programs use, in its best configuration: SAH and `raycastFirst`, also for any-hit rays (it has no
 * faster query for them). A development dependency: absent in installations without those.
 */
import { Box3, BufferAttribute, BufferGeometry, DoubleSide, Ray, Vector3 } from 'three'
import type { MeshBVH } from 'three-mesh-bvh'
import { triangleCount } from '../../../shared/scene/bake.ts'
import { BenchError } from '../bench-error.ts'
import { cpuMsOf } from '../cpu-time.ts'
import { type PlainMesh, plainMesh } from './plain-mesh.ts'
import type { RayEngine, RayInput } from './ray-engine.ts'
import { mostRays, RAY_FLOATS, type RaySet } from './rays/ray-kinds.ts'
import { timedBuild } from './timed-build.ts'
import { timedRefit } from './timed-refit.ts'
import type { Unavailable } from './unavailable.ts'

export async function openThreeMeshBvh({ scene, sets }: RayInput): Promise<RayEngine | Unavailable> {
  const library = await import('three-mesh-bvh').catch(() => undefined)
  if (!library) return { unavailable: "needs the development dependency three-mesh-bvh: 'npm ci' in a checkout" }
  const { MeshBVH, SAH } = library
  const mesh = plainMesh(scene)
  // It sorts the index: every build gets a fresh one, copied outside the measurement.
  const fresh = Array.from({ length: 3 }, () => geometryOf(mesh))
  const { built, buildMs } = timedBuild(() => new MeshBVH(fresh.pop()!, { strategy: SAH }))
  const refitMs = timedRefit(size => refit(built, mesh, size))
  const { roots } = MeshBVH.serialize(built, { cloneBuffers: false })
  const bytes = (roots as ArrayBuffer[]).reduce((sum, root) => sum + root.byteLength, mesh.indices.byteLength)
  const answers = new Float32Array(mostRays(sets))
  return {
    name: 'three-mesh-bvh',
    buildMs,
    refitMs,
    bytesPerTriangle: bytes / triangleCount(scene),
    trace: kind => cpuMsOf(() => traceAll(built, sets[kind], answers)),
    answers: kind => answers.subarray(0, sets[kind].count),
    close: () => {},
  }
}

function geometryOf({ positions, indices }: PlainMesh): BufferGeometry {
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', new BufferAttribute(positions.slice(), 3))
  geometry.setIndex(new BufferAttribute(indices.slice(), 1))
  return geometry
}

function refit(bvh: MeshBVH, { positions }: PlainMesh, size: number): number {
  const extent = () => bvh.getBoundingBox(new Box3()).getSize(new Vector3()).length()
  const before = extent()
  const { array } = bvh.geometry.attributes.position!
  for (let i = 0; i < array.length; i++) array[i] = positions[i]! * size
  const ms = cpuMsOf(() => bvh.refit())
  if (extent() === before) throw new BenchError('three-mesh-bvh: expected a refitted tree, got the one that was there')
  return ms
}

function traceAll(bvh: MeshBVH, { rays, count }: RaySet, answers: Float32Array): void {
  const ray = new Ray()
  for (let i = 0; i < count; i++) {
    const at = i * RAY_FLOATS
    ray.origin.set(rays[at]!, rays[at + 1]!, rays[at + 2]!)
    ray.direction.set(rays[at + 4]!, rays[at + 5]!, rays[at + 6]!)
    const hit = bvh.raycastFirst(ray, DoubleSide, rays[at + 3]!, rays[at + 7]!)
    answers[i] = hit ? hit.distance : Number.POSITIVE_INFINITY
  }
}
