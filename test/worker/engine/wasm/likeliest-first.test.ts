/** A shadow ray goes first to the child of a node that most probably ends it, and last to the boxes that it starts in; a beam, to what most probably ends its rays. */
import { describe, expect, it } from 'vitest'
import type { Vec3 } from '../../../../shared/frame/view.ts'
import { RAY_FIELDS, RAY_WORDS } from '../../../../worker/engine/wasm/ray-caster.ts'
import { SHADOW } from '../../../../worker/engine/wasm/records/rays.ts'
import { GREY, quad, sceneOf } from '../../support/meshes.ts'
import { ask, castIn, PATHS, type Ray } from './brute-force.ts'

/** Rays enough to look for where they begin. */
const BEAM = 16
const PLACES = [0, 1, 2, 3, 4, 5, 6, 7]
/** Both diagonals of a square with half a side of 1 at height z, as strips that rays pass: each has the box of all, so that no tree can part them. */
const diagonals = (z: number) => [-1, 1].map(y => quad([-1, y, z], [1.98, -2 * y, 0], [0.02, 0, 0]))
const whole = (z: number) => [-1, 0].map(x => quad([x, -1, z], [1, 0, 0], [0, 2, 0]))

/** Eight triangle4s of a node, one above the other, of which only the one at `full` covers its box. */
const layers = (full: number) =>
  sceneOf(PLACES.flatMap(z => (z === full ? whole : diagonals)(z).map(mesh => ({ mesh, material: GREY }))))

/** The same, beside as many that no ray comes near: between a root and the layers there is a node. */
const layersAside = (full: number) =>
  sceneOf(
    PLACES.flatMap(z => [
      ...(z === full ? whole : diagonals)(z),
      ...[99, 100].map(x => quad([x, 0, z], [1, 0, 0], [0, 1, 0])),
    ]).map(mesh => ({ mesh, material: GREY })),
  )

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
      PLACES.flatMap(z => (z === start || z === 7 ? whole : diagonals)(z).map(mesh => ({ mesh, material: GREY }))),
    )
    const caster = castIn(scene, 1)
    const [answer] = ask(caster, [{ ...up(start), tMin: 1e-3 }], path)
    expect(answer!.shadow).toBe(SHADOW.blocked)
    expect(caster.words[RAY_FIELDS.steps]).toBe(2)
  })
})

describe.each(PATHS.filter(({ shadow, coherent }) => shadow && coherent))('$name: a beam', path => {
  it.each(PLACES)('that enters eight triangle4s goes first to the one that covers its box, %d', full => {
    const caster = castIn(layersAside(full), BEAM)
    const rays = Array.from({ length: BEAM }, (_, i) => up(-1 - i / BEAM))
    expect(ask(caster, rays, path).map(({ shadow }) => shadow)).toEqual(rays.map(() => SHADOW.blocked))
    expect(rays.map((_, i) => caster.words[i * RAY_WORDS + RAY_FIELDS.steps])).toEqual(rays.map(() => 2))
  })
})
