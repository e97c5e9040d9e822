/**
 * The tree over lights as the kernel reads it: nodes with up to four children, which are tested at once. A node takes the place of the largest of its
 * children that are nodes by their children, until there are four.
 */
import type { Light } from '../../../../shared/scene/light.ts'
import type { KernelMemory } from '../memory.ts'
import { put, putHeader } from '../records/access.ts'
import { LIGHT_BOX, LIGHT_CONE, LIGHT_NODE, NO_LEAF, TREE_LIGHT } from '../records/light.ts'
import { type LightTree, type LightTreeNode, mostNodes } from './light-tree.ts'

const WIDTH = 4
/** Lights that are weaker than this share of all are chosen as if they were not: floats are not to underflow. */
const LEAST_SHARE = 1e-12
/** Boxes are larger by this share of their coordinates: floats round them. */
const PAD = 2 ** -22
/** Squared distances to a light are between these: floats neither overflow nor underflow. */
const LEAST_SQUARE = 1e-24
const MOST_SQUARE = 1e24
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
  const lightBoxes = place(wide.length * LIGHT_BOX.bytes)
  const lightCones = place(wide.length * LIGHT_CONE.bytes)
  const numberOf = new Map(wide.map(({ parent }, i) => [parent, i]))
  wide.forEach(({ children, parent }, i) => {
    const own = children.map(child => nodes[child]!)
    put(memory, LIGHT_BOX, lightBoxes + i * LIGHT_BOX.bytes, {
      ...boxesOf(own),
      lamps: children.map(child => (hasLamps[child] ? ALL_BITS : 0)),
    })
    put(memory, LIGHT_CONE, lightCones + i * LIGHT_CONE.bytes, conesOf(own))
    put(memory, LIGHT_NODE, lightTree + i * LIGHT_NODE.bytes, {
      ...lanesOf(own, nodes[0]!.bounds.power),
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
  putHeader(memory, { lightTree, lightBoxes, lightCones, treeLights, leaves: leaves * 4, lamps: hasLamps[0] ?? 0 })
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

type Bounds = LightTreeNode['bounds']

const each = (children: readonly LightTreeNode[], of: (bounds: Bounds) => number): number[] =>
  children.map(({ bounds }) => of(bounds))

const paddedHalf = ({ centre, half }: Bounds, axis: 0 | 1 | 2): number =>
  half[axis] + PAD * (Math.abs(centre[axis]) + half[axis])

function lanesOf(children: readonly LightTreeNode[], total: number) {
  const square = each(children, bounds => {
    const [x, y, z] = [paddedHalf(bounds, 0), paddedHalf(bounds, 1), paddedHalf(bounds, 2)]
    return Math.min(MOST_SQUARE, Math.max(LEAST_SQUARE, (x * x + y * y + z * z) * (1 + PAD)))
  })
  return {
    centreX: each(children, ({ centre }) => centre[0]),
    centreY: each(children, ({ centre }) => centre[1]),
    centreZ: each(children, ({ centre }) => centre[2]),
    // It is divided by also where there is no child.
    square: Array.from({ length: WIDTH }, (_, lane) => square[lane] ?? LEAST_SQUARE),
    power: each(children, ({ power }) => Math.max(LEAST_SHARE, power / total)),
  }
}

const boxesOf = (children: readonly LightTreeNode[]) => ({
  halfX: each(children, bounds => paddedHalf(bounds, 0)),
  halfY: each(children, bounds => paddedHalf(bounds, 1)),
  halfZ: each(children, bounds => paddedHalf(bounds, 2)),
})

const conesOf = (children: readonly LightTreeNode[]) => ({
  axisX: each(children, ({ axis }) => axis[0]),
  axisY: each(children, ({ axis }) => axis[1]),
  axisZ: each(children, ({ axis }) => axis[2]),
  cosine: each(children, ({ cosine }) => cosine),
  sine: each(children, ({ cosine }) => Math.sqrt(Math.max(0, 1 - cosine * cosine))),
  twoSided: each(children, ({ isTwoSided }) => (isTwoSided ? ALL_BITS : 0)),
})

/** Whether it is somewhere in the scene, and has a size. */
export const isLamp = (light: Light): boolean =>
  light.kind === 'rectangle' || (light.kind !== 'distant' && light.radius > 0)
