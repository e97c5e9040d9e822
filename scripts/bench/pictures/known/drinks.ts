/**
 * A drink in a glass, modelled in the ways that are found in files: it overlaps the wall, there is a gap of air, its faces are those of the wall, or
 * there is one surface between both, which is the drink's or the glass's. As layers seen at right angles, and in a white furnace.
 */
import type { Vec3 } from '../../../../shared/frame/view.ts'
import type { Environment } from '../../../../shared/scene/environment.ts'
import type { Material } from '../../../../shared/scene/material.ts'
import type { PlainScene } from '../model/plain-scene.ts'
import { SceneBuilder } from '../scenes/meshes.ts'
import { lookingAt, parallelTo, viewOf } from '../scenes/views.ts'
import { type Layer, layersTransmittance } from './closed-forms.ts'
import { each, grey, type KnownPicture, NIGHT } from './known-picture.ts'

const WAYS = ['overlapping', 'a gap', 'coincident', 'one surface, the drink’s', 'one surface, the glass’s'] as const
type Way = (typeof WAYS)[number]

const GLASS: Partial<Material> = { transmission: 1, roughness: 0, ior: 1.5 }
const DRINK: Partial<Material> = { transmission: 1, roughness: 0, ior: 1.33 }
const TINT: Vec3 = [0.4, 1, 2]
/** Heights of the boundaries, from below: glass, drink, glass; and half their breadth. */
const [BOTTOM, LOW, HIGH, TOP] = [-0.6, -0.3, 0.3, 0.6]
const HALF = 0.8
/** Of surfaces that do not coincide. */
const APART = 1e-4
const WHITE_SKY: Environment = { kind: 'sky', zenith: grey(1), horizon: grey(1), ground: grey(1) }

/** `samples`: per pixel. */
export const drinkPictures = (samples: number): KnownPicture[] => [
  ...WAYS.flatMap(way => [layers(way, samples), furnace(way, samples)]),
  ...WAYS.slice(0, 3).map(way => ballFurnace(way, samples)),
  camera(samples),
]

function layers(way: Way, samples: number): KnownPicture {
  const builder = new SceneBuilder()
  sandwich(builder, way, TINT)
  builder.rectangle(builder.material({ color: grey(0), emission: grey(1) }), [0, -2, 0], [0, 0, 9], [9, 0, 0])
  const air: Layer = { ior: 1, thickness: APART, absorption: 0 }
  const wall: Layer = { ior: 1.5, thickness: TOP - HIGH, absorption: 0 }
  return {
    name: `drink in layers: ${way}`,
    scene: builder.build(NIGHT),
    view: viewOf(parallelTo([0.1, 3, 0.1], [0.1, 0, 0.1], 1e-3, [0, 0, -1]), [16, 16], { samples, bounces: 40 }),
    expected: each(TINT, absorption => {
      const drink: Layer = { ior: 1.33, thickness: HIGH - LOW, absorption }
      return layersTransmittance(way === 'a gap' ? [wall, air, drink, air, wall] : [wall, drink, wall])
    }),
  }
}

/** What neither absorbs nor shines is not seen. */
function furnace(way: Way, samples: number): KnownPicture {
  const builder = new SceneBuilder()
  sandwich(builder, way, grey(0))
  return {
    name: `furnace: drink in layers, ${way}`,
    scene: builder.build(WHITE_SKY),
    view: viewOf(parallelTo([3, 2.2, 4], [0, 0, 0], 0.7), [12, 12], { samples: Math.ceil(samples / 4), bounces: 200 }),
    expected: grey(1),
  }
}

const CENTRE: Vec3 = [0.3, 0.1, -0.2]

/** Facets of any direction, so that rounding decides what is met first where they coincide. */
const ballFurnace = (way: Way, samples: number): KnownPicture => ({
  name: `furnace: drink in a ball, ${way}`,
  scene: ballOf(way),
  view: viewOf(parallelTo([0.3, 0.1, 4], CENTRE, 0.9), [12, 12], { samples: Math.ceil(samples / 4), bounces: 200 }),
  expected: grey(1),
})

/** From near the middle: nothing is reflected for ever. */
const camera = (samples: number): KnownPicture => ({
  name: 'furnace: drink in a ball, from inside',
  scene: ballOf('coincident'),
  view: viewOf(lookingAt(CENTRE, [1, 0.7, 0.3], 60, 1), [12, 12], { samples: Math.ceil(samples / 4), bounces: 200 }),
  expected: grey(1),
})

function ballOf(way: Way): PlainScene {
  const builder = new SceneBuilder()
  const [glass, drink] = [builder.material(GLASS), builder.material(DRINK)]
  builder.ball(glass, CENTRE, 1)
  builder.ball(glass, CENTRE, 0.8, { inwards: true })
  builder.ball(drink, CENTRE, 0.8 + apartIn(way))
  return builder.build(WHITE_SKY)
}

const apartIn = (way: Way): number => (way === 'overlapping' ? APART : way === 'a gap' ? -APART : 0)

function sandwich(builder: SceneBuilder, way: Way, absorption: Vec3): void {
  const [glass, drink] = [builder.material(GLASS), builder.material({ ...DRINK, absorption })]
  const walls = (material: number, low: number, high: number): void => {
    const ring = [
      [-HALF, -HALF],
      [-HALF, HALF],
      [HALF, HALF],
      [HALF, -HALF],
    ] as const
    ring.forEach(([x, z], i) => {
      const [nextX, nextZ] = ring[(i + 1) % 4]!
      builder.quad(material, [
        [x, low, z],
        [nextX, low, nextZ],
        [nextX, high, nextZ],
        [x, high, z],
      ])
    })
  }
  const lid = (material: number, y: number): void => builder.rectangle(material, [0, y, 0], [0, 0, HALF], [HALF, 0, 0])
  const floor = (material: number, y: number): void =>
    builder.rectangle(material, [0, y, 0], [HALF, 0, 0], [0, 0, HALF])
  lid(glass, TOP)
  walls(glass, HIGH, TOP)
  walls(glass, BOTTOM, LOW)
  floor(glass, BOTTOM)
  const beside = apartIn(way)
  walls(drink, LOW - beside, HIGH + beside)
  const between = (material: number, [upper, lower]: readonly [number, number], facing: 'drink' | 'glass'): void => {
    const [above, below] = facing === 'glass' ? [lid, floor] : [floor, lid]
    above(material, upper)
    below(material, lower)
  }
  switch (way) {
    case 'one surface, the drink’s':
      builder.inside(glass, () => between(drink, [HIGH, LOW], 'glass'))
      return
    case 'one surface, the glass’s':
      builder.inside(drink, () => between(glass, [HIGH, LOW], 'drink'))
      return
    default:
      between(glass, [HIGH, LOW], 'drink')
      between(drink, [HIGH + beside, LOW - beside], 'glass')
  }
}
