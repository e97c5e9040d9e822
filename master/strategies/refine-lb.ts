/**
 * RefineLB: tiles stay with their workers, except for some of those of overloaded workers. "Understanding GreedyLB and
 * RefineLB Load Balancing Strategies", Charm++ tutorial slides, RefineLB.
 */
import { type ObjectMemory, objectCellSize, planObjects, smallObjects } from './charm/object-plan.ts'
import { refine } from './charm/refine.ts'
import { remembering } from './strategy.ts'

export const refineLb = remembering<ObjectMemory>({
  name: 'refine-lb',
  summary: 'small tiles that stay, but overloaded workers give some to workers below the average',
  advice: 'few tiles move; needs many tiles per worker, and some frames after a cut',
  source: 'Charm++, "Understanding GreedyLB and RefineLB Load Balancing Strategies", RefineLB',
  reads: ['tile', 'cell'],
  cellSize: objectCellSize,
  smallTiles: smallObjects,
  plan: input =>
    planObjects({ start: 'blocks', balance: ({ objects, processors }) => refine(objects, processors) }, input),
})
