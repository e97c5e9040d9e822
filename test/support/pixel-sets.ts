/** Pixel sets of every kind, and what each of them means, pixel by pixel. */
import fc from 'fast-check'
import type { PixelPattern, PixelSet } from '../../shared/frame/pixel-set.ts'
import type { Size } from '../../shared/frame/rect.ts'

/** Whether a pattern picks a pixel, as its definition says. */
export function picks(pattern: PixelPattern | undefined, x: number, y: number): boolean {
  switch (pattern?.kind) {
    case undefined:
      return true
    case 'strided':
      return cellNumber(pattern, x, y) % pattern.stride === pattern.phase
    case 'cells':
      return pattern.cells.includes(cellNumber(pattern, x, y))
    case 'lattice':
    case 'gaps': {
      const on = x % pattern.stepX === pattern.dx && y % pattern.stepY === pattern.dy
      return on === (pattern.kind === 'lattice')
    }
    case 'mask': {
      const { cell, column, row, columns, bits, of } = pattern
      const [i, j] = [Math.floor(x / cell) - column, Math.floor(y / cell) - row]
      const digits = [...bits].map(digit => Number.parseInt(digit, 16).toString(2).padStart(4, '0')).join('')
      return i >= 0 && i < columns && j >= 0 && digits[j * columns + i] === '1' && picks(of, x, y)
    }
  }
}

/** Any pattern over a frame of this size. */
function anyPattern([w, h]: Size): fc.Arbitrary<PixelPattern> {
  const side = fc.oneof(fc.constantFrom(1, 8, 16), fc.integer({ min: 1, max: 40 }))
  const grid = fc.record({ cellW: side, cellH: side }).map(cell => ({ ...cell, columns: Math.ceil(w / cell.cellW) }))
  const strided = fc
    .tuple(grid, fc.integer({ min: 1, max: 70 }), fc.nat())
    .map(([cells, stride, phase]) => ({ kind: 'strided' as const, ...cells, stride, phase: phase % stride }))
  const cells = fc.tuple(grid, fc.array(fc.nat(), { maxLength: 60 })).map(([all, numbers]) => {
    const count = all.columns * Math.ceil(h / all.cellH)
    const listed = new Set(numbers.map(number => number % count))
    return { kind: 'cells' as const, ...all, cells: [...listed].sort((a, b) => a - b) }
  })
  const step = fc.integer({ min: 1, max: 20 })
  const lattice = fc
    .tuple(fc.constantFrom('lattice' as const, 'gaps' as const), step, step, fc.nat(), fc.nat())
    .map(([kind, stepX, stepY, dx, dy]) => ({ kind, stepX, stepY, dx: dx % stepX, dy: dy % stepY }))
  const rule = fc.oneof(strided, cells, lattice)
  const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), maxLength: 40 })
  const mask = fc
    .tuple(side, fc.nat(6), fc.nat(6), fc.integer({ min: 1, max: 12 }), hex, fc.option(rule, { nil: undefined }))
    .map(([cell, column, row, columns, bits, of]) => ({
      kind: 'mask' as const,
      cell,
      column,
      row,
      columns,
      bits,
      ...(of ? { of } : {}),
    }))
  return fc.oneof(rule, mask)
}

/** Any set in a frame of this size, with a pattern or without. */
export function pixelSetOf([w, h]: Size): fc.Arbitrary<PixelSet> {
  const rect = fc.tuple(fc.nat(w - 1), fc.nat(h - 1), fc.nat(), fc.nat()).map(([x, y, across, down]) => ({
    x,
    y,
    w: 1 + (across % (w - x)),
    h: 1 + (down % (h - y)),
  }))
  return fc
    .tuple(rect, fc.option(anyPattern([w, h]), { nil: undefined }))
    .map(([of, pattern]) => ({ rect: of, ...(pattern ? { pattern } : {}) }))
}

const cellNumber = (
  { cellW, cellH, columns }: { readonly cellW: number; readonly cellH: number; readonly columns: number },
  x: number,
  y: number,
): number => Math.floor(y / cellH) * columns + Math.floor(x / cellW)
