/** Lamps in the plane of a surface, as panels in a ceiling: rounding must not put the surface in front of them. */
import { expect, it } from 'vitest'
import { meanLight, type Stack, seenBy } from '../support/stacked.ts'

const QUALITY = { samples: 256, bounces: 1, ambientRays: 0, maxDepth: 0 }

/** A floor below a ceiling with a panel so far below it. */
const room = (ceiling: number, below: number): Stack => ({
  layers: [
    { z: 0, material: { color: [0.5, 0.5, 0.5] } },
    { z: ceiling, turned: true, material: { color: [0, 0, 0] } },
  ],
  lights: [
    {
      ...{ kind: 'rectangle', position: [0, 0, ceiling - below] },
      ...{ across: [6, 0, 0], up: [0, -6, 0], radiance: [1, 1, 1] },
    },
  ],
})

it.each([9, 8.3, 8.0001, 12.7])('light as much as those a little below, %s above the floor', ceiling => {
  const [flush] = meanLight(seenBy('wasm', room(ceiling, 0), QUALITY, 16))
  const [below] = meanLight(seenBy('wasm', room(ceiling, 1e-3), QUALITY, 16))
  expect(flush).toBeGreaterThan(0.05)
  expect(Math.abs(flush! / below! - 1)).toBeLessThan(0.01)
})
