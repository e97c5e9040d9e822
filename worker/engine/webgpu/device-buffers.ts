/** Buffers of a device that hold what is in the kernel's memory. */
import { NotTracedError } from '../../../shared/scene/not-traced.ts'
import type { KernelMemory } from '../wasm/memory.ts'
import { BUFFER, type GpuBuffer, type GpuDevice } from './gpu.ts'
import { RaysDeviceError } from './ray-request.ts'

/** Bytes that are copied at a time: a device takes no views on shared memory. */
const COPY_BYTES = 16 << 20

/** What of a device makes buffers. */
export type BufferMaker = Pick<GpuDevice, 'limits' | 'queue' | 'createBuffer' | 'pushErrorScope' | 'popErrorScope'>

/** What `make` makes, or nothing: of a scene that does not fit, nothing may take the room of others. Rejects as it does. */
export async function allOrNone<T>(device: GpuDevice, make: (maker: BufferMaker) => Promise<T>): Promise<T> {
  const made: GpuBuffer[] = []
  const maker: BufferMaker = {
    limits: device.limits,
    queue: device.queue,
    createBuffer: description => {
      const buffer = device.createBuffer(description)
      made.push(buffer)
      return buffer
    },
    pushErrorScope: kind => device.pushErrorScope(kind),
    popErrorScope: () => device.popErrorScope(),
  }
  try {
    return await make(maker)
  } catch (error) {
    for (const buffer of made) buffer.destroy()
    throw error
  }
}

/** From an address up to another. */
export interface Range {
  readonly from: number
  readonly to: number
}

export const bytesOf = (ranges: readonly Range[]): number => ranges.reduce((sum, { from, to }) => sum + to - from, 0)

/** @throws NotTracedError if a section has more bytes than the device binds at once @param instead what is done about it */
export function expectRoom({ limits }: BufferMaker, sections: Readonly<Record<string, number>>, instead: string): void {
  const most = Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize)
  for (const [what, bytes] of Object.entries(sections))
    if (bytes > most)
      throw new NotTracedError(
        `expected at most ${inMiB(most, Math.floor)} of ${what}, which is what it binds at once, got ${inMiB(bytes, Math.ceil)}; use a smaller scene, or else ${instead}`,
      )
}

/** A buffer with ranges of the memory behind some unused bytes. Rejects with RaysDeviceError. */
export async function copied(
  device: BufferMaker,
  memory: KernelMemory,
  ranges: readonly Range[],
  instead: string,
  unused = 0,
): Promise<GpuBuffer> {
  const buffer = await madeBuffer(device, unused + bytesOf(ranges), instead)
  let next = unused
  for (const { from, to } of ranges)
    for (let at = from; at < to; at += COPY_BYTES) {
      const end = Math.min(to, at + COPY_BYTES)
      device.queue.writeBuffer(buffer, next, new Uint8Array(memory.bytes.slice(at, end)))
      next += end - at
    }
  return buffer
}

/** A buffer with words. Rejects with RaysDeviceError. */
export async function filled(
  device: BufferMaker,
  words: Uint32Array<ArrayBuffer>,
  instead: string,
): Promise<GpuBuffer> {
  const buffer = await madeBuffer(device, words.byteLength, instead)
  device.queue.writeBuffer(buffer, 0, words)
  return buffer
}

/** Bytes of a buffer that a shader has, but may not read from. */
const LEAST_BYTES = 64

async function madeBuffer(device: BufferMaker, bytes: number, instead: string): Promise<GpuBuffer> {
  device.pushErrorScope('out-of-memory')
  const buffer = device.createBuffer({ size: Math.max(LEAST_BYTES, bytes), usage: BUFFER.storage | BUFFER.copyTo })
  const problem = await device.popErrorScope()
  if (problem)
    throw new RaysDeviceError(
      `it has no ${inMiB(bytes, Math.ceil)} left for this scene (${problem.message}); use a smaller scene, or else ${instead}`,
    )
  return buffer
}

/** Whole ones, so rounded that what is too much is more than what there may be. */
const inMiB = (bytes: number, rounded: (x: number) => number): string => `${rounded(bytes / 2 ** 20)} MiB`
