/**
 * Surfaces that bound two solids at once. Where glass and its wine share one surface, only one of them is closed: the other has a hole, along whose
 * edge three sheets meet. The sheet that closes the hole, seen from its outer side, has the holed solid there.
 *
 * A solid is closed if every edge of its triangles is run through as often one way as the other. A sheet closes a hole if its triangles run through the hole's
 * edges in the same direction as those of the holed solid: turned around, they would be the missing ones.
 */
import { cornerOf, materialOf, type Triangles } from '../../../../shared/scene/bake.ts'

/**
 * The medium on the outer side of each triangle, 0 where that is for the path to know; undefined if it is everywhere.
 * @param media of each material, 0 for those that enclose none @param count of the triangles
 */
export function outerMedia(triangles: Triangles, count: number, media: readonly number[]): Uint8Array | undefined {
  const solids = solidsOf(triangles, count, media)
  const outers = new Uint8Array(count)
  let some = false
  for (const { medium, edges } of solids) {
    const hole = holeOf(edges)
    if (hole.size === 0) continue
    for (const other of solids) {
      if (other.medium === medium) continue
      for (const triangle of sheetWithin(other, hole)) {
        outers[triangle] = medium
        some = true
      }
    }
  }
  return some ? outers : undefined
}

/** Of coordinates, by which boxes that only just do not touch are taken to. */
const NEAR = 1e-4

/** Whether the boxes around any two media meet. @param media as for `outerMedia` */
export function solidsTouch(triangles: Triangles, count: number, media: readonly number[]): boolean {
  const boxes = new Map<number, { readonly low: number[]; readonly high: number[] }>()
  for (let triangle = 0; triangle < count; triangle++) {
    const medium = media[materialOf(triangles, triangle)]!
    if (medium === 0) continue
    const box = boxes.get(medium) ?? { low: [Infinity, Infinity, Infinity], high: [-Infinity, -Infinity, -Infinity] }
    boxes.set(medium, box)
    for (const corner of [0, 1, 2])
      cornerOf(triangles, triangle, corner).forEach((x, axis) => {
        box.low[axis] = Math.min(box.low[axis]!, x - NEAR * Math.abs(x))
        box.high[axis] = Math.max(box.high[axis]!, x + NEAR * Math.abs(x))
      })
  }
  const all = [...boxes.values()]
  return all.some((a, i) =>
    all.slice(i + 1).some(b => a.low.every((low, axis) => low <= b.high[axis]! && b.low[axis]! <= a.high[axis]!)),
  )
}

/** Edges are pairs of points, run through from the first to the second; the triangles of each. */
type Edges = ReadonlyMap<number, readonly number[]>

interface Solid {
  readonly medium: number
  readonly edges: Edges
  readonly edgesOf: ReadonlyMap<number, readonly number[]>
}

function solidsOf(triangles: Triangles, count: number, media: readonly number[]): readonly Solid[] {
  const points = new Map<string, number>()
  const solids = new Map<number, { medium: number; edges: Map<number, number[]>; edgesOf: Map<number, number[]> }>()
  for (let triangle = 0; triangle < count; triangle++) {
    const medium = media[materialOf(triangles, triangle)]!
    if (medium === 0) continue
    const solid = solids.get(medium) ?? { medium, edges: new Map(), edgesOf: new Map() }
    solids.set(medium, solid)
    const corners = [0, 1, 2].map(corner => {
      // Zeros of either sign are one.
      const key = cornerOf(triangles, triangle, corner)
        .map(x => x + 0)
        .join()
      const point = points.get(key) ?? points.size
      points.set(key, point)
      return point
    })
    const own = corners.map((from, i) => edgeOf(from, corners[(i + 1) % 3]!))
    solid.edgesOf.set(triangle, own)
    for (const edge of own) {
      const sharing = solid.edges.get(edge)
      if (sharing) sharing.push(triangle)
      else solid.edges.set(edge, [triangle])
    }
  }
  return [...solids.values()]
}

/** More than there are points. */
const POINTS = 2 ** 26

const edgeOf = (from: number, to: number): number => from * POINTS + to
const turned = (edge: number): number => edgeOf(edge % POINTS, Math.floor(edge / POINTS))

/** Edges that are run through more often than the other way round. */
const holeOf = (edges: Edges): ReadonlySet<number> =>
  new Set([...edges.keys()].filter(edge => edges.get(edge)!.length > (edges.get(turned(edge))?.length ?? 0)))

/** The triangles that run through edges of the hole in its direction, and all that hang together with them without crossing the hole's edge. */
function sheetWithin({ edges, edgesOf }: Solid, hole: ReadonlySet<number>): ReadonlySet<number> {
  const found = new Set<number>()
  const open = [...hole].flatMap(edge => edges.get(edge) ?? [])
  for (let triangle = open.pop(); triangle !== undefined; triangle = open.pop()) {
    if (found.has(triangle)) continue
    found.add(triangle)
    for (const edge of edgesOf.get(triangle)!)
      if (!hole.has(edge) && !hole.has(turned(edge))) open.push(...(edges.get(turned(edge)) ?? []))
  }
  return found
}
