/**
 * A scene's look as the ambient integrator sees it: four kinds of surface, one sun and one sky. It has no other lights and no
 * emission; an environment map is a plain sky in its mean colour.
 */

import type { Vec3 } from '../frame/view.ts'
import { sinTurns } from '../math/trig.ts'
import { bake, type Triangles } from './bake.ts'
import type { SceneDescription } from './description.ts'
import type { Environment, EnvironmentMap, Sky } from './environment.ts'
import type { Light } from './light.ts'
import { coatIor, type Material } from './material.ts'
import type { PackedScene } from './packed-layout.ts'

export type AmbientMaterial =
  /** Lambert reflector. */
  | { readonly kind: 'matte'; readonly color: Vec3 }
  /** Lambert reflector under a smooth clear coat: Fresnel reflection on top, matte beneath. */
  | { readonly kind: 'coated'; readonly color: Vec3; readonly ior: number }
  /** Perfect mirror tinted by `color`. */
  | { readonly kind: 'mirror'; readonly color: Vec3 }
  /** Shown as it is. */
  | { readonly kind: 'unlit'; readonly color: Vec3 }
  /** Smooth dielectric: reflects and refracts; `color` tints what passes through one surface. */
  | { readonly kind: 'glass'; readonly color: Vec3; readonly ior: number }

/** One distant light. */
export interface Sun {
  /** Unit vector from the scene towards the sun. */
  readonly direction: Vec3
  /** Irradiance on a surface that faces the sun, linear RGB; zero switches the sun off. */
  readonly irradiance: Vec3
}

export interface AmbientLook {
  readonly materials: readonly AmbientMaterial[]
  readonly sky: Sky
  readonly sun: Sun
}

/** All that the ambient integrator needs of a scene. */
export interface AmbientScene extends Triangles, AmbientLook {
  /** Position of the triangles' origin in the world. */
  readonly centre: Vec3
}

/** Together with the packed scene that it was baked from. */
export interface BakedScene extends AmbientScene {
  readonly bytes: Uint8Array
}

export const bakedScene = (scene: PackedScene): BakedScene => ({
  ...bake(scene),
  ...ambientLook(scene),
  centre: scene.centre,
  bytes: scene.bytes,
})

export const ambientLook = ({
  materials,
  lights,
  environment,
}: Pick<SceneDescription, 'materials' | 'lights' | 'environment'>): AmbientLook => ({
  materials: materials.map(ambientMaterial),
  sky: skyOf(environment),
  sun: sunOf(lights),
})

/** What the ambient integrator does not show of a scene, one sentence if there is anything. */
export function ambientGaps({
  materials,
  lights,
  environment,
}: Pick<SceneDescription, 'materials' | 'lights' | 'environment'>): string[] {
  const lamps = lights.filter(({ kind }) => kind !== 'distant').length
  const suns = Math.max(0, lights.length - lamps - 1)
  const glowing = materials.filter(({ emission }) => emission.some(channel => channel > 0)).length
  const parts = [
    ...count(lamps, 'lamp'),
    ...count(suns, 'more sun'),
    ...count(glowing, 'glowing material'),
    ...(environment.kind === 'map' ? ['the environment map (only its mean colour)'] : []),
  ]
  const text = parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : parts[0]
  return text === undefined ? [] : [`the ambient integrator does not show ${text}; path does`]
}

const count = (number: number, what: string): string[] =>
  number === 0 ? [] : [`${number} ${what}${number === 1 ? '' : 's'}`]

/** The nearest kind of surface. */
export function ambientMaterial(material: Material): AmbientMaterial {
  const { color, unlit, metallic, roughness, ior, transmission, coat } = material
  if (unlit) return { kind: 'unlit', color }
  if (transmission >= 0.5) return { kind: 'glass', color, ior }
  // A rough metal reflects from all around, more like a matte surface than like a mirror.
  if (metallic >= 0.5 && roughness < 0.3) return { kind: 'mirror', color }
  return coat > 0 ? { kind: 'coated', color, ior: coatIor(material) } : { kind: 'matte', color }
}

/** The first distant light. */
function sunOf(lights: readonly Light[]): Sun {
  const light = lights.find(({ kind }) => kind === 'distant')
  return light?.kind === 'distant'
    ? { direction: light.direction, irradiance: light.irradiance }
    : { direction: [0, 1, 0], irradiance: [0, 0, 0] }
}

function skyOf(environment: Environment): Sky {
  if (environment.kind === 'sky') return environment
  const mean = meanRadiance(environment)
  return { kind: 'sky', zenith: mean, horizon: mean, ground: mean }
}

/** Over all directions: a row counts by the share of the sphere that it covers. */
function meanRadiance({ width, height, texels, intensity }: EnvironmentMap): Vec3 {
  const sum = [0, 0, 0] as [number, number, number]
  let total = 0
  for (let row = 0; row < height; row++) {
    const inRow = [0, 0, 0] as [number, number, number]
    for (let at = row * width * 3; at < (row + 1) * width * 3; at += 3) {
      inRow[0] += texels[at]!
      inRow[1] += texels[at + 1]!
      inRow[2] += texels[at + 2]!
    }
    const share = sinTurns((row + 0.5) / height / 2)
    total += share * width
    for (const channel of [0, 1, 2] as const) sum[channel] += inRow[channel] * share
  }
  const scale = intensity / total
  return [sum[0] * scale, sum[1] * scale, sum[2] * scale]
}
