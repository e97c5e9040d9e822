/** Schemas of rectangles and sizes, apart from `rect.ts` because tracing threads do not load a parser. */
import * as z from 'zod'
import { whole } from '../text/numbers.ts'

/** Longest side of a frame, px. */
export const MAX_SIDE_PX = 16384

/** The most pixels of a frame: complete frames are held in memory, several at a time. */
export const MAX_FRAME_PX = 64 * 2 ** 20

const side = z.int().min(1).max(MAX_SIDE_PX)

/** Pixel rectangle: x and y of the top left pixel, w and h in px; every field is an integer, w and h at least 1. */
export const rectSchema = z.object({ x: whole.max(MAX_SIDE_PX), y: whole.max(MAX_SIDE_PX), w: side, h: side })

/** Width and height of a frame in px. */
export const sizeSchema = z.tuple([side, side]).readonly()

/** Size of a frame that is to be rendered. */
export const frameSizeSchema = sizeSchema.refine(([w, h]) => w * h <= MAX_FRAME_PX, {
  error: `expected at most ${MAX_FRAME_PX / 2 ** 20} Mi px`,
})
