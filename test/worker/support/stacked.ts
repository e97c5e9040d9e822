/** Squares one behind the other, which fill the frame, each an object with a material of its own, and what engines see of them. */
import { frameRect } from '../../../shared/frame/rect.ts'
import { toMeans } from '../../../shared/frame/sample-layout.ts'
import { allSamples, type Quality, type View } from '../../../shared/frame/view.ts'
import { bakedScene } from '../../../shared/scene/ambient-look.ts'
import { IDENTITY, type SceneDescription } from '../../../shared/scene/description.ts'
import type { Light } from '../../../shared/scene/light.ts'
import { DEFAULT_MATERIAL, type Material } from '../../../shared/scene/material.ts'
import { packScene } from '../../../shared/scene/packed-scene.ts'
import type { Texture } from '../../../shared/scene/texture.ts'
import { engineByName } from '../../../worker/node/engines.ts'
import { openHere, type usableEngines } from './engines.ts'
import { viewOf } from './meshes.ts'

export interface Layer {
  readonly z: number
  readonly material: Partial<Material>
  /** Whether the camera sees its back. @default false */
  readonly turned?: boolean
  /** Half a side. @default 100 */
  readonly half?: number
  /** Whether it is cut in two along the other diagonal. @default false */
  readonly crossed?: boolean
}

export interface Stack {
  readonly layers: readonly Layer[]
  readonly textures?: readonly Texture[]
  readonly lights?: readonly Light[]
  /** Of the sky all around. @default 0 */
  readonly sky?: number
}

/** Texture coordinates go from 0 to 1 to the right and downwards, in both sets, where the square is 2 wide; tangents point to the right. */
export function stacked({ layers, textures = [], lights = [], sky = 0 }: Stack): SceneDescription {
  const corners = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ] as const
  return {
    meshes: layers.map(({ turned = false, half = 100, crossed = false }) => ({
      attributes: ['position', 'normal', 'tangent', 'uv', 'uv2'],
      vertices: Float32Array.from(
        corners.flatMap(([x, y]) => {
          const [u, v] = [(x * half + 1) / 2, (1 - y * half) / 2]
          return [x * half, y * half, 0, 0, 0, turned ? -1 : 1, 1, 0, 0, turned ? -1 : 1, u, v, u, v]
        }),
      ),
      indices: halves(turned, crossed),
      slots: new Uint16Array(2),
      slotCount: 1,
    })),
    instances: layers.map(({ z }, i) => ({ mesh: i, transform: IDENTITY.with(11, z), materials: [i], object: i })),
    materials: layers.map(({ material }, i) => ({ ...DEFAULT_MATERIAL, ...material, label: 10 + i })),
    textures,
    lights,
    environment: { kind: 'sky', zenith: [sky, sky, sky], horizon: [sky, sky, sky], ground: [sky, sky, sky] },
    centre: [0, 0, 0],
  }
}

function halves(turned: boolean, crossed: boolean): Uint32Array {
  const corners = crossed ? [1, 2, 3, 1, 3, 0] : [0, 1, 2, 0, 2, 3]
  return Uint32Array.from(turned ? corners.reverse() : corners)
}

/** Of a square of side 2 at z = 0, from (0, 0, 8). */
export const viewFor = (quality: Quality, side: number): View => ({
  ...viewOf([side, side], { quality }),
  camera: {
    origin: [0, 0, 8],
    right: [1, 0, 0],
    up: [0, 1, 0],
    back: [0, 0, 1],
    tanHalfX: 1 / 8,
    tanHalfY: 1 / 8,
    near: 0.1,
    far: 100,
  },
})

/** Planes of a square frame. */
export function seenBy(name: (typeof usableEngines)[number], stack: Stack, quality: Quality, side = 8, frame = 0) {
  const tracer = openHere(engineByName(name), bakedScene(packScene(stacked(stack))))
  const view = { ...viewFor(quality, side), frame }
  const planes = {
    light: new Float64Array(side * side * 3),
    albedo: new Float64Array(side * side * 3),
    depth: new Float32Array(side * side),
    centre: {
      normal: new Float32Array(side * side * 3),
      mappedNormal: new Float32Array(side * side * 3),
      position: new Float32Array(side * side * 3),
      depth: new Float32Array(side * side),
      id: new Uint32Array(side * side),
      objectId: new Uint32Array(side * side),
      materialId: new Uint32Array(side * side),
    },
  }
  tracer.trace(view, { rect: frameRect(view.size) }, allSamples(view), planes)
  toMeans(view.quality, planes.light, planes.albedo)
  return planes
}

/** Mean of the light of all pixels, by channel. */
export function meanLight({ light }: { readonly light: Float64Array }): number[] {
  const sums = [0, 0, 0]
  light.forEach((value, i) => {
    sums[i % 3]! += (value * 3) / light.length
  })
  return sums
}

/** A picture of texels, RGBA each, as linear values. */
export const pictureOf = (
  width: number,
  ...texels: readonly (readonly [number, number, number, number])[]
): Texture => ({
  width,
  height: texels.length / width,
  wrapU: 'repeat',
  wrapV: 'repeat',
  srgb: false,
  nearest: true,
  texels: Uint8Array.from(texels.flat()),
})
