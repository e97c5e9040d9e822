/** Small meshes and scenes of them for tests of engines. */

import type { Vec3, View } from '../../../shared/frame/view.ts'
import {
  type AmbientMaterial,
  type AmbientScene,
  type BakedScene,
  bakedScene,
  type Sun,
} from '../../../shared/scene/ambient-look.ts'
import { NORMAL_AT, VERTEX_FLOATS } from '../../../shared/scene/bake.ts'
import type { Sky } from '../../../shared/scene/environment.ts'
import { packScene } from '../../../shared/scene/packed-scene.ts'
import { putTriangle, WHOLE_WORDS } from '../../../shared/scene/triangle-bits.ts'
import { described } from '../../support/described.ts'

/** Vertices (xyz), their unit normals, and three vertex numbers per triangle. */
export interface Mesh {
  readonly positions: readonly number[]
  readonly normals: readonly number[]
  readonly indices: readonly number[]
}

/** A closed sphere about `centre`: an octahedron, each face split in four `levels` times. Vertices are shared. */
export function sphere(centre: Vec3, radius: number, levels: number): Mesh {
  const points: Vec3[] = [
    [1, 0, 0],
    [-1, 0, 0],
    [0, 1, 0],
    [0, -1, 0],
    [0, 0, 1],
    [0, 0, -1],
  ]
  let faces = [
    [0, 2, 4],
    [2, 1, 4],
    [1, 3, 4],
    [3, 0, 4],
    [2, 0, 5],
    [1, 2, 5],
    [3, 1, 5],
    [0, 3, 5],
  ] as [number, number, number][]
  for (let level = 0; level < levels; level++) {
    const middles = new Map<string, number>()
    const middle = (a: number, b: number): number => {
      const key = a < b ? `${a} ${b}` : `${b} ${a}`
      const known = middles.get(key)
      if (known !== undefined) return known
      const sum = points[a]!.map((x, axis) => x + points[b]![axis]!) as [number, number, number]
      middles.set(key, points.length)
      return points.push(unit(sum)) - 1
    }
    faces = faces.flatMap(([a, b, c]): [number, number, number][] => {
      const [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)]
      return [
        [a, ab, ca],
        [ab, b, bc],
        [ca, bc, c],
        [ab, bc, ca],
      ]
    })
  }
  return {
    positions: points.flatMap(point => point.map((x, axis) => centre[axis]! + radius * x)),
    normals: points.flat(),
    indices: faces.flat(),
  }
}

/** A parallelogram with one corner at `corner`, seen from the side to which `across` × `along` points. */
export function quad(corner: Vec3, across: Vec3, along: Vec3): Mesh {
  const normal = unit([
    across[1] * along[2] - across[2] * along[1],
    across[2] * along[0] - across[0] * along[2],
    across[0] * along[1] - across[1] * along[0],
  ])
  const at = (u: number, v: number) => corner.map((x, axis) => x + u * across[axis]! + v * along[axis]!)
  return {
    positions: [...at(0, 0), ...at(1, 0), ...at(1, 1), ...at(0, 1)],
    normals: [normal, normal, normal, normal].flat(),
    indices: [0, 1, 2, 0, 2, 3],
  }
}

/** Triangles that share no vertex, nine coordinates each. */
export const soup = (positions: readonly number[]): Mesh => ({
  positions,
  normals: positions.map((_, i) => (i % 3 === 1 ? 1 : 0)),
  indices: Array.from({ length: positions.length / 3 }, (_, i) => i),
})

export const unit = (v: Vec3): Vec3 => {
  const length = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
  return [v[0] / length, v[1] / length, v[2] / length]
}

/** A bumpy square of 2 · side² triangles around the origin, ten units wide. */
export function mountains(side: number): Mesh {
  const points = Array.from({ length: (side + 1) ** 2 }, (_, i): Vec3 => {
    const [x, z] = [(i % (side + 1)) / side - 0.5, Math.floor(i / (side + 1)) / side - 0.5]
    return [10 * x, 0.3 * Math.sin(37 * x) * Math.cos(29 * z) + 0.05 * Math.sin(211 * x + 173 * z), -10 * z]
  })
  return {
    positions: points.flat(),
    normals: points.flatMap(() => [0, 1, 0]),
    indices: Array.from({ length: side ** 2 }, (_, i) => {
      const a = Math.floor(i / side) * (side + 1) + (i % side)
      const [b, c, d] = [a + 1, a + side + 1, a + side + 2]
      return [a, b, d, a, d, c]
    }).flat(),
  }
}

export const evenSky = (radiance: Vec3): Sky => ({ kind: 'sky', zenith: radiance, horizon: radiance, ground: radiance })
export const NO_SUN: Sun = { direction: [0, 1, 0], irradiance: [0, 0, 0] }
export const GREY: AmbientMaterial = { kind: 'matte', color: [0.5, 0.5, 0.5] }

interface Lighting {
  readonly sky?: Omit<Sky, 'kind'>
  readonly sun?: Sun
}

type Parts = readonly { readonly mesh: Mesh; readonly material: AmbientMaterial }[]

/** A scene of meshes with their materials, packed and baked: without the triangles that have no area. */
export const sceneOf = (parts: Parts, light?: Lighting): BakedScene =>
  bakedScene(packScene(described(plainScene(parts, light))))

/** A scene of meshes with their materials, laid out as if baked, with all their triangles. */
export function unbakedScene(parts: Parts, light?: Lighting): AmbientScene {
  const { positions, normals, indices, materialIds, ...look } = plainScene(parts, light)
  const vertices = new Float32Array((positions.length / 3) * VERTEX_FLOATS)
  positions.forEach((value, i) => {
    const at = Math.floor(i / 3) * VERTEX_FLOATS + (i % 3)
    vertices[at] = value
    vertices[at + NORMAL_AT] = normals[i]!
  })
  const corners = new Uint32Array(materialIds.length * WHOLE_WORDS.words)
  materialIds.forEach((material, triangle) => {
    const [a, b, c] = indices.slice(triangle * 3, triangle * 3 + 3) as [number, number, number]
    putTriangle(corners, WHOLE_WORDS, triangle, a, b, c, material)
  })
  return { vertices, corners, bits: WHOLE_WORDS, ...look, centre: [0, 0, 0] }
}

function plainScene(parts: Parts, { sky = evenSky([1, 1, 1]), sun = NO_SUN }: Lighting = {}) {
  const indices: number[] = []
  const materialIds: number[] = []
  let vertices = 0
  parts.forEach(({ mesh }, part) => {
    for (const index of mesh.indices) indices.push(vertices + index)
    for (let i = 0; i < mesh.indices.length; i += 3) materialIds.push(part)
    vertices += mesh.positions.length / 3
  })
  return {
    positions: parts.flatMap(({ mesh }) => mesh.positions),
    normals: parts.flatMap(({ mesh }) => mesh.normals),
    indices,
    materialIds,
    materials: parts.map(({ material }) => material),
    sky: { ...sky, kind: 'sky' as const },
    sun,
  }
}

/** A scene with every kind of material, a floor and a sun. */
export const mixedScene = (): BakedScene =>
  sceneOf(
    [
      { mesh: quad([-6, 0, 6], [12, 0, 0], [0, 0, -12]), material: { kind: 'matte', color: [0.6, 0.55, 0.5] } },
      { mesh: sphere([-1.1, 0.7, 0], 0.7, 3), material: { kind: 'coated', color: [0.7, 0.2, 0.1], ior: 1.5 } },
      { mesh: sphere([0.5, 0.6, 0.6], 0.6, 3), material: { kind: 'glass', color: [0.95, 1, 0.97], ior: 1.5 } },
      { mesh: sphere([1.4, 0.8, -0.9], 0.8, 3), material: { kind: 'mirror', color: [0.9, 0.9, 0.95] } },
    ],
    {
      sky: { zenith: [0.25, 0.45, 0.9], horizon: [0.8, 0.85, 0.9], ground: [0.3, 0.28, 0.25] },
      sun: { direction: [0.48, 0.64, 0.6], irradiance: [3, 2.8, 2.4] },
    },
  )

/** Looks along -z from `origin`, a little down. */
export const viewOf = (size: readonly [number, number], change: Partial<View> = {}): View => ({
  frame: 0,
  size,
  camera: {
    origin: [0.2, 1.4, 5],
    right: [1, 0, 0],
    up: [0, 0.98, -0.19899748742132398],
    back: [0, 0.19899748742132398, 0.98],
    tanHalfX: (0.42 * size[0]) / size[1],
    tanHalfY: 0.42,
    near: 0.1,
    far: 100,
  },
  quality: { samples: 2, ambientRays: 2, maxDepth: 4 },
  exposure: 0.8,
  ...change,
})

/** The packed scene's bytes in shared memory, as a worker holds them. */
export function sharedBytes(scene: { readonly bytes: Uint8Array }): Uint8Array<SharedArrayBuffer> {
  const shared = new Uint8Array(new SharedArrayBuffer(scene.bytes.length))
  shared.set(scene.bytes)
  return shared
}
