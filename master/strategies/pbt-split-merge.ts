/**
 * A Prediction Binary Tree modified in place: Cosenza, Cordasco, De Chiara, Erra & Scarano, "Load Balancing in Mesh-like
 * Computations using Prediction Binary Trees", ISPDC 2008 (Lin et al., §II.C). Before each frame, while it pays, the leaf that
 * took longest is cut in two; to free a worker for the second part, the two sibling leaves that took least together merge.
 * Everything else stays in place, with its worker.
 *
 * It pays as long as the merged pair will take less time than the heaviest leaf did. It also stops at a leaf of one pixel, and
 * after as many steps as there are leaves: costs within a leaf are only assumed to be even, and guesses based on guesses lead
 * nowhere. With workers of unequal speed, times are costs over speeds, a merged pair stays with the faster of its two workers,
 * and a leaf is cut by the speeds of its worker and of the one that helps, which means in halves if they are equal.
 */
import { area, frameRect } from '../../shared/frame/rect.ts'
import { screenCosts } from './pbt.ts'
import { sameWorkers } from './same-workers.ts'
import { type FrameInput, remembering, workingShares } from './strategy.ts'
import { plannedCosts } from './tiles/tile-costs.ts'
import {
  type ChangingTree,
  growTree,
  leavesOf,
  mergePair,
  plainTree,
  splitLeaf,
  type TreeNode,
} from './trees/changing-tree.ts'
import { cutTree, type SplitTree } from './trees/prediction-tree.ts'

export const pbtSplitMerge = remembering<SplitTree>({
  name: 'pbt-split-merge',
  summary: 'a Prediction Binary Tree changed in place: the heaviest leaf splits, the lightest siblings merge',
  advice:
    'moves few pixels from frame to frame, but its leaves are halves of halves, so the result is less even than pbt',
  source: 'Cosenza et al., "Load Balancing in Mesh-like Computations using Prediction Binary Trees", 2008',
  wantsCoverage: input => input.previous === undefined,
  plan(input) {
    const tree = lastTree(input)
    if (!tree) {
      const { tiles, tree } = cutTree(frameRect(input.size), workingShares(input.workers), screenCosts(input))
      return { tiles, memory: tree }
    }
    const moved = splitAndMerge(tree)
    const tiles = leavesOf(tree.root).map(({ rect, worker }) => ({ rect, worker: worker.id }))
    return { tiles, memory: plainTree(tree.root), decisions: { moved } }
  },
})

/** The previous frame's tree with the costs of its leaves; undefined if there is none, or if workers came or went. */
function lastTree({ size, workers, previous, clock }: FrameInput<SplitTree>): ChangingTree | undefined {
  const tree = previous?.plan.memory
  if (!previous || !tree || !sameWorkers(previous.workers, workers)) return undefined
  const costs = plannedCosts(previous, clock)
  const byId = new Map<string, (typeof workers)[number]>(workers.map(worker => [worker.id, worker]))
  return growTree(tree, frameRect(size), (worker, i) => ({ worker: byId.get(worker)!, cost: costs[i]! }))
}

/** Returns how many leaves were split, each paired with a merge. */
function splitAndMerge(tree: ChangingTree): number {
  const most = tree.leaves.size
  for (let steps = 0; steps < most; steps++) {
    const heaviest = slowest(tree.leaves)
    const pair = quickest(tree.pairs, heaviest)
    if (!pair || area(heaviest.rect) === 1 || mergedTime(pair) >= leafTime(heaviest)) return steps
    splitLeaf(tree, heaviest, mergePair(tree, pair))
  }
  return most
}

const leafTime = ({ cost, worker }: TreeNode): number => cost / worker.speed

function mergedTime({ parts }: TreeNode): number {
  const [a, b] = parts!
  return (a.cost + b.cost) / Math.max(a.worker.speed, b.worker.speed)
}

function slowest(leaves: Iterable<TreeNode>): TreeNode {
  let [found] = leaves
  for (const leaf of leaves) if (leafTime(leaf) > leafTime(found!)) found = leaf
  return found!
}

/** The pair that will take least time once merged; the one that contains `without` is excluded. */
function quickest(pairs: Iterable<TreeNode>, without: TreeNode): TreeNode | undefined {
  let found: TreeNode | undefined
  for (const pair of pairs)
    if (pair !== without.parent && (!found || mergedTime(pair) < mergedTime(found))) found = pair
  return found
}
