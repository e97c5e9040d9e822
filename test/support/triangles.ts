/** Baked triangles, as tests ask for them. */

import type { Vec3 } from '../../shared/frame/view.ts'
import {
  cornerOf,
  materialOf,
  NORMAL_AT,
  type Triangles,
  triangleCount,
  VERTEX_FLOATS,
  vertexAt,
} from '../../shared/scene/bake.ts'
import { UV_NUMBERS } from '../../shared/scene/bake-extras.ts'

/** Positions of a triangle's corners. */
export const cornersOf = (triangles: Triangles, triangle: number): readonly [Vec3, Vec3, Vec3] => [
  cornerOf(triangles, triangle, 0),
  cornerOf(triangles, triangle, 1),
  cornerOf(triangles, triangle, 2),
]

/** Shading normal at corner 0, 1 or 2 of a triangle. */
export function normalOf(triangles: Triangles, triangle: number, corner: number): Vec3 {
  const at = vertexAt(triangles, triangle, corner) + NORMAL_AT
  const [x, y, z] = triangles.vertices.subarray(at, at + 3)
  return [x!, y!, z!]
}

/** The numbers of all triangles' vertices, three each. */
export const vertexNumbers = (triangles: Triangles): number[] =>
  numbersOf(triangles).flatMap(triangle =>
    [0, 1, 2].map(corner => vertexAt(triangles, triangle, corner) / VERTEX_FLOATS),
  )

/** The material of every triangle. */
export const materialsOf = (triangles: Triangles): number[] =>
  numbersOf(triangles).map(triangle => materialOf(triangles, triangle))

/** All vertices, without the sign of zeros. */
export const verticesOf = ({ vertices, extras }: Triangles) =>
  Array.from({ length: vertices.length / VERTEX_FLOATS }, (_, vertex) => {
    const [first, end] = [vertex * VERTEX_FLOATS, (vertex + 1) * VERTEX_FLOATS]
    const numbers = (of: Float32Array, from: number, to: number) => [...of.subarray(from, to)].map(value => value + 0)
    return {
      position: numbers(vertices, first, first + NORMAL_AT),
      normal: numbers(vertices, first + NORMAL_AT, end),
      ...(extras?.uv && { uv: numbers(extras.uv, vertex * UV_NUMBERS, (vertex + 1) * UV_NUMBERS) }),
    }
  })

const numbersOf = (triangles: Triangles): number[] => [...Array(triangleCount(triangles)).keys()]
