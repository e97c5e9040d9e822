/** Collects the vertices and triangles of a geometry. */
import { BufferGeometry, Float32BufferAttribute, Uint32BufferAttribute } from 'three'

export class Vertices {
  readonly #positions: number[] = []
  readonly #normals: number[] = []
  readonly #indices: number[] = []

  /** Its number. All vertices have a normal, or none. */
  add(x: number, y: number, z: number, normal?: readonly [number, number, number]): number {
    if (normal) this.#normals.push(...normal)
    return this.#positions.push(x, y, z) / 3 - 1
  }

  /** Counter-clockwise seen from the front. */
  triangle(a: number, b: number, c: number): void {
    this.#indices.push(a, b, c)
  }

  quad(a: number, b: number, c: number, d: number): void {
    this.#indices.push(a, b, c, a, c, d)
  }

  geometry(): BufferGeometry {
    const geometry = new BufferGeometry()
    geometry.setAttribute('position', new Float32BufferAttribute(this.#positions, 3))
    if (this.#normals.length > 0) geometry.setAttribute('normal', new Float32BufferAttribute(this.#normals, 3))
    geometry.setIndex(new Uint32BufferAttribute(this.#indices, 1))
    return geometry
  }
}
