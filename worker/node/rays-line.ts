/**
 * The line between a tracing thread and the device of its process: the thread asks, and sleeps until the device has written its answers to the
 * records of the rays, which are in memory that both see.
 */
import type { MessagePort } from 'node:worker_threads'
import type { RaysElsewhere } from '../engine/wasm/wasm-tracer.ts'
import { type RayRequest, RaysDeviceError } from '../engine/webgpu/ray-request.ts'

/** A thread's end. */
export interface RaysLine {
  readonly port: MessagePort
  /** A word, one of GATE: by it the thread is woken. */
  readonly gate: SharedArrayBuffer
}

export const GATE = { waiting: 0, answered: 1, failed: 2 } as const

/** Batches of fewer rays are traced sooner than they are sent. */
const LEAST_RAYS = 128

/** The device, as a thread uses it. */
export function raysElsewhere({ port, gate }: RaysLine): RaysElsewhere {
  const word = new Int32Array(gate)
  return {
    least: LEAST_RAYS,
    trace: (scene, rays, count, shadow) => {
      Atomics.store(word, 0, GATE.waiting)
      port.postMessage({ scene, rays, count, shadow } satisfies RayRequest)
      Atomics.wait(word, 0, GATE.waiting)
      if (Atomics.load(word, 0) === GATE.failed) throw new RaysDeviceError('the device does not answer rays any more')
    },
  }
}
