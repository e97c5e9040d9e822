/**
 * The lights that next-event rays go to. The bench's scenes have only a sun, so these are set up around what the camera sees, in
 * multiples of its radius, like lamps in a studio: a panel above, one to the left, a large and a small lamp to the right, in front
 * and behind; the scene's sun, as a disc; and a sky, which stands for an environment map. Four of six are near: a ray to them ends.
 *
 * Lights are not among the triangles, and so in no ray's way.
 */
import type { Vec3 } from '../../../../shared/frame/view.ts'
import { onSphere } from './sphere.ts'

export type Light =
  /** Shines towards its normal; `across` and `up` go from the centre to the sides. */
  | { readonly kind: 'panel'; readonly centre: Vec3; readonly across: Vec3; readonly up: Vec3; readonly normal: Vec3 }
  | { readonly kind: 'lamp'; readonly centre: Vec3; readonly radius: number }
  /** `spread`: radius of the disc at distance 1. */
  | { readonly kind: 'sun'; readonly direction: Vec3; readonly spread: number }
  /** All directions above the horizon alike. */
  | { readonly kind: 'sky' }

/** What the camera sees of the scene, roughly. */
export interface Region {
  readonly centre: Vec3
  readonly radius: number
}

/** As a tangent: the sun as seen from Earth. */
const SUN_SPREAD = 0.00465

export function lightsAround({ centre, radius }: Region, sun: Vec3): Light[] {
  const at = (x: number, y: number, z: number): Vec3 => [
    centre[0] + x * radius,
    centre[1] + y * radius,
    centre[2] + z * radius,
  ]
  const half = 0.75 * radius
  return [
    { kind: 'panel', centre: at(0, 2, 0), across: [half, 0, 0], up: [0, 0, half], normal: [0, -1, 0] },
    { kind: 'panel', centre: at(-2, 0.75, 0), across: [0, 0, half], up: [0, half, 0], normal: [1, 0, 0] },
    { kind: 'lamp', centre: at(1.5, 1, 1.5), radius: 0.1 * radius },
    { kind: 'lamp', centre: at(1, 0.5, -1.5), radius: 0.02 * radius },
    { kind: 'sun', direction: sun, spread: SUN_SPREAD },
    { kind: 'sky' },
  ]
}

/** Where a ray to a light goes. */
export interface Target {
  /** From its origin; the length matters only if the ray ends at the tip. */
  readonly vector: Vec3
  readonly ends: boolean
}

/**
 * From a point to a random point of a light; undefined for a panel seen from behind.
 * @param u in [0, 1), as is v
 */
export function targetOn(light: Light, [px, py, pz]: Vec3, u: number, v: number): Target | undefined {
  switch (light.kind) {
    case 'panel': {
      const { centre, across, up, normal } = light
      const [a, b] = [2 * u - 1, 2 * v - 1]
      const vector: Vec3 = [
        centre[0] + a * across[0] + b * up[0] - px,
        centre[1] + a * across[1] + b * up[1] - py,
        centre[2] + a * across[2] + b * up[2] - pz,
      ]
      return dot(vector, normal) < 0 ? { vector, ends: true } : undefined
    }
    case 'lamp': {
      const { centre, radius } = light
      const toCentre: Vec3 = [centre[0] - px, centre[1] - py, centre[2] - pz]
      const [x, y, z] = onSphere(u, v)
      // On the half that is near.
      const scale = dot([x, y, z], toCentre) > 0 ? -radius : radius
      return { vector: [toCentre[0] + x * scale, toCentre[1] + y * scale, toCentre[2] + z * scale], ends: true }
    }
    case 'sun': {
      const [x, y, z] = onSphere(u, v)
      const { direction, spread } = light
      return { vector: [direction[0] + x * spread, direction[1] + y * spread, direction[2] + z * spread], ends: false }
    }
    case 'sky': {
      const [x, y, z] = onSphere(u, v)
      return { vector: [x, Math.abs(y), z], ends: false }
    }
  }
}

const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
