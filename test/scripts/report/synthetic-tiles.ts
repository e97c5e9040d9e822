/**
 * Who gets what in a run made of numbers: a bright body wanders over the screen and costs most where it is; some share
 * the screen blindly, some by what the frame before cost, some by what this one will. Exact and repeatable.
 */
import type { PixelSet } from '../../../shared/frame/pixel-set.ts'
import { area, longerAxis, type Rect, type Size, splitRect } from '../../../shared/frame/rect.ts'

export const sizePx: Size = [640, 360]
const FRAME: Rect = { x: 0, y: 0, w: sizePx[0], h: sizePx[1] }

/** `equal` blocks, `by-cost` cuts, a few tiles in `pieces`, `dealt` in turn, `packed` cells, a `queue` of small tiles, `probed` cuts. */
export type Cutting = 'equal' | 'by-cost' | 'pieces' | 'dealt' | 'packed' | 'queue' | 'probed' | 'alone'

export interface SyntheticTile extends PixelSet {
  /** Number of the worker; absent: whoever is free. */
  readonly worker?: number
  /** Before its worker can begin, everybody has to be done with these. */
  readonly probe?: true
}

const CELL = 20
const COLUMNS = sizePx[0] / CELL
const CELLS: readonly Rect[] = Array.from({ length: COLUMNS * (sizePx[1] / CELL) }, (_, i) => ({
  x: (i % COLUMNS) * CELL,
  y: Math.floor(i / COLUMNS) * CELL,
  w: CELL,
  h: CELL,
}))

/** The tiles of a frame, a partition of it. */
export function share(cutting: Cutting, workers: number, frame: number): SyntheticTile[] {
  // An estimate that is one frame late, as a balancer's is; the first frame knows nothing.
  const late = frame === 0 ? () => 1 : (x: number, y: number) => density(x, y, frame - 1)
  switch (cutting) {
    case 'alone':
      return [{ rect: FRAME, worker: 0 }]
    case 'equal':
      return cut(FRAME, workers, () => 1).map((rect, worker) => ({ rect, worker }))
    case 'by-cost':
      return cut(FRAME, workers, late).map((rect, worker) => ({ rect, worker }))
    case 'pieces':
      return cut(FRAME, 4 * workers, () => 1).map((rect, i) => ({ rect, worker: (i * 7 + frame) % workers }))
    case 'dealt': {
      const strided = { kind: 'strided', cellW: CELL, cellH: CELL, columns: COLUMNS, stride: workers } as const
      const dealt = Math.min(workers, CELLS.length)
      return Array.from({ length: dealt }, (_, phase) => ({
        rect: FRAME,
        pattern: { ...strided, phase },
        worker: phase,
      }))
    }
    case 'packed':
      return pack(workers, late).map((cells, worker) => ({
        rect: FRAME,
        pattern: { kind: 'cells', cellW: CELL, cellH: CELL, columns: COLUMNS, cells },
        worker,
      }))
    case 'queue':
      return CELLS.map(rect => ({ rect }))
    case 'probed': {
      const lattice = { stepX: 8, stepY: 8, dx: 4, dy: 4 }
      const known = cut(FRAME, workers, (x, y) => density(x, y, frame))
      const gaps = known.map((rect, worker) => ({
        rect,
        worker,
        ...(frame === 0 ? { pattern: { kind: 'gaps', ...lattice } as const } : {}),
      }))
      if (frame > 0) return gaps
      const rows = Math.min(workers, 45)
      const probes = Array.from({ length: rows }, (_, row) => ({
        rect: FRAME,
        pattern: { kind: 'lattice', stepX: 8, stepY: 8 * rows, dx: 4, dy: 4 + 8 * row } as const,
        worker: row,
        probe: true as const,
      }))
      return [...probes, ...gaps]
    }
  }
}

/** What a set of pixels costs, in frames of density 1. */
export function costOf({ rect, pattern }: PixelSet, frame: number): number {
  const all = (x: number, y: number) => density(x, y, frame)
  if (!pattern) return integral(rect, all)
  switch (pattern.kind) {
    case 'gaps':
      return (integral(rect, all) * 63) / 64
    case 'lattice':
      return integral(rect, all) / (pattern.stepX * pattern.stepY)
    case 'strided':
      return sum(CELLS.filter((_, i) => i % pattern.stride === pattern.phase).map(cell => centre(cell, all)))
    case 'cells':
      return sum(pattern.cells.map(i => centre(CELLS[i]!, all)))
    case 'mask':
      throw new Error('no adaptive frame is synthesised')
  }
}

/** Cost density over the unit square: a floor for empty sky, and two lobes that move. */
export function density(x: number, y: number, frame: number): number {
  const cx = 0.42 + 0.16 * Math.sin(frame / 5)
  const cy = 0.55 + 0.08 * Math.cos(frame / 4)
  const body = 11 * Math.exp(-(((x - cx) / 0.16) ** 2 + ((y - cy) / 0.2) ** 2))
  const tail = 5 * Math.exp(-(((x - cx - 0.2) / 0.1) ** 2 + ((y - cy + 0.1) / 0.1) ** 2))
  return 0.5 + body + tail
}

type Density = (x: number, y: number) => number

function cut(rect: Rect, parts: number, density: Density): Rect[] {
  if (parts === 1 || area(rect) === 1) return [rect]
  const axis = longerAxis(rect)
  const length = axis === 'x' ? rect.w : rect.h
  const left = Math.floor(parts / 2)
  const total = integral(rect, density)
  let [low, high] = [1, length - 1]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (integral(splitRect(rect, axis, middle)[0], density) < (total * left) / parts) low = middle + 1
    else high = middle
  }
  const [first, second] = splitRect(rect, axis, low)
  return [...cut(first, left, density), ...cut(second, parts - left, density)]
}

/** Heaviest cell first, to whoever has least. */
function pack(workers: number, density: Density): number[][] {
  const loads = Array.from({ length: Math.min(workers, CELLS.length) }, () => 0)
  const owned = loads.map((): number[] => [])
  const costs = CELLS.map(cell => centre(cell, density))
  for (const i of costs.map((_, i) => i).sort((a, b) => costs[b]! - costs[a]!)) {
    const least = loads.indexOf(Math.min(...loads))
    loads[least]! += costs[i]!
    owned[least]!.push(i)
  }
  return owned.map(cells => cells.sort((a, b) => a - b))
}

/** Midpoint rule on 8 × 8 samples, in shares of the screen. */
function integral(rect: Rect, density: Density): number {
  let sum = 0
  for (let i = 0; i < 8; i++) {
    for (let j = 0; j < 8; j++) {
      sum += density((rect.x + (rect.w * (i + 0.5)) / 8) / sizePx[0], (rect.y + (rect.h * (j + 0.5)) / 8) / sizePx[1])
    }
  }
  return (sum / 64) * (area(rect) / area(FRAME))
}

const centre = (rect: Rect, density: Density): number =>
  (density((rect.x + rect.w / 2) / sizePx[0], (rect.y + rect.h / 2) / sizePx[1]) * area(rect)) / area(FRAME)

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
