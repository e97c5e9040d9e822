/** Bounds of lights: where they are, and where they shine. */
import type { Vec3 } from '../../../../shared/frame/view.ts'
import type { Light } from '../../../../shared/scene/light.ts'
import { powerOf } from './choices.ts'

export type Axis3 = 0 | 1 | 2

export interface LightBounds {
  readonly centre: Vec3
  /** Half sides of the box. */
  readonly half: Vec3
  readonly power: number
  /** Unit vector of the cone that holds the normals of all; light leaves them up to a right angle away. */
  readonly axis: Vec3
  /** Of the cone's half angle: 1 for one direction, −1 for all. */
  readonly cosine: number
  /** Whether light leaves towards both sides of the surfaces. */
  readonly isTwoSided: boolean
}

/** Numbers of a light: its box's low and high corner, its axis, power, cosine, and whether it is two-sided. */
const NUMBERS = 12

/** Lights in the scene, any number of them without an object for each. */
export class LightList {
  readonly #numbers: Float64Array
  count = 0

  constructor(most: number) {
    this.#numbers = new Float64Array(most * NUMBERS)
  }

  add({ centre, half, power, axis, cosine, isTwoSided }: LightBounds): void {
    const low = both(centre, half, (c, h) => c - h)
    const high = both(centre, half, (c, h) => c + h)
    this.#numbers.set([...low, ...high, ...axis, power, cosine, Number(isTwoSided)], this.count++ * NUMBERS)
  }

  get(number: number): LightBounds {
    const all = (of: (axis: Axis3) => number): Vec3 => [of(0), of(1), of(2)]
    return {
      centre: all(axis => this.centre(number, axis)),
      half: all(axis => (this.high(number, axis) - this.low(number, axis)) / 2),
      axis: all(axis => this.axis(number, axis)),
      power: this.power(number),
      cosine: this.#numbers[number * NUMBERS + 10]!,
      isTwoSided: this.isTwoSided(number),
    }
  }

  low(number: number, axis: Axis3): number {
    return this.#numbers[number * NUMBERS + axis]!
  }

  high(number: number, axis: Axis3): number {
    return this.#numbers[number * NUMBERS + 3 + axis]!
  }

  centre(number: number, axis: Axis3): number {
    return (this.low(number, axis) + this.high(number, axis)) / 2
  }

  axis(number: number, axis: Axis3): number {
    return this.#numbers[number * NUMBERS + 6 + axis]!
  }

  power(number: number): number {
    return this.#numbers[number * NUMBERS + 9]!
  }

  isTwoSided(number: number): boolean {
    return this.#numbers[number * NUMBERS + 11] === 1
  }
}

/** Of a light inside the scene. */
export function lightBounds(light: Exclude<Light, { kind: 'distant' }>): LightBounds {
  const power = powerOf(light)
  const centre = light.position
  if (light.kind === 'rectangle') {
    const { across, up } = light
    const half = both(across, up, (a, b) => Math.abs(a) + Math.abs(b))
    return { centre, half, power, axis: unit(cross(across, up)), cosine: 1, isTwoSided: false }
  }
  const half: Vec3 = [light.radius, light.radius, light.radius]
  return light.kind === 'point'
    ? { centre, half, power, axis: [0, 1, 0], cosine: -1, isTwoSided: false }
    : { centre, half, power, axis: light.direction, cosine: light.outerCosine, isTwoSided: false }
}

/** Of a triangle that shines towards both sides. */
export function triangleBounds(a: Vec3, b: Vec3, c: Vec3, power: number): LightBounds {
  const low = both(both(a, b, Math.min), c, Math.min)
  const high = both(both(a, b, Math.max), c, Math.max)
  const minus = (p: Vec3): Vec3 => both(p, a, (x, y) => x - y)
  return {
    centre: both(low, high, (x, y) => (x + y) / 2),
    half: both(low, high, (x, y) => (y - x) / 2),
    power,
    axis: unit(cross(minus(b), minus(c))),
    cosine: 1,
    isTwoSided: true,
  }
}

/** Bounds of what two bounds hold. */
export function united(a: LightBounds | undefined, b: LightBounds): LightBounds {
  if (!a) return b
  const low = both(least(a), least(b), Math.min)
  const high = both(most(a), most(b), Math.max)
  const isTwoSided = a.isTwoSided || b.isTwoSided
  return {
    centre: both(low, high, (x, y) => (x + y) / 2),
    half: both(low, high, (x, y) => (y - x) / 2),
    power: a.power + b.power,
    ...unitedCone(a, isTwoSided && dot(a.axis, b.axis) < 0 ? { ...b, axis: both(b.axis, b.axis, x => -x) } : b),
    isTwoSided,
  }
}

/** A cone around two: its axis leans to the stronger one. */
function unitedCone(a: LightBounds, b: LightBounds): Pick<LightBounds, 'axis' | 'cosine'> {
  const total = a.power + b.power
  const sum = both(a.axis, b.axis, (x, y) => (x * a.power + y * b.power) / total)
  // Opposite ones have none between them.
  if (!(dot(sum, sum) > 1e-12)) return { axis: a.axis, cosine: -1 }
  const axis = unit(sum)
  const reach = (cone: LightBounds): number => {
    const cosine = Math.min(1, Math.max(-1, dot(axis, cone.axis)))
    const sine = Math.sqrt(1 - cosine * cosine)
    const own = Math.sqrt(Math.max(0, 1 - cone.cosine * cone.cosine))
    // Beyond half a turn there is nothing more.
    return sine * cone.cosine + cosine * own < 0 ? -1 : cosine * cone.cosine - sine * own
  }
  return { axis, cosine: Math.min(reach(a), reach(b)) }
}

const least = ({ centre, half }: LightBounds): Vec3 => both(centre, half, (c, h) => c - h)
const most = ({ centre, half }: LightBounds): Vec3 => both(centre, half, (c, h) => c + h)

const both = (a: Vec3, b: Vec3, of: (a: number, b: number) => number): Vec3 => [
  of(a[0], b[0]),
  of(a[1], b[1]),
  of(a[2], b[2]),
]
const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]

/** Any direction for a vector without length. */
function unit(vector: Vec3): Vec3 {
  const length = Math.sqrt(dot(vector, vector))
  return length > 0 && length < Number.POSITIVE_INFINITY ? both(vector, vector, x => x / length) : [0, 1, 0]
}
