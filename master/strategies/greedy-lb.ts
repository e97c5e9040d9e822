/**
 * GreedyLB: plans every frame from scratch, giving the heaviest tile to the least loaded worker. "Understanding GreedyLB
 * and RefineLB Load Balancing Strategies", Charm++ tutorial slides, Algorithm 1.
 */
import { greedy } from './charm/greedy.ts'
import { type ObjectMemory, objectCellSize, planObjects, smallObjects } from './charm/object-plan.ts'
import { remembering } from './strategy.ts'

export const greedyLb = remembering<ObjectMemory>({
  name: 'greedy-lb',
  summary: 'small tiles, reassigned in every frame: always the heaviest to the least loaded worker',
  advice: 'best balance of its family if moving a tile costs nothing; nearly every tile moves in every frame',
  source: 'Charm++, "Understanding GreedyLB and RefineLB Load Balancing Strategies", Algorithm 1',
  reads: ['tile', 'cell'],
  cellSize: objectCellSize,
  smallTiles: smallObjects,
  plan: input =>
    planObjects({ start: 'nowhere', balance: ({ objects, processors }) => greedy(objects, processors) }, input),
})
