/** The path tracer's queues: full while there are camera rays, children after their parents, every ray once. */
import { describe, expect, it } from 'vitest'
import { pathQueues, type Stretch } from '../../../../../scripts/bench/kernel/rays/path-queues.ts'
import { hash32, unitOf } from '../../../../../shared/math/random.ts'

const none = Number.POSITIVE_INFINITY

/** Depths with as many rays as the depth above has hits. */
function paths(cameraRays: number, depths: number, share: number, seed: number): Float32Array[] {
  const distances: Float32Array[] = []
  let count = cameraRays
  for (let depth = 0; depth < depths; depth++) {
    const list = Float32Array.from({ length: count }, (_, i) => (unitOf(hash32(seed, depth, i)) < share ? 1 : none))
    distances.push(list)
    count = list.filter(Number.isFinite).length
  }
  return distances
}

const lengthOf = (queue: readonly Stretch[]): number => queue.reduce((sum, { from, to }) => sum + to - from, 0)

it('holds the children of the queue before, then camera rays', () => {
  const distances = [Float32Array.of(1, none, 1, 1, 1), Float32Array.of(none, 1, 1, none), Float32Array.of(1, 1)]
  expect([...pathQueues(distances, 3)]).toEqual([
    [{ depth: 0, from: 0, to: 3 }],
    [
      { depth: 1, from: 0, to: 2 },
      { depth: 0, from: 3, to: 4 },
    ],
    [
      { depth: 2, from: 0, to: 1 },
      { depth: 1, from: 2, to: 3 },
      { depth: 0, from: 4, to: 5 },
    ],
    [
      { depth: 2, from: 1, to: 2 },
      { depth: 1, from: 3, to: 4 },
    ],
  ])
})

describe.each([
  [1000, 5, 0.4],
  [1000, 5, 1],
  [37, 3, 0.9],
  [500, 2, 0],
  [0, 5, 1],
])('%i paths to depth %i with a share of %f hits', (cameraRays, depths, share) => {
  const room = 64
  const distances = paths(cameraRays, depths, share, cameraRays + depths)
  const queues = [...pathQueues(distances, room)]

  it('hold every ray once, in order', () => {
    distances.forEach(({ length }, depth) => {
      const rays = queues.flatMap(queue =>
        queue.filter(stretch => stretch.depth === depth).flatMap(({ from, to }) => range(from, to)),
      )
      expect(rays).toEqual(range(0, length))
    })
  })

  it('are full until no camera rays are left', () => {
    const withCamera = queues.map(queue => queue.some(({ depth }) => depth === 0))
    const last = withCamera.lastIndexOf(true)
    queues.forEach((queue, i) => {
      expect(lengthOf(queue)).toBeLessThanOrEqual(room)
      if (i < last) expect(lengthOf(queue)).toBe(room)
    })
  })
})

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i)
