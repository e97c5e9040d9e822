/** Checks that the nodes of a glTF document form trees: loaders follow them without looking. */
import { BadMeshError } from '../../errors.ts'
import type { Gltf } from './gltf-schema.ts'

/** Deepest nesting of nodes: loaders and matrices are recursive. */
const DEEPEST = 1000

/** Every node has at most one parent and is not its own ancestor; scenes begin with nodes that have none. @throws BadMeshError */
export function checkTree({ nodes, scenes = [] }: Gltf, path: string): void {
  const refuse = (part: string, problem: string): never => {
    throw new BadMeshError(path, `${part}: expected ${problem}`)
  }
  const parents = new Int32Array(nodes.length).fill(-1)
  nodes.forEach(({ children = [] }, parent) => {
    for (const child of children) {
      if (parents[child] !== -1) refuse(`node ${child}`, `one parent, got nodes ${parents[child]} and ${parent}`)
      parents[child] = parent
    }
  })
  const depths = new Int32Array(nodes.length)
  const roots = nodes.flatMap((_, i) => (parents[i] === -1 ? [i] : []))
  let reached = 0
  for (let at = roots.pop(); at !== undefined; at = roots.pop()) {
    reached++
    if (depths[at]! > DEEPEST) refuse(`node ${at}`, `nodes nested at most ${DEEPEST} deep, got more`)
    for (const child of nodes[at]!.children ?? []) {
      depths[child] = depths[at]! + 1
      roots.push(child)
    }
  }
  if (reached < nodes.length) {
    // What no root leads to is a cycle or hangs on one: going up for long enough ends in it.
    let inCycle = parents.findIndex((parent, i) => parent !== -1 && depths[i] === 0)
    for (let steps = 0; steps < nodes.length; steps++) inCycle = parents[inCycle]!
    let first = inCycle
    for (let at = parents[inCycle]!; at !== inCycle; at = parents[at]!) first = Math.min(first, at)
    refuse(`node ${first}`, 'nodes that form a tree, got a node that contains itself')
  }
  scenes.forEach(({ nodes = [] }, i) => {
    const inner = nodes.find(node => parents[node] !== -1)
    if (inner !== undefined) refuse(`scene ${i}`, `nodes without a parent, got node ${inner} of node ${parents[inner]}`)
  })
}
