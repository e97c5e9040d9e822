/** A box with rounded edges: what carpenters and upholsterers make. */
import type { BufferGeometry } from 'three'
import { Vertices } from './vertices.ts'

/** Around the origin. `radius` of the edges is above 0 and at most half the shortest side; `steps` per quarter of an edge. */
export function roundedBox(width: number, height: number, depth: number, radius: number, steps = 3): BufferGeometry {
  const core = [width / 2 - radius, height / 2 - radius, depth / 2 - radius] as const
  const vertices = new Vertices()
  const lines = 2 * steps + 2
  /** Side of the core that a grid line belongs to, and how far it leans towards the neighbouring face, -1 to 1. */
  const line = (i: number): readonly [side: number, lean: number] =>
    i <= steps ? [-1, i / steps - 1] : [1, (i - steps - 1) / steps]
  for (const axis of [0, 1, 2] as const)
    for (const face of [-1, 1]) {
      const [u, v] = [(axis + 1) % 3, (axis + 2) % 3] as const
      const grid = Array.from({ length: lines * lines }, (_, cell) => {
        const [sideU, leanU] = line(cell % lines)
        const [sideV, leanV] = line(Math.floor(cell / lines))
        const length = Math.sqrt(1 + leanU * leanU + leanV * leanV)
        const normal: [number, number, number] = [0, 0, 0]
        normal[axis] = face / length
        normal[u] = leanU / length
        normal[v] = leanV / length
        const side: [number, number, number] = [0, 0, 0]
        side[axis] = face
        side[u] = sideU
        side[v] = sideV
        const place = (i: 0 | 1 | 2) => side[i] * core[i] + normal[i] * radius
        return vertices.add(place(0), place(1), place(2), normal)
      })
      for (let row = 0; row + 1 < lines; row++)
        for (let column = 0; column + 1 < lines; column++) {
          const a = grid[row * lines + column]!
          const b = grid[row * lines + column + 1]!
          const c = grid[(row + 1) * lines + column + 1]!
          const d = grid[(row + 1) * lines + column]!
          if (face > 0) vertices.quad(a, b, c, d)
          else vertices.quad(a, d, c, b)
        }
    }
  return vertices.geometry()
}
