/**
 * Traverses the BVH along a ray: to the closest triangle, or to any that blocks light. One loop serves both, so both agree
 * on what a hit is.
 *
 * Rays are floats: origin, direction and range are rounded on input, so that any engine can trace the same ones. The result
 * does not depend on the shape of the BVH: of two triangles hit at the same distance the one with the lower number in the
 * scene counts, and glass dims a shadow ray equally whether it is hit once or more often.
 */
import type { AmbientScene } from '../../../shared/scene/ambient-look.ts'
import {
  type Bvh,
  MAX_DEPTH,
  NODE_COUNT,
  NODE_LINK,
  NODE_MAX,
  NODE_MIN,
  NODE_WORDS,
  SLOT_FLOATS,
} from './bvh-layout.ts'
import { boxEntry, hitDistance, LATER, SOONER } from './ray-tests.ts'

/** Share of light that passes through glass alone, however much of it. */
export const GLASS_SHADOW = 0.6

/** Replaces direction components nearer to zero, so that 0 · ∞ never makes a slab's distance NaN. */
const MIN_COMPONENT = 1e-300

const f = Math.fround

/** Traces one ray at a time; not re-entrant, one per thread. */
export class Traversal {
  /** Slot and distance (in lengths of the ray's direction) of the newest closest hit. */
  slot = 0
  distance = 0
  /** BVH nodes and leaves visited so far by all rays; callers may set it. */
  steps = 0
  readonly #bvh: Bvh
  readonly #materialIds: Uint16Array
  /** By material number: 1 if it lets light through. */
  readonly #clear: Uint8Array
  #metGlass = false
  // At most one node per level is pending.
  readonly #waiting = new Int32Array(MAX_DEPTH)
  readonly #waitingEntry = new Float64Array(MAX_DEPTH)

  constructor(bvh: Bvh, scene: AmbientScene) {
    this.#bvh = bvh
    this.#materialIds = scene.materialIds
    this.#clear = Uint8Array.from(scene.materials, material => (material.kind === 'glass' ? 1 : 0))
  }

  /** Whether a ray from o along d (of any nonzero length) hits something at tMin to tMax; if so sets `slot` and `distance`. */
  closestHit(
    ox: number,
    oy: number,
    oz: number,
    dx: number,
    dy: number,
    dz: number,
    tMin: number,
    tMax: number,
  ): boolean {
    return this.#walk(ox, oy, oz, dx, dy, dz, tMin, tMax, false)
  }

  /** Share of light that reaches o from infinity in direction d: 0 behind anything opaque, GLASS_SHADOW behind glass, else 1. */
  lightFrom(ox: number, oy: number, oz: number, dx: number, dy: number, dz: number): number {
    this.#metGlass = false
    if (this.#walk(ox, oy, oz, dx, dy, dz, 0, Number.POSITIVE_INFINITY, true)) return 0
    return this.#metGlass ? GLASS_SHADOW : 1
  }

  #walk(
    ox: number,
    oy: number,
    oz: number,
    dx: number,
    dy: number,
    dz: number,
    tMin: number,
    tMax: number,
    anyOpaque: boolean,
  ): boolean {
    ox = f(ox)
    oy = f(oy)
    oz = f(oz)
    dx = f(dx)
    dy = f(dy)
    dz = f(dz)
    tMin = f(tMin)
    tMax = f(tMax)
    // NaN and infinite rays hit nothing.
    const sum = ox + oy + oz + dx + dy + dz
    if (!Number.isFinite(sum)) return false
    const { nodeBounds, nodeLinks, triangles, triangleIds } = this.#bvh
    const waiting = this.#waiting
    const waitingEntry = this.#waitingEntry

    // Precompute for the box test: the inverse direction, and per axis the word of the side where the ray enters.
    const inverseX = 1 / (Math.abs(dx) > MIN_COMPONENT ? dx : MIN_COMPONENT)
    const inverseY = 1 / (Math.abs(dy) > MIN_COMPONENT ? dy : MIN_COMPONENT)
    const inverseZ = 1 / (Math.abs(dz) > MIN_COMPONENT ? dz : MIN_COMPONENT)
    const nearX = inverseX > 0 ? NODE_MIN : NODE_MAX
    const nearY = (inverseY > 0 ? NODE_MIN : NODE_MAX) + 1
    const nearZ = (inverseZ > 0 ? NODE_MIN : NODE_MAX) + 2

    const soonerX = inverseX * SOONER
    const soonerY = inverseY * SOONER
    const soonerZ = inverseZ * SOONER
    const laterX = inverseX * LATER
    const laterY = inverseY * LATER
    const laterZ = inverseZ * LATER

    // Precompute for the triangle test: the axes with the longest last, and the shear.
    const kz = longestAxis(Math.abs(dx), Math.abs(dy), Math.abs(dz))
    const kx = kz === 2 ? 0 : kz + 1
    const ky = kx === 2 ? 0 : kx + 1
    const scaleZ = f(1 / pick(kz, dx, dy, dz))
    const shearX = f(pick(kx, dx, dy, dz) * scaleZ)
    const shearY = f(pick(ky, dx, dy, dz) * scaleZ)
    const originX = f(pick(kx, ox, oy, oz))
    const originY = f(pick(ky, ox, oy, oz))
    const originZ = f(pick(kz, ox, oy, oz))

    let best = tMax
    let bestSlot = -1
    let top = 0
    let node = 0
    let steps = 0
    for (;;) {
      steps++
      const link = nodeLinks[node + NODE_LINK]!
      const count = nodeLinks[node + NODE_COUNT]!
      if (count === 0) {
        // Continue with the child that is entered first and push the other. For any-hit queries the order does not matter.
        const left = link * NODE_WORDS
        const right = left + NODE_WORDS
        const leftEntry = boxEntry(
          nodeBounds,
          left + nearX,
          left + nearY,
          left + nearZ,
          ox,
          oy,
          oz,
          soonerX,
          soonerY,
          soonerZ,
          laterX,
          laterY,
          laterZ,
          tMin,
          best,
        )
        const rightEntry = boxEntry(
          nodeBounds,
          right + nearX,
          right + nearY,
          right + nearZ,
          ox,
          oy,
          oz,
          soonerX,
          soonerY,
          soonerZ,
          laterX,
          laterY,
          laterZ,
          tMin,
          best,
        )
        if (leftEntry < Number.POSITIVE_INFINITY) {
          node = left
          if (rightEntry < Number.POSITIVE_INFINITY) {
            const leftFirst = anyOpaque || leftEntry <= rightEntry
            waiting[top] = leftFirst ? right : left
            waitingEntry[top++] = leftFirst ? rightEntry : leftEntry
            if (!leftFirst) node = right
          }
          continue
        }
        if (rightEntry < Number.POSITIVE_INFINITY) {
          node = right
          continue
        }
      } else {
        for (let slot = link; slot < link + count; slot++) {
          const t = hitDistance(
            triangles,
            slot * SLOT_FLOATS,
            kx,
            ky,
            kz,
            originX,
            originY,
            originZ,
            shearX,
            shearY,
            scaleZ,
          )
          // Written so that NaN is a miss.
          if (!(t >= tMin && t <= best)) continue
          if (anyOpaque) {
            if (this.#clear[this.#materialIds[triangleIds[slot]!]!] === 0) {
              this.steps += steps
              return true
            }
            this.#metGlass = true
            continue
          }
          if (t === best && bestSlot >= 0 && triangleIds[slot]! > triangleIds[bestSlot]!) continue
          best = t
          bestSlot = slot
        }
      }
      // Pop the next node that may still contain a nearer hit (or an equally near one: ties have a rule).
      do {
        if (top === 0) {
          this.steps += steps
          this.slot = bestSlot
          this.distance = best
          return bestSlot >= 0
        }
        node = waiting[--top]!
      } while (waitingEntry[top]! > best)
    }
  }
}

/** The longest axis, the first of ties. */
const longestAxis = (x: number, y: number, z: number): number => (x >= y ? (x >= z ? 0 : 2) : y >= z ? 1 : 2)

const pick = (axis: number, x: number, y: number, z: number): number => (axis === 0 ? x : axis === 1 ? y : z)
