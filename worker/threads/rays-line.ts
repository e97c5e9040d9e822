/**
 * The line between a tracing thread and the device of its process, or tab: the thread asks, and sleeps until the device has written its answers, to the
 * records of rays or of pixels, which are in memory that both see.
 */
import type { PixelsElsewhere, RaysElsewhere } from '../engine/wasm/wasm-tracer.ts'
import { type PixelRequest, PixelsDeviceError } from '../engine/webgpu/pixel-request.ts'
import { type RayRequest, RaysDeviceError } from '../engine/webgpu/ray-request.ts'

/** A `MessagePort`, as Node.js and browsers have it. */
export interface LinePort {
  postMessage(message: object): void
  onmessage: ((event: { readonly data: unknown }) => void) | null
  /** In Node.js a port that is listened to keeps its process alive. */
  unref?(): void
  close(): void
}

/** A thread's end. */
export interface RaysLine {
  /** Transferred to the thread. */
  readonly port: LinePort
  /** A word, one of GATE: by it the thread is woken. */
  readonly gate: SharedArrayBuffer
}

export const GATE = { waiting: 0, answered: 1, failed: 2 } as const

/** Batches of fewer rays are traced sooner than they are sent. */
const LEAST_RAYS = 128

/** The device, as a thread uses it that shades. */
export const raysElsewhere = (line: RaysLine): RaysElsewhere => ({
  least: LEAST_RAYS,
  trace: (scene, rays, count, shadow) => {
    if (!isAnswered(line, { scene, rays, count, shadow } satisfies RayRequest))
      throw new RaysDeviceError('the device does not answer rays any more')
  },
})

/** The same for whole paths. */
export const pixelsElsewhere = (line: RaysLine): PixelsElsewhere => ({
  compute: request => {
    if (!isAnswered(line, request satisfies PixelRequest))
      throw new PixelsDeviceError('the device does not compute pixels any more')
  },
})

/** Asks, and waits. */
function isAnswered({ port, gate }: RaysLine, request: object): boolean {
  const word = new Int32Array(gate)
  Atomics.store(word, 0, GATE.waiting)
  port.postMessage(request)
  Atomics.wait(word, 0, GATE.waiting)
  return Atomics.load(word, 0) !== GATE.failed
}
