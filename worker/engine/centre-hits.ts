/**
 * What the rays through the centres of pixels meet, without any light: the channels of which a mean says nothing. The same for every
 * engine, given its closest hits. Rays are traced a few at a time, apart from those of the picture.
 */
import { forEachRun, type PixelSet } from '../../shared/frame/pixel-set.ts'
import type { Vec3, View } from '../../shared/frame/view.ts'
import { VERTEX_FLOATS } from '../../shared/scene/bake.ts'
import { relativeTo } from '../../shared/scene/centre.ts'
import { putCameraRay, RAY_FLOATS } from './camera-rays.ts'
import type { CentreBuffers, GoOn } from './engine.ts'
import { HitPoint } from './hit-point.ts'

/** Rays of a batch. */
export const BATCH_RAYS = 1024

/** Some rays, and what they hit. */
export interface RayBatch {
  /** RAY_FLOATS floats each (`camera-rays.ts`). */
  readonly rays: Float32Array
  /** The triangle's number in the scene, or -1. */
  readonly triangles: Int32Array
  /** In lengths of the ray's direction; undefined for a miss. */
  readonly distances: Float32Array
  /** CORNER_FLOATS for each ray that hit something: the vertices of its triangle as `bake.ts` has them, relative to the scene's centre. */
  readonly corners: Float32Array
  /** NORMAL_FLOATS each: unit shading normals, turned by textures; if they are wanted. */
  readonly normals?: Float32Array
  /** Numbers of the objects, and of the materials' names (`shared/scene/scene-names.ts`); if they are wanted. */
  readonly objects?: Uint32Array
  readonly labels?: Uint32Array
}

export const CORNER_FLOATS = 3 * VERTEX_FLOATS
export const NORMAL_FLOATS = 3

/** Finds what the first `count` rays of a batch show: the closest hits of those surfaces that do not let them pass. */
export type ClosestHits = (batch: RayBatch, count: number) => void

/** Not re-entrant; one per tracer. */
export class CentreHits {
  readonly #centre: Vec3
  readonly #closest: ClosestHits
  readonly #hit = new HitPoint()
  readonly #batch: RayBatch = {
    rays: new Float32Array(BATCH_RAYS * RAY_FLOATS),
    triangles: new Int32Array(BATCH_RAYS),
    distances: new Float32Array(BATCH_RAYS),
    corners: new Float32Array(BATCH_RAYS * CORNER_FLOATS),
  }
  readonly #normals = new Float32Array(BATCH_RAYS * NORMAL_FLOATS)
  readonly #objects = new Uint32Array(BATCH_RAYS)
  readonly #labels = new Uint32Array(BATCH_RAYS)

  /** @param centre of the scene */
  constructor(centre: Vec3, closest: ClosestHits) {
    this.#centre = centre
    this.#closest = closest
  }

  /** Fills the channels of a set of pixels; a lens is taken for a pinhole. */
  fill(view: View, set: PixelSet, out: CentreBuffers, goOn: GoOn): void {
    const { rays } = this.#batch
    const batch = {
      ...this.#batch,
      ...(out.mappedNormal ? { normals: this.#normals } : {}),
      ...(out.objectId ? { objects: this.#objects } : {}),
      ...(out.materialId ? { labels: this.#labels } : {}),
    }
    const seen = { size: view.size, camera: relativeTo(this.#centre, view.camera) }
    let first = 0
    let waiting = 0
    let isStopped = false
    const flush = () => {
      // Next to the rays of light these are few.
      isStopped ||= !goOn(1)
      if (isStopped) return
      this.#closest(batch, waiting)
      for (let ray = 0; ray < waiting; ray++) this.#fillPixel(first + ray, ray, out)
      first += waiting
      waiting = 0
    }
    forEachRun(set, (left, y, length) => {
      for (let x = left; x < left + length && !isStopped; x++) {
        putCameraRay(seen, x, 0.5, y, 0.5, rays, waiting * RAY_FLOATS)
        if (++waiting === BATCH_RAYS) flush()
      }
    })
    if (waiting > 0) flush()
  }

  #fillPixel(pixel: number, ray: number, out: CentreBuffers): void {
    const { depth, id, objectId, materialId, normal, mappedNormal, position } = out
    const { rays, triangles, distances, corners } = this.#batch
    const triangle = triangles[ray]!
    if (depth) depth[pixel] = triangle < 0 ? Number.POSITIVE_INFINITY : distances[ray]!
    if (id) id[pixel] = triangle + 1
    if (objectId) objectId[pixel] = triangle < 0 ? 0 : this.#objects[ray]! + 1
    if (materialId) materialId[pixel] = triangle < 0 ? 0 : this.#labels[ray]! + 1
    if (triangle < 0) {
      mappedNormal?.fill(0, pixel * 3, pixel * 3 + 3)
      normal?.fill(0, pixel * 3, pixel * 3 + 3)
      position?.fill(0, pixel * 3, pixel * 3 + 3)
      return
    }
    mappedNormal?.set(this.#normals.subarray(ray * NORMAL_FLOATS, (ray + 1) * NORMAL_FLOATS), pixel * 3)
    if (!normal && !position) return
    const hit = this.#hit
    hit.meet(corners, ray * CORNER_FLOATS, distances[ray]!, rays, ray * RAY_FLOATS)
    if (normal) put(normal, pixel, hit.nx, hit.ny, hit.nz)
    const [x, y, z] = this.#centre
    if (position) put(position, pixel, hit.x + x, hit.y + y, hit.z + z)
  }
}

function put(plane: Float32Array, pixel: number, x: number, y: number, z: number): void {
  plane[pixel * 3] = x
  plane[pixel * 3 + 1] = y
  plane[pixel * 3 + 2] = z
}
