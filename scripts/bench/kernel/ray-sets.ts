/**
 * The rays that all engines are measured with, generated once, and what `wasm` finds along them: camera rays, and from
 * each camera hit one shadow ray towards the sun and one bounce ray.
 *
 * Eight floats per ray: origin xyz, tMin, direction xyz (unit length), tMax. Rays are ordered by blocks of 8×8 pixels, and
 * within a block by squares of 4×4: 64 consecutive rays are a block, 16 are a square. This suits ray packets of any width
 * up to that; shadow and bounce rays keep the order, skipping pixels without a hit.
 */
import { hash32, unitOf } from '../../../shared/math/random.ts'
import { cosTurns, sinTurns } from '../../../shared/math/trig.ts'
import type { BakedScene } from '../../../shared/scene/ambient-look.ts'
import type { Vec3, View } from '../../../shared/view.ts'
import { RAY_FIELDS, RAY_WORDS, type RayCaster } from '../../../worker/engine/wasm/ray-caster.ts'
import { loadWasmEngine } from '../../../worker/node/load-kernel.ts'
import { buildScene } from './build-scene.ts'
import { startOf } from './start-of.ts'

/** Camera rays; any hit towards the sun; cosine-distributed around the triangle's normal. */
export const RAY_KINDS = ['primary', 'shadow', 'bounce'] as const
export type RayKind = (typeof RAY_KINDS)[number]

export interface RaySet {
  readonly kind: RayKind
  readonly count: number
  /** RAY_FLOATS per ray. */
  readonly rays: Float32Array
  /** From `wasm`: distance of the closest hit, or Infinity; for shadow rays only whether it is finite matters. */
  readonly answers: Float32Array
}

export type RaySets = Readonly<Record<RayKind, RaySet>>

export const RAY_FLOATS = 8

/** The same scene and view give the same rays, bit for bit. @throws EngineUnavailableError */
export function makeRaySets(scene: BakedScene, view: View): RaySets {
  const engine = loadWasmEngine('wasm')
  const pixels = pixelsInBlocks(view.size)
  const caster = engine.castRays(buildScene(engine, scene), pixels.length)
  const [sx, sy, sz] = scene.sun.direction
  const { near, far, origin } = view.camera

  const primary = new RayList('primary', pixels.length)
  for (const pixel of pixels) {
    const [dx, dy, dz, length] = cameraRay(view, pixel)
    primary.add(...origin, near * length, dx, dy, dz, far * length)
  }
  const triangles = primary.trace(caster)

  const shadow = new RayList('shadow', pixels.length)
  const bounce = new RayList('bounce', pixels.length)
  triangles.forEach((triangle, i) => {
    if (triangle < 0) return
    const { point, normal } = startOf(scene, triangle, primary.ray(i), primary.answer(i))
    shadow.add(...point, 0, sx, sy, sz, Number.POSITIVE_INFINITY)
    bounce.add(...point, 0, ...cosineDirection(normal, pixels[i]!), Number.POSITIVE_INFINITY)
  })
  shadow.trace(caster)
  bounce.trace(caster)
  return { primary: primary.done(), shadow: shadow.done(), bounce: bounce.done() }
}

/** Builds a set ray by ray. */
class RayList {
  readonly #kind: RayKind
  readonly #rays: Float32Array
  readonly #answers: Float32Array
  #count = 0

  constructor(kind: RayKind, most: number) {
    this.#kind = kind
    this.#rays = new Float32Array(most * RAY_FLOATS)
    this.#answers = new Float32Array(most)
  }

  add(
    ...ray: [ox: number, oy: number, oz: number, tMin: number, dx: number, dy: number, dz: number, tMax: number]
  ): void {
    this.#rays.set(ray, this.#count++ * RAY_FLOATS)
  }

  /** The floats of a ray; borrowed. */
  ray(i: number): Float32Array {
    return this.#rays.subarray(i * RAY_FLOATS, (i + 1) * RAY_FLOATS)
  }

  answer(i: number): number {
    return this.#answers[i]!
  }

  /** Finds what the rays hit first; returns the numbers of the triangles, -1 for none. */
  trace(caster: RayCaster): number[] {
    const { rays, words } = caster
    for (let i = 0; i < this.#count; i++) rays.set(this.ray(i), i * RAY_WORDS)
    caster.closest(this.#count, false)
    return Array.from({ length: this.#count }, (_, i) => {
      const hit = words[i * RAY_WORDS + RAY_FIELDS.hit]!
      this.#answers[i] = hit === 0 ? Number.POSITIVE_INFINITY : rays[i * RAY_WORDS + RAY_FIELDS.tMax]!
      return hit === 0 ? -1 : caster.triangleOf(hit)
    })
  }

  done(): RaySet {
    return {
      kind: this.#kind,
      count: this.#count,
      rays: this.#rays.slice(0, this.#count * RAY_FLOATS),
      answers: this.#answers.slice(0, this.#count),
    }
  }
}

/** Indices (row · width + column) of all pixels: by blocks of 8×8 px, within a block by squares of 4×4. */
function pixelsInBlocks([width, height]: View['size']): Uint32Array {
  const pixels = new Uint32Array(width * height)
  let count = 0
  for (let block = 0, across = Math.ceil(width / 8); block < across * Math.ceil(height / 8); block++) {
    for (let i = 0; i < 64; i++) {
      const x = (block % across) * 8 + ((i >> 4) & 1) * 4 + (i & 3)
      const y = Math.floor(block / across) * 8 + (i >> 5) * 4 + ((i >> 2) & 3)
      if (x < width && y < height) pixels[count++] = y * width + x
    }
  }
  return pixels
}

/** Unit direction through the centre of a pixel, and the distance along it per unit of camera depth. */
function cameraRay(view: View, pixel: number): [dx: number, dy: number, dz: number, length: number] {
  const { right, up, back, tanHalfX, tanHalfY } = view.camera
  const [width, height] = view.size
  const u = ((2 * ((pixel % width) + 0.5)) / width - 1) * tanHalfX
  const v = (1 - (2 * (Math.floor(pixel / width) + 0.5)) / height) * tanHalfY
  const x = right[0] * u + up[0] * v - back[0]
  const y = right[1] * u + up[1] * v - back[1]
  const z = right[2] * u + up[2] * v - back[2]
  const length = Math.sqrt(x * x + y * y + z * z)
  return [x / length, y / length, z / length, length]
}

/** A point on the unit sphere around the tip of the normal: as directions, such points are cosine-distributed. */
function cosineDirection([gx, gy, gz]: Vec3, pixel: number): Vec3 {
  const height = 1 - 2 * unitOf(hash32(pixel, 1))
  const turns = unitOf(hash32(pixel, 2))
  const radius = Math.sqrt(1 - height * height)
  const x = gx + radius * cosTurns(turns)
  const y = gy + height
  const z = gz + radius * sinTurns(turns)
  // Opposite the normal the sum vanishes; use the normal itself.
  const length = Math.sqrt(x * x + y * y + z * z)
  return length < 1e-4 ? [gx, gy, gz] : [x / length, y / length, z / length]
}
