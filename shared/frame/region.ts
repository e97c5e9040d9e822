/**
 * A part of a larger frame that is rendered as a picture of its own. The camera is that of the frame, and says which part the picture is:
 * whatever divides, orders and assembles pixels knows the picture alone, and rays and random numbers are those of the frame's pixels. So
 * a picture has the bytes that the frame has there.
 */
import type { z } from 'zod'
import type { Immutable } from '../text/numbers.ts'
import type { Size } from './rect.ts'
import type { regionSchema } from './rect-schema.ts'

/** Pixel rectangle of a frame of size `of`, px, and inside it. */
export type Region = Immutable<z.infer<typeof regionSchema>>

/** What may see a part of its frame only; the real one is `Camera`. */
interface Sees {
  readonly region?: Region
}

/**
 * The frame that a picture of `size` px is a part of, and the picture's top left pixel there; all of it without a region. Small pictures
 * of a region are parts of a frame that is as much smaller.
 */
export function frameAround(
  { region }: Sees,
  size: Size,
): { readonly x: number; readonly y: number; readonly frame: Size } {
  if (!region) return { x: 0, y: 0, frame: size }
  const { w, h, of } = region
  const [across, down] = [size[0] / w, size[1] / h]
  const [x, y] = [Math.round(region.x * across), Math.round(region.y * down)]
  return {
    x,
    y,
    frame: [Math.max(x + size[0], Math.round(of[0] * across)), Math.max(y + size[1], Math.round(of[1] * down))],
  }
}

/** Of an axis of the image plane: what is at `p` of the picture, from -1 to 1, is at `scale * p + shift` of the frame. */
export interface AxisPart {
  readonly scale: number
  readonly shift: number
}

const ALL: AxisPart = { scale: 1, shift: 0 }

/** Where the picture lies in the image plane of its frame; v is up. */
export function planePart({ region }: Sees): { readonly u: AxisPart; readonly v: AxisPart } {
  if (!region) return { u: ALL, v: ALL }
  const { x, y, w, h, of } = region
  return {
    u: { scale: w / of[0], shift: (2 * x + w) / of[0] - 1 },
    v: { scale: h / of[1], shift: 1 - (2 * y + h) / of[1] },
  }
}
