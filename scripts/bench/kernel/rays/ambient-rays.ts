/**
 * Rays to the sky as the integrator `ambient` sends them with its default quality: two from each hit, one after the other,
 * cosine-distributed and without an end. Their directions are one long R2 sequence over the frame (Roberts, "The Unreasonable
 * Effectiveness of Quasirandom Sequences", 2018), so consecutive rays go far apart.
 */
import { AMBIENT_QUALITY } from '../../../options/groups/light.ts'
import { cosineDirection } from './bounce-rays.ts'
import type { Ray } from './ray-kinds.ts'
import type { RayStart } from './start-of.ts'

/** From each hit. */
export const AMBIENT_RAYS = AMBIENT_QUALITY.ambientRays

/** 1/g and 1/g², g³ = g + 1. */
const R2_FIRST = 0.7548776662466927
const R2_SECOND = 0.5698402909980532

/** @param hit how many hits have sent rays before this one */
export function ambientRays({ point, normal }: RayStart, hit: number): Ray[] {
  return Array.from({ length: AMBIENT_RAYS }, (_, i) => {
    const index = hit * AMBIENT_RAYS + i
    const direction = cosineDirection(normal, (index * R2_FIRST) % 1, (index * R2_SECOND) % 1)
    return [...point, 0, ...direction, Number.POSITIVE_INFINITY]
  })
}
