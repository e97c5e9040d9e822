/**
 * The judge of path tracers: one that is too simple to be wrong. Paths start at the camera, are scattered as their surfaces say, and
 * add whatever shines on their way; nothing is aimed at lights, no path is cut short, nothing is shared between samples.
 * Kajiya, "The Rendering Equation", SIGGRAPH 1986.
 *
 * Counted as Cycles counts: with n bounces, light that was scattered up to n + 1 times on its way to the camera arrives. Whatever
 * changes a path's direction scatters, and so does a thin sheet that lets it pass.
 */
import { invariant } from '../../../../shared/errors.ts'
import type { Vec3, View } from '../../../../shared/frame/view.ts'
import type { DistantLight, Light } from '../../../../shared/scene/light.ts'
import type { Estimate } from '../model/estimate.ts'
import type { Lobe } from '../model/lobe.ts'
import type { PlainScene } from '../model/plain-scene.ts'
import {
  add,
  BLACK,
  cross,
  dot,
  frameAround,
  isZero,
  length,
  multiply,
  normalize,
  scale,
  subtract,
  toLocal,
  toWorld,
  WHITE,
} from '../model/vector.ts'
import { Bvh, type Hit, type Ray } from './bvh.ts'
import { cameraRay } from './camera-ray.ts'
import { isGlass, lobeOf } from './lobe-of.ts'
import { before, type Crossing, crossed, innermost, isSame, type Media } from './media.ts'
import { RandomStream } from './random-stream.ts'
import { distantRadiance, meetLight } from './shining.ts'
import { type Corner, lift } from './smooth-surface.ts'
import { surroundings } from './surroundings.ts'

/** Closer hits are the surface that a ray starts on, scene units: for triangles beside the one it started on. */
const LEAST = 1e-9
/** Of a step off a triangle, relative to coordinates. */
const LEAST_LIFT = 1e-6
/** Surfaces of solids that are as near to each other as this are one, relative to coordinates. */
const TOUCHING = 1e-7
/** Along it, surfaces around the camera are counted. */
const AWAY: Vec3 = normalize([0.11, 0.97, 0.23])

export class NaiveTracer {
  readonly #scene: PlainScene
  readonly #bvh: Bvh
  readonly #compensation: boolean
  /** By material and, of solids, the ratio of indices. */
  readonly #lobes = new Map<string, Lobe>()
  readonly #near: readonly Exclude<Light, DistantLight>[]
  readonly #distant: readonly DistantLight[]

  /** `compensation`: whether rough metal and glass keep the light that is scattered more than once. */
  constructor(scene: PlainScene, { compensation }: { readonly compensation: boolean }) {
    this.#scene = scene
    this.#bvh = new Bvh(scene.positions)
    this.#compensation = compensation
    this.#near = scene.lights.filter(light => light.kind !== 'distant')
    this.#distant = scene.lights.filter(light => light.kind === 'distant')
  }

  /** All of the view's samples, linear and before exposure. Another seed is another, independent picture. */
  trace(view: View, seed: number): Estimate {
    const [width, height] = view.size
    const count = view.quality.samples
    const mean = new Float64Array(width * height * 3)
    const variance = new Float64Array(mean.length)
    for (let pixel = 0; pixel < width * height; pixel++) {
      const [sums, squares] = [
        [0, 0, 0],
        [0, 0, 0],
      ]
      for (let sample = 0; sample < count; sample++) {
        const random = new RandomStream(seed, view.frame, pixel, sample)
        const radiance = this.#sample(view, pixel % width, Math.floor(pixel / width), random)
        for (const channel of [0, 1, 2] as const) {
          sums[channel]! += radiance[channel]
          squares[channel]! += radiance[channel] ** 2
        }
      }
      for (const channel of [0, 1, 2] as const) {
        const average = sums[channel]! / count
        const spread = count > 1 ? Math.max(0, squares[channel]! - count * average ** 2) / (count - 1) : 0
        mean[pixel * 3 + channel] = average
        variance[pixel * 3 + channel] = spread / count
      }
    }
    return { size: view.size, mean, variance, count }
  }

  #sample(view: View, x: number, y: number, random: RandomStream): Vec3 {
    const { bounces = 0 } = view.quality
    let media = this.#mediaAround(view.camera.origin)
    const first = cameraRay(view, x, y, random)
    let ray: Ray = first
    /** The triangle that the ray starts on, and those that it has passed. */
    let passed = new Set<number>()
    // The camera sees as through a window.
    let throughput = scale(WHITE, 1 / innermost(media).ior ** 2)
    let gathered = BLACK
    for (let scattered = 0; ; scattered++) {
      const [least, most] = scattered === 0 ? [first.least, first.most] : [LEAST, Number.POSITIVE_INFINITY]
      const hit = this.#firstThere(ray, passed, least, most, random)
      const distance = hit?.distance ?? Number.POSITIVE_INFINITY
      const { absorption } = innermost(media)

      // The camera sees surfaces and the environment, but no lights.
      if (scattered > 0) {
        const lights = this.#lightsAlong(ray, distance, absorption)
        gathered = add(gathered, multiply(throughput, lights))
      }
      throughput = multiply(throughput, transmittance(absorption, distance))
      if (!hit) {
        gathered = add(gathered, multiply(throughput, surroundings(this.#scene.environment, ray.direction)))
        break
      }
      const id = this.#scene.materialIds[hit.triangle]!
      const material = this.#scene.materials[id]!
      gathered = add(gathered, multiply(throughput, material.emission))
      const touching = this.#touching(hit, ray)
      const crossings = this.#crossings(touching, ray)
      const beyond = crossings.reduce(crossed, media)
      const near = crossings[0] ? before(media, crossings[0]) : innermost(media)
      const far = innermost(beyond)
      const met = add(ray.origin, scale(ray.direction, distance))
      if (crossings[0] && isSame(near, far)) {
        // Nothing is bent, and nothing is scattered.
        media = beyond
        ray = { origin: met, direction: ray.direction }
        passed = touching
        scattered--
        continue
      }
      if (scattered > bounces) break

      // Scatter. A direction that the shading normal puts on the wrong side of the triangle is absorbed, unless it is reflected by a
      // smooth surface, where it starts then; what passes meets the triangle again, from its other side.
      const { outside, shading } = this.#normals(hit, ray)
      const frame = frameAround(shading)
      const wo = scale(ray.direction, -1)
      const local = toLocal(frame, wo)
      const ratio = crossings[0]?.inwards ? far.ior / near.ior : near.ior / far.ior
      const sample = this.#lobeOf(id, crossings[0] && ratio).sample(local, [
        random.next(),
        random.next(),
        random.next(),
      ])
      if (!sample) break
      const direction = normalize(toWorld(frame, sample.wi))
      const passes = sample.wi[2] * local[2] < 0
      const crosses = dot(direction, outside) * dot(wo, outside) < 0
      const aside =
        passes === crosses ? BLACK : passes ? this.#beyond(met, ray, outside) : this.#lifted(hit, met, ray, outside)
      if (passes !== crosses && isZero(aside)) break
      throughput = multiply(throughput, scale(sample.value, 1 / sample.pdf))
      invariant(throughput.every(Number.isFinite), `the throughput of a path is ${throughput.join(', ')}`)
      if (isZero(throughput)) break
      if (crossings[0] && passes) {
        // What a path has not known to be in must not make light.
        throughput = scale(throughput, (innermost(media).ior / near.ior) ** 2)
        media = beyond
      }
      ray = { origin: add(met, aside), direction }
      passed = isZero(aside) ? touching : new Set()
    }
    return gathered
  }

  #lobeOf(id: number, ratio: number | undefined): Lobe {
    const key = `${id} ${ratio}`
    const lobe = this.#lobes.get(key) ?? lobeOf(this.#scene.materials[id]!, this.#compensation, ratio)
    this.#lobes.set(key, lobe)
    return lobe
  }

  /** Those of the triangles that bound solids. */
  #crossings(triangles: Iterable<number>, ray: Ray): Crossing[] {
    const { materials, materialIds, outers } = this.#scene
    return [...triangles]
      .filter(triangle => this.#isSolid(triangle))
      .map(triangle => {
        const inwards = dot(ray.direction, this.#outside(triangle)) < 0
        return { inner: materials[materialIds[triangle]!]!, outer: materials[outers?.get(triangle) ?? -1], inwards }
      })
  }

  /** What a ray has hit, and of solids those that are in the same place, in the order in which they are met. */
  #touching(hit: Hit, ray: Ray): Set<number> {
    const found = new Set([hit.triangle])
    if (!this.#isSolid(hit.triangle)) return found
    // Rounding may have put the first of them behind the others.
    const size = TOUCHING * (length(ray.origin) + hit.distance)
    for (;;) {
      const next = this.#bvh.nearest(ray, found, hit.distance - size, hit.distance + size)
      if (!next || !this.#isSolid(next.triangle)) return found
      found.add(next.triangle)
    }
  }

  #isSolid(triangle: number): boolean {
    return isGlass(this.#scene.materials[this.#scene.materialIds[triangle]!]!)
  }

  #outside(triangle: number): Vec3 {
    const [a, b, c] = [0, 1, 2].map(corner => this.#at(this.#scene.positions, triangle, corner)) as [Vec3, Vec3, Vec3]
    return normalize(cross(subtract(b, a), subtract(c, a)))
  }

  /** From far away to a point. */
  #mediaAround(point: Vec3): Media {
    if (!this.#scene.materials.some(isGlass)) return []
    const crossings: Crossing[] = []
    const passed = new Set<number>()
    const ray = { origin: point, direction: AWAY }
    for (;;) {
      const hit = this.#bvh.nearest(ray, passed, 0, Number.POSITIVE_INFINITY)
      if (!hit) return crossings.reduceRight(crossed, [] as Media)
      passed.add(hit.triangle)
      crossings.push(...this.#crossings([hit.triangle], { origin: point, direction: scale(AWAY, -1) }))
    }
  }

  /** The nearest hit of what is there: of a mask all or nothing, of a blend by chance. Adds to `passed` what is not. */
  #firstThere(ray: Ray, passed: Set<number>, least: number, most: number, random: RandomStream): Hit | undefined {
    for (;;) {
      const hit = this.#bvh.nearest(ray, passed, least, most, this.#rank)
      if (!hit) return undefined
      const { alpha, opacity, alphaCutoff } = this.#scene.materials[this.#scene.materialIds[hit.triangle]!]!
      const isThere = alpha === 'opaque' || (alpha === 'mask' ? opacity >= alphaCutoff : random.next() < opacity)
      if (isThere) return hit
      passed.add(hit.triangle)
    }
  }

  /** Of triangles in one place, those that let light through come first. */
  readonly #rank = (triangle: number): number => {
    const { alpha } = this.#scene.materials[this.#scene.materialIds[triangle]!]!
    return alpha === 'opaque' ? triangle + this.#scene.materialIds.length : triangle
  }

  /** Radiance of lights before `distance`, and of discs in the sky if there is nothing on the way. */
  #lightsAlong(ray: Ray, distance: number, absorption: Vec3): Vec3 {
    let sum = BLACK
    for (const light of this.#near) {
      const met = meetLight(light, ray)
      if (met && met.distance < distance)
        sum = add(sum, multiply(met.radiance, transmittance(absorption, met.distance)))
    }
    if (distance === Number.POSITIVE_INFINITY)
      for (const light of this.#distant)
        sum = add(sum, multiply(distantRadiance(light, ray.direction), transmittance(absorption, distance)))
    return sum
  }

  /** From a point of a triangle to the smooth surface that it stands for; nothing that rounding could make. */
  #lifted({ triangle, u, v }: Hit, point: Vec3, { direction }: Ray, outside: Vec3): Vec3 {
    const side = dot(direction, outside) < 0 ? 1 : -1
    const corners = [1 - u - v, u, v].map((weight, i) => ({
      position: this.#at(this.#scene.positions, triangle, i),
      normal: scale(normalize(this.#at(this.#scene.normals, triangle, i)), side),
      weight,
    })) as unknown as [Corner, Corner, Corner]
    const by = lift(point, corners, scale(outside, side))
    return length(by) > LEAST_LIFT * length(point) ? by : BLACK
  }

  /** From a point of a triangle to just behind it. */
  #beyond(point: Vec3, { direction }: Ray, outside: Vec3): Vec3 {
    return scale(outside, Math.sign(dot(direction, outside)) * LEAST_LIFT * length(point))
  }

  #at(array: Float64Array, triangle: number, corner: number): Vec3 {
    const i = triangle * 9 + corner * 3
    return [array[i]!, array[i + 1]!, array[i + 2]!]
  }

  /**
   * The triangle's own normal, by the order of its corners, and the interpolated one, turned so that the ray comes from the same
   * side of both: a surface that is seen shades as seen.
   */
  #normals({ triangle, u, v }: Hit, { direction }: Ray): { outside: Vec3; shading: Vec3 } {
    const { positions, normals } = this.#scene
    const at = (array: Float64Array, corner: number): Vec3 => this.#at(array, triangle, corner)
    const corner = at(positions, 0)
    const outside = normalize(cross(subtract(at(positions, 1), corner), subtract(at(positions, 2), corner)))
    const blended = add(add(scale(at(normals, 0), 1 - u - v), scale(at(normals, 1), u)), scale(at(normals, 2), v))
    const agrees = dot(blended, direction) < 0 === dot(outside, direction) < 0
    return { outside, shading: normalize(agrees ? blended : scale(blended, -1)) }
  }
}

/** Beer–Lambert. Nothing comes from infinitely far through something that absorbs. */
function transmittance(absorption: Vec3, distance: number): Vec3 {
  if (isZero(absorption)) return WHITE
  return absorption.map(each => (each === 0 ? 1 : Math.exp(-each * distance))) as [number, number, number]
}
