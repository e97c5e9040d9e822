/** Scenes on which two tracers are compared: small enough for a naive one, and with something of everything that light does. */

import type { Camera, Quality, Vec3 } from '../../../../shared/frame/view.ts'
import type { EnvironmentMap, Sky } from '../../../../shared/scene/environment.ts'
import type { Material } from '../../../../shared/scene/material.ts'
import type { PlainScene } from '../model/plain-scene.ts'
import { normalize } from '../model/vector.ts'
import { SceneBuilder } from './meshes.ts'
import { lookingAt, parallelTo } from './views.ts'

/** `Scene`: in the form that the tracers take. */
export interface ComparedScene<Scene = PlainScene> {
  readonly name: string
  /** What it shows, for readers of the page. */
  readonly about: string
  readonly scene: Scene
  /** For pictures of the shape that is compared: square ones, unless a bench says otherwise. */
  readonly camera: Camera
  readonly bounces: number
  readonly filter?: NonNullable<Quality['filter']>
}

export const comparedScenes = (): ComparedScene[] => [
  cornellBox(),
  stillLife(),
  lamps(),
  balls(),
  seeThrough(),
  terminators(),
  drinks(),
]

/**
 * The Cornell box. Goral, Torrance, Greenberg and Battaile, "Modeling the Interaction of Light Between Diffuse Surfaces", SIGGRAPH
 * 1984; dimensions as measured (Cornell University Program of Computer Graphics, "Cornell Box Data"), in units of 10 cm; its spectra
 * as the RGB values that are widely used.
 */
export function cornellBox(lampHeight = 548.7): ComparedScene {
  const builder = new SceneBuilder()
  const white = builder.material({ color: [0.73, 0.73, 0.73] })
  const red = builder.material({ color: [0.65, 0.05, 0.05] })
  const green = builder.material({ color: [0.12, 0.45, 0.15] })
  const lamp = builder.material({ color: [0.78, 0.78, 0.78], emission: [17, 12, 4] })
  const quad = (material: number, corners: readonly (readonly [number, number, number])[]): void =>
    builder.quad(material, corners.map(corner => corner.map(x => x / 100)) as unknown as [Vec3, Vec3, Vec3, Vec3])

  // Floor, ceiling, back, right (green), left (red): all face the room. Then the lamp, just below the ceiling.
  quad(white, [
    [552.8, 0, 0],
    [0, 0, 0],
    [0, 0, 559.2],
    [549.6, 0, 559.2],
  ])
  quad(white, [
    [556, 548.8, 0],
    [556, 548.8, 559.2],
    [0, 548.8, 559.2],
    [0, 548.8, 0],
  ])
  quad(white, [
    [549.6, 0, 559.2],
    [0, 0, 559.2],
    [0, 548.8, 559.2],
    [556, 548.8, 559.2],
  ])
  quad(green, [
    [0, 0, 559.2],
    [0, 0, 0],
    [0, 548.8, 0],
    [0, 548.8, 559.2],
  ])
  quad(red, [
    [552.8, 0, 0],
    [549.6, 0, 559.2],
    [556, 548.8, 559.2],
    [556, 548.8, 0],
  ])
  quad(lamp, [
    [343, lampHeight, 227],
    [343, lampHeight, 332],
    [213, lampHeight, 332],
    [213, lampHeight, 227],
  ])

  const block = (top: number, corners: readonly (readonly [number, number])[]): void => {
    quad(
      white,
      corners.map(([x, z]) => [x, top, z] as const),
    )
    corners.forEach(([x, z], i) => {
      const [nextX, nextZ] = corners[(i + 1) % corners.length]!
      quad(white, [
        [x, 0, z],
        [nextX, 0, nextZ],
        [nextX, top, nextZ],
        [x, top, z],
      ])
    })
  }
  block(165, [
    [130, 65],
    [82, 225],
    [240, 272],
    [290, 114],
  ])
  block(330, [
    [423, 247],
    [265, 296],
    [314, 456],
    [472, 406],
  ])

  // A lens of 35 mm before a film of 25 mm.
  const fov = (360 / Math.PI) * Math.atan(0.0125 / 0.035)
  const camera = lookingAt([2.78, 2.73, -8], [2.78, 2.73, 0], fov, 1)
  const night: Sky = { kind: 'sky', zenith: [0, 0, 0], horizon: [0, 0, 0], ground: [0, 0, 0] }
  const about = 'Diffuse light between coloured walls, from an emissive panel.'
  return { name: 'cornell box', about, scene: builder.build(night), camera, bounces: 6 }
}

/** Glass and metal on a table, under a sky, a low sun and a panel. */
function stillLife(): ComparedScene {
  const builder = new SceneBuilder()
  const table = builder.material({ color: [0.55, 0.42, 0.3], roughness: 0.6 })
  const glass = builder.material({ transmission: 1, roughness: 0, absorption: [1.2, 0.3, 0.6] })
  const frosted = builder.material({ transmission: 1, roughness: 0.45, color: [0.95, 0.98, 1] })
  const gold = builder.material({ metallic: 1, roughness: 0.4, color: [1, 0.78, 0.34] })
  const silver = builder.material({ metallic: 1, roughness: 0, color: [0.95, 0.93, 0.9] })
  const lacquer = builder.material({ color: [0.6, 0.04, 0.05], coat: 1, coatRoughness: 0, ior: 1.6 })
  const pane = builder.material({ transmission: 1, roughness: 0, thin: true, color: [0.7, 0.85, 0.95] })
  builder.rectangle(table, [0, 0, 0], [0, 0, 6], [6, 0, 0])
  builder.ball(glass, [-0.9, 0.605, 0.7], 0.6, { slices: 24, stacks: 12, rounded: true })
  builder.ball(gold, [0.5, 0.505, 1], 0.5, { slices: 24, stacks: 12, rounded: true })
  builder.box(frosted, [1.3, 0.35, 0.2], [0.3, 0.345, 0.3], { turns: 0.06 })
  builder.ball(lacquer, [-0.1, 0.355, 1.9], 0.35, { slices: 12, stacks: 6 })
  builder.box(silver, [0.1, 0.7, -0.6], [0.5, 0.695, 0.1], { turns: -0.04 })
  builder.rectangle(pane, [-0.75, 0.5, 2.1], [0.35, 0, 0.15], [0, 0.5, 0])
  const sky: Sky = { kind: 'sky', zenith: [0.25, 0.4, 0.8], horizon: [0.8, 0.85, 0.9], ground: [0.2, 0.18, 0.15] }
  const scene = builder.build(sky, [
    { kind: 'distant', direction: normalize([0.5, 0.6, 0.5]), irradiance: [1.8, 1.6, 1.2], angle: 0.08 },
    { kind: 'rectangle', position: [-1.5, 2.2, 1], across: [0.5, 0, 0.2], up: [-0.2, 0.2, 0.5], radiance: [4, 3.5, 3] },
  ])
  const camera = lookingAt([0.4, 1.9, 5], [0, 0.45, 0.5], 36, 1)
  const about =
    'Glass that absorbs, frosted glass, a pane, smooth and rough metal, lacquer; a sky, a large sun and a panel.'
  return { name: 'still life', about, scene, camera, bounces: 12 }
}

/** Lamps of every kind in a photographed environment, through a lens and a wide filter. */
function lamps(): ComparedScene {
  const builder = new SceneBuilder()
  const floor = builder.material({ color: [0.6, 0.6, 0.65] })
  const clay = builder.material({ color: [0.75, 0.45, 0.35], roughness: 0.3 })
  const steel = builder.material({ metallic: 1, roughness: 0.6, color: [0.6, 0.62, 0.65] })
  builder.rectangle(floor, [0, 0, 0], [0, 0, 5], [5, 0, 0])
  builder.ball(clay, [-0.8, 0.5, 0], 0.5, { rounded: true })
  builder.box(steel, [0.8, 0.4, -0.3], [0.4, 0.395, 0.4], { turns: 0.1 })
  const scene = builder.build(MAP, [
    { kind: 'point', position: [0, 1.3, 0.6], intensity: [0.6, 0.4, 0.2], radius: 0.25 },
    {
      kind: 'spot',
      position: [1.6, 1.8, 0.9],
      direction: normalize([-0.6, -1.4, -0.8]),
      intensity: [1, 1.3, 1.8],
      radius: 0.3,
      innerCosine: 0.95,
      outerCosine: 0.8,
    },
    { kind: 'rectangle', position: [-1.8, 1.2, 0.5], across: [0, 0, 0.5], up: [0.1, 0.4, 0], radiance: [1.5, 1.5, 2] },
  ])
  const camera: Camera = { ...lookingAt([0, 1.6, 4], [0, 0.5, 0], 36, 1), lens: { radius: 0.12, focus: 4, blades: 6 } }
  const about =
    'A sphere, a spot and a panel in an environment map, through a lens with six blades and a gaussian filter.'
  return { name: 'lamps', about, scene, camera, bounces: 3, filter: 'gaussian' }
}

/** A ball of each material where light comes from the environment only: little noise, and so small errors show. */
function balls(): ComparedScene {
  const builder = new SceneBuilder()
  const glass = { transmission: 1, ior: 1.5 }
  const materials: readonly Partial<Material>[] = [
    { color: [0.8, 0.3, 0.3] },
    { color: [0.3, 0.7, 0.3], roughness: 0.3 },
    { color: [0.3, 0.4, 0.8], roughness: 0.7, ior: 1.8 },
    { color: [1, 0.78, 0.34], metallic: 1, roughness: 0.3 },
    { color: [0.9, 0.9, 0.95], metallic: 1, roughness: 0.8 },
    { color: [0.7, 0.5, 0.2], coat: 1, coatRoughness: 0.15 },
    { ...glass, roughness: 0, absorption: [0.2, 0.6, 1] },
    { ...glass, roughness: 0.4, color: [0.9, 0.95, 1] },
    { ...glass, thin: true, roughness: 0, color: [1, 0.8, 0.6] },
  ]
  materials.forEach((properties, i) => {
    const center: Vec3 = [(i % 3) - 1, 1 - Math.floor(i / 3), 0]
    builder.ball(builder.material(properties), center, 0.45, { slices: 24, stacks: 12, rounded: i % 2 === 0 })
  })
  const camera = parallelTo([0.5, 0.7, 8], [0, 0, 0], 1.55)
  const about = 'A ball of each material, round and with facets, in an environment map of high contrast.'
  return { name: 'balls', about, scene: builder.build({ ...MAP, intensity: 1 }), camera, bounces: 10 }
}

/** What is there only in part: lamps, decals in the plane of what they lie on, a veil, and a card close to a lamp. */
function seeThrough(): ComparedScene {
  const builder = new SceneBuilder()
  const before = builder.material({ color: [0.8, 0.1, 0.1], alpha: 'blend', opacity: 0.6 })
  const hole = builder.material({ color: [1, 1, 1], alpha: 'mask', opacity: 0.3, alphaCutoff: 0.5 })
  const floor = builder.material({ color: [0.6, 0.6, 0.65] })
  const after = builder.material({ color: [0.1, 0.3, 0.8], alpha: 'blend', opacity: 0.4 })
  const veil = builder.material({ color: [0.4, 0.7, 0.4], alpha: 'blend', opacity: 0.3 })
  const card = builder.material({ color: [0.05, 0.05, 0.05] })
  const lamp = (material: Partial<Material>) =>
    builder.material({ color: [0.5, 0.5, 0.5], emission: [5, 4.5, 4], ...material })
  builder.rectangle(before, [-1.2, 0, 0.8], [0, 0, 0.6], [0.6, 0, 0])
  builder.rectangle(hole, [0, 0, 1.2], [0, 0, 0.4], [0.4, 0, 0])
  builder.rectangle(floor, [0, 0, 0], [0, 0, 3], [3, 0, 0])
  builder.rectangle(after, [1.2, 0, 0.8], [0, 0, 0.6], [0.6, 0, 0])
  builder.rectangle(veil, [0, 0.6, 0.3], [1.4, 0, 0], [0, 0.6, 0])
  builder.ball(builder.material({ color: [0.75, 0.45, 0.35] }), [0, 0.45, -0.6], 0.45, {
    slices: 24,
    stacks: 12,
    rounded: true,
  })
  builder.rectangle(lamp({ alpha: 'blend', opacity: 0.5 }), [-1.5, 1.9, -0.3], [0.6, 0, 0], [0, 0, 0.6])
  builder.rectangle(lamp({ alpha: 'blend', opacity: 0, emission: [50, 0, 0] }), [0, 2.2, 0.3], [0.6, 0, 0], [0, 0, 0.6])
  builder.rectangle(
    lamp({ alpha: 'mask', opacity: 0.2, emission: [0, 50, 0] }),
    [0, 2.3, 0.3],
    [0.6, 0, 0],
    [0, 0, 0.6],
  )
  builder.rectangle(lamp({}), [1.5, 1.9, -0.3], [0.6, 0, 0], [0, 0, 0.6])
  builder.rectangle(card, [1.5, 1.8996, -0.6], [0.6, 0, 0], [0, 0, 0.3])
  const night: Sky = { kind: 'sky', zenith: [0.05, 0.06, 0.1], horizon: [0.1, 0.1, 0.1], ground: [0.02, 0.02, 0.02] }
  const camera = lookingAt([0, 1.7, 4.6], [0, 0.5, 0], 44, 1)
  const about =
    'Decals in the plane of a floor, a hole that is none, a veil, lamps that are there in part or not at all, a card close to one.'
  return { name: 'see-through', about, scene: builder.build(night), camera, bounces: 4 }
}

/** Glasses of a drink, modelled in five ways: it overlaps the wall, a gap, faces of both, only the drink's, only the glass's. */
function drinks(): ComparedScene {
  const builder = new SceneBuilder()
  const glass = builder.material({ transmission: 1, roughness: 0, ior: 1.5 })
  const drink = builder.material({ transmission: 1, roughness: 0, ior: 1.33, absorption: [0.3, 2.5, 3] })
  const [outer, inner, bottom, level] = [0.36, 0.3, 0.1, 0.7]
  const outside: Profile = [
    [0, 0],
    [outer, 0],
    [outer, 1],
    [inner, 1],
    [inner, level],
  ]
  const wetted: Profile = [
    [inner, level],
    [inner, bottom],
    [0, bottom],
  ]
  builder.rectangle(builder.material({ color: [0.7, 0.65, 0.6] }), [0, -0.01, 0], [0, 0, 3], [3, 0, 0])
  ;[0.02, -0.01, 0, 0, 0].forEach((beside, way) => {
    const foot: Vec3 = [(way - 2) * 0.85, 0, 0]
    const wide = inner + beside
    const below: Profile = [
      [0, bottom - beside],
      [wide, bottom - beside],
      [wide, level],
    ]
    builder.lathe(glass, foot, outside)
    builder.lathe(drink, foot, [below[2]!, [0, level]])
    if (way < 3) {
      builder.lathe(glass, foot, wetted)
      builder.lathe(drink, foot, below)
    } else if (way === 3) builder.inside(glass, () => builder.lathe(drink, foot, below))
    else builder.inside(drink, () => builder.lathe(glass, foot, wetted))
  })
  const camera = parallelTo([0, 2.2, 6], [0, 0.45, 0], 2.1)
  const about =
    'A drink that overlaps the wall of its glass, with a gap, with faces of both, and with one face for both.'
  return { name: 'drinks', about, scene: builder.build({ ...MAP, intensity: 1 }), camera, bounces: 24 }
}

type Profile = Parameters<SceneBuilder['lathe']>[2]

/** Few facets that are shaded as spheres, where light comes along them. */
function terminators(): ComparedScene {
  const builder = new SceneBuilder()
  const coarse = { slices: 12, stacks: 8, rounded: true }
  builder.ball(builder.material({ color: [0.8, 0.7, 0.6] }), [-1, 0.6, 0], 0.9, coarse)
  builder.ball(builder.material({ metallic: 1, roughness: 0.5, color: [0.9, 0.7, 0.5] }), [1, 0.6, 0], 0.9, coarse)
  builder.ball(builder.material({ color: [0.6, 0.1, 0.1], roughness: 0.3 }), [0, -0.8, 0.3], 0.7, coarse)
  const lamp = builder.material({ color: [0, 0, 0], emission: [1, 2, 3] })
  builder.rectangle(lamp, [0, -1.95, 0.3], [0.5, 0, 0], [0, 0, 0.5])
  const night: Sky = { kind: 'sky', zenith: [0.05, 0.06, 0.1], horizon: [0.1, 0.1, 0.1], ground: [0.02, 0.02, 0.02] }
  const scene = builder.build(night, [
    { kind: 'distant', direction: normalize([1, 0.8, 0.05]), irradiance: [2.4, 2.2, 2], angle: 0.08 },
    { kind: 'point', position: [-2.2, 1.2, 1.4], intensity: [0.6, 0.6, 1.2], radius: 0.3 },
  ])
  const camera = parallelTo([0, -0.1, 6], [0, -0.1, 0], 2.1)
  return { name: 'terminators', about: 'Coarse balls that are shaded as spheres.', scene, camera, bounces: 3 }
}

/** Four by two texels: dusk on one side. */
const MAP: EnvironmentMap = {
  kind: 'map',
  width: 4,
  height: 2,
  intensity: 0.5,
  rotation: 0.1,
  texels: Float32Array.of(
    ...[0.1, 0.2, 0.6, 0.3, 0.4, 0.8, 2.4, 1.4, 0.7, 0.3, 0.4, 0.6],
    ...[0.02, 0.02, 0.02, 0.1, 0.08, 0.05, 0.4, 0.25, 0.15, 0.1, 0.08, 0.05],
  ),
}
