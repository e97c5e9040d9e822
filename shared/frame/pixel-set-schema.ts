/** Schema of the patterns that pick pixels of a rectangle; `pixel-set.ts` evaluates them. */
import * as z from 'zod'
import { whole } from '../text/numbers.ts'
import { MAX_SIDE_PX } from './frame-limits.ts'

const side = z.int().min(1).max(MAX_SIDE_PX)
const offset = whole.max(MAX_SIDE_PX)

/** Step between pixels and offset of the first, in each direction, px. */
export const latticeSchema = z.object({ stepX: side, stepY: side, dx: offset, dy: offset })

const rule = z.discriminatedUnion('kind', [
  /**
   * Every `stride`-th cell of a grid over the frame, numbered row by row from the top left, `columns` to a row: those
   * whose number modulo `stride` is `phase`. With cells of 1 × 1 px this is F(i) = i mod p of the PBT paper, §II.B.
   */
  z.object({
    kind: z.literal('strided'),
    cellW: side,
    cellH: side,
    columns: side,
    stride: z.int().min(1),
    phase: whole,
  }),
  /** Listed cells of such a grid, in ascending order. */
  z.object({ kind: z.literal('cells'), cellW: side, cellH: side, columns: side, cells: z.array(whole).readonly() }),
  /** Single pixels, evenly spread: those with x mod stepX = dx and y mod stepY = dy. */
  z.object({ kind: z.literal('lattice'), ...latticeSchema.shape }),
  /** All pixels but those of a lattice. */
  z.object({ kind: z.literal('gaps'), ...latticeSchema.shape }),
])

type Rule = z.infer<typeof rule>

/** Whether a rule can pick at least one pixel. */
function picksAny(pattern: Rule): boolean {
  switch (pattern.kind) {
    case 'strided':
      return pattern.phase < pattern.stride
    case 'cells':
      return pattern.cells.every((cell, i) => i === 0 || cell > pattern.cells[i - 1]!)
    default:
      return pattern.dx < pattern.stepX && pattern.dy < pattern.stepY
  }
}

/**
 * Square cells of a grid over the frame, marked in a window of it, whose top left cell is at `column` and `row`: hexadecimal digits
 * of four cells each, row by row, the first cell in the highest bit. Outside of the window no cell is marked. Thousands of cells
 * fit an order this way. With `of` only those of their pixels that this rule picks, too.
 */
const maskSchema = z.object({
  kind: z.literal('mask'),
  cell: side,
  column: offset,
  row: offset,
  columns: side,
  bits: z.string().regex(/^[0-9a-f]*$/),
  of: rule.exactOptional(),
})

/** Patterns that can pick at least one pixel. */
export const pixelPatternSchema = z
  .discriminatedUnion('kind', [...rule.options, maskSchema])
  .refine(pattern => (pattern.kind === 'mask' ? pattern.of === undefined || picksAny(pattern.of) : picksAny(pattern)), {
    error: 'expected a phase below the stride, offsets below the steps, cells in rising order',
  })
