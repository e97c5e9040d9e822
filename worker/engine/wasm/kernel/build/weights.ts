/**
 * The cheapest eight-wide tree (`costs.ts`), where a node costs as much as rays visit it. Few rays are counted (`visits.ts`), and only at the top of a tree do they tell much. So
 * a node's weight is shared out between its children as if it had been visited PRIOR times more, each time going to a child with the odds of areas:
 *
 *     W(child) = W(n) · (visits(child) + PRIOR · area(child) / area(n)) / (visits(n) + PRIOR)
 *
 * Where no ray has come, weights are areas, as in the surface area heuristic.
 *
 * Threads share the work by subtrees: weights go down the top of a tree, then subtrees are weighed, each by one thread, then costs go up again.
 */
import { TREE_NODE_BYTES } from './chunks'
import { isLeaf } from './collapse'
import { COST_BYTES, COST_PAD, innerCosts, leafCosts, padCosts } from './costs'
import { DONE_WEIGHED, NEXT_WEIGHED, TOP_COSTS, TOP_END, TOP_NODES } from './state'
import { highOf, lowOf, relativeArea, scaleOf, TREE_KIND, TREE_LINK } from './tree'
import { childCosts, padChildCosts } from './workspace'

const PRIOR: f32 = 20
/** Top nodes that a thread takes at a time. */
const PART: u32 = 16

/** Weighs the nodes at the top, of which the first `trees` are roots. Until a top node's costs are known, its weight is in their place. */
export function weighTop(state: u32, trees: u32): void {
  const root = load<u32>(state, TOP_NODES)
  const end = load<u32>(state, TOP_END)
  for (let i: u32 = 0; i < trees; i++) store<f32>(topCosts(state, root + i * TREE_NODE_BYTES), 1)
  for (let node = root; node < end; node += TREE_NODE_BYTES) {
    if (!isAbove(node, end)) continue
    const left = load<u32>(node, TREE_LINK)
    const weights = weightsBelow(node, left, load<f32>(topCosts(state, node)))
    store<f32>(topCosts(state, left), f32x4.extract_lane(weights, 0))
    store<f32>(topCosts(state, left + TREE_NODE_BYTES), f32x4.extract_lane(weights, 1))
  }
}

/** Makes the choices of subtrees until none are left; true for the thread that completes the last ones. */
export function helpToWeigh(state: u32, workspace: u32): bool {
  const root = load<u32>(state, TOP_NODES)
  const end = load<u32>(state, TOP_END)
  const count = (end - root) / TREE_NODE_BYTES
  padChildCosts(workspace)
  while (true) {
    const first = atomic.add<u32>(state, PART, NEXT_WEIGHED)
    if (first >= count) return false
    const last = min(first + PART, count)
    for (let i = first; i < last; i++) {
      const node = root + i * TREE_NODE_BYTES
      if (isAbove(node, end)) continue
      const costs = topCosts(state, node)
      const weight = load<f32>(costs)
      padCosts(costs)
      choose(workspace, node, weight, 0, costs)
    }
    if (atomic.add<u32>(state, last - first, DONE_WEIGHED) + last - first == count) return true
  }
}

/** Makes the choices of the nodes above all subtrees. Children come after their parents, so a backward loop visits them first. */
export function chooseTop(state: u32): void {
  const root = load<u32>(state, TOP_NODES)
  const end = load<u32>(state, TOP_END)
  for (let node = end - TREE_NODE_BYTES; node >= root; node -= TREE_NODE_BYTES) {
    if (!isAbove(node, end)) continue
    const costs = topCosts(state, node)
    const left = load<u32>(node, TREE_LINK)
    const weight = load<f32>(costs)
    padCosts(costs)
    store<u32>(node, innerCosts(costs, topCosts(state, left), topCosts(state, left + TREE_NODE_BYTES), weight), TREE_KIND)
  }
}

/** Makes the choices of a subtree, `depth` levels below its root, from the leaves up. */
function choose(workspace: u32, node: u32, weight: f32, depth: u32, costs: u32): void {
  if (isLeaf(node)) {
    leafCosts(costs)
    return
  }
  const left = load<u32>(node, TREE_LINK)
  const leftCosts = childCosts(workspace, depth)
  const rightCosts = leftCosts + COST_BYTES
  const weights = weightsBelow(node, left, weight)
  choose(workspace, left, f32x4.extract_lane(weights, 0), depth + 1, leftCosts)
  choose(workspace, left + TREE_NODE_BYTES, f32x4.extract_lane(weights, 1), depth + 1, rightCosts)
  store<u32>(node, innerCosts(costs, leftCosts, rightCosts, weight), TREE_KIND)
}

/** Weights of a node's children, in lanes 0 and 1. */
@inline
function weightsBelow(node: u32, left: u32, weight: f32): v128 {
  const scale = scaleOf(node)
  const perVisit = weight / (<f32>load<u32>(node, TREE_KIND) + PRIOR)
  const perArea = PRIOR / relativeArea(lowOf(node), highOf(node), scale)
  const right = left + TREE_NODE_BYTES
  const ofLeft = visitsOf(left) + perArea * relativeArea(lowOf(left), highOf(left), scale)
  const ofRight = visitsOf(right) + perArea * relativeArea(lowOf(right), highOf(right), scale)
  return f32x4.mul(f32x4(ofLeft, ofRight, 0, 0), f32x4.splat(perVisit))
}

/** Those of leaves are not counted: all have the same cost. */
@inline
function visitsOf(node: u32): f32 {
  return isLeaf(node) ? 0 : <f32>load<u32>(node, TREE_KIND)
}

/** Whether a top node's children are top nodes, too. */
@inline
function isAbove(node: u32, end: u32): bool {
  const left = load<u32>(node, TREE_LINK)
  return left > node && left < end
}

/** Address of the cost block of a top node. */
@inline
function topCosts(state: u32, node: u32): u32 {
  return load<u32>(state, TOP_COSTS) + (node - load<u32>(state, TOP_NODES)) * (COST_BYTES / TREE_NODE_BYTES) + COST_PAD
}
