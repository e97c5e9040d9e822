/**
 * Which body of a frame is which of another. They come in the order of the scene, in which some may have appeared and others vanished:
 * of the same bodies in the same order, the boxes are the same, unless a body deforms.
 */
import { BODY_NUMBERS, type Bodies } from '../../shared/scene/bodies.ts'

/** Numbers of two bodies that are one; `now` is -1 for one that is gone, `before` for one that is new. */
export interface BodyPair {
  readonly before: number
  readonly now: number
}

/** More than this many that appeared or vanished at once are not looked for. */
const MOST_BETWEEN = 64
/** Numbers of a body that are its box. */
const BOX_NUMBERS = 6
/** Those that say where it is. */
const PLACE = [9, 13, 17] as const
/** A body that deforms: its box has sides that change by at most this share of its longest side. */
const MOST_CHANGE = 0.25

/** One for each body of either frame. */
export function bodyPairs(from: Bodies, to: Bodies): BodyPair[] {
  const [before, now] = [from.length / BODY_NUMBERS, to.length / BODY_NUMBERS]
  const pairs: BodyPair[] = []
  for (let i = 0, j = 0; i < before || j < now; ) {
    const gap = nextSame(from, i, before, to, j, now)
    // Bodies between two that are the same deform, if there are as many of them; otherwise they are gone, or new.
    const deforms = (k: number): boolean => gap.before === gap.now && alike(from, i + k, to, j + k)
    for (let k = 0; k < gap.before; k++) pairs.push({ before: i + k, now: deforms(k) ? j + k : -1 })
    for (let k = 0; k < gap.now; k++) if (!deforms(k)) pairs.push({ before: -1, now: j + k })
    i += gap.before
    j += gap.now
    if (!(i < before && j < now)) continue
    // Of several with equal boxes, those that are gone, or new, are the ones that would have moved farthest.
    const [gone, fresh] = [
      nearerOne(from, i, before - i - (now - j), to, j),
      nearerOne(to, j, now - j - (before - i), from, i),
    ]
    for (let k = 0; k < gone; k++) pairs.push({ before: i++, now: -1 })
    for (let k = 0; k < fresh; k++) pairs.push({ before: -1, now: j++ })
    pairs.push({ before: i++, now: j++ })
  }
  return pairs
}

/** How many bodies to pass over, in either frame, to come to one that is in both; all that are left if there is none near. */
function nextSame(from: Bodies, i: number, before: number, to: Bodies, j: number, now: number): Gap {
  const all = { before: before - i, now: now - j }
  for (let passed = 0; passed <= 2 * MOST_BETWEEN; passed++)
    for (let k = Math.max(0, passed - MOST_BETWEEN); k <= Math.min(passed, MOST_BETWEEN); k++) {
      const [a, b] = [i + k, j + passed - k]
      if (a < before && b < now && sameBox(from, a, to, b)) return { before: k, now: passed - k }
    }
  return all
}

/** How many bodies from number `i` on, at most `surplus`, to pass over to come to the one that is nearest to `j` of the other frame. */
function nearerOne(bodies: Bodies, i: number, surplus: number, others: Bodies, j: number): number {
  const distance = (k: number): number => {
    let sum = 0
    for (const at of PLACE) sum += (bodies[(i + k) * BODY_NUMBERS + at]! - others[j * BODY_NUMBERS + at]!) ** 2
    return sum
  }
  let best = 0
  for (let k = 1; k <= Math.min(surplus, MOST_BETWEEN); k++)
    if (sameBox(bodies, i + k, others, j) && distance(k) < distance(best)) best = k
  return best
}

interface Gap {
  readonly before: number
  readonly now: number
}

function sameBox(from: Bodies, i: number, to: Bodies, j: number): boolean {
  for (let k = 0; k < BOX_NUMBERS; k++) if (from[i * BODY_NUMBERS + k] !== to[j * BODY_NUMBERS + k]) return false
  return true
}

function alike(from: Bodies, i: number, to: Bodies, j: number): boolean {
  const most = MOST_CHANGE * Math.max(sideOf(from, i, 0), sideOf(from, i, 1), sideOf(from, i, 2))
  const near = (axis: number): boolean => Math.abs(sideOf(from, i, axis) - sideOf(to, j, axis)) <= most
  return near(0) && near(1) && near(2)
}

const sideOf = (bodies: Bodies, i: number, axis: number): number =>
  bodies[i * BODY_NUMBERS + axis + 3]! - bodies[i * BODY_NUMBERS + axis]!
