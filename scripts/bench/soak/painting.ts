/** Pixels that cost nothing to make and can be checked: each is a function of its frame and place alone. */
import { forEachRun, type PixelSet, pixelCount } from '../../../shared/frame/pixel-set.ts'
import { frameRect, type Size } from '../../../shared/frame/rect.ts'

/** A set's pixels as RGB8, packed row by row. */
export function paint(frame: number, set: PixelSet): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pixelCount(set) * 3)
  let at = 0
  forEachRun(set, (left, y, length) => {
    for (let x = left; x < left + length; x++) {
      const value = x * 7 + y * 13 + frame * 29
      bytes[at++] = value
      bytes[at++] = value + 101
      bytes[at++] = value + y
    }
  })
  return bytes
}

/** Whether a whole frame is as it was painted. */
export const isPainted = (frame: number, size: Size, pixels: Uint8Array): boolean =>
  Buffer.compare(pixels, paint(frame, { rect: frameRect(size) })) === 0
