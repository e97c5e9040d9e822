/**
 * A Prediction Binary Tree that is changed in place: Cosenza, Cordasco, De Chiara, Erra & Scarano, "Load Balancing in
 * Mesh-like Computations using Prediction Binary Trees", ISPDC 2008 (Lin et al., §II.C). Before each frame, while it pays, the
 * leaf that took longest is cut in two, and to have a worker for the second part the two sibling leaves that took least
 * together become one. Everything else stays where it was, with who had it.
 *
 * It pays as long as the merged pair will take less than the heaviest leaf did. There it stops; also at a leaf of one pixel,
 * and after as many steps as there are leaves: costs within a leaf are only spread, and guesses at guesses get nowhere.
 * Among workers of unequal speed times are costs over speeds, a merged pair stays with the faster of its two, and a leaf is
 * cut by the speeds of its worker and of the one who comes to help, which among equals is in halves.
 */
import { area, frameRect } from '../../shared/rect.ts'
import {
  type ChangingTree,
  growTree,
  leavesOf,
  mergePair,
  plainTree,
  splitLeaf,
  type TreeNode,
} from './changing-tree.ts'
import { screenCosts } from './pbt.ts'
import { cutTree, type SplitTree } from './prediction-tree.ts'
import { sameWorkers } from './same-workers.ts'
import { type FrameInput, remembering, workingShares } from './strategy.ts'
import { plannedCosts } from './tile-costs.ts'

export const pbtSplitMerge = remembering<SplitTree>({
  name: 'pbt-split-merge',
  summary: 'a Prediction Binary Tree changed in place: the heaviest leaf splits, the lightest siblings merge',
  advice:
    'moves few pixels from frame to frame, but its leaves are halves of halves, so that it ends less even than pbt',
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

/** The tree of the frame before with what its leaves cost; undefined where there is none, or workers came or went. */
function lastTree({ size, workers, previous, clock }: FrameInput<SplitTree>): ChangingTree | undefined {
  const tree = previous?.plan.memory
  if (!previous || !tree || !sameWorkers(previous.workers, workers)) return undefined
  const costs = plannedCosts(previous, clock)
  const byId = new Map<string, (typeof workers)[number]>(workers.map(worker => [worker.id, worker]))
  return growTree(tree, frameRect(size), (worker, i) => ({ worker: byId.get(worker)!, cost: costs[i]! }))
}

/** Answers how many leaves were split, each for a pair that merged. */
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

/** The pair that will take least when it is merged; the one that holds `without` is none. */
function quickest(pairs: Iterable<TreeNode>, without: TreeNode): TreeNode | undefined {
  let found: TreeNode | undefined
  for (const pair of pairs)
    if (pair !== without.parent && (!found || mergedTime(pair) < mergedTime(found))) found = pair
  return found
}
