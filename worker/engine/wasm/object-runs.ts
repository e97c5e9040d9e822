/** Which object each baked triangle belongs to: runs of triangles, because a scene has few objects next to its triangles. */
import type { Instance } from '../../../shared/scene/description.ts'
import type { KernelMemory } from './memory.ts'
import { put, putHeader } from './records/access.ts'
import { OBJECT_RUN } from './records/instances.ts'

type Baked = { readonly instances: readonly Pick<Instance, 'object'>[] }

/** Bytes for the runs of instances that are baked one after the other. */
export const objectBytes = ({ instances }: Baked): number =>
  OBJECT_RUN.bytes *
  instances.reduce((runs, { object = 0 }, i) => runs + Number(i === 0 || object !== (instances[i - 1]!.object ?? 0)), 0)

/** Writes them to an address. @param ends for each instance, how many triangles there are with it and those before it */
export function putObjects(memory: KernelMemory, { instances }: Baked, ends: Uint32Array, at: number): void {
  let count = 0
  for (const [i, { object = 0 }] of instances.entries()) {
    const next = instances[i + 1]
    if (next && (next.object ?? 0) === object) continue
    put(memory, OBJECT_RUN, at + count * OBJECT_RUN.bytes, { end: ends[i]!, object })
    count++
  }
  putHeader(memory, { objects: at, objectCount: count })
}
