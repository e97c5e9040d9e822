/** Schemas of rectangles and sizes, apart from `rect.ts` because tracing threads do not load a parser. */
import * as z from 'zod'
import { whole } from '../text/numbers.ts'
import { MAX_FRAME_PX, MAX_SIDE_PX } from './frame-limits.ts'

const side = z.int().min(1).max(MAX_SIDE_PX)

/** Pixel rectangle: x and y of the top left pixel, w and h in px; every field is an integer, w and h at least 1. */
export const rectSchema = z.object({ x: whole.max(MAX_SIDE_PX), y: whole.max(MAX_SIDE_PX), w: side, h: side })

/** Width and height of a frame in px. */
export const sizeSchema = z.tuple([side, side]).readonly()

/** A rectangle of a frame of size `of`, px. */
export const regionSchema = z
  .object({ ...rectSchema.shape, of: sizeSchema })
  .refine(({ x, y, w, h, of }) => x + w <= of[0] && y + h <= of[1], {
    error: 'expected a region inside the frame that it is of',
  })

/** Size of a frame that is to be rendered. */
export const frameSizeSchema = sizeSchema.refine(([w, h]) => w * h <= MAX_FRAME_PX, {
  error: `expected at most ${MAX_FRAME_PX / 2 ** 20} Mi px`,
})
