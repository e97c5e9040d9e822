/** Wavy patches side by side before a floor, with textures of every kind, both sets of coordinates, tangents and colours, holes, and back sides. */
import { hash32, unitOf } from '../../shared/math/random.ts'
import { IDENTITY, type SceneDescription } from '../../shared/scene/description.ts'
import { DEFAULT_MATERIAL, MAP_NAMES, type Material } from '../../shared/scene/material.ts'
import type { Texture, TextureUse } from '../../shared/scene/texture.ts'

/** Vertices along a side of a patch. */
const SIDE = 7
const PATCHES = 9

const image = (width: number, height: number, facts: Partial<Texture>, texelsOf: (i: number) => number): Texture => ({
  ...{ width, height, wrapU: 'repeat', wrapV: 'repeat', srgb: true, nearest: false },
  ...facts,
  texels: Uint8Array.from({ length: width * height * 4 }, (_, i) => texelsOf(i)),
})
const noise = (seed: number, least: number) => (i: number) =>
  Math.round(255 * (least + (1 - least) * unitOf(hash32(i, seed, 7))))

const TEXTURES: readonly Texture[] = [
  image(64, 32, {}, noise(1, 0.2)),
  image(13, 9, { srgb: false, wrapU: 'mirror', wrapV: 'clamp' }, noise(2, 0)),
  image(8, 8, { srgb: false, nearest: true }, noise(3, 0.1)),
  // Normals: mostly ahead.
  image(16, 16, { srgb: false }, i => (i % 4 === 2 ? 255 : noise(4, 0.3)(i))),
]
const use = (texture: number, set: 0 | 1 = 0, size = 1): TextureUse => ({
  texture,
  set,
  transform: [size, 0.2, 0.1, -0.3, size, 0.4],
})
const LINEAR = use(2, 1)

const MATERIALS: readonly Partial<Material>[] = [
  { color: [0.9, 0.8, 0.7], maps: { color: use(0, 0, 3), normal: use(3) }, normalScale: [0.8, 0.6] },
  { alpha: 'mask', maps: { color: use(1) } },
  { alpha: 'blend', opacity: 0.8, color: [0.4, 0.7, 0.9], maps: { color: use(0), opacity: use(1, 1) } },
  {
    metallic: 1,
    roughness: 0.5,
    maps: { metallic: use(2), roughness: use(2), occlusion: use(1), normal: use(3, 1, 2) },
  },
  { culled: true, color: [0.3, 0.8, 0.3] },
  { transmission: 1, roughness: 0, thin: true, maps: { transmission: use(2, 1), color: use(0, 1) } },
  {
    ...{
      coat: 1,
      coatRoughness: 0.2,
      sheenColor: [0.4, 0.5, 0.6],
      sheenRoughness: 0.5,
      anisotropy: 0.7,
      iridescence: 0.6,
    },
    ...{ alpha: 'blend', opacity: 0.6, culled: true },
    maps: Object.fromEntries(MAP_NAMES.map(name => [name, name.endsWith('ormal') ? use(3) : LINEAR])),
  },
  { unlit: true, maps: { color: use(1, 0, 2) } },
  { color: [0.6, 0.55, 0.5] },
]

/** @param change of every material */
export function mapped(change: Partial<Material> = {}): SceneDescription {
  const vertices: number[] = []
  const indices: number[] = []
  const slots: number[] = []
  for (let patch = 0; patch < PATCHES; patch++) {
    const first = patch * SIDE * SIDE
    const isFloor = patch === PATCHES - 1
    for (let j = 0; j < SIDE; j++)
      for (let i = 0; i < SIDE; i++) {
        const [u, v] = [i / (SIDE - 1), j / (SIDE - 1)]
        const wave = isFloor ? 0 : 0.15 * Math.sin(5 * u + patch) * Math.cos(4 * v)
        const [x, y, z] = isFloor
          ? [10 * (u - 0.5), 0, 10 * (0.5 - v)]
          : [(patch % 4) * 1.1 - 2.2 + u, 0.1 + v + 1.1 * Math.floor(patch / 4), wave - 0.6 * Math.floor(patch / 4)]
        const normal = isFloor ? [0, 1, 0] : [0.1 * wave, 0, Math.sqrt(1 - 0.01 * wave * wave)]
        vertices.push(x!, y!, z!, ...normal, 1, 0, 0, patch % 2 === 0 ? 1 : -1, u, v, 2 * v - 0.3, u * u)
        vertices.push(1 - 0.3 * u, 1 - 0.2 * v, 1, isFloor ? 1 : 1 - 0.4 * u * v)
      }
    for (let j = 0; j + 1 < SIDE; j++)
      for (let i = 0; i + 1 < SIDE; i++) {
        const at = first + j * SIDE + i
        const corners = [at, at + 1, at + SIDE + 1, at, at + SIDE + 1, at + SIDE]
        // Some are seen from behind.
        indices.push(...((i + j) % 3 === 0 && !isFloor ? corners.toReversed() : corners))
        slots.push(patch, patch)
      }
  }
  return {
    meshes: [
      {
        attributes: ['position', 'normal', 'tangent', 'uv', 'uv2', 'color'],
        vertices: Float32Array.from(vertices),
        indices: Uint32Array.from(indices),
        slots: Uint16Array.from(slots),
        slotCount: PATCHES,
      },
    ],
    instances: [{ mesh: 0, transform: IDENTITY, materials: MATERIALS.map((_, i) => i) }],
    materials: MATERIALS.map(material => ({ ...DEFAULT_MATERIAL, ...material, ...change })),
    lights: [{ kind: 'distant', direction: [0.48, 0.64, 0.6], irradiance: [3, 2.8, 2.4], angle: 0 }],
    environment: { kind: 'sky', zenith: [0.3, 0.5, 0.9], horizon: [0.8, 0.85, 0.9], ground: [0.3, 0.28, 0.25] },
    textures: TEXTURES,
    centre: [0, 0, 0],
  }
}
