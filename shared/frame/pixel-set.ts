/**
 * The pixels of a tile: all pixels of a rectangle, or those that a pattern picks. A pattern is a rule over the whole frame,
 * so a rectangle with a pattern can be cut like any other rectangle. The picked pixels of a set are packed row by row, from
 * left to right.
 */
import type { z } from 'zod'
import type { Immutable } from '../text/numbers.ts'
import type { latticeSchema, pixelPatternSchema } from './pixel-set-schema.ts'
import { area, type Rect } from './rect.ts'

export type PixelPattern = Immutable<z.infer<typeof pixelPatternSchema>>
export type Lattice = Immutable<z.infer<typeof latticeSchema>>

export interface PixelSet {
  /** Contains all of its pixels. */
  readonly rect: Rect
  /** Absent: all pixels of the rectangle. */
  readonly pattern?: PixelPattern
}

/**
 * Calls `visit` with every horizontal run of the set's pixels: left end (px of the frame), row and length, row by row,
 * from left to right; runs are maximal.
 */
export function forEachRun({ rect, pattern }: PixelSet, visit: (x: number, y: number, length: number) => void): void {
  const end = rect.x + rect.w
  if (!pattern) {
    for (let y = rect.y; y < rect.y + rect.h; y++) visit(rect.x, y, rect.w)
    return
  }
  if (pattern.kind === 'mask' && !pattern.of) {
    forEachMaskRow(rect, pattern, (y, height, runs) => {
      for (let row = y; row < y + height; row++)
        for (let i = 0; i < runs.length; i += 2) visit(runs[i]!, row, runs[i + 1]!)
    })
    return
  }
  for (let y = rect.y; y < rect.y + rect.h; y++) {
    let start = -1
    for (let x = rect.x; x < end; ) {
      const [picked, next] = runAt(pattern, x, y)
      if (picked && start < 0) start = x
      if (!picked && start >= 0) {
        visit(start, y, x - start)
        start = -1
      }
      x = Math.min(next, end)
    }
    if (start >= 0) visit(start, y, end - start)
  }
}

/** How many pixels the set has. */
export function pixelCount({ rect, pattern }: PixelSet): number {
  if (pattern?.kind !== 'mask') return countOf(rect, pattern)
  const { of } = pattern
  let count = 0
  forEachMaskRow(rect, pattern, (y, h, runs) => {
    for (let i = 0; i < runs.length; i += 2) count += countOf({ x: runs[i]!, y, w: runs[i + 1]!, h }, of)
  })
  return count
}

/** Whether the set has any pixels. A rectangle has, and a pattern may pick none of it. */
export const hasPixels = (set: PixelSet): boolean => !set.pattern || pixelCount(set) > 0

function countOf(rect: Rect, rule: Exclude<PixelPattern, { kind: 'mask' }> | undefined): number {
  if (!rule) return area(rect)
  if (rule.kind === 'lattice' || rule.kind === 'gaps') {
    const { x, y, w, h } = rect
    const points = stepsIn(x, w, rule.stepX, rule.dx) * stepsIn(y, h, rule.stepY, rule.dy)
    return rule.kind === 'lattice' ? points : area(rect) - points
  }
  let count = 0
  forEachRun({ rect, pattern: rule }, (_x, _y, length) => {
    count += length
  })
  return count
}

/** How many of `length` numbers from `from` on are `offset` modulo `step`. */
const stepsIn = (from: number, length: number, step: number, offset: number): number =>
  Math.floor((from + length - 1 - offset) / step) - Math.floor((from - 1 - offset) / step)

/**
 * Calls `visit` with the runs of each row of a mask's cells, left ends and lengths in turn, for as many rows of pixels, from `y` on: all of
 * them have the same. The runs are borrowed until it returns.
 */
function forEachMaskRow(
  rect: Rect,
  { cell, column, row: top, columns, bits }: Extract<PixelPattern, { kind: 'mask' }>,
  visit: (y: number, height: number, runs: readonly number[]) => void,
): void {
  const [right, bottom] = [rect.x + rect.w, rect.y + rect.h]
  const first = Math.max(0, Math.floor(rect.x / cell) - column)
  const last = Math.min(columns, Math.ceil(right / cell) - column)
  const runs: number[] = []
  for (let y = Math.max(rect.y, top * cell); y < bottom; ) {
    const row = Math.floor(y / cell)
    const next = Math.min(bottom, (row + 1) * cell)
    runs.length = 0
    for (let at = first; at < last; at++) {
      const marked = (row - top) * columns
      if (!isMarked(bits, marked + at)) continue
      const start = at
      while (at + 1 < last && isMarked(bits, marked + at + 1)) at++
      const x = Math.max(rect.x, (column + start) * cell)
      runs.push(x, Math.min(right, (column + at + 1) * cell) - x)
    }
    if (runs.length > 0) visit(y, next - y, runs)
    y = next
  }
}

/** Whether the pattern picks pixel (x, y), and the next x at which that may change. */
function runAt(pattern: PixelPattern, x: number, y: number): [picked: boolean, next: number] {
  switch (pattern.kind) {
    case 'strided': {
      const { cellW, stride, phase } = pattern
      const column = Math.floor(x / cellW)
      const number = Math.floor(y / pattern.cellH) * pattern.columns + column
      const ahead = (phase - (number % stride) + stride) % stride
      // Skip to the next picked cell: with cells of one pixel there may be hundreds in between.
      return [number % stride === phase, (column + (ahead || 1)) * cellW]
    }
    case 'cells': {
      const { cellW, cellH, columns, cells } = pattern
      const column = Math.floor(x / cellW)
      const number = Math.floor(y / cellH) * columns + column
      const found = cells[firstNotBelow(cells, number)]
      if (found === number) return [true, (column + 1) * cellW]
      // Skip to the next listed cell of the row: the list may be short and the rectangle the whole frame.
      const ahead = found !== undefined && found > number ? found - number : columns
      return [false, (column + ahead) * cellW]
    }
    case 'lattice':
    case 'gaps': {
      const { stepX, stepY, dx, dy } = pattern
      const onRow = y % stepY === dy
      const ahead = (dx - (x % stepX) + stepX) % stepX
      const next = onRow ? x + (ahead || 1) : Number.MAX_SAFE_INTEGER
      return [(onRow && ahead === 0) === (pattern.kind === 'lattice'), next]
    }
    case 'mask': {
      const { cell, columns, bits, of } = pattern
      const column = Math.floor(x / cell) - pattern.column
      const row = Math.floor(y / cell) - pattern.row
      if (row < 0 || column >= columns) return [false, Number.MAX_SAFE_INTEGER]
      if (column < 0) return [false, pattern.column * cell]
      const end = (pattern.column + column + 1) * cell
      if (!isMarked(bits, row * columns + column)) return [false, end]
      const [picked, next] = of ? runAt(of, x, y) : ([true, end] as const)
      return [picked, Math.min(next, end)]
    }
  }
}

/** Whether a bit of hexadecimal digits is set, counted from the highest of the first; none is beyond the last. */
function isMarked(bits: string, index: number): boolean {
  const code = bits.charCodeAt(index >> 2)
  const digit = code > DIGIT_9 ? code - LETTER_A + 10 : code - DIGIT_0
  return ((digit >> (3 - (index & 3))) & 1) === 1
}

const [DIGIT_0, DIGIT_9, LETTER_A] = [48, 57, 97]

/** Index of the first of the ascending values that is not below `value`; their count if all are. */
function firstNotBelow(rising: readonly number[], value: number): number {
  let low = 0
  let high = rising.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (rising[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}
