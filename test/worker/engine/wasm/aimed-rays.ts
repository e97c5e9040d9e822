/** Seeded random numbers, meshes and rays: aimed at anything, or at just what is hard for a traversal. */

import type { Vec3 } from '../../../../shared/frame/view.ts'
import type { BakedScene } from '../../../../shared/scene/ambient-look.ts'
import { cornerOf, triangleCount } from '../../../../shared/scene/bake.ts'
import { GREY, type Mesh, sceneOf, soup } from '../../support/meshes.ts'
import type { Ray } from './brute-force.ts'

export const GLASS = { kind: 'glass', color: [1, 1, 1], ior: 1.5 } as const

/** The same numbers for the same seed. */
export class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  /** In [0, 1): Steele, Lea and Flood's SplitMix in 32 bits, OOPSLA 2014. */
  next(): number {
    this.#state = (this.#state + 0x9e3779b9) | 0
    let x = this.#state
    x = Math.imul(x ^ (x >>> 16), 0x85ebca6b)
    x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
    return ((x ^ (x >>> 16)) >>> 0) / 4294967296
  }

  below(count: number): number {
    return Math.floor(this.next() * count)
  }

  oneOf<T>(these: readonly T[]): T {
    return these[this.below(these.length)]!
  }

  /** Coordinates in ± size. */
  point(size = 1): Vec3 {
    return mapVec(() => (this.next() * 2 - 1) * size)
  }

  /** A direction along an axis: the others are 0 or -0. */
  axis(): Vec3 {
    const along = this.below(3)
    return mapVec(k => (k === along ? this.oneOf([1, -1, 3, -0.1]) : this.oneOf([0, -0])))
  }

  /** A direction with one component that is 0 or -0. */
  plane(): Vec3 {
    const [without, point] = [this.below(3), this.point()]
    return mapVec(k => (k === without ? this.oneOf([0, -0]) : point[k]!))
  }

  shuffled(count: number): number[] {
    const order = Array.from({ length: count }, (_, i) => i)
    for (let i = count - 1; i > 0; i--) {
      const j = this.below(i + 1)
      const moved = order[i]!
      order[i] = order[j]!
      order[j] = moved
    }
    return order
  }
}

export const mapVec = (component: (axis: 0 | 1 | 2) => number): Vec3 => [component(0), component(1), component(2)]

/** Triangles about as large as `size`, anywhere in a cube of ± 1, all of it times `scale`. */
export function randomSoup(dice: Dice, triangles: number, size: number, scale = 1): Mesh {
  const positions: number[] = []
  for (let i = 0; i < triangles; i++) {
    const centre = dice.point(scale)
    for (let corner = 0; corner < 3; corner++) {
      const off = dice.point(size * scale)
      positions.push(...mapVec(k => centre[k] + off[k]))
    }
  }
  return soup(positions)
}

/** The same kind of triangles twice, grey and of glass; of an odd number one more is grey. */
export const halfGlass = (triangles: number, make: (triangles: number) => Mesh): BakedScene =>
  sceneOf(
    [
      { mesh: make(Math.ceil(triangles / 2)), material: GREY },
      { mesh: make(Math.floor(triangles / 2)), material: GLASS },
    ].filter(({ mesh }) => mesh.indices.length > 0),
  )

/** A closed ring around the y axis: radius 1, and 0.4 thick to every side. Vertices are shared. */
export function torus(around: number, across: number): Mesh {
  const positions: number[] = []
  const indices: number[] = []
  for (let i = 0; i < around; i++) {
    for (let j = 0; j < across; j++) {
      const [a, b] = [(2 * Math.PI * i) / around, (2 * Math.PI * j) / across]
      const radius = 1 + 0.4 * Math.cos(b)
      positions.push(radius * Math.cos(a), 0.4 * Math.sin(b), radius * Math.sin(a))
      const [nextI, nextJ] = [((i + 1) % around) * across, (j + 1) % across]
      const corners = [i * across + j, nextI + j, nextI + nextJ, i * across + nextJ] as const
      indices.push(corners[0], corners[1], corners[2], corners[0], corners[2], corners[3])
    }
  }
  return { positions, normals: positions.map((_, i) => (i % 3 === 1 ? 1 : 0)), indices }
}

/** Places on a scene's triangles, and rays towards them. */
export class Aim {
  readonly #scene: BakedScene
  readonly #dice: Dice

  constructor(scene: BakedScene, dice: Dice) {
    this.#scene = scene
    this.#dice = dice
  }

  /** The corners of some triangle, from any one of them on. */
  triangle(): readonly [Vec3, Vec3, Vec3] {
    const [triangle, turn] = [this.#dice.below(triangleCount(this.#scene)), this.#dice.below(3)]
    const corner = (i: number) => cornerOf(this.#scene, triangle, (i + turn) % 3)
    return [corner(0), corner(1), corner(2)]
  }

  /** A vertex, the middle of an edge, or anything else on it. */
  edge(): Vec3 {
    const [a, b] = this.triangle()
    const along = this.#dice.oneOf([0, 0.5, this.#dice.next()])
    return mapVec(k => a[k] + (b[k] - a[k]) * along)
  }

  /** Off any edge, as near to the triangle as floats can be. */
  inside(): Vec3 {
    const [a, b, c] = this.triangle()
    const [u, v] = [0.05 + this.#dice.next() * 0.45, 0.05 + this.#dice.next() * 0.4]
    return mapVec(k => Math.fround(a[k] + (b[k] - a[k]) * u + (c[k] - a[k]) * v))
  }

  /** In the plane of some triangle and across it, as well as floats can. */
  grazing(): Ray {
    const [a, b, c] = this.triangle()
    const [u, v, back] = [this.#dice.next() - 0.5, this.#dice.next() - 0.5, this.#dice.oneOf([0, 0.37, 5.3, 50.1])]
    const direction = mapVec(k => (b[k] - a[k]) * u + (c[k] - a[k]) * v)
    const through = this.inside()
    return { origin: mapVec(k => through[k] - direction[k] * back), direction }
  }

  /** Along some edge, from beyond its end. */
  alongEdge(): Ray {
    const [a, b] = this.triangle()
    const [direction, back] = [mapVec(k => b[k] - a[k]), this.#dice.oneOf([0.37, 5.3, 50.1])]
    return { origin: mapVec(k => a[k] - direction[k] * back), direction }
  }
}

/** From one place to another, whatever its distance. Directions are exact where floats allow it. */
export const between = (origin: Vec3, target: Vec3): Ray => {
  const start = mapVec(k => Math.fround(origin[k]))
  return { origin: start, direction: mapVec(k => target[k] - start[k]) }
}

export const rays = (count: number, make: (i: number) => Ray): Ray[] => Array.from({ length: count }, (_, i) => make(i))

/** From anywhere in a cube of ± 1.5 to anywhere. */
export const randomRays = (dice: Dice, count: number): Ray[] =>
  rays(count, () => ({ origin: dice.point(1.5), direction: dice.point() }))
