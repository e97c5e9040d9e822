/** A shadow ray goes first to the child of a node that most probably ends it, and last to the boxes that it starts in. */
import { describe, expect, it } from 'vitest'
import type { Vec3 } from '../../../../shared/frame/view.ts'
import { RAY_FIELDS } from '../../../../worker/engine/wasm/ray-caster.ts'
import { SHADOW } from '../../../../worker/engine/wasm/records/rays.ts'
import { GREY, quad, sceneOf } from '../../support/meshes.ts'
import { ask, castIn, PATHS, type Ray } from './brute-force.ts'

const PLACES = [0, 1, 2, 3, 4, 5, 6, 7]
/** Two triangles of a frame that rays through its middle pass: corners of a square with half a side of 1 at height z. */
const corners = (z: number) => [-1, 0.8].map(x => quad([x, x, z], [0.2, 0, 0], [0, 0.2, 0]))
const whole = (z: number) => [-1, 0].map(x => quad([x, -1, z], [1, 0, 0], [0, 2, 0]))

/** Eight triangle4s of a node, one above the other, of which only the one at `full` covers its box. */
const layers = (full: number) =>
  sceneOf(PLACES.flatMap(z => (z === full ? whole : corners)(z).map(mesh => ({ mesh, material: GREY }))))

const up = (z: number): Ray => ({ origin: [0.1, 0.2, z] as Vec3, direction: [1e-3, 2e-3, 1] })

describe.each(PATHS.filter(({ shadow, coherent }) => shadow && !coherent))('$name: a shadow ray', path => {
  it.each(PLACES)('through eight triangle4s of a node goes first to the one that covers its box, %d', full => {
    const caster = castIn(layers(full), 1)
    const [answer] = ask(caster, [up(-1)], path)
    expect(answer!.shadow).toBe(SHADOW.blocked)
    // To that one, and off the stack.
    expect(caster.words[RAY_FIELDS.steps]).toBe(2)
  })

  it.each([0, 3, 6])('that starts in a box which is covered, at %d, has one like it, above, first', start => {
    const scene = sceneOf(
      PLACES.flatMap(z => (z === start || z === 7 ? whole : corners)(z).map(mesh => ({ mesh, material: GREY }))),
    )
    const caster = castIn(scene, 1)
    const [answer] = ask(caster, [{ ...up(start), tMin: 1e-3 }], path)
    expect(answer!.shadow).toBe(SHADOW.blocked)
    expect(caster.words[RAY_FIELDS.steps]).toBe(2)
  })
})
