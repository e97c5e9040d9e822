/** The tree of a scene on a device: nodes and triangle4s as they lie in the kernel's memory, a buffer for each. */
import { NotTracedError } from '../../../shared/scene/not-traced.ts'
import type { KernelMemory } from '../wasm/memory.ts'
import { get, header, offsetOf, wordsTo } from '../wasm/records/access.ts'
import { INSTANCE } from '../wasm/records/instances.ts'
import { PASSING } from '../wasm/records/material.ts'
import { ID, TRIANGLE4 } from '../wasm/records/mesh.ts'
import { SCENE, SCENE_AT } from '../wasm/records/scene.ts'
import { type BufferMaker, copied, expectRoom } from './device-buffers.ts'
import type { InstanceOrder } from './device-instances.ts'
import type { GpuBuffer } from './gpu.ts'
import { stackFor, TRACED, TRACED_WORDS, type TreeShape } from './kernel/trace/trace.ts'

export interface DeviceTree {
  readonly nodes: GpuBuffer
  readonly triangle4s: GpuBuffer
  readonly shape: TreeShape
  /** The words that every order begins with, see TRACED_ORDER. */
  readonly order: Uint32Array<ArrayBuffer>
}

/** Sizes of stacks that shaders are made for. */
const STACKS = [64, 128, 256, 512] as const
/** Of scenes with larger coordinates, or smaller ones in all, the arithmetic is not sure to be exact. */
const MOST_EXTENT = 2 ** 30
const LEAST_EXTENT = 2 ** -60
/** Magnitudes below this, as bits, may be lost: 2^-100. */
const TINY_BITS = 0x0d800000

/**
 * Copies the tree of a scene to the device.
 * Rejects with NotTracedError, and with RaysDeviceError where there is no room left.
 * @param instances those of the scene, if it has some, as they will be in the tables
 * @param instead what is done about a scene that it refuses
 */
export async function copyTree(
  device: BufferMaker,
  memory: KernelMemory,
  instances: InstanceOrder | undefined,
  instead: string,
): Promise<DeviceTree> {
  const structure = header(memory, 'structure')
  const triangle4s = structure + header(memory, 'structureBytes') - header(memory, 'triangle4Count') * TRIANGLE4.bytes
  const end = structure + header(memory, 'structureBytes')
  const stack = STACKS.find(entries => entries >= stackFor(header(memory, 'depth')))
  if (stack === undefined)
    throw new NotTracedError(
      `expected a tree whose stack has at most ${STACKS.at(-1)} entries, got a depth of ${header(memory, 'depth')}; ${instead}`,
    )
  expectRoom(device, { nodes: triangle4s - structure, triangles: end - triangle4s }, instead)
  const { extent, hasTiny } = coordinatesIn(memory, triangle4s, end)
  if (!(extent >= LEAST_EXTENT && extent <= MOST_EXTENT))
    throw new NotTracedError(
      `expected coordinates of up to ${MOST_EXTENT} units, and not all below ${LEAST_EXTENT}, got ${extent}; scale the scene`,
    )
  const passing = get(memory, SCENE, SCENE_AT, 'passing')
  const leans = (passing & (PASSING.mask | PASSING.blend)) !== 0
  const order = new Uint32Array(TRACED_WORDS)
  order.set([0, Number(leans), header(memory, 'root'), structure, triangle4s, Number(hasTiny)])
  new Float32Array(order.buffer)[TRACED.extent] = extent
  if (instances) order.set(instances, TRACED.instancesAt)
  const nodes = await copied(device, memory, [{ from: structure, to: triangle4s }], instead)
  const shape = { stack, wide: instances !== undefined }
  return { nodes, triangle4s: await copied(device, memory, [{ from: triangle4s, to: end }], instead), shape, order }
}

/** The largest coordinate of what the scene shows, and whether there are some of its own triangles, besides zeros, that are tiny. */
function coordinatesIn(memory: KernelMemory, from: number, to: number): { extent: number; hasTiny: boolean } {
  const { words, floats } = memory
  const corners = wordsTo(TRIANGLE4, 'id')
  const instances = header(memory, 'instances')
  const baked = header(memory, 'instanceCount') > 0 ? header(memory, 'bakedCount') : ID.mask
  let extent = 0
  let hasTiny = false
  for (let i = 0; i < header(memory, 'instanceCount'); i++)
    for (const corner of ['low', 'high'] as const) {
      const at = (instances + i * INSTANCE.bytes + offsetOf(INSTANCE, corner)) >>> 2
      for (let k = 0; k < 3; k++) extent = Math.max(extent, Math.abs(floats[at + k]!))
    }
  for (let at = from >>> 2; at < to >>> 2; at += TRIANGLE4.bytes / 4) {
    // Those of meshes are elsewhere in the scene.
    if ((words[at + corners]! & ID.mask) >= baked) continue
    for (let i = at; i < at + corners; i++) {
      const size = words[i]! & 0x7fffffff
      if (size !== 0 && size < TINY_BITS) hasTiny = true
      const coordinate = Math.abs(floats[i]!)
      if (coordinate > extent) extent = coordinate
    }
  }
  return { extent, hasTiny }
}
