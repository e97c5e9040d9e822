/** A text as a QR code (ISO/IEC 18004), for the camera of another machine: as the path of an SVG picture. */
import { generate } from 'lean-qr/nano'

export interface QrCode {
  /** Of a side in modules, the quiet zone included. */
  readonly size: number
  /** The dark modules: the runs of each row. */
  readonly path: string
}

/** What readers need around it, modules (§6.3.8). */
export const QUIET = 4

/** Undefined if the text is too long for one: 2953 bytes. */
export function qrCode(text: string): QrCode | undefined {
  let code: ReturnType<typeof generate>
  try {
    code = generate(text)
  } catch {
    return undefined
  }
  let path = ''
  for (let y = 0; y < code.size; y++)
    for (let x = 0; x < code.size; x++) {
      if (!code.get(x, y)) continue
      const from = x
      while (code.get(x + 1, y)) x++
      path += `M${from + QUIET} ${y + QUIET}h${x + 1 - from}v1h${from - x - 1}z`
    }
  return { size: code.size + 2 * QUIET, path }
}
