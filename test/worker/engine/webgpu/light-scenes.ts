/** Scenes of lights that the device is asked about, and places from which it is. */
import { RandomStream } from '../../../../scripts/bench/pictures/naive/random-stream.ts'
import type { Vec3 } from '../../../../shared/frame/view.ts'
import type { SceneDescription } from '../../../../shared/scene/description.ts'
import type { Light, PointLight, RectangleLight } from '../../../../shared/scene/light.ts'
import type { Material } from '../../../../shared/scene/material.ts'
import { type Stack, stacked } from '../../support/stacked.ts'

export const random = new RandomStream(23)
/** As a device has it. */
export const number = (least = 0, most = 1): number => Math.fround(least + (most - least) * random.next())
/** As samplers make them: of 24 bits. */
export const drawn = (): number => Math.floor(random.next() * 2 ** 24) / 2 ** 24
export const within = (size: number, [x, y, z]: Vec3 = [0, 0, 0]): Vec3 => [
  number(x - size, x + size),
  number(y - size, y + size),
  number(z - size, z + size),
]
export const grey = (value: number): Vec3 => [value, value, value]
const unit = (): Vec3 => {
  const [x, y, z] = within(1)
  const length = Math.hypot(x, y, z)
  return length > 0.1 && length < 1 ? [x / length, y / length, z / length] : unit()
}
const FLOOR: Stack['layers'][number] = { z: -50, material: {} }
export const glowing = (z: number, half = 1): Stack['layers'][number] => ({ z, material: { emission: grey(2) }, half })

function anyLight(kind: number, size: number): Light {
  const [position, power] = [within(size), number(0.01, 10)]
  if (kind === 0) return { kind: 'point', position, intensity: grey(power), radius: random.next() < 0.5 ? 0 : number() }
  const cosines = { innerCosine: 0.9, outerCosine: number(0.2, 0.8) }
  if (kind === 1) return { kind: 'spot', position, intensity: grey(power), radius: 0, direction: unit(), ...cosines }
  const [x, y] = [number(0.1, 1), number(0.1, 1)]
  return {
    kind: 'rectangle',
    position,
    across: kind === 2 ? [x, 0, 0] : [0, 0, x],
    up: [0, y, 0],
    radiance: grey(power),
  }
}
export const mixed = (count: number): Light[] => Array.from({ length: count }, (_, i) => anyLight(i % 4, 20))
export const rectangle = (across: Vec3, up: Vec3, position: Vec3 = [0, 0, 0]): RectangleLight => ({
  ...{ kind: 'rectangle', position, across, up },
  radiance: [3, 2, 1],
})
export const sphere = (radius: number, position: Vec3 = [0, 0, 0]): PointLight => ({
  kind: 'point',
  position,
  radius,
  intensity: [3, 2, 1],
})
export const distant = (angle: number): Light => ({
  kind: 'distant',
  direction: [0.6, 0.8, 0],
  angle,
  irradiance: [3, 2, 1],
})
export const spot = (radius: number, falloff: { readonly falloff?: 'squared' } = {}): Light => ({
  ...falloff,
  ...{ kind: 'spot', position: [0, 0, 0], radius, intensity: [3, 2, 1], direction: [0, 0, 1] },
  ...{ innerCosine: 0.9, outerCosine: 0.5 },
})
export const lit = (lights: readonly Light[], layers: Stack['layers'] = []) =>
  stacked({ layers: [FLOOR, ...layers], lights })
export function around(
  width: number,
  height: number,
  level: (x: number, y: number) => number,
  lights: readonly Light[] = [],
) {
  const levels = Array.from({ length: width * height }, (_, i) => level(i % width, Math.floor(i / width)))
  const texels = Float32Array.from(levels.flatMap(value => [value, 0.5 * value, 0.25]))
  return { ...lit(lights), environment: { kind: 'map', width, height, texels, intensity: 1.5, rotation: 0.3 } } as const
}

/** A panel of 2 by 2 units with such a picture, once, whose texels have values and opacities. */
function pictured(
  property: 'emission' | 'color',
  texel: (x: number, y: number) => readonly [value: number, opacity: number],
  rest: Partial<Material>,
) {
  const texels = Uint8Array.from(
    Array.from({ length: 64 }, (_, i) => texel(i % 8, i >> 3).map(x => Math.round(255 * x))).flatMap(
      ([value, opacity]) => [...grey(value!), opacity!],
    ),
  )
  const texture = { width: 8, height: 8, wrapU: 'clamp', wrapV: 'clamp', srgb: false, nearest: true, texels } as const
  const maps = { [property]: { texture: 0, set: 0, transform: [1, 0, 0, 0, 1, 0] } } as const
  const panel = { z: 0, material: { emission: grey(3), maps, ...rest }, half: 1 }
  return stacked({ layers: [FLOOR, panel], textures: [texture] })
}

/** At a height above a square that is one unit large, above it and beside it. */
const above = (z: number) => (): Vec3 => [number(-2.5, 2.5), number(-2.5, 2.5), Math.fround(z)]

/**
 * Relative errors, and those of components of directions: by a few roundings; of points that are close above a light, in heights; of a narrow light, in widths;
 * and between texels as unlike as these.
 */
export const ROUNDED = 1e-5
const closeBy = (size: number) => 2 ** -21 / size

export interface LightScene {
  readonly name: string
  readonly description: SceneDescription
  /** A place from which its lights are seen. */
  readonly placeIn: () => Vec3
  readonly rounded: number
}

const of = (name: string, description: SceneDescription, placeIn: () => Vec3, rounded = ROUNDED): LightScene => ({
  ...{ name, description, placeIn, rounded },
})

export const SCENES: readonly LightScene[] = [
  of('a rectangle', lit([rectangle([1, 0, 0], [0, 1, 0])]), () => within(4)),
  of('a strip', lit([rectangle([0.02, 0, 0], [0, 0.8, 0.6], [5, 7, 3])]), () => within(2, [5, 7, 3]), closeBy(0.0025)),
  of('a rectangle, near its plane', lit([rectangle([1, 0, 0], [0, 1, 0])]), above(1e-3), closeBy(1e-3)),
  of('a rectangle, almost in its plane', lit([rectangle([1, 0, 0], [0, 1, 0])]), above(1e-5), closeBy(1e-5)),
  of('a sphere', lit([sphere(0.1)]), () => within(3)),
  of('a sphere from close by', lit([sphere(1)]), () => within(1)),
  of('a tiny sphere', lit([sphere(1e-6)]), () => within(100)),
  of('a sphere like the sun, and as far away', lit([sphere(7e8, [1.5e11, 0, 0])]), () => within(1e6)),
  of('a point', lit([sphere(0)]), () => within(100)),
  of('a spot', lit([spot(0)]), () => within(4)),
  of('a large spot', lit([spot(0.2, { falloff: 'squared' })]), () => within(4)),
  ...[0, 1e-5, 0.5 / 360, 0.1, 0.5].map(angle =>
    of(`a distant disc of ${angle} turns`, lit([distant(angle)]), () => within(4)),
  ),
  of('several suns', lit([0, 0.1, 0.01].map(distant)), () => within(4)),
  of('triangles', lit([], [glowing(0)]), () => within(3)),
  of('triangles, near their plane', lit([], [glowing(0)]), above(1e-3), closeBy(1e-3)),
  of('triangles, almost in their plane', lit([], [glowing(0)]), above(1e-5), closeBy(1e-5)),
  of(
    'a picture',
    pictured('emission', (x, y) => [(x * 5 + y * 3) % 8 === 0 ? 1 : (x + y) % 3 === 0 ? 0.2 : 0, 1], {}),
    () => within(3),
  ),
  of(
    'triangles with holes',
    pictured('color', (x, y) => [1, (x + y) % 2], { alpha: 'mask', alphaCutoff: 0.5 }),
    () => within(3),
  ),
  of(
    'a veil',
    pictured('color', (x, y) => [1, ((x + y) % 4) / 3], { alpha: 'blend', opacity: 0.5 }),
    () => within(3),
  ),
  of('all kinds', lit(mixed(60), [glowing(5, 3)]), () => within(30)),
  of('thousands of all kinds', lit(mixed(4000), [glowing(5, 3)]), () => within(30)),
  of(
    'a map',
    around(64, 32, (x, y) => (x === 20 && y === 9 ? 50 : 1 + ((x * 7 + y * 5) % 11))),
    () => within(3),
  ),
  of(
    'a large map with a sun',
    around(1024, 512, (x, y) => (x === 320 && y === 90 ? 5e4 : 1 + ((x * y) % 5))),
    () => within(3),
    1e-4,
  ),
  of(
    'a map of two texels',
    around(1, 2, (_, y) => 1 - y),
    () => within(3),
  ),
  of(
    'a map and suns',
    around(50, 30, (x, y) => 1 + ((x * y) % 5), [0, 0.1].map(distant)),
    () => within(3),
  ),
]
