/** A ray goes to the nearest child of a node first, in whichever group that is, and is then done with all that is behind its hit. */
import { describe, expect, it } from 'vitest'
import type { Vec3 } from '../../../../shared/frame/view.ts'
import { RAY_FIELDS } from '../../../../worker/engine/wasm/ray-caster.ts'
import { GREY, quad, sceneOf } from '../../support/meshes.ts'
import { ask, castIn, PATHS, type Ray } from './brute-force.ts'

const LAYERS = [0, 1, 2, 3, 4, 5, 6, 7]

/** Eight triangle4s, one above the other at heights z, each farther along x than the one below by `shift`: that is the axis along which they are ordered. */
const stairs = (shift: number) =>
  sceneOf(
    LAYERS.flatMap(z =>
      [-10, 0].map(x => ({
        mesh: quad([x + z * shift, -1, z], [10, 0, 0], [0, 2, 0]),
        material: GREY,
      })),
    ),
  )

/** Through all layers, from above or from below, and a little up or down along x. */
function through(shift: number, down: boolean, lean: number): Ray {
  const origin: Vec3 = [3.5 * shift, 0.1, down ? 100 : -100]
  return { origin, direction: [lean, 1e-3, down ? -1 : 1] }
}

describe.each(PATHS.filter(({ shadow }) => !shadow))('$name: a ray through eight triangle4s of a node', path => {
  it.each([
    [2, true],
    [2, false],
    [-2, true],
    [-2, false],
  ])('that are shifted by %d, downwards: %s', (shift, down) => {
    const caster = castIn(stairs(shift), 1)
    for (const lean of [1e-3, -1e-3, 0]) {
      const [answer] = ask(caster, [through(shift, down, lean)], path)
      expect(LAYERS.indexOf(Math.floor(answer!.triangle / 4))).toBe(down ? 7 : 0)
      // To the nearest, and off the stack; a bundle counts the test of its ray besides.
      expect(caster.words[RAY_FIELDS.steps]).toBe(path.coherent ? 3 : 2)
    }
  })
})
