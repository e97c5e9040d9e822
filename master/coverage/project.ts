/**
 * Projects a mesh to the coverage mask (Lin et al., §III.B). The rasterisation is conservative, as in Akenine-Möller & Aila,
 * "Conservative and Tiled Rasterization Using a Modified Triangle Setup", JGT 2005: a pixel is set when the triangle touches its
 * closed square, not only its centre, so a pixel is never 0 if any of its camera rays can hit the mesh.
 *
 * Each instance is placed in the scene's coordinates exactly as engines do, so that rounding cannot make a difference. Vertices are
 * then transformed to pixel coordinates once; nearly all triangles of a dense scan then reduce to a bounding box of one
 * or two pixels. Triangles that reach behind the near plane are clipped against it first.
 *
 * Of an instance whose box is out of sight, or lies where everything is set, no vertex is looked at; and if it is much smaller than its
 * number of triangles, all that its box touches is set. So a mesh that stands in many places costs little more than what is seen of it.
 */

import type { Size } from '../../shared/frame/rect.ts'
import { planePart } from '../../shared/frame/region.ts'
import type { Camera } from '../../shared/frame/view.ts'
import { placeVertices } from '../../shared/scene/bake.ts'
import { relativeTo } from '../../shared/scene/centre.ts'
import {
  elementsOf,
  type SceneDescription,
  strideOf,
  type Transform,
  vertexCount,
} from '../../shared/scene/description.ts'
import { boxOf, type MeshBox } from '../../shared/scene/mesh-box.ts'
import { isNothing } from '../../shared/scene/nothing.ts'
import { CoverageMask } from './coverage-mask.ts'

/** Far above the rounding error of the projection, px; squares are grown by it so that no contact is missed. */
const SLACK_PX = 1e-3

/** The coverage mask of a scene seen by `camera` at `size` px. */
export function projectCoverage(
  { meshes, instances, centre }: Pick<SceneDescription, 'meshes' | 'instances' | 'centre'>,
  camera: Camera,
  size: Size,
): CoverageMask {
  const mask = new CoverageMask(size)
  const raster = new Rasteriser(mask)
  const relative = relativeTo(centre, camera)
  const mostVertices = meshes.reduce((most, mesh) => Math.max(most, vertexCount(mesh)), 0)
  const positions = new Float32Array(mostVertices * 3)
  const eye = new Float64Array(mostVertices * 3)
  const screen = new Float64Array(mostVertices * 2)
  const boxes = meshes.map(({ vertices, attributes }) => boxOf(vertices, strideOf(attributes)))
  for (const instance of instances) {
    const { mesh: number, transform } = instance
    const mesh = meshes[number]!
    if (isNothing(mesh, instance)) continue
    const triangles = mesh.indices.length / 3
    if (triangles >= FEWEST_BOXED && boxSuffices(boxes[number]!, transform, relative, size, triangles, raster)) continue
    const vertices = vertexCount(mesh)
    placeVertices(mesh, transform, positions)
    toCameraSpace(positions.subarray(0, vertices * 3), relative, eye)
    projectMesh(mesh.indices, vertices, eye, screen, camera, size, raster)
  }
  return mask
}

/** Meshes of fewer triangles are projected at once. */
const FEWEST_BOXED = 64
/** A box is set as a whole if it touches so few pixels, and its mesh has so many triangles for each. */
const MOST_BOX_PIXELS = 64
const TRIANGLES_PER_PIXEL = 16

const corners = new Float32Array(8 * 3)
const seen = new Float64Array(8 * 3)

/** Whether an instance's box alone says what is set; sets it. */
function boxSuffices(
  box: MeshBox,
  transform: Transform,
  camera: Camera,
  size: Size,
  triangles: number,
  raster: Rasteriser,
): boolean {
  const [xx, xy, xz, tx, yx, yy, yz, ty, zx, zy, zz, tz] = elementsOf(transform)
  for (let corner = 0; corner < 8; corner++) {
    const x = box[corner & 1 ? 3 : 0]!
    const y = box[corner & 2 ? 4 : 1]!
    const z = box[corner & 4 ? 5 : 2]!
    corners[corner * 3] = xx * x + xy * y + xz * z + tx
    corners[corner * 3 + 1] = yx * x + yy * y + yz * z + ty
    corners[corner * 3 + 2] = zx * x + zy * y + zz * z + tz
  }
  toCameraSpace(corners, camera, seen)
  const { middleX, middleY, scaleX, scaleY } = screenOf(camera, size)
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity]
  for (let v = 0; v < 24; v += 3) {
    if (!(seen[v + 2]! >= camera.near)) return false
    const depth = camera.orthographic ? 1 : seen[v + 2]!
    const x = middleX + (seen[v]! / depth) * scaleX
    const y = middleY - (seen[v + 1]! / depth) * scaleY
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  return raster.box(left, right, top, bottom, Math.min(MOST_BOX_PIXELS, triangles / TRIANGLES_PER_PIXEL))
}

/** Where the picture has the middle of the image plane, and how large it has what is 1 wide at depth 1, px. */
function screenOf(camera: Camera, [w, h]: Size): Readonly<Record<'middleX' | 'middleY' | 'scaleX' | 'scaleY', number>> {
  const { u, v } = planePart(camera)
  return {
    middleX: (w / 2) * (1 - u.shift / u.scale),
    middleY: (h / 2) * (1 + v.shift / v.scale),
    scaleX: w / 2 / camera.tanHalfX / u.scale,
    scaleY: h / 2 / camera.tanHalfY / v.scale,
  }
}

/** Sets the pixels of a mesh whose first `vertices` vertices are in `eye`; `screen` is scratch. */
function projectMesh(
  indices: Uint32Array,
  vertices: number,
  eye: Float64Array,
  screen: Float64Array,
  camera: Camera,
  size: Size,
  raster: Rasteriser,
): void {
  // Camera rays start at depth `near`; a slightly smaller value keeps hits exactly on that plane.
  const near = camera.near * (1 - 1e-6)
  const { middleX, middleY, scaleX, scaleY } = screenOf(camera, size)

  for (let v = 0, s = 0; v < vertices * 3; v += 3, s += 2) {
    const depth = camera.orthographic ? 1 : eye[v + 2]!
    screen[s] = middleX + (eye[v]! / depth) * scaleX
    screen[s + 1] = middleY - (eye[v + 1]! / depth) * scaleY
  }
  for (let i = 0; i < indices.length; i += 3) {
    const a = indices[i]!
    const b = indices[i + 1]!
    const c = indices[i + 2]!
    const inFront = +(eye[a * 3 + 2]! >= near) + +(eye[b * 3 + 2]! >= near) + +(eye[c * 3 + 2]! >= near)
    if (inFront === 3) {
      raster.triangle(
        screen[a * 2]!,
        screen[a * 2 + 1]!,
        screen[b * 2]!,
        screen[b * 2 + 1]!,
        screen[c * 2]!,
        screen[c * 2 + 1]!,
      )
    } else if (inFront > 0) {
      const polygon = clipAtDepth(
        [a, b, c].map(v => [eye[v * 3]!, eye[v * 3 + 1]!, eye[v * 3 + 2]!] as const),
        near,
      ).map(([x, y, z]) => {
        const depth = camera.orthographic ? 1 : z
        return [middleX + (x / depth) * scaleX, middleY - (y / depth) * scaleY] as const
      })
      const [first, ...rest] = polygon
      for (let k = 1; k < rest.length; k++) raster.triangle(...first!, ...rest[k - 1]!, ...rest[k]!)
    }
  }
}

/** Writes x right, y up, depth away from the eye, per vertex, to `eye`. */
function toCameraSpace(positions: Float32Array, { origin, right, up, back }: Camera, eye: Float64Array): void {
  for (let v = 0; v < positions.length; v += 3) {
    const x = positions[v]! - origin[0]
    const y = positions[v + 1]! - origin[1]
    const z = positions[v + 2]! - origin[2]
    eye[v] = x * right[0] + y * right[1] + z * right[2]
    eye[v + 1] = x * up[0] + y * up[1] + z * up[2]
    eye[v + 2] = -(x * back[0] + y * back[1] + z * back[2])
  }
}

type Point3 = readonly [x: number, y: number, depth: number]

/** The part of a triangle at depth `near` or beyond (Sutherland & Hodgman 1974): three or four corners. */
function clipAtDepth(corners: readonly Point3[], near: number): Point3[] {
  return corners.flatMap((from, i) => {
    const to = corners[(i + 1) % corners.length]!
    const kept: Point3[] = from[2] >= near ? [from] : []
    if (from[2] >= near !== to[2] >= near) {
      const t = (near - from[2]) / (to[2] - from[2])
      kept.push([from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1]), near])
    }
    return kept
  })
}

/** Sets every pixel whose closed square touches a triangle. */
class Rasteriser {
  readonly #mask: CoverageMask
  readonly #right: number
  readonly #bottom: number
  /** Lowest and highest x of the triangle's part inside the current row. */
  readonly #reach = new Float64Array(2)

  constructor(mask: CoverageMask) {
    this.#mask = mask
    this.#right = mask.size[0] - 1
    this.#bottom = mask.size[1] - 1
  }

  /**
   * Whether nothing is left to be set within a box: it is out of sight, or all that it touches is set by now, as it is here if that is at
   * most `most` pixels.
   */
  box(left: number, right: number, top: number, bottom: number, most: number): boolean {
    const x0 = Math.max(0, Math.floor(left - SLACK_PX))
    const x1 = Math.min(this.#right, Math.floor(right + SLACK_PX))
    const y0 = Math.max(0, Math.floor(top - SLACK_PX))
    const y1 = Math.min(this.#bottom, Math.floor(bottom + SLACK_PX))
    if (x0 > x1 || y0 > y1) return true
    const few = (x1 - x0 + 1) * (y1 - y0 + 1) <= most
    for (let y = y0; y <= y1; y++) {
      if (this.#mask.runIsSet(y, x0, x1)) continue
      if (!few) return false
      this.#mask.setRun(y, x0, x1)
    }
    return true
  }

  /** Corners in px, y down, in either winding order, possibly outside the frame. */
  triangle(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): void {
    const mask = this.#mask
    const left = Math.floor(Math.min(ax, bx, cx) - SLACK_PX)
    const right = Math.floor(Math.max(ax, bx, cx) + SLACK_PX)
    const top = Math.floor(Math.min(ay, by, cy) - SLACK_PX)
    const bottom = Math.floor(Math.max(ay, by, cy) + SLACK_PX)
    const x0 = Math.max(0, left)
    const x1 = Math.min(this.#right, right)
    const y0 = Math.max(0, top)
    const y1 = Math.min(this.#bottom, bottom)
    if (x0 > x1 || y0 > y1) return
    // A box one pixel thin is touched along its whole length: the triangle is connected and reaches both ends of its box.
    // (This does not hold for a box that is thin only because the frame clips it.)
    const thin = left === right || top === bottom
    for (let y = y0; y <= y1; y++) {
      // In a dense scan most boxes are already full, which is cheaper to check than to fill.
      if (mask.runIsSet(y, x0, x1)) continue
      if (thin) mask.setRun(y, x0, x1)
      else this.#row(y, x0, x1, ax, ay, bx, by, cx, cy)
    }
  }

  /** Sets the run of row `y` that the triangle touches: the x range of its part between the row's two lines. */
  #row(
    y: number,
    x0: number,
    x1: number,
    ax: number,
    ay: number,
    bx: number,
    by: number,
    cx: number,
    cy: number,
  ): void {
    const top = y - SLACK_PX
    const bottom = y + 1 + SLACK_PX
    const reach = this.#reach
    reach[0] = Infinity
    reach[1] = -Infinity
    this.#edge(top, bottom, ax, ay, bx, by)
    this.#edge(top, bottom, bx, by, cx, cy)
    this.#edge(top, bottom, cx, cy, ax, ay)
    const from = Math.max(x0, Math.floor(reach[0] - SLACK_PX))
    const to = Math.min(x1, Math.floor(reach[1] + SLACK_PX))
    if (from <= to) this.#mask.setRun(y, from, to)
  }

  /** Extends the reach by the part of an edge between two lines, both ends included. */
  #edge(top: number, bottom: number, px: number, py: number, qx: number, qy: number): void {
    if (Math.max(py, qy) < top || Math.min(py, qy) > bottom) return
    const slope = (qx - px) / (qy - py)
    const atTop = px + (top - py) * slope
    const atBottom = px + (bottom - py) * slope
    const from = py < top ? atTop : py > bottom ? atBottom : px
    const to = qy < top ? atTop : qy > bottom ? atBottom : qx
    const reach = this.#reach
    if (from < reach[0]!) reach[0] = from
    if (from > reach[1]!) reach[1] = from
    if (to < reach[0]!) reach[0] = to
    if (to > reach[1]!) reach[1] = to
  }
}
