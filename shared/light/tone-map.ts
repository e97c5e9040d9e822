/**
 * From linear light to the bytes of a pixel: white balance (`white-balance.ts`), exposure, tone mapping (`tone-mapping.ts`), then sRGB.
 *
 * A pixel is tone mapped where all of its samples are known: in an engine that traced them in one pass, or in the master that
 * added up several. The kernel has a counterpart for `aces` without a white balance; both give the same bytes.
 */
import { invariant } from '../errors.ts'
import type { View } from '../frame/view.ts'
import { SrgbBytes } from '../math/srgb.ts'
import { DEFAULT_TONE_MAPPING, type Operator, operators } from './tone-mapping.ts'
import { LightBalance } from './white-balance.ts'

/** How a frame's light is shown. */
export type Look = Pick<View, 'exposure' | 'toneMapping' | 'whiteBalance'>

/** How light is shown, of all that says so. */
export const lookOf = ({
  exposure,
  toneMapping,
  whiteBalance,
}: { readonly [K in keyof Look]: Look[K] | undefined } & Pick<Look, 'exposure'>): Look => ({
  exposure,
  ...(toneMapping ? { toneMapping } : {}),
  ...(whiteBalance ? { whiteBalance } : {}),
})

/** Linear scale of light before it is tone mapped. */
export const exposureOf = ({ exposure, toneMapping = DEFAULT_TONE_MAPPING }: Look): number =>
  toneMapping === 'none' ? 1 : exposure

/** Whether the kernel makes the same bytes of light as `ToneMap`. */
export const isKernelLook = ({ toneMapping = DEFAULT_TONE_MAPPING, whiteBalance }: Look): boolean =>
  toneMapping === 'aces' && !whiteBalance

export class ToneMap {
  /** Linear scale of light before it is tone mapped. */
  readonly exposure: number
  readonly #operator: Operator
  /** Undefined: light is shown with the colour that it has. */
  readonly #balance: LightBalance | undefined
  readonly #srgb = new SrgbBytes()
  /** What the display shows of the current pixel. */
  readonly #shown = new Float64Array(3)

  constructor(look: Look) {
    this.exposure = exposureOf(look)
    this.#operator = operators[look.toneMapping ?? DEFAULT_TONE_MAPPING]
    if (look.whiteBalance && look.toneMapping !== 'none') this.#balance = new LightBalance(look.whiteBalance)
  }

  /** Writes the RGB8 pixel of a radiance at `out[at]` to `out[at + 2]`. */
  write(red: number, green: number, blue: number, out: Uint8Array, at: number): void {
    const shown = this.shown(red, green, blue)
    out[at] = this.#srgb.nearest(shown[0])
    out[at + 1] = this.#srgb.nearest(shown[1])
    out[at + 2] = this.#srgb.nearest(shown[2])
  }

  /** What the display shows of a radiance: linear red, green and blue, to be clamped to [0, 1]. Borrowed until the next call. */
  shown(red: number, green: number, blue: number): readonly [number, number, number] {
    const { exposure } = this
    const shown = this.#shown
    if (this.#balance) {
      this.#balance.put(red, green, blue, shown)
      this.#operator(shown[0]! * exposure, shown[1]! * exposure, shown[2]! * exposure, shown)
    } else this.#operator(red * exposure, green * exposure, blue * exposure, shown)
    return shown as unknown as [number, number, number]
  }

  /** Writes the RGB8 of whole pixels: `light` is their `light` channel, complete, and `out` their `rgb` channel. */
  finish(light: Float64Array, out: Uint8Array): void {
    invariant(light.length === out.length, `expected ${light.length} bytes for the pixels, got ${out.length}`)
    for (let at = 0; at < light.length; at += 3) this.write(light[at]!, light[at + 1]!, light[at + 2]!, out, at)
  }
}
