/**
 * The balancers as one would explain them, without a heap, a tree or an index: what the real ones have to agree with,
 * object by object. Everything is looked for by looking at everything.
 */
import type { Objects, Processors } from '../../../../master/strategies/charm/objects.ts'

export interface NaiveAnswer {
  readonly owners: number[]
  readonly swapped: number
  readonly refused: number
  readonly stuck: number
}

interface Board {
  readonly loads: readonly number[]
  readonly speeds: readonly number[]
  readonly owners: number[]
  /** What each processor carries. */
  readonly sums: number[]
  readonly mayMove: (object: number) => boolean
}

export function naiveGreedy(objects: Objects, processors: Processors): NaiveAnswer {
  const board = boardOf(objects, processors, () => false)
  placeAll(board)
  return { owners: board.owners, swapped: 0, refused: 0, stuck: 0 }
}

export function naiveRefine(
  objects: Objects,
  processors: Processors,
  tolerance: number,
  swapping: boolean,
): NaiveAnswer {
  const board = boardOf(objects, processors, owner => processors.speeds[owner]! > 0)
  placeAll(board)
  const { loads, speeds, owners, sums } = board
  const all = speeds.map((_, p) => p).filter(p => speeds[p]! > 0)
  const average = total(all.map(p => sums[p]!)) / total(all.map(p => speeds[p]!))
  const limit = tolerance * average
  const time = (p: number) => sums[p]! / speeds[p]!
  const room = (p: number) => limit * speeds[p]! - sums[p]!
  const light = () => all.filter(p => time(p) < average)

  const moved = new Set<number>()
  const move = (object: number, to: number) => {
    sums[owners[object]!]! -= loads[object]!
    sums[to]! += loads[object]!
    owners[object] = to
    moved.add(object)
  }
  const onOffer = (p: number) =>
    loads.map((_, object) => object).filter(o => owners[o] === p && board.mayMove(o) && !moved.has(o))

  const donate = (donor: number): boolean => {
    const receiver = best(light(), room)
    if (receiver === undefined) return false
    const fitting = onOffer(donor).filter(o => loads[o]! > 0 && loads[o]! <= room(receiver))
    const gift = best(fitting, o => loads[o]!)
    if (gift === undefined) return false
    move(gift, receiver)
    return true
  }
  const swap = (donor: number): boolean => {
    const pairs = onOffer(donor).flatMap(given =>
      light()
        .flatMap(onOffer)
        .filter(taken => loads[taken]! < loads[given]! && loads[given]! <= room(owners[taken]!) + loads[taken]!)
        .map(taken => ({ given, taken, gain: loads[given]! - loads[taken]! })),
    )
    // Of gains that are equal, if only by rounding: the heavier gift, the lighter return, the lower numbers.
    const order = pairs.sort(
      (a, b) =>
        b.gain - a.gain ||
        loads[b.given]! - loads[a.given]! ||
        loads[a.taken]! - loads[b.taken]! ||
        a.given - b.given ||
        a.taken - b.taken,
    )
    if (!order[0]) return false
    const { given, taken } = order[0]
    const receiver = owners[taken]!
    move(given, receiver)
    move(taken, donor)
    return true
  }

  let [swapped, refused] = [0, 0]
  let heavy = all.filter(p => time(p) > limit)
  for (let lightened = true; lightened && heavy.length > 0; ) {
    lightened = false
    const asked = new Set<number>()
    for (;;) {
      const donor = best(
        heavy.filter(p => !asked.has(p)),
        time,
      )
      if (donor === undefined) break
      let gave = donate(donor)
      if (!gave) {
        refused++
        gave = swapping && swap(donor)
        if (gave) swapped++
      }
      if (!gave) asked.add(donor)
      else if (time(donor) <= limit) {
        heavy = heavy.filter(p => p !== donor)
        if (time(donor) < average) lightened = true
      }
    }
  }
  return { owners, swapped, refused, stuck: heavy.length }
}

function boardOf(
  { loads, owners, fixed }: Objects,
  { speeds, background }: Processors,
  stays: (owner: number) => boolean,
): Board {
  const board = {
    loads: [...loads],
    speeds: [...speeds],
    owners: [...owners].map((owner, o) => (fixed?.[o] || (owner >= 0 && stays(owner)) ? owner : -1)),
    sums: [...background],
    mayMove: (object: number) => !fixed?.[object],
  }
  board.owners.forEach((owner, object) => {
    if (owner >= 0) board.sums[owner]! += loads[object]!
  })
  return board
}

/** The heaviest object that is nowhere to the least loaded processor, and so on. */
function placeAll({ loads, speeds, owners, sums }: Board): void {
  const faster = speeds.map((_, p) => p).filter(p => speeds[p]! > 0)
  for (;;) {
    const nowhere = loads.map((_, o) => o).filter(o => owners[o] === -1)
    const object = best(nowhere, o => loads[o]!)
    if (object === undefined) return
    const receiver = best(faster, p => -(sums[p]! / speeds[p]!))!
    owners[object] = receiver
    sums[receiver]! += loads[object]!
  }
}

/** The one of the largest value, of equals the first. */
function best(candidates: readonly number[], valueAt: (candidate: number) => number): number | undefined {
  let found: number | undefined
  for (const candidate of candidates) {
    if (found === undefined || valueAt(candidate) > valueAt(found)) found = candidate
  }
  return found
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)
