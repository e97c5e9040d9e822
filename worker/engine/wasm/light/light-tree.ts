/**
 * A tree over the lights in a scene, by which next-event estimation chooses one for a point: at every node the child that lights it more, by
 * bounds on distance and orientation (Conty Estevez and Kulla, "Importance Sampling of Many Lights with Adaptive Tree Splitting", Proc. ACM
 * on Computer Graphics and Interactive Techniques 1(2), 2018). Only + − × ÷ √, so that every machine builds the same.
 */
import { LIGHT_LEVELS } from '../records/light.ts'
import { type Axis3, type LightBounds, type LightList, united } from './light-bounds.ts'

export interface LightTree {
  /** Depth first: the first child of an inner node follows it, and parents come before their children. */
  readonly nodes: readonly LightTreeNode[]
  /** What the leaves consist of, by their ranges: positions in the list that the tree was built of. */
  readonly order: Uint32Array
}

export interface LightTreeNode {
  readonly bounds: LightBounds
  readonly parent: number
  /** Of an inner node: its second child. */
  readonly second: number
  /** Of a leaf: where it begins in the order, and of how many lights it is; an inner node has 0. */
  readonly first: number
  readonly count: number
}

/** Cells along an axis, between which a node may be split. */
const CELLS = 12
/** More lights share leaves. */
const MOST_ALONE = 2 ** 15
/** From this level on nodes are halved: of so many leaves, there are less than 17 levels then. */
const DEEP = LIGHT_LEVELS - 17

/** Nodes of a tree over so many lights, at most. */
export const mostNodes = (lights: number): number => Math.min(2 * lights, 4 * MOST_ALONE)

/** @param lights all of some power */
export function lightTree(lights: LightList): LightTree {
  const order = Uint32Array.from({ length: lights.count }, (_, i) => i)
  const nodes: LightTreeNode[] = []
  const leaf = Math.ceil(lights.count / MOST_ALONE)
  const build = (from: number, to: number, parent: number, level: number): LightBounds => {
    const at = nodes.length
    const own = order.subarray(from, to)
    if (to - from <= leaf) {
      const bounds = own.reduce<LightBounds | undefined>((sum, i) => united(sum, lights.get(i)), undefined)!
      nodes.push({ bounds, parent, second: 0, first: from, count: to - from })
      return bounds
    }
    const middle = from + (leaf === 1 && level < DEEP ? split(lights, own) : halve(lights, own))
    nodes.push(UNKNOWN)
    const first = build(from, middle, at, level + 1)
    const second = nodes.length
    const bounds = united(first, build(middle, to, at, level + 1))
    nodes[at] = { bounds, parent, second, first: 0, count: 0 }
    return bounds
  }
  if (lights.count > 0) build(0, lights.count, 0, 0)
  return { nodes, order }
}

/** Until its children are there. */
const UNKNOWN = {} as LightTreeNode

/** Reorders lights so that the first ones, whose number is returned, are one half and the others the other; neither is empty. */
function split(lights: LightList, numbers: Uint32Array): number {
  const best = bestSplit(lights, numbers)
  if (!best) return halve(lights, numbers)
  const list = numbers.slice()
  let first = 0
  for (const number of list) if (isBefore(best, lights, number)) numbers[first++] = number
  let next = first
  for (const number of list) if (!isBefore(best, lights, number)) numbers[next++] = number
  return first
}

/** By number, along the axis in which they are farthest apart. */
function halve(lights: LightList, numbers: Uint32Array): number {
  const ranges = AXES.map(axis => rangeOf(lights, numbers, axis))
  const widest = ranges.reduce<Axis3>((best, [low, high], axis) => {
    const [bestLow, bestHigh] = ranges[best]!
    return high - low > bestHigh - bestLow ? (axis as Axis3) : best
  }, 0)
  numbers.sort((a, b) => lights.centre(a, widest) - lights.centre(b, widest) || a - b)
  return numbers.length >> 1
}

const AXES = [0, 1, 2] as const

function rangeOf(lights: LightList, numbers: Uint32Array, axis: Axis3): [low: number, high: number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const number of numbers) {
    const place = lights.centre(number, axis)
    if (place < low) low = place
    if (place > high) high = place
  }
  return [low, high]
}

interface Cells {
  readonly axis: Axis3
  readonly low: number
  readonly scale: number
}

interface Split extends Cells {
  /** The first one of the second half. */
  readonly cell: number
}

const cellOf = ({ axis, low, scale }: Cells, lights: LightList, number: number): number =>
  Math.min(CELLS - 1, Math.floor((lights.centre(number, axis) - low) * scale))

const isBefore = (split: Split, lights: LightList, number: number): boolean =>
  cellOf(split, lights, number) < split.cell

/** The split for which power × surface × directions of both halves is least; none if all lights are at one place. */
function bestSplit(lights: LightList, numbers: Uint32Array): Split | undefined {
  let best: Split | undefined
  let least = Number.POSITIVE_INFINITY
  const ranges = AXES.map(axis => rangeOf(lights, numbers, axis))
  const longest = Math.max(...ranges.map(([low, high]) => high - low))
  for (const axis of AXES) {
    const [low, high] = ranges[axis]!
    const cells = { axis, low, scale: CELLS / (high - low) }
    if (!(high > low) || !Number.isFinite(cells.scale)) continue
    const sums = Array.from({ length: CELLS }, () => new LightSum())
    for (const number of numbers) sums[cellOf(cells, lights, number)]!.add(lights, number)
    const costs = new Float64Array(CELLS)
    const rest = new LightSum()
    for (let cell = CELLS - 1; cell > 0; cell--) costs[cell] = rest.join(sums[cell]!).cost
    const sum = new LightSum()
    // Thin boxes are not to be cut along their longer sides.
    const shape = longest / (high - low)
    for (let cell = 1; cell < CELLS; cell++) {
      const cost = shape * (sum.join(sums[cell - 1]!).cost + costs[cell]!)
      if (cost < least) {
        least = cost
        best = { ...cells, cell }
      }
    }
  }
  return best
}

/** What the cost of a choice among some lights depends on. */
class LightSum {
  readonly #low = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  readonly #high = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
  #power = 0
  /** Of axes times powers, those of two-sided lights towards one side. */
  readonly #axes = [0, 0, 0]

  add(lights: LightList, number: number): void {
    const power = lights.power(number)
    const axes = this.#axes
    let along = 0
    for (const axis of AXES) {
      this.#low[axis] = Math.min(this.#low[axis]!, lights.low(number, axis))
      this.#high[axis] = Math.max(this.#high[axis]!, lights.high(number, axis))
      along += axes[axis]! * lights.axis(number, axis)
    }
    const turned = along < 0 && lights.isTwoSided(number) ? -power : power
    for (const axis of AXES) axes[axis]! += turned * lights.axis(number, axis)
    this.#power += power
  }

  join(other: LightSum): this {
    for (const axis of AXES) {
      this.#low[axis] = Math.min(this.#low[axis]!, other.#low[axis]!)
      this.#high[axis] = Math.max(this.#high[axis]!, other.#high[axis]!)
      this.#axes[axis]! += other.#axes[axis]!
    }
    this.#power += other.#power
    return this
  }

  get cost(): number {
    if (this.#power === 0) return 0
    const [x, y, z] = AXES.map(axis => this.#high[axis]! - this.#low[axis]!) as [number, number, number]
    const [ax, ay, az] = this.#axes as [number, number, number]
    // 1 if all shine in one direction, 0 if in all.
    const agreement = Math.min(1, Math.sqrt(ax * ax + ay * ay + az * az) / this.#power)
    // Points have no surface, but a distance from each other.
    const surface = x * y + y * z + z * x + 1e-3 * (x * x + y * y + z * z)
    return this.#power * surface * (2 - agreement)
  }
}
