/**
 * The order in which the path tracer's queues hold rays. Each queue has the children of the rays in the one before it that hit
 * something, in their order, and is then filled up with camera rays (worker/engine/wasm/kernel/path/wave.ts). So the deepest rays
 * come first, and each depth is a stretch of consecutive rays of that depth.
 */

/** Rays `from` to below `to` of those that have been scattered `depth` times. */
export interface Stretch {
  readonly depth: number
  readonly from: number
  readonly to: number
}

/** `QUEUE_RAYS` of the kernel. */
export const QUEUE_RAYS = 1024

/**
 * @param distances for every depth from 0, the camera, how far each ray goes, Infinity if it hits nothing; one that hits something
 * is the parent of the next ray of the next depth, if there is one
 */
export function* pathQueues(distances: readonly Float32Array[], room = QUEUE_RAYS): Generator<Stretch[]> {
  /** How many rays of each depth earlier queues have held, and how many the next will. */
  const held = distances.map(() => 0)
  const waiting = distances.map(() => 0)
  for (;;) {
    waiting[0] = 0
    const old = waiting.reduce((sum, count) => sum + count, 0)
    waiting[0] = Math.min(room - old, distances[0]!.length - held[0]!)
    const queue: Stretch[] = []
    for (let depth = distances.length - 1; depth >= 0; depth--) {
      const from = held[depth]!
      const to = from + waiting[depth]!
      if (to > from) queue.push({ depth, from, to })
      held[depth] = to
      if (depth + 1 < distances.length) waiting[depth + 1] = countHits(distances[depth]!, from, to)
    }
    if (queue.length === 0) return
    yield queue
  }
}

function countHits(distances: Float32Array, from: number, to: number): number {
  let count = 0
  for (let i = from; i < to; i++) if (distances[i] !== Number.POSITIVE_INFINITY) count++
  return count
}
