/** A scene in which meshes of all sorts stand in many places, in every way that a transform can place them. */

import type { Vec3 } from '../../../shared/frame/view.ts'
import type { Instance, SceneDescription, SceneMesh, Transform } from '../../../shared/scene/description.ts'
import { DEFAULT_MATERIAL, type Material } from '../../../shared/scene/material.ts'
import type { TextureUse } from '../../../shared/scene/texture.ts'
import { quad, sphere } from './meshes.ts'

const SIDE = 16
const AS_IT_IS: TextureUse['transform'] = [3, 0, 0, 0, 2, 0]
const image = (texture: number, set: 0 | 1 = 0): TextureUse => ({ texture, set, transform: AS_IT_IS })

/** Every kind of thing that a hit looks up on its triangle: colours, tangents, two sets of coordinates, and two materials. */
export function everything(levels: number, centre: Vec3 = [0.2, 0, 0]): SceneMesh {
  const { positions, normals, indices } = sphere(centre, 1, levels)
  const vertices: number[] = []
  for (let at = 0; at < positions.length; at += 3) {
    const [x, y, z] = [normals[at]!, normals[at + 1]!, normals[at + 2]!]
    const across = Math.hypot(x, z)
    const tangent = across > 0 ? [-z / across, 0, x / across, x > 0 ? 1 : -1] : [1, 0, 0, 1]
    vertices.push(positions[at]!, positions[at + 1]!, positions[at + 2]!, x, y, z, ...tangent)
    vertices.push(0.5 + 0.4 * x, 0.5 + 0.4 * y, 0.3 * z, 0.7 * y, 0.5 + 0.5 * x, 0.9, 0.5 + 0.5 * z, 0.5 + 0.5 * y)
  }
  return {
    attributes: ['position', 'normal', 'tangent', 'uv', 'uv2', 'color'],
    vertices: Float32Array.from(vertices),
    indices: Uint32Array.from(indices),
    slots: Uint16Array.from({ length: indices.length / 3 }, (_, i) => Number(i % 5 === 0)),
    slotCount: 2,
  }
}

/** Positions and normals alone. */
export function plain({ positions, normals, indices }: ReturnType<typeof sphere>): SceneMesh {
  const vertices = positions.flatMap((_, i) =>
    i % 3 === 0 ? [...positions.slice(i, i + 3), ...normals.slice(i, i + 3)] : [],
  )
  return {
    attributes: ['position', 'normal'],
    vertices: Float32Array.from(vertices),
    indices: Uint32Array.from(indices),
    slots: new Uint16Array(indices.length / 3),
    slotCount: 1,
  }
}

/** The same numbers in [0, 1) each time. */
export function numbers(): () => number {
  let state = 12345
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** Turned about a random axis, scaled along each, mirrored at times, and moved. */
function somewhere(next: () => number, size: number): Transform {
  const axis = [next() - 0.5, next() - 0.5, next() - 0.5]
  const length = Math.hypot(...axis)
  const [x, y, z] = axis.map(part => part / length) as [number, number, number]
  const angle = next() * 2 * Math.PI
  const [c, s] = [Math.cos(angle), Math.sin(angle)]
  const turn = [
    [c + x * x * (1 - c), x * y * (1 - c) - z * s, x * z * (1 - c) + y * s],
    [y * x * (1 - c) + z * s, c + y * y * (1 - c), y * z * (1 - c) - x * s],
    [z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, c + z * z * (1 - c)],
  ]
  const scale = [0, 1, 2].map(() => (0.1 + 0.3 * next()) * (next() < 0.3 ? -1 : 1))
  const place = [0, 1, 2].map(along => (next() - 0.5) * size * (along === 1 ? 0.5 : 1))
  return turn.flatMap((row, i) => [...row.map((value, k) => value * scale[k]!), place[i]!])
}

const material = (change: Partial<Material>): Material => ({ ...DEFAULT_MATERIAL, ...change })

/**
 * @param count of instances, among which are some that cannot share a tree: they shine, or are flat, or let light through where others do not
 * @param size of the cube that they are in
 */
export function instancedScene(count: number, size = 4): SceneDescription {
  const next = numbers()
  const meshes = [everything(3), plain(quad([-9, -1.2, 9], [18, 0, 0], [0, 0, -18])), plain(sphere([0, 0, 0], 0.5, 2))]
  const materials = [
    material({ color: [0.9, 0.8, 0.7], maps: { color: image(0), normal: image(1) } }),
    material({ color: [0.7, 0.8, 0.9], alpha: 'mask', alphaCutoff: 0.4, maps: { color: image(0, 1) } }),
    material({ color: [0.4, 0.6, 0.8], coat: 1, coatRoughness: 0.1, roughness: 0.6 }),
    material({ color: [0.9, 0.9, 1], transmission: 1, roughness: 0, ior: 1.4 }),
    material({ color: [0.9, 0.8, 0.6], metallic: 1, roughness: 0.15, anisotropy: 0.5 }),
    material({ emission: [3, 2, 1] }),
    material({ color: [0.8, 0.2, 0.3], alpha: 'blend', opacity: 0.6 }),
  ]
  const pairs = [
    [0, 1],
    [4, 1],
    [0, 6],
    [2, 3],
    [0, 2],
  ]
  const instances = Array.from({ length: count }, (_, i): Instance => {
    const transform = somewhere(next, size)
    if (i % 23 === 7) return { mesh: 2, transform, materials: [5] }
    if (i % 29 === 11) return { mesh: 0, transform: transform.map((x, k) => (k < 3 ? 0 : x)), materials: [0, 1] }
    if (i % 3 === 0) return { mesh: 2, transform, materials: [[2, 4, 3][(i % 7) % 3]!] }
    return { mesh: 0, transform, materials: pairs[i % 17 === 0 ? 4 : i % 4]! }
  })
  return {
    meshes,
    // Baked ones in the middle, too.
    instances: [
      ...instances.slice(0, count / 2),
      { mesh: 1, transform: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0], materials: [2] },
      ...instances.slice(count / 2),
    ],
    materials,
    textures: [0, 1].map(number => ({
      width: SIDE,
      height: SIDE,
      wrapU: 'repeat',
      wrapV: 'repeat',
      srgb: number === 0,
      nearest: false,
      texels: Uint8Array.from({ length: SIDE * SIDE * 4 }, (_, i) =>
        number === 0 ? (i * 89 + 31) % 256 : i % 4 < 2 ? 100 + ((i * 7) % 56) : 255,
      ),
    })),
    lights: [{ kind: 'distant', direction: [0.48, 0.64, 0.6], irradiance: [2, 1.8, 1.5], angle: 0.01 }],
    environment: { kind: 'sky', zenith: [0.3, 0.5, 0.9], horizon: [0.8, 0.85, 0.9], ground: [0.3, 0.28, 0.25] },
    centre: [0, 0, 0],
  } as SceneDescription
}
