/** Schemas of rectangles and sizes, apart from what is computed with them: tracing threads do without a parser. */
import { z } from 'zod'
import { whole } from './numbers.ts'

/** Longest side of a frame, px. */
export const MAX_SIDE_PX = 16384

const side = z.int().min(1).max(MAX_SIDE_PX)

/** Pixel rectangle: x and y of the top left pixel, w and h in px; every field is an integer, w and h at least 1. */
export const rectSchema = z.object({ x: whole.max(MAX_SIDE_PX), y: whole.max(MAX_SIDE_PX), w: side, h: side })

/** Width and height of a frame in px. */
export const sizeSchema = z.tuple([side, side]).readonly()
