/**
 * GreedyLB followed by RefineLB: as in a Charm++ program started with both, the first decision based on measured loads is
 * greedy, followed by a refinement, and all later ones only refine. "Understanding GreedyLB and RefineLB Load Balancing
 * Strategies", Charm++ tutorial slides.
 */
import { greedyRefine } from './charm/greedy-refine.ts'
import { type ObjectMemory, objectCellSize, planObjects, smallObjects } from './charm/object-plan.ts'
import { refine } from './charm/refine.ts'
import { remembering } from './strategy.ts'

export const greedyRefineLb = remembering<ObjectMemory>({
  name: 'greedy-refine-lb',
  summary: 'greedy by the first measured costs, then refine: as balanced as greedy, and few tiles move later',
  advice: 'the best choice of its family if frames resemble each other',
  source: 'Charm++, "Understanding GreedyLB and RefineLB Load Balancing Strategies", GreedyLB followed by RefineLB',
  reads: ['tile', 'cell'],
  cellSize: objectCellSize,
  smallTiles: smallObjects,
  plan: input =>
    planObjects(
      {
        start: 'nowhere',
        balance: ({ objects, processors, settled }) => (settled ? refine : greedyRefine)(objects, processors),
      },
      input,
    ),
})
