/** A picture that LZ4 makes as much smaller as a rendered one, of which tiles cost nothing but copying: a clear sky above rough ground. */
import { forEachRun, type PixelSet, pixelCount } from '../../../shared/frame/pixel-set.ts'
import type { Size } from '../../../shared/frame/rect.ts'
import { Dice } from '../fuzz/dice.ts'

const SKY = 1 / 3
/** How far apart neighbours of the ground are. */
const ROUGHNESS = 12

/** RGB8, row-major. */
export function picture([w, h]: Size): Uint8Array {
  const dice = new Dice(2, 0)
  const pixels = new Uint8Array(w * h * 3)
  for (let y = 0; y < h; y++) {
    const isSky = y < h * SKY
    for (let x = 0; x < w; x++) {
      const light = isSky ? 0 : Math.floor(dice.unit() * ROUGHNESS)
      const at = (y * w + x) * 3
      pixels[at] = 90 + (y & 63) + light
      pixels[at + 1] = 100 + ((x >> 5) & 63) + light
      pixels[at + 2] = 140 + light
    }
  }
  return pixels
}

/** Pixels of a set of a picture, packed row by row. */
export function cutOut(pixels: Uint8Array, [w]: Size, set: PixelSet): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pixelCount(set) * 3)
  let at = 0
  forEachRun(set, (x, y, length) => {
    const from = (y * w + x) * 3
    bytes.set(pixels.subarray(from, from + length * 3), at)
    at += length * 3
  })
  return bytes
}
