/**
 * What camera rays meet, without any light: the channels beside colour. The same for every engine, given its closest hits; so what
 * engines agree on for hits, they agree on here. Rays are traced a few at a time, apart from those of the picture.
 */
import { accumulate } from '../../shared/light/accumulate.ts'
import { forEachRun, type PixelSet } from '../../shared/pixel-set.ts'
import type { PackedScene } from '../../shared/scene/packed-layout.ts'
import type { SampleRange, View } from '../../shared/view.ts'
import { putCameraRay, RAY_FLOATS } from './camera-rays.ts'
import type { CentreBuffers, PixelBuffers } from './engine.ts'
import { HitPoint } from './hit-point.ts'
import { sampleX, sampleY } from './sampling.ts'

/** Rays of a batch: at least the samples of one pixel. */
export const BATCH_RAYS = 1024

/** Some rays, and what they hit. */
export interface RayBatch {
  /** RAY_FLOATS floats each (`camera-rays.ts`). */
  readonly rays: Float32Array
  /** The triangle's number in the scene, or -1. */
  readonly triangles: Int32Array
  /** In lengths of the ray's direction; undefined for a miss. */
  readonly distances: Float32Array
}

/** Finds the closest hits of the first `count` rays of a batch. */
export type ClosestHits = (batch: RayBatch, count: number) => void

/** A pixel some of whose samples hit something, but not all. */
export interface MixedPixel {
  /** Place among the packed pixels of the set. */
  readonly index: number
  readonly x: number
  readonly y: number
  /** The samples that hit something. */
  readonly hits: readonly number[]
}

/** Not re-entrant; one per tracer. */
export class FirstHits {
  readonly #scene: PackedScene
  readonly #closest: ClosestHits
  readonly #hit: HitPoint
  readonly #batch: RayBatch = {
    rays: new Float32Array(BATCH_RAYS * RAY_FLOATS),
    triangles: new Int32Array(BATCH_RAYS),
    distances: new Float32Array(BATCH_RAYS),
  }

  constructor(scene: PackedScene, closest: ClosestHits) {
    this.#scene = scene
    this.#closest = closest
    this.#hit = new HitPoint(scene)
  }

  /** Fills the channels of what the rays through the centres of the set's pixels meet. */
  centres(view: View, set: PixelSet, out: CentreBuffers, stopped: () => boolean): void {
    const { rays, triangles, distances } = this.#batch
    const { depth, id, normal, position } = out
    const hit = this.#hit
    this.#forEachPixel(view, set, [{ across: 0.5, down: 0.5 }], stopped, (pixel, ray) => {
      const triangle = triangles[ray]!
      if (depth) depth[pixel] = triangle < 0 ? Number.POSITIVE_INFINITY : distances[ray]!
      if (id) id[pixel] = triangle + 1
      if (!normal && !position) return
      if (triangle < 0) {
        normal?.fill(0, pixel * 3, pixel * 3 + 3)
        position?.fill(0, pixel * 3, pixel * 3 + 3)
        return
      }
      hit.meet(triangle, distances[ray]!, rays, ray * RAY_FLOATS)
      if (normal) put(normal, pixel, hit.nx, hit.ny, hit.nz)
      if (position) put(position, pixel, hit.x, hit.y, hit.z)
    })
  }

  /**
   * Fills `albedo` and `alpha`, if there, from the samples of the set's pixels. `mixed` hears of the pixels that the scene covers in
   * part, and `missed` of those that it does not cover.
   */
  samples(
    view: View,
    set: PixelSet,
    { from, to }: SampleRange,
    { albedo, alpha }: Pick<PixelBuffers, 'albedo' | 'alpha'>,
    stopped: () => boolean,
    mixed?: (pixel: MixedPixel) => void,
    missed?: (index: number) => void,
  ): void {
    const { samples } = view.quality
    const { materials, materialIds } = this.#scene
    const { triangles } = this.#batch
    const count = to - from
    const share = 1 / samples
    const places = Array.from({ length: count }, (_, i) => ({
      across: sampleX(from + i, samples),
      down: sampleY(from + i, samples),
    }))
    this.#forEachPixel(view, set, places, stopped, (pixel, first, x, y) => {
      let hits = 0
      let [red, green, blue] = [0, 0, 0]
      for (let ray = first; ray < first + count; ray++) {
        const triangle = triangles[ray]!
        if (triangle < 0) continue
        hits++
        const { color } = materials[materialIds[triangle]!]!
        red = accumulate(red, share * color[0])
        green = accumulate(green, share * color[1])
        blue = accumulate(blue, share * color[2])
      }
      if (albedo) put(albedo, pixel, red, green, blue)
      if (alpha) alpha[pixel] = hits
      if (hits === 0) missed?.(pixel)
      else if (mixed && hits < count)
        mixed({ index: pixel, x, y, hits: places.flatMap((_, i) => (triangles[first + i]! < 0 ? [] : [from + i])) })
    })
  }

  /** Traces a ray through each of the places of every pixel; `visit` gets the pixel's place, its first ray, its column and row. */
  #forEachPixel(
    view: View,
    set: PixelSet,
    places: readonly { readonly across: number; readonly down: number }[],
    stopped: () => boolean,
    visit: (pixel: number, ray: number, x: number, y: number) => void,
  ): void {
    const count = places.length
    const most = Math.floor(BATCH_RAYS / count)
    const [columns, rows] = [new Uint32Array(most), new Uint32Array(most)]
    const { rays } = this.#batch
    let first = 0
    let waiting = 0
    const flush = () => {
      this.#closest(this.#batch, waiting * count)
      for (let i = 0; i < waiting; i++) visit(first + i, i * count, columns[i]!, rows[i]!)
      first += waiting
      waiting = 0
    }
    forEachRun(set, (left, y, length) => {
      for (let x = left; x < left + length && !stopped(); x++) {
        columns[waiting] = x
        rows[waiting] = y
        for (let i = 0; i < count; i++) {
          const { across, down } = places[i]!
          putCameraRay(view, x, across, y, down, rays, (waiting * count + i) * RAY_FLOATS)
        }
        if (++waiting === most) flush()
      }
    })
    if (waiting > 0) flush()
  }
}

function put(plane: Float32Array | Float64Array, pixel: number, x: number, y: number, z: number): void {
  plane[pixel * 3] = x
  plane[pixel * 3 + 1] = y
  plane[pixel * 3 + 2] = z
}
