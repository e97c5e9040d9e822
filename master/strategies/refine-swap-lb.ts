/**
 * RefineSwapLB: like RefineLB, but workers that can give nothing away exchange a tile for a lighter one. "Understanding
 * GreedyLB and RefineLB Load Balancing Strategies", Charm++ tutorial slides, RefineSwap.
 */
import { type ObjectMemory, objectCellSize, planObjects, smallObjects } from './charm/object-plan.ts'
import { refineSwap } from './charm/refine-swap.ts'
import { remembering } from './strategy.ts'

export const refineSwapLb = remembering<ObjectMemory>({
  name: 'refine-swap-lb',
  summary: 'like refine-lb, but swaps tiles if none can be given away',
  advice: 'instead of refine-lb if workers have few tiles each',
  source: 'Charm++, "Understanding GreedyLB and RefineLB Load Balancing Strategies", RefineSwapLB',
  reads: ['tile', 'cell'],
  cellSize: objectCellSize,
  smallTiles: smallObjects,
  plan: input =>
    planObjects({ start: 'blocks', balance: ({ objects, processors }) => refineSwap(objects, processors) }, input),
})
