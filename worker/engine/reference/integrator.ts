/**
 * Radiance along a camera ray: sun and sky on matte surfaces, reflected and refracted rays after smooth ones. This file defines
 * the value of a pixel; a faster engine has to agree with it bit for bit: rays are floats, everything between one ray and the
 * next is computed in doubles in the order written here, and sums are independent of the order (`shared/light/accumulate.ts`).
 *
 * - Matte: the sun with hard shadows, and the sky through cosine-distributed ambient rays to infinity. A blocked ambient
 *   ray still contributes BLOCKED_SHARE of its sky, tinted by the surface: the light that arrives via other surfaces.
 * - Coated: Schlick's share is reflected; the rest of the light is treated as matte.
 * - Mirror: all light is reflected, tinted. Glass: Fresnel's share is reflected, the rest refracted and tinted; both are
 *   followed (Whitted, "An Improved Illumination Model for Shaded Display", CACM 1980).
 * - A camera, reflected or refracted ray that hits nothing sees the sky, and the sun as a soft glow; a camera ray of a transparent
 *   view sees nothing there.
 * - A ray that would count for less than MIN_WEIGHT in every channel, or would exceed the view's maximum depth, sees only the
 *   sky and sun in its direction; so no light is lost, and a white world stays white.
 */
import { accumulate } from '../../../shared/light/accumulate.ts'
import { cosTurns, sinTurns } from '../../../shared/math/trig.ts'
import type { AmbientScene } from '../../../shared/scene/ambient-look.ts'
import { skyRadiance } from '../../../shared/sky.ts'
import type { Vec3, View } from '../../../shared/view.ts'
import { ambientFirst, ambientSecond, ambientShift, hilbertIndex } from '../sampling.ts'
import type { Bvh } from './bvh-layout.ts'
import { fresnel, refractedCosine, schlick } from './scattering.ts'
import { Surface } from './surface.ts'
import type { Traversal } from './traversal.ts'

/** Smallest share of a sample for which a reflected or refracted ray is traced. */
const MIN_WEIGHT = 1 / 64
/**
 * Share of the sky's light that a blocked ambient ray contributes. A path tracer's image of a scan with albedo 0.8 under a
 * white sky suggests 0.8 on average; half of that keeps creases and contacts readable.
 */
export const BLOCKED_SHARE = 0.4
/**
 * The visible sun: smooth surfaces are never perfectly smooth and the eye is not a perfect lens, so its light is spread as
 * cosine^256 around its direction, about 5 degrees wide. A power of two, so that no power function is needed.
 */
const GLOW_POWER = 256
/** Makes the glow's integral over all directions 1, so that it carries the sun's irradiance. */
const GLOW_SCALE = (GLOW_POWER + 1) / (2 * Math.PI)
const INVERSE_PI = 1 / Math.PI

const f = Math.fround

/** Accumulates radiance for one pixel of one view at a time. Not re-entrant. */
export class Integrator {
  /** Radiance added since `startPixel`: linear RGB, times each sample's share of the pixel. */
  red = 0
  green = 0
  blue = 0
  /** Camera depth at which the first traced sample of the pixel hit, Infinity for no hit. */
  depth = 0
  readonly #scene: AmbientScene
  readonly #traversal: Traversal
  readonly #surface: Surface
  readonly #view: View
  /** Weight of a camera ray, and the smallest weight of a traced ray. */
  readonly #share: number
  readonly #leastWeight: number
  /** Position of the pixel along the curve that distributes ambient directions, its first sample, and the current one. */
  #curveIndex = 0
  #firstSample = 0
  #sample = 0

  /** The traversal is borrowed: it must not be used elsewhere in the meantime. */
  constructor(scene: AmbientScene, bvh: Bvh, traversal: Traversal, view: View) {
    this.#scene = scene
    this.#traversal = traversal
    this.#surface = new Surface(scene, bvh)
    this.#view = view
    this.#share = 1 / view.quality.samples
    this.#leastWeight = MIN_WEIGHT * this.#share
  }

  startPixel(x: number, y: number, firstSample: number): void {
    this.#firstSample = firstSample
    this.#curveIndex = hilbertIndex(x, y)
    this.red = 0
    this.green = 0
    this.blue = 0
    this.depth = Number.POSITIVE_INFINITY
  }

  /** Adds the radiance along camera ray `sample` of the pixel; the length of d is one unit of camera depth. */
  addCameraRay(sample: number, dx: number, dy: number, dz: number): void {
    const { origin, near, far } = this.#view.camera
    const share = this.#share
    this.#sample = sample
    this.#follow(origin[0], origin[1], origin[2], dx, dy, dz, near, far, share, share, share, 0, 1)
  }

  /**
   * Adds the weighted radiance along a ray. `depth` counts the smooth surfaces between it and the eye; `path` is its position in
   * the ray tree: 1 is the camera ray, 2p the reflected and 2p + 1 the refracted ray of p.
   */
  #follow(
    ox: number,
    oy: number,
    oz: number,
    dx: number,
    dy: number,
    dz: number,
    tMin: number,
    tMax: number,
    red: number,
    green: number,
    blue: number,
    depth: number,
    path: number,
  ): void {
    ox = f(ox)
    oy = f(oy)
    oz = f(oz)
    dx = f(dx)
    dy = f(dy)
    dz = f(dz)
    if (!this.#traversal.closestHit(ox, oy, oz, dx, dy, dz, tMin, tMax)) {
      // A transparent picture shows no background, only what it lights.
      if (depth === 0 && this.#view.transparent) return
      const scale = 1 / Math.sqrt(dx * dx + dy * dy + dz * dz)
      this.#addSurroundings(dx * scale, dy * scale, dz * scale, red, green, blue)
      return
    }
    if (depth === 0 && this.#sample === this.#firstSample) this.depth = this.#traversal.distance
    const surface = this.#surface
    surface.meet(this.#traversal.slot, this.#traversal.distance, ox, oy, oz, dx, dy, dz)
    const material = this.#scene.materials[surface.material]!
    const color = material.color
    switch (material.kind) {
      case 'matte':
        this.#addMatte(color, red, green, blue, depth, path)
        break
      case 'coated': {
        const cosine = -(surface.nx * surface.dx + surface.ny * surface.dy + surface.nz * surface.dz)
        const mirrored = schlick(cosine, material.ior)
        const rest = 1 - mirrored
        this.#addMatte(color, red * rest, green * rest, blue * rest, depth, path)
        this.#mirror(red * mirrored, green * mirrored, blue * mirrored, depth, path)
        break
      }
      case 'mirror':
        this.#mirror(red * color[0], green * color[1], blue * color[2], depth, path)
        break
      case 'glass':
        this.#passGlass(color, material.ior, red, green, blue, depth, path)
        break
    }
  }

  #add(red: number, green: number, blue: number): void {
    this.red = accumulate(this.red, red)
    this.green = accumulate(this.green, green)
    this.blue = accumulate(this.blue, blue)
  }

  /** Adds what is visible in a unit direction without a hit: the sky, and the sun's disc as a soft glow. */
  #addSurroundings(dx: number, dy: number, dz: number, red: number, green: number, blue: number): void {
    const { direction, irradiance } = this.#scene.sun
    const cosine = dx * direction[0] + dy * direction[1] + dz * direction[2]
    if (cosine > 0) {
      let glow = cosine
      for (let power = 1; power < GLOW_POWER; power *= 2) glow *= glow
      glow *= GLOW_SCALE
      this.#add(red * irradiance[0] * glow, green * irradiance[1] * glow, blue * irradiance[2] * glow)
    }
    this.#addSky(dy, red, green, blue)
  }

  /** Adds the radiance of the sky; `y` is the upward component of a unit direction. */
  #addSky(y: number, red: number, green: number, blue: number): void {
    const { sky } = this.#scene
    this.#add(red * skyRadiance(sky, y, 0), green * skyRadiance(sky, y, 1), blue * skyRadiance(sky, y, 2))
  }

  /** Adds the light that the current surface, as a Lambert reflector, reflects along the ray. */
  #addMatte(color: Vec3, red: number, green: number, blue: number, depth: number, path: number): void {
    const surface = this.#surface
    const { sun } = this.#scene
    const [sx, sy, sz] = sun.direction
    const cosine = surface.nx * sx + surface.ny * sy + surface.nz * sz
    if (cosine > 0 && sun.irradiance[0] + sun.irradiance[1] + sun.irradiance[2] > 0) {
      const lit = cosine * INVERSE_PI
      const open = this.#traversal.lightFrom(surface.litX, surface.litY, surface.litZ, sx, sy, sz)
      this.#add(
        red * color[0] * sun.irradiance[0] * lit * open,
        green * color[1] * sun.irradiance[1] * lit * open,
        blue * color[2] * sun.irradiance[2] * lit * open,
      )
    }
    this.#addAmbient(color, red * color[0], green * color[1], blue * color[2], depth, path)
  }

  /** Adds the sky's part of the light of a matte surface; the weights already include its colour. */
  #addAmbient(color: Vec3, red: number, green: number, blue: number, depth: number, path: number): void {
    const surface = this.#surface
    const { ambientRays, samples } = this.#view.quality
    if (ambientRays === 0) {
      this.#addSky(surface.ny, red, green, blue)
      return
    }
    const rays = depth === 0 ? ambientRays : Math.max(1, ambientRays >> 1)
    const first = Math.imul(this.#curveIndex * samples + this.#sample, rays)
    const shift1 = ambientShift(this.#view.frame, path, 0)
    const shift2 = ambientShift(this.#view.frame, path, 1)
    const share = 1 / rays
    for (let ray = 0; ray < rays; ray++) {
      // A point on the unit sphere around the tip of the normal: the directions to such points are cosine-distributed.
      const height = 1 - 2 * ambientFirst(first + ray, shift1)
      const turns = ambientSecond(first + ray, shift2)
      const radius = Math.sqrt(1 - height * height)
      let x = surface.nx + radius * cosTurns(turns)
      let y = surface.ny + height
      let z = surface.nz + radius * sinTurns(turns)
      // A direction into the triangle is reflected out of it.
      const inward = 2 * Math.min(0, x * surface.gx + y * surface.gy + z * surface.gz)
      x -= inward * surface.gx
      y -= inward * surface.gy
      z -= inward * surface.gz
      const length = Math.sqrt(x * x + y * y + z * z)
      if (!(length >= 1e-6)) continue
      const scale = 1 / length
      x = f(x * scale)
      y = f(y * scale)
      z = f(z * scale)
      const open = this.#traversal.lightFrom(surface.litX, surface.litY, surface.litZ, x, y, z)
      const blocked = (1 - open) * BLOCKED_SHARE
      this.#addSky(
        y,
        red * share * (open + blocked * color[0]),
        green * share * (open + blocked * color[1]),
        blue * share * (open + blocked * color[2]),
      )
    }
  }

  /** Follows the reflected ray of the current surface. */
  #mirror(red: number, green: number, blue: number, depth: number, path: number): void {
    const { dx, dy, dz, nx, ny, nz, gx, gy, gz, x, y, z, offset } = this.#surface
    const twice = 2 * (dx * nx + dy * ny + dz * nz)
    let rx = dx - twice * nx
    let ry = dy - twice * ny
    let rz = dz - twice * nz
    // A shading normal can reflect a ray into the triangle, which then reflects it out again.
    const inward = 2 * Math.min(0, rx * gx + ry * gy + rz * gz)
    rx -= inward * gx
    ry -= inward * gy
    rz -= inward * gz
    this.#child(x + gx * offset, y + gy * offset, z + gz * offset, rx, ry, rz, red, green, blue, depth, 2 * path)
  }

  /** Follows the reflected and the refracted ray at the current glass boundary. */
  #passGlass(color: Vec3, ior: number, red: number, green: number, blue: number, depth: number, path: number): void {
    const { dx, dy, dz, nx, ny, nz, gx, gy, gz, x, y, z, offset, outside } = this.#surface
    const eta = outside ? 1 / ior : ior
    const cosine = -(dx * nx + dy * ny + dz * nz)
    const far = refractedCosine(cosine, eta)
    const mirrored = far < 0 ? 1 : fresnel(cosine, far, eta)
    this.#mirror(red * mirrored, green * mirrored, blue * mirrored, depth, path)
    if (far < 0) return

    const along = eta * cosine - far
    let tx = eta * dx + along * nx
    let ty = eta * dy + along * ny
    let tz = eta * dz + along * nz
    const outward = 2 * Math.max(0, tx * gx + ty * gy + tz * gz)
    tx -= outward * gx
    ty -= outward * gy
    tz -= outward * gz
    const passed = 1 - mirrored
    this.#child(
      x - gx * offset,
      y - gy * offset,
      z - gz * offset,
      tx,
      ty,
      tz,
      red * passed * color[0],
      green * passed * color[1],
      blue * passed * color[2],
      depth,
      2 * path + 1,
    )
  }

  /** Follows a ray that leaves a smooth surface, if it matters enough. */
  #child(
    ox: number,
    oy: number,
    oz: number,
    dx: number,
    dy: number,
    dz: number,
    red: number,
    green: number,
    blue: number,
    depth: number,
    path: number,
  ): void {
    if (depth >= this.#view.quality.maxDepth || Math.max(red, green, blue) < this.#leastWeight)
      this.#addSurroundings(dx, dy, dz, red, green, blue)
    else this.#follow(ox, oy, oz, dx, dy, dz, 0, Number.POSITIVE_INFINITY, red, green, blue, depth + 1, path)
  }
}
