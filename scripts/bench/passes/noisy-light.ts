/**
 * Light that costs little to make and is a function of its place and samples alone: calm in the left half of a picture, and in the right
 * half so noisy that no number of samples is enough.
 */
import { forEachRun, type PixelSet, pixelCount } from '../../../shared/frame/pixel-set.ts'
import type { Size } from '../../../shared/frame/rect.ts'
import type { SampleRange } from '../../../shared/frame/view.ts'
import { Dice } from '../fuzz/dice.ts'

/** Values of the pattern, which is read from a different place for every row. */
const PERIOD = 3 * 65_521
const ROW_STEP = 3 * 7919
const CALM = 0.25
const STEPS = 2 ** 32

export class NoisyLight {
  readonly #width: number
  readonly #samples: number
  /** By range of samples: a calm row, and noise. */
  readonly #patterns = new Map<string, { readonly calm: Float64Array; readonly noise: Float64Array }>()

  /** @param samples of a pixel in all */
  constructor([width]: Size, samples: number) {
    this.#width = width
    this.#samples = samples
  }

  /** The `light` channel of a set's pixels, packed row by row. */
  draw(set: PixelSet, range: SampleRange): Float64Array<ArrayBuffer> {
    const { calm, noise } = this.#pattern(range)
    const middle = this.#width >> 1
    const light = new Float64Array(pixelCount(set) * 3)
    let at = 0
    forEachRun(set, (x, y, length) => {
      const end = x + length
      const edge = Math.min(Math.max(middle, x), end)
      light.set(calm.subarray(0, (edge - x) * 3), at)
      const from = (y * ROW_STEP + edge * 3) % PERIOD
      light.set(noise.subarray(from, from + (end - edge) * 3), at + (edge - x) * 3)
      at += length * 3
    })
    return light
  }

  #pattern({ from, to }: SampleRange) {
    const known = this.#patterns.get(`${from}`)
    if (known) return known
    const dice = new Dice(3, from)
    const share = (to - from) / this.#samples
    const onGrid = (light: number) => Math.round(light * share * STEPS) / STEPS
    const row = this.#width * 3
    const noise = new Float64Array(PERIOD + row).map(() => onGrid(dice.unit()))
    noise.copyWithin(PERIOD, 0, row)
    const pattern = { calm: new Float64Array(row).fill(onGrid(CALM)), noise }
    this.#patterns.set(`${from}`, pattern)
    return pattern
  }
}
