/**
 * Rays that are done with a triangle4, or entered no child of a node, pop the next child off their stacks. Children beyond the
 * hits found in the meantime are skipped.
 */
import { Child } from '../records'
import { PLACE } from './bundle-context'
import { BUNDLED, ENDED, INSTANCES, NARROW, NODES, TRIANGLE4S, WIDE } from './lists'
import { BEST, CURRENT, STEPS, TOP } from './ray-context'

/** Pops for the listed rays. */
export function popNearest(list: u32, end: u32, ends: u32, toKeys: u32): void {
  pop(list, end, ends, toKeys, true, NARROW)
}

/** Pops for bundles, whose stacks have places (`PLACE`). */
export function popBundles(list: u32, end: u32, ends: u32, toKeys: u32): void {
  pop(list, end, ends, toKeys, true, BUNDLED)
}

/** Pops for rays that skip nothing. */
export function popAny(list: u32, end: u32, ends: u32): void {
  pop(list, end, ends, 0, false, NARROW)
}

/** `popNearest` in scenes with instances. */
export function popNearestWide(list: u32, end: u32, ends: u32, toKeys: u32): void {
  pop(list, end, ends, toKeys, true, WIDE)
}

/** `popAny` in scenes with instances. */
export function popAnyWide(list: u32, end: u32, ends: u32): void {
  pop(list, end, ends, 0, false, WIDE)
}

@inline
function pop(list: u32, end: u32, ends: u32, toKeys: u32, skip: bool, what: i32): void {
  const wide = what == WIDE
  let nodes = load<u32>(ends, NODES)
  let triangle4s = load<u32>(ends, TRIANGLE4S)
  let ended = load<u32>(ends, ENDED)
  let instances = wide ? load<u32>(ends, INSTANCES) : 0
  for (; list < end; list += 4) {
    const ray = load<u32>(list)
    const top = skip ? nearEnough(ray, toKeys) : load<u32>(ray, TOP) - 4
    let child = load<u32>(top)
    if (what == BUNDLED) {
      store<u32>(ray, child, PLACE)
      child = load<u32>(child)
    }
    store<u32>(ray, top, TOP)
    store<u32>(ray, child, CURRENT)
    store<u32>(ray, load<u32>(ray, STEPS) + 1, STEPS)
    store<u32>(nodes, ray)
    store<u32>(triangle4s, ray)
    store<u32>(ended, ray)
    if (wide) store<u32>(instances, ray)
    const isTriangle4 = (child & Child.TRIANGLE4) << 2
    const isEnd = u32(child == 0) << 2
    const isInstance = wide ? (child & Child.INSTANCE) << 1 : 0
    nodes += 4 - isTriangle4 - isEnd - isInstance
    triangle4s += isTriangle4
    ended += isEnd
    instances += isInstance
  }
  store<u32>(ends, nodes, NODES)
  store<u32>(ends, triangle4s, TRIANGLE4S)
  store<u32>(ends, ended, ENDED)
  if (wide) store<u32>(ends, instances, INSTANCES)
}

/** Address of the topmost entry of a ray's stack that is not beyond its hit. */
@inline
function nearEnough(ray: u32, toKeys: u32): u32 {
  const best = v128.load(ray, BEST)
  let top = load<u32>(ray, TOP) - 16
  // Four entries at a time; below the first entry of a stack there are four that are always near enough.
  let alive = 15 ^ i32x4.bitmask(i32x4.gt_s(v128.load(top + toKeys), best))
  while (alive == 0) {
    top -= 16
    alive = 15 ^ i32x4.bitmask(i32x4.gt_s(v128.load(top + toKeys), best))
  }
  return top + ((31 - i32.clz(alive)) << 2)
}
