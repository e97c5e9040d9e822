/**
 * One step of many rays at once: each is tested against the boxes of the eight children of its node and continues in one of
 * three ways: it entered no child, and pops; it entered one, and goes there; it entered several, and has to sort them. For an
 * incoherent ray most nodes are of the first two kinds.
 *
 * No branch depends on a ray. Distances are compared as integers, which have the same order as the floats because these are
 * not negative; -1 stands for a child that was missed.
 */
import { Group, Slab } from '../records'
import { entriesOf } from './intervals'
import { POPPING, SEVERAL, SINGLE } from './lists'
import { FAR_ORIGIN } from './instances'
import { BEST, BOX_SLACK, CHILDREN, CURRENT, ENTRY, INVERSE, NEAR, ORIGIN, SIDE } from './ray-context'

/**
 * Tests the listed rays, whose current child is a node. Bits 0 to 7 of CHILDREN are the entered children, ENTRY the distances;
 * `ends` are the ends of the lists.
 */
export function stepBoxes(list: u32, end: u32, ends: u32): void {
  step(list, end, ends, RAYS)
}

/** The same for bundles: ENTRY is the earliest distance at which any ray may enter. */
export function stepBundleBoxes(list: u32, end: u32, ends: u32): void {
  step(list, end, ends, BUNDLES)
}

/** The same for shadow rays, which need no distances: ENTRY is not written. */
export function stepBoxesShadow(list: u32, end: u32, ends: u32): void {
  step(list, end, ends, SHADOW_RAYS)
}

/** The same for shadow rays that look for the likeliest child: ENTRY is how far they go through the boxes (`chordsOf`). */
export function stepBoxesLikely(list: u32, end: u32, ends: u32): void {
  step(list, end, ends, LIKELY_RAYS)
}

/** The first two in scenes with instances: rays have two origins (`instances.ts`). */
export function stepBoxesWide(list: u32, end: u32, ends: u32): void {
  step(list, end, ends, WIDE_RAYS)
}

export function stepBoxesShadowWide(list: u32, end: u32, ends: u32): void {
  step(list, end, ends, WIDE_RAYS | SHADOW_RAYS)
}

/** A ray starts outside of a box if so many times the distance to it is more than it goes through it. */
const OUTSIDE: f32 = 1048576

const RAYS: i32 = 0
const SHADOW_RAYS: i32 = 1
const LIKELY_RAYS: i32 = 2
const WIDE_RAYS: i32 = 4
const BUNDLES: i32 = 8

@inline
function step(list: u32, end: u32, ends: u32, which: i32): void {
  let popping = load<u32>(ends, POPPING)
  let single = load<u32>(ends, SINGLE)
  let several = load<u32>(ends, SEVERAL)
  for (; list < end; list += 4) {
    const ray = load<u32>(list)
    const node = load<u32>(ray, CURRENT)
    const entered = which == BUNDLES ? enterAsBundle(ray, node) : enterAsRay(ray, node, which)
    store<u32>(ray, entered, CHILDREN)
    store<u32>(popping, ray)
    store<u32>(single, ray)
    store<u32>(several, ray)
    const some = u32(entered != 0)
    const more = u32((entered & (entered - 1)) != 0)
    popping += 4 - (some << 2)
    single += (some - more) << 2
    several += more << 2
  }
  store<u32>(ends, popping, POPPING)
  store<u32>(ends, single, SINGLE)
  store<u32>(ends, several, SEVERAL)
}

@inline
function enterAsBundle(bundle: u32, node: u32): u32 {
  const entry0 = entriesOf(bundle, node)
  // Stored first, so that the compiler does not start with both groups at once, for which there are too few registers.
  v128.store(bundle, entry0, ENTRY)
  const entry1 = entriesOf(bundle, node + Group.BYTES)
  v128.store(bundle, entry1, ENTRY + 16)
  return 255 ^ (i32x4.bitmask(entry0) | (i32x4.bitmask(entry1) << 4))
}

@inline
function enterAsRay(ray: u32, node: u32, which: i32): u32 {
  const wide = (which & WIDE_RAYS) != 0
  const beyond = wide ? load<u32>(ray, SIDE) : 0
  const nearX = node + load<u32>(ray, NEAR)
  const nearY = node + load<u32>(ray, NEAR + 4)
  const nearZ = node + load<u32>(ray, NEAR + 8)
  const farX = nearX ^ Slab.OTHER_SIDE
  const farY = nearY ^ Slab.OTHER_SIDE
  const farZ = nearZ ^ Slab.OTHER_SIDE
  // Both groups at once, so that the ray's values are loaded once.
  let origin = v128.load32_splat(ray, ORIGIN)
  let inverse = v128.load32_splat(ray, INVERSE)
  let entry0 = f32x4.mul(f32x4.sub(v128.load(nearX), origin), inverse)
  let entry1 = f32x4.mul(f32x4.sub(v128.load(nearX, Group.BYTES), origin), inverse)
  if (wide) origin = v128.load32_splat(beyond, FAR_ORIGIN)
  let exit0 = f32x4.mul(f32x4.sub(v128.load(farX), origin), inverse)
  let exit1 = f32x4.mul(f32x4.sub(v128.load(farX, Group.BYTES), origin), inverse)
  origin = v128.load32_splat(ray, ORIGIN + 4)
  inverse = v128.load32_splat(ray, INVERSE + 4)
  entry0 = f32x4.pmax(f32x4.mul(f32x4.sub(v128.load(nearY), origin), inverse), entry0)
  entry1 = f32x4.pmax(f32x4.mul(f32x4.sub(v128.load(nearY, Group.BYTES), origin), inverse), entry1)
  if (wide) origin = v128.load32_splat(beyond, FAR_ORIGIN + 4)
  exit0 = f32x4.pmin(f32x4.mul(f32x4.sub(v128.load(farY), origin), inverse), exit0)
  exit1 = f32x4.pmin(f32x4.mul(f32x4.sub(v128.load(farY, Group.BYTES), origin), inverse), exit1)
  origin = v128.load32_splat(ray, ORIGIN + 8)
  inverse = v128.load32_splat(ray, INVERSE + 8)
  entry0 = f32x4.pmax(f32x4.mul(f32x4.sub(v128.load(nearZ), origin), inverse), entry0)
  entry1 = f32x4.pmax(f32x4.mul(f32x4.sub(v128.load(nearZ, Group.BYTES), origin), inverse), entry1)
  if (wide) origin = v128.load32_splat(beyond, FAR_ORIGIN + 8)
  exit0 = f32x4.pmin(f32x4.mul(f32x4.sub(v128.load(farZ), origin), inverse), exit0)
  exit1 = f32x4.pmin(f32x4.mul(f32x4.sub(v128.load(farZ, Group.BYTES), origin), inverse), exit1)
  // Boxes behind the origin are missed; those before tMin are not worth a test. Zero is the first operand, so it wins over -0.
  // Entries shrink, too, because they are compared with the distances of hits, here and on the stack.
  const zero = f32x4.splat(0)
  const best = v128.load(ray, BEST)
  const shrink = f32x4.splat(2 - BOX_SLACK)
  entry0 = f32x4.mul(f32x4.pmax(zero, entry0), shrink)
  entry1 = f32x4.mul(f32x4.pmax(zero, entry1), shrink)
  const slack = f32x4.splat(BOX_SLACK)
  exit0 = f32x4.pmin(best, f32x4.mul(exit0, slack))
  exit1 = f32x4.pmin(best, f32x4.mul(exit1, slack))
  const miss0 = f32x4.gt(entry0, exit0)
  const miss1 = f32x4.gt(entry1, exit1)
  if ((which & SHADOW_RAYS) == 0) {
    v128.store(ray, which == LIKELY_RAYS ? chordsOf(entry0, exit0) : v128.or(entry0, miss0), ENTRY)
    v128.store(ray, which == LIKELY_RAYS ? chordsOf(entry1, exit1) : v128.or(entry1, miss1), ENTRY + 16)
  }
  return 255 ^ (i32x4.bitmask(miss0) | (i32x4.bitmask(miss1) << 4))
}

/** How far a ray goes through boxes; 0 for those that it starts in, and negative for those that it misses. */
@inline
function chordsOf(entry: v128, exit: v128): v128 {
  return f32x4.pmin(f32x4.sub(exit, entry), f32x4.mul(entry, f32x4.splat(OUTSIDE)))
}
