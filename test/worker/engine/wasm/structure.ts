/** Reads the finished structure out of the kernel's memory, as `records/mesh.ts` describes it, and says what is wrong with it. */

import type { KernelMemory } from '../../../../worker/engine/wasm/memory.ts'
import { header, wordsTo } from '../../../../worker/engine/wasm/records/access.ts'
import { CHILD, GROUP, ID, NODE, SLAB, TRIANGLE4 } from '../../../../worker/engine/wasm/records/mesh.ts'

/** Lower and upper sides along x, y, z. */
export interface Box {
  readonly low: readonly number[]
  readonly high: readonly number[]
}

export interface Child {
  /** 0 to 3 in the first group, 4 to 7 in the second. */
  readonly lane: number
  readonly word: number
  readonly box: Box
}

export interface Node {
  readonly address: number
  /** The root is on level 1. */
  readonly level: number
  readonly children: readonly Child[]
}

/** A lane of a triangle4. */
export interface Slot {
  /** Undefined where the lane is unused. */
  readonly triangle: number | undefined
  readonly clear: boolean
  /** Nine coordinates. */
  readonly corners: readonly number[]
}

export const isTriangle4 = (word: number): boolean => (word & CHILD.triangle4) !== 0

/** All nodes that can be reached from the root. A node that is reached twice comes twice. */
export function* nodesOf(memory: KernelMemory): Generator<Node> {
  const open = [{ address: header(memory, 'root'), level: 1 }]
  for (let next = open.pop(); next; next = open.pop()) {
    const { address, level } = next
    const children = childrenOf(memory, address)
    yield { address, level, children }
    for (const { word } of children) if (!isTriangle4(word)) open.push({ address: word, level: level + 1 })
  }
}

function childrenOf({ words, floats }: KernelMemory, node: number): Child[] {
  return [0, 1, 2, 3, 4, 5, 6, 7].flatMap(lane => {
    const at = (node + (lane >> 2) * GROUP.bytes + (lane & 3) * 4) >> 2
    const word = words[at + wordsTo(GROUP, 'children')]!
    const low = [0, 4, 8].map(k => floats[at + k]!)
    const high = [0, 4, 8].map(k => floats[at + SLAB.otherSide / 4 + k]!)
    const nothing = low.every(x => x === Number.POSITIVE_INFINITY) && high.every(x => x === Number.NEGATIVE_INFINITY)
    if (word === 0 && !nothing) throw new Error(`node ${node}: lane ${lane} has a box and no child`)
    return word === 0 ? [] : [{ lane, word, box: { low, high } }]
  })
}

/** The four lanes of the triangle4 that a child word names. */
export function slotsOf({ words, floats }: KernelMemory, word: number): Slot[] {
  return [0, 1, 2, 3].map(lane => {
    const at = ((word - CHILD.triangle4) >> 2) + lane
    const id = words[at + wordsTo(TRIANGLE4, 'id')]!
    const corners = [0, 1, 2, 3, 4, 5, 6, 7, 8].map(k => floats[at + 4 * k]!)
    return { triangle: id === ID.mask ? undefined : id & ID.mask, clear: (id & ID.clear) !== 0, corners }
  })
}

/**
 * What contradicts the layout or the promises of the builder, at most some of it; `cornersOf` gives a triangle's nine
 * coordinates.
 */
export function faultsOf(memory: KernelMemory, triangles: number, cornersOf: (triangle: number) => number[]): string[] {
  const faults: string[] = []
  const seen = new Int32Array(triangles)
  const boxes = new Map<number, Box>()
  const triangle4s = new Set<number>()
  const structure = header(memory, 'structure')
  const firstTriangle4 = structure + header(memory, 'nodeCount') * NODE.bytes
  const end = firstTriangle4 + header(memory, 'triangle4Count') * TRIANGLE4.bytes
  let nodes = 0
  let depth = 0
  for (const { address, level, children } of nodesOf(memory)) {
    nodes++
    depth = Math.max(depth, level)
    faults.push(...laneFaults(children), ...orderFaults(children))
    const own = boxes.get(address)
    for (const { word, box } of children) {
      const name = `child ${word} of node ${address}`
      if (own && !isWithin(box, own)) faults.push(`${name} is not within its parent`)
      if (!isTriangle4(word)) {
        if (word % NODE.bytes !== structure % NODE.bytes || word <= address || word >= firstTriangle4)
          faults.push(`${name} is no node behind its parent`)
        if (boxes.has(word)) faults.push(`${name} has two parents`)
        boxes.set(word, box)
        continue
      }
      const triangle4 = word - CHILD.triangle4
      if (
        triangle4 < firstTriangle4 ||
        triangle4 >= end ||
        (triangle4 - firstTriangle4) % TRIANGLE4.bytes !== 0 ||
        triangle4 % 32 !== 0
      )
        faults.push(`${name} is no triangle4`)
      if (triangle4s.has(triangle4)) faults.push(`${name} has two parents`)
      triangle4s.add(triangle4)
      const slots = slotsOf(memory, word)
      if (slots[0]!.triangle === undefined) faults.push(`${name} is empty`)
      for (const { triangle, corners, clear } of slots) {
        if (triangle === undefined) {
          // Its corners lie at one place: that of a triangle in the triangle4, so that it widens no box.
          const place = slots[0]!.corners.slice(0, 3)
          if (clear || corners.some((x, k) => x !== place[k % 3])) faults.push(`${name}: an unused lane is a triangle`)
          continue
        }
        seen[triangle]!++
        const expected = cornersOf(triangle)
        if (corners.some((x, k) => x !== expected[k])) faults.push(`${name}: triangle ${triangle} has other corners`)
        if (!holds(box, corners)) faults.push(`${name}: triangle ${triangle} is not strictly within the box`)
      }
    }
    if (faults.length > 5) return faults
  }
  if (nodes !== header(memory, 'nodeCount')) faults.push(`found ${nodes} nodes`)
  if (triangle4s.size !== header(memory, 'triangle4Count')) faults.push(`found ${triangle4s.size} triangle4s`)
  if (depth !== header(memory, 'depth')) faults.push(`found ${depth} levels`)
  const wrong = seen.findIndex(times => times !== 1)
  if (wrong >= 0) faults.push(`triangle ${wrong} is in ${seen[wrong]} triangle4s`)
  return faults
}

/** Up to four children stand in the first group; of more, the first group has half, and the odd one. */
function laneFaults(children: readonly Child[]): string[] {
  const inFirst = children.length <= 4 ? children.length : Math.ceil(children.length / 2)
  const expected = children.map((_, i) => (i < inFirst ? i : 4 + i - inFirst))
  const lanes = children.map(({ lane }) => lane)
  return lanes.every((lane, i) => lane === expected[i]) ? [] : [`children stand in lanes ${lanes.join(' ')}`]
}

/** Along some axis, the middles of one group's children come before those of the other's; boxes were rounded since, so by a hair not. In a group, nodes come before triangle4s. */
function orderFaults(children: readonly Child[]): string[] {
  const groups = [children.filter(({ lane }) => lane < 4), children.filter(({ lane }) => lane >= 4)] as const
  const size = Math.max(...children.flatMap(({ box }) => [...box.low, ...box.high].map(Math.abs)))
  const [first, second] = groups.map(group => ({
    least: [0, 1, 2].map(axis => Math.min(...group.map(({ box }) => middleOf(box, axis)))),
    most: [0, 1, 2].map(axis => Math.max(...group.map(({ box }) => middleOf(box, axis)))),
  }))
  const isDivided = (axis: number) =>
    first!.most[axis]! <= second!.least[axis]! + size * 1e-5 || second!.most[axis]! <= first!.least[axis]! + size * 1e-5
  const isInOrder = (group: readonly Child[]) =>
    group.every(({ word }, i) => i === 0 || isTriangle4(word) || !isTriangle4(group[i - 1]!.word))
  return [0, 1, 2].some(isDivided) && groups.every(isInOrder) ? [] : ['children are not in order']
}

const middleOf = ({ low, high }: Box, axis: number): number => low[axis]! / 2 + high[axis]! / 2

const isWithin = (inner: Box, outer: Box): boolean =>
  inner.low.every((x, axis) => x >= outer.low[axis]!) && inner.high.every((x, axis) => x <= outer.high[axis]!)

const holds = (box: Box, corners: readonly number[]): boolean =>
  corners.every((x, k) => box.low[k % 3]! < x && x < box.high[k % 3]!)

/** Nodes and triangle4s that a random ray through the scene's box meets, by the surface area heuristic. */
export function expectedCost(memory: KernelMemory): { nodes: number; triangle4s: number } {
  let [all, nodes, triangle4s] = [0, 0, 0]
  for (const { level, children } of nodesOf(memory)) {
    if (level === 1) {
      const side = (pick: (axis: number) => number[]) => [0, 1, 2].map(axis => pick(axis))
      const low = side(axis => children.map(({ box }) => box.low[axis]!)).map(xs => Math.min(...xs))
      const high = side(axis => children.map(({ box }) => box.high[axis]!)).map(xs => Math.max(...xs))
      all = areaOf({ low, high })
      nodes += all
    }
    for (const { word, box } of children) {
      if (isTriangle4(word)) triangle4s += areaOf(box)
      else nodes += areaOf(box)
    }
  }
  return { nodes: nodes / all, triangle4s: triangle4s / all }
}

function areaOf({ low, high }: Box): number {
  const [x, y, z] = high.map((h, axis) => h - low[axis]!) as [number, number, number]
  return x * y + y * z + z * x
}
