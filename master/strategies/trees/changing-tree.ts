/**
 * A Prediction Binary Tree under modification: leaves split, and pairs of sibling leaves merge. Which leaf and which
 * pair, and when to stop, is up to the strategy (`pbt-split-merge`).
 */

import { extent, longerAxis, type Rect, splitRect } from '../../../shared/frame/rect.ts'
import { areaId } from '../../../shared/ids.ts'
import type { AreaShare } from '../strategy.ts'
import type { SplitTree } from './prediction-tree.ts'

export interface TreeNode {
  readonly rect: Rect
  readonly parent: TreeNode | undefined
  /** Leaves only: the worker that traces it, and its expected cost, ms of a worker of speed 1. */
  worker: AreaShare
  cost: number
  /** Branches only. */
  parts: readonly [TreeNode, TreeNode] | undefined
}

export interface ChangingTree {
  readonly root: TreeNode
  readonly leaves: Set<TreeNode>
  /** Branches over two leaves. */
  readonly pairs: Set<TreeNode>
}

/** `leafAt` is called for the leaves from left to right. */
export function growTree(
  tree: SplitTree,
  rect: Rect,
  leafAt: (worker: string, number: number) => Pick<TreeNode, 'worker' | 'cost'>,
): ChangingTree {
  const leaves = new Set<TreeNode>()
  const pairs = new Set<TreeNode>()
  const grow = (from: SplitTree, rect: Rect, parent: TreeNode | undefined): TreeNode => {
    if (!('parts' in from)) {
      const leaf = { rect, parent, parts: undefined, ...leafAt(from.worker, leaves.size) }
      leaves.add(leaf)
      return leaf
    }
    const [left, right] = splitRect(rect, from.axis, from.at - rect[from.axis])
    const node: TreeNode = { rect, parent, worker: NO_AREA, cost: 0, parts: undefined }
    node.parts = [grow(from.parts[0], left, node), grow(from.parts[1], right, node)]
    if (isPair(node)) pairs.add(node)
    return node
  }
  return { root: grow(tree, rect, undefined), leaves, pairs }
}

/** Merges a pair into a leaf. The faster of its workers keeps the leaf; the other is returned. */
export function mergePair({ leaves, pairs }: ChangingTree, pair: TreeNode): AreaShare {
  const [a, b] = pair.parts!
  const [kept, freed] = a.worker.speed >= b.worker.speed ? [a, b] : [b, a]
  pair.worker = kept.worker
  pair.cost = a.cost + b.cost
  pair.parts = undefined
  leaves.delete(a)
  leaves.delete(b)
  leaves.add(pair)
  pairs.delete(pair)
  if (pair.parent && isPair(pair.parent)) pairs.add(pair.parent)
  return freed.worker
}

/** Gives part of a leaf to a second worker, by the speeds of both; the leaf's cost is assumed to be evenly distributed. */
export function splitLeaf({ leaves, pairs }: ChangingTree, leaf: TreeNode, second: AreaShare): void {
  const { rect, worker, cost } = leaf
  const axis = longerAxis(rect)
  const length = extent(rect, axis)
  const wanted = Math.round((length * worker.speed) / (worker.speed + second.speed))
  const lines = Math.min(Math.max(wanted, 1), length - 1)
  const [left, right] = splitRect(rect, axis, lines)
  const a: TreeNode = { rect: left, parent: leaf, worker, cost: (cost * lines) / length, parts: undefined }
  const b: TreeNode = { rect: right, parent: leaf, worker: second, cost: cost - a.cost, parts: undefined }
  leaf.parts = [a, b]
  leaves.delete(leaf)
  leaves.add(a)
  leaves.add(b)
  pairs.add(leaf)
  if (leaf.parent) pairs.delete(leaf.parent)
}

/** The tree as plain data. */
export function plainTree({ worker, parts }: TreeNode): SplitTree {
  if (!parts) return { worker: worker.id }
  const [a, b] = parts
  const axis = a.rect.x === b.rect.x ? 'y' : 'x'
  return { axis, at: b.rect[axis], parts: [plainTree(a), plainTree(b)] }
}

/** The leaves of a tree from left to right. */
export const leavesOf = (node: TreeNode): TreeNode[] => (node.parts ? node.parts.flatMap(leavesOf) : [node])

const isPair = ({ parts }: TreeNode): boolean => parts?.every(part => !part.parts) === true

/** Branches have no worker. */
const NO_AREA: AreaShare = { id: areaId(''), speed: 0 }
