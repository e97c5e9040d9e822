/** What materials do with light: furnaces, a room that glows, and glass. */

import type { Vec3 } from '../../../../shared/frame/view.ts'
import type { Environment } from '../../../../shared/scene/environment.ts'
import type { Material } from '../../../../shared/scene/material.ts'
import { SceneBuilder } from '../scenes/meshes.ts'
import { lookingAt, parallelTo, viewOf } from '../scenes/views.ts'
import {
  closedRoom,
  glassReflectance,
  metalReflectance,
  sheetTransmittance,
  slabDisplacement,
  slabReflectance,
  slabTransmittance,
} from './closed-forms.ts'
import { each, grey, type KnownPicture, NIGHT } from './known-picture.ts'

const WHITE_SKY: Environment = { kind: 'sky', zenith: grey(1), horizon: grey(1), ground: grey(1) }

/** `samples`: per pixel of the noisiest picture; others take fewer. */
export const materialPictures = (samples: number): KnownPicture[] => [
  ...furnaces(samples),
  ...[0, 1, 3].map(bounces => glowingRoom(bounces, samples)),
  ...reflections(samples),
  ...slabs(samples),
  ...displacements(samples),
  ...sheets(samples),
]

type Furnace = readonly [
  name: string,
  material: Partial<Material>,
  bounces: number,
  more?: {
    /** Share that may be missing. */
    readonly loss?: number
    readonly singleScattering?: true
    /** Whether the ball's few facets are shaded as a sphere. */
    readonly rounded?: true
  },
]

/** Of white material in white surroundings, nothing is to be seen. */
function furnaces(samples: number): KnownPicture[] {
  const glass = { transmission: 1, ior: 1.5, roughness: 0 }
  const cases: readonly Furnace[] = [
    ['diffuse', {}, 0],
    ['mirror', { metallic: 1, roughness: 0 }, 0],
    ['rough metal', { metallic: 1, roughness: 0.7 }, 0],
    ['roughest metal', { metallic: 1, roughness: 1 }, 0],
    [
      'metal of single scattering, α 0.25, of which 14 % may be lost',
      { metallic: 1, roughness: 0.5 },
      0,
      { loss: 0.14, singleScattering: true },
    ],
    [
      'metal of single scattering, α 1, of which 60 % may be lost',
      { metallic: 1, roughness: 1 },
      0,
      { loss: 0.6, singleScattering: true },
    ],
    ['smooth plastic', { roughness: 0 }, 0],
    ['rough plastic', { roughness: 0.5 }, 0],
    ['coated', { coat: 1, coatRoughness: 0.3, ior: 1.8 }, 0],
    ['thin sheet', { ...glass, thin: true }, 60],
    ['glass', glass, 200],
    ['rough glass, α 0.04', { ...glass, roughness: 0.2 }, 200],
    ['glass that disperses light', { ...glass, dispersion: 4 }, 200],
    ['rough glass, α 0.25', { ...glass, roughness: 0.5 }, 200],
    ['roughest glass', { ...glass, roughness: 1 }, 200],
    ['roughest glass of ior 1.05', { ...glass, roughness: 1, ior: 1.05 }, 200],
    [
      'glass of single scattering, α 0.16, of which 13 % may be lost',
      { ...glass, roughness: 0.4 },
      200,
      { loss: 0.13, singleScattering: true },
    ],
    ['diffuse, shaded as a sphere', {}, 6, { rounded: true }],
    ['mirror, shaded as a sphere', { metallic: 1, roughness: 0 }, 6, { rounded: true }],
    [
      'rough glass, shaded as a sphere, of which 3 % may be lost',
      { ...glass, roughness: 0.5 },
      200,
      { rounded: true, loss: 0.03 },
    ],
    ['rough metal, shaded as a sphere', { metallic: 1, roughness: 0.7 }, 6, { rounded: true }],
  ]
  return cases.map(([name, material, bounces, { loss, singleScattering, rounded = false } = {}]) => {
    const builder = new SceneBuilder()
    builder.ball(builder.material(material), [0, 0, 0], 1, rounded ? { slices: 12, stacks: 8, rounded } : {})
    const view = viewOf(parallelTo([0, 0, 4], [0, 0, 0], 0.9), [12, 12], {
      samples: Math.ceil(samples / 4),
      bounces,
      ...(singleScattering && { singleScattering }),
    })
    return { name: `furnace: ${name}`, scene: builder.build(WHITE_SKY), view, expected: grey(1), ...(loss && { loss }) }
  })
}

function glowingRoom(bounces: number, samples: number): KnownPicture {
  const color: Vec3 = [0.8, 0.5, 0.2]
  const emission: Vec3 = [1, 0.5, 0.25]
  const builder = new SceneBuilder()
  builder.box(builder.material({ color, emission }), [0, 0, 0], [1, 0.7, 1.3], { inwards: true })
  return {
    name: `glowing room: ${times(bounces)}`,
    scene: builder.build(NIGHT),
    view: viewOf(lookingAt([0.3, 0.1, 0.9], [0, 0, 0], 60, 1), [8, 8], { samples: Math.ceil(samples / 16), bounces }),
    expected: each(color, (albedo, channel) => closedRoom(emission[channel], albedo, bounces)),
  }
}

const times = (bounces: number): string => `${bounces} ${bounces === 1 ? 'bounce' : 'bounces'}`

const IOR = 1.5
const THICKNESS = 0.5
const COLOR: Vec3 = [0.9, 0.8, 1]
const ABSORPTION: Vec3 = [0.5, 1, 2]
const GLASS: Partial<Material> = { transmission: 1, ior: IOR, roughness: 0, color: COLOR, absorption: ABSORPTION }

/** A white sky in smooth surfaces, steeply and slanting. */
function reflections(samples: number): KnownPicture[] {
  const cases: readonly [name: string, material: Partial<Material>, answer: (angle: number) => Vec3][] = [
    [
      'mirror',
      { metallic: 1, roughness: 0, color: COLOR },
      angle => each(COLOR, color => metalReflectance(angle, color)),
    ],
    ['black lacquer', { color: grey(0), roughness: 0, ior: IOR }, angle => grey(glassReflectance(angle, IOR))],
  ]
  return cases.flatMap(([name, material, answer]) =>
    [30, 75].map(degrees => {
      const angle = (degrees / 180) * Math.PI
      const builder = new SceneBuilder()
      builder.rectangle(builder.material(material), [0, 0, 0], [0, 0, 1], [1, 0, 0])
      const eye: Vec3 = [4 * Math.sin(angle), 4 * Math.cos(angle), 0]
      return {
        name: `${name}: reflectance at ${degrees}°`,
        scene: builder.build(WHITE_SKY),
        view: viewOf(parallelTo(eye, [0, 0, 0], 1e-3), [16, 16], { samples, bounces: 0 }),
        expected: answer(angle),
      }
    }),
  )
}

/** A slab over whatever is beneath. */
function slabOver(glass: Partial<Material>): SceneBuilder {
  const builder = new SceneBuilder()
  builder.box(builder.material(glass), [0, 0, 0], [8, THICKNESS / 2, 8])
  return builder
}

/** The floor: emits, and absorbs what it meets; to the left of `edge` only. */
function floor(builder: SceneBuilder, emission: number, edge = 20): void {
  const half = (edge + 20) / 2
  const material = builder.material({ color: grey(0), emission: grey(emission) })
  builder.rectangle(material, [edge - half, -1, 0], [0, 0, 20], [half, 0, 0])
}

function slabs(samples: number): KnownPicture[] {
  const known = (
    what: string,
    bounces: number,
    emission: number,
    sky: Environment,
    share: typeof slabTransmittance,
  ) => {
    const builder = slabOver(GLASS)
    floor(builder, emission)
    return {
      name: `glass slab: ${what}, ${times(bounces)}`,
      scene: builder.build(sky),
      view: viewOf(parallelTo([0.1, 3, 0.1], [0.1, 0, 0.1], 1e-3, [0, 0, -1]), [16, 16], { samples, bounces }),
      expected: each(ABSORPTION, (absorption, channel) =>
        share({ ior: IOR, thickness: THICKNESS, absorption, color: COLOR[channel] }, bounces),
      ),
    }
  }
  return [
    known('transmitted', 1, 1, NIGHT, slabTransmittance),
    known('transmitted', 12, 1, NIGHT, slabTransmittance),
    known('reflected', 12, 0, WHITE_SKY, slabReflectance),
  ]
}

/** A slanting beam comes out where Snell says: two percent before the edge of a bright floor, and two percent beyond it. */
function displacements(samples: number): KnownPicture[] {
  const angle = Math.PI / 4
  const displacement = slabDisplacement(THICKNESS, IOR, angle)
  // Without the slab it would meet the floor at 0.
  const target: Vec3 = [0, -1, 0]
  const eye: Vec3 = [-4 * Math.sin(angle), -1 + 4 * Math.cos(angle), 0]
  return (
    [
      [0.98, 'before the edge'],
      [1.02, 'beyond the edge'],
    ] as const
  ).map(([share, where]) => {
    const builder = slabOver({ ...GLASS, absorption: grey(0) })
    floor(builder, 1, -displacement * share)
    const passed = share < 1 ? (1 - glassReflectance(angle, IOR)) ** 2 : 0
    return {
      name: `glass slab: displaced beam, ${where}`,
      scene: builder.build(NIGHT),
      view: viewOf(parallelTo(eye, target, displacement * 0.01), [16, 16], { samples, bounces: 1 }),
      expected: each(COLOR, color => passed * color ** 2),
    }
  })
}

/** Straight through a pane, steeply and slanting. */
function sheets(samples: number): KnownPicture[] {
  return [0.95, 0.3].map(cosine => {
    const builder = new SceneBuilder()
    const pane = builder.material({
      transmission: 1,
      thin: true,
      roughness: 0,
      ior: IOR,
      color: COLOR,
      absorption: ABSORPTION,
    })
    builder.rectangle(pane, [0, 0, 0], [0, 0, 8], [8, 0, 0])
    floor(builder, 1)
    const eye: Vec3 = [4 * Math.sqrt(1 - cosine * cosine), 4 * cosine, 0]
    return {
      name: `thin sheet: transmitted at a cosine of ${cosine}`,
      scene: builder.build(NIGHT),
      view: viewOf(parallelTo(eye, [0, 0, 0], 1e-3), [16, 16], { samples: Math.ceil(samples / 2), bounces: 0 }),
      expected: each(COLOR, color => sheetTransmittance(cosine, IOR, color)),
    }
  })
}
