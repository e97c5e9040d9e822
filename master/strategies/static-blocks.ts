/**
 * The unbalanced baseline: equal contiguous rectangles, one per worker, regardless of cost (Lin et al., §II.B, Fig. I).
 * Speeds are ignored on purpose, except that a worker of speed 0 gets nothing.
 */
import { cutEvenly, frameRect, type Size } from '../../shared/frame/rect.ts'
import { type AreaShare, type PlannedTile, type Strategy, workingShares } from './strategy.ts'

export const staticBlocks: Strategy = {
  name: 'static-blocks',
  summary: 'equal contiguous rectangles, one per worker: the unbalanced baseline',
  advice: 'the baseline; good only if every part of the picture costs the same',
  source: 'Lin et al., "Dynamic Load Balancing Method Based on PBT Tree", §II.B, Fig. I',
  plan: ({ size, workers }) => ({ tiles: equalBlocks(size, workingShares(workers)) }),
}

/** One block per worker, row by row; with more workers than a grid of blocks can hold, the last ones get none. */
export function equalBlocks(size: Size, owners: readonly AreaShare[]): Required<Omit<PlannedTile, 'pattern'>>[] {
  const [columns, rows] = grid(size, owners.length)
  const rects = cutEvenly(frameRect(size), 'y', rows).flatMap(row => cutEvenly(row, 'x', columns))
  return rects.map((rect, i) => ({ rect, worker: owners[i]!.id }))
}

/** Columns × rows with exactly `count` blocks, as square as possible, or as many as there are pixels. */
function grid([w, h]: Size, count: number): [columns: number, rows: number] {
  const elongation = (columns: number) => Math.abs(Math.log(w / columns / (h / (count / columns))))
  const fitting = Array.from({ length: count }, (_, i) => i + 1).filter(
    columns => count % columns === 0 && columns <= w && count / columns <= h,
  )
  const best = fitting.sort((a, b) => elongation(a) - elongation(b))[0]
  // More workers than rows or columns can hold: as many as fit along both; the rest get none.
  return best ? [best, count / best] : fallbackGrid([w, h], count)
}

function fallbackGrid([w, h]: Size, count: number): [columns: number, rows: number] {
  const columns = Math.min(w, count)
  return [columns, Math.max(1, Math.min(h, Math.floor(count / columns)))]
}
