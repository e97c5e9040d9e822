/**
 * From linear radiance to the bytes of a pixel: the ACES filmic curve (Stephen Hill's fit of the RRT and ODT, as in
 * "BakingLab", 2016), scaled as three.js scales it so that an exposure means the same there and here, then sRGB.
 *
 * A pixel is tone mapped where all of its samples are known: in an engine that traced them in one pass, or in the master that
 * added up several. The kernel has a counterpart; both give the same bytes.
 */
import { invariant } from '../errors.ts'
import { SrgbBytes } from '../math/srgb.ts'

/** three.js divides by 0.6, after Unreal's calibration. */
const SCALE = 1 / 0.6

export class ToneMap {
  readonly #srgb = new SrgbBytes()

  /** Writes the RGB8 pixel of a radiance, times the exposure, at `out[at]` to `out[at + 2]`. */
  write(red: number, green: number, blue: number, out: Uint8Array, at: number): void {
    // sRGB to the ACES working space, where the curve is applied per channel.
    const r = filmic(SCALE * (0.59719 * red + 0.35458 * green + 0.04823 * blue))
    const g = filmic(SCALE * (0.076 * red + 0.90834 * green + 0.01566 * blue))
    const b = filmic(SCALE * (0.0284 * red + 0.13383 * green + 0.83777 * blue))
    // And back to sRGB; what the display cannot show clamps in the quantiser.
    out[at] = this.#srgb.nearest(1.60475 * r - 0.53108 * g - 0.07367 * b)
    out[at + 1] = this.#srgb.nearest(-0.10208 * r + 1.10813 * g - 0.00605 * b)
    out[at + 2] = this.#srgb.nearest(-0.00327 * r - 0.07276 * g + 1.07602 * b)
  }

  /** Writes the RGB8 of whole pixels: `light` is their `light` channel, complete, and `out` their `rgb` channel. */
  finish(light: Float64Array, out: Uint8Array): void {
    invariant(light.length === out.length, `expected ${light.length} bytes for the pixels, got ${out.length}`)
    for (let at = 0; at < light.length; at += 3) this.write(light[at]!, light[at + 1]!, light[at + 2]!, out, at)
  }
}

const filmic = (x: number): number => (x * (x + 0.0245786) - 0.000090537) / (x * (0.983729 * x + 0.432951) + 0.238081)
