/**
 * The tree over lights as the kernel reads it: nodes with up to four children, which are tested at once. A node takes the place of the largest of its
 * children that are nodes by their children, until there are four.
 */
import type { Light } from '../../../../shared/scene/light.ts'
import type { KernelMemory } from '../memory.ts'
import { put, putHeader } from '../records/access.ts'
import { LIGHT_NODE, NO_LEAF, TREE_LIGHT } from '../records/light.ts'
import { type LightTree, type LightTreeNode, mostNodes } from './light-tree.ts'

const WIDTH = 4
/** Lights that are weaker than this share of all are chosen as if they were not: floats are not to underflow. */
const LEAST_SHARE = 1e-12
/** Boxes are larger by this share of their coordinates: floats round them. */
const PAD = 2 ** -22
const ALL_BITS = 0xffffffff

/** The most nodes of a tree over so many lights: a node with less than four children has leaves alone. */
export const mostWideNodes = (lights: number): number => Math.ceil(mostNodes(lights) / 3) + 1

interface WideNode {
  /** Numbers of nodes of the tree that it is made of. */
  readonly children: readonly number[]
  /** Where it is a child: its parent's number, times four, and the lane. */
  readonly parent: number
}

/** Writes it, and where leaves have each of the `count` lights that there may be, to where `place` has room. @param isMet whether rays can meet a light */
export function putLightTree(
  memory: KernelMemory,
  { tree: { nodes, order }, numbers, powers }: { tree: LightTree; numbers: Uint32Array; powers: Float64Array },
  count: number,
  isMet: (number: number) => boolean,
  place: (bytes: number) => number,
): void {
  const treeLights = place(order.length * TREE_LIGHT.bytes)
  const leaves = place(count * 4) >>> 2
  memory.words.fill(NO_LEAF, leaves, leaves + count)
  const hasLamps = new Uint8Array(nodes.length)
  // Children come after their parents.
  for (let i = nodes.length - 1; i >= 0; i--) {
    const { first, count, second, bounds } = nodes[i]!
    for (let at = first; at < first + count; at++) {
      const number = numbers[order[at]!]!
      put(memory, TREE_LIGHT, treeLights + at * TREE_LIGHT.bytes, { number, power: powers[order[at]!]! / bounds.power })
      if (isMet(number)) hasLamps[i] = 1
    }
    if (count === 0) hasLamps[i] = hasLamps[i + 1]! | hasLamps[second]!
  }
  const wide = widened(nodes)
  const lightTree = place(wide.length * LIGHT_NODE.bytes)
  const numberOf = new Map(wide.map(({ parent }, i) => [parent, i]))
  wide.forEach(({ children, parent }, i) => {
    const at = lightTree + i * LIGHT_NODE.bytes
    const own = children.map(child => nodes[child]!)
    put(memory, LIGHT_NODE, at, {
      ...lanesOf(own, nodes[0]!.bounds.power),
      lamps: children.map(child => (hasLamps[child] ? ALL_BITS : 0)),
      first: own.map((child, lane) => (child.count > 0 ? child.first : numberOf.get(i * WIDTH + lane)!)),
      count: own.map(child => child.count),
      parent,
      aimed: Number(own.some(({ bounds }) => bounds.cosine > -1)),
    })
    own.forEach((child, lane) => {
      for (let light = child.first; light < child.first + child.count; light++)
        memory.words[leaves + numbers[order[light]!]!] = i * WIDTH + lane
    })
  })
  putHeader(memory, { lightTree, treeLights, leaves: leaves * 4, lamps: hasLamps[0] ?? 0 })
}

/** Parents first. The root is in no lane. */
function widened(nodes: readonly LightTreeNode[]): WideNode[] {
  const wide: WideNode[] = []
  const sizes = new Uint32Array(nodes.length)
  for (let i = nodes.length - 1; i >= 0; i--) {
    const { count, second } = nodes[i]!
    sizes[i] = count > 0 ? 0 : 1 + sizes[i + 1]! + sizes[second]!
  }
  const add = (node: number, parent: number): void => {
    const children = [node]
    while (children.length < WIDTH) {
      const largest = children.reduce((best, child, i) => (sizes[child]! > sizes[children[best]!]! ? i : best), 0)
      const taken = children[largest]!
      if (sizes[taken] === 0) break
      children.splice(largest, 1, taken + 1, nodes[taken]!.second)
    }
    const number = wide.length
    wide.push({ children, parent })
    children.forEach((child, lane) => {
      if (sizes[child]! > 0) add(child, number * WIDTH + lane)
    })
  }
  if (nodes.length > 0) add(0, NO_LEAF)
  return wide
}

function lanesOf(children: readonly LightTreeNode[], total: number) {
  const each = (of: (bounds: LightTreeNode['bounds']) => number): number[] => children.map(({ bounds }) => of(bounds))
  const half = (axis: 0 | 1 | 2) => each(({ centre, half }) => half[axis] + PAD * (Math.abs(centre[axis]) + half[axis]))
  return {
    centreX: each(({ centre }) => centre[0]),
    centreY: each(({ centre }) => centre[1]),
    centreZ: each(({ centre }) => centre[2]),
    halfX: half(0),
    halfY: half(1),
    halfZ: half(2),
    axisX: each(({ axis }) => axis[0]),
    axisY: each(({ axis }) => axis[1]),
    axisZ: each(({ axis }) => axis[2]),
    cosine: each(({ cosine }) => cosine),
    sine: each(({ cosine }) => Math.sqrt(Math.max(0, 1 - cosine * cosine))),
    power: each(({ power }) => Math.max(LEAST_SHARE, power / total)),
    twoSided: each(({ isTwoSided }) => (isTwoSided ? ALL_BITS : 0)),
  }
}

/** Whether it is somewhere in the scene, and has a size. */
export const isLamp = (light: Light): boolean =>
  light.kind === 'rectangle' || (light.kind !== 'distant' && light.radius > 0)
