/**
 * The steps of bundles that differ from those of rays: which children of a node some ray of the bundle may enter, and
 * which of its rays have to be tested against a packet.
 */
import { CHILD_PACKET, GROUP_BYTES, GROUP_CHILDREN, OTHER_SIDE, PACKET_CORNER } from '../layout'
import {
  BUNDLED_RAY_BYTES,
  FAR_ORIGIN,
  HIGH_INVERSE,
  LOW_INVERSE,
  NEAR_ORIGIN,
  QUAD_BEST,
  QUAD_BYTES,
  QUAD_INVERSE,
  QUADS,
  RAY_CONTEXTS,
  takeBests,
} from './bundle-context'
import { POPPING, SEVERAL, SINGLE } from './lists'
import { BEST, BOX_SLACK, CHILDREN, CURRENT, ENTRY, NEAR, STEPS } from './ray-context'

/** A packet's box is at least as wide as the builder makes those of its triangles. */
const SIDE_WIDENING: f32 = 1.0 / 524288.0

/** Tests the bundles listed, whose current child is a node; as `stepBoxes` does with rays. */
export function stepBundleBoxes(list: u32, end: u32, ends: u32): void {
  let popping = load<u32>(ends, POPPING)
  let single = load<u32>(ends, SINGLE)
  let several = load<u32>(ends, SEVERAL)
  for (; list < end; list += 4) {
    const bundle = load<u32>(list)
    const node = load<u32>(bundle, CURRENT)
    const entry0 = entriesOf(bundle, node)
    const entry1 = entriesOf(bundle, node + GROUP_BYTES)
    v128.store(bundle, entry0, ENTRY)
    v128.store(bundle, entry1, ENTRY + 16)
    const entered = 255 ^ (i32x4.bitmask(entry0) | (i32x4.bitmask(entry1) << 4))
    store<u32>(bundle, entered, CHILDREN)
    store<u32>(popping, bundle)
    store<u32>(single, bundle)
    store<u32>(several, bundle)
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

/** Of a group's children, where the bundle may enter at the earliest; -1 where it cannot. */
@inline
function entriesOf(bundle: u32, group: u32): v128 {
  const planeX = group + load<u32>(bundle, NEAR)
  const planeY = group + load<u32>(bundle, NEAR + 4)
  const planeZ = group + load<u32>(bundle, NEAR + 8)
  let entry = f32x4.pmax(f32x4.splat(0), nearBound(bundle, planeX, 0))
  let exit = f32x4.pmin(v128.load(bundle, BEST), farBound(bundle, planeX ^ OTHER_SIDE, 0))
  entry = f32x4.pmax(entry, nearBound(bundle, planeY, 16))
  exit = f32x4.pmin(exit, farBound(bundle, planeY ^ OTHER_SIDE, 16))
  entry = f32x4.pmax(entry, nearBound(bundle, planeZ, 32))
  exit = f32x4.pmin(exit, farBound(bundle, planeZ ^ OTHER_SIDE, 32))
  // A distance that is compared later must not be too great by rounding either.
  entry = f32x4.mul(entry, f32x4.splat(2 - BOX_SLACK))
  const missed = f32x4.gt(entry, f32x4.mul(exit, f32x4.splat(BOX_SLACK)))
  return v128.or(v128.or(entry, missed), i32x4.eq(v128.load(group, GROUP_CHILDREN), i32x4.splat(0)))
}

/** The least distance from the bundle's origins to four planes; `axis` is 16 times its number. */
@inline
function nearBound(bundle: u32, plane: u32, axis: u32): v128 {
  const apart = f32x4.sub(v128.load(plane), v128.load(bundle + axis, NEAR_ORIGIN))
  const low = f32x4.mul(apart, v128.load(bundle + axis, LOW_INVERSE))
  return f32x4.pmin(low, f32x4.mul(apart, v128.load(bundle + axis, HIGH_INVERSE)))
}

/** The greatest. */
@inline
function farBound(bundle: u32, plane: u32, axis: u32): v128 {
  const apart = f32x4.sub(v128.load(plane), v128.load(bundle + axis, FAR_ORIGIN))
  const low = f32x4.mul(apart, v128.load(bundle + axis, LOW_INVERSE))
  return f32x4.pmax(low, f32x4.mul(apart, v128.load(bundle + axis, HIGH_INVERSE)))
}

/** Lists at `rays` the rays of the bundles listed that may meet their packet; gives the list's end. */
export function openPackets(list: u32, end: u32, rays: u32): u32 {
  for (; list < end; list += 4) {
    const bundle = load<u32>(list)
    const child = load<u32>(bundle, CURRENT)
    const packet = child - CHILD_PACKET
    let lowX = leastCorner(packet)
    let lowY = leastCorner(packet + 16)
    let lowZ = leastCorner(packet + 32)
    let highX = greatestCorner(packet)
    let highY = greatestCorner(packet + 16)
    let highZ = greatestCorner(packet + 32)
    const side = f32x4.pmax(f32x4.sub(highX, lowX), f32x4.pmax(f32x4.sub(highY, lowY), f32x4.sub(highZ, lowZ)))
    const wider = f32x4.mul(side, f32x4.splat(SIDE_WIDENING))
    lowX = f32x4.sub(lowX, wider)
    lowY = f32x4.sub(lowY, wider)
    lowZ = f32x4.sub(lowZ, wider)
    highX = f32x4.add(highX, wider)
    highY = f32x4.add(highY, wider)
    highZ = f32x4.add(highZ, wider)
    let some =
      raysInBox(bundle + QUADS, lowX, lowY, lowZ, highX, highY, highZ) |
      (raysInBox(bundle + QUADS + QUAD_BYTES, lowX, lowY, lowZ, highX, highY, highZ) << 4) |
      (raysInBox(bundle + QUADS + 2 * QUAD_BYTES, lowX, lowY, lowZ, highX, highY, highZ) << 8) |
      (raysInBox(bundle + QUADS + 3 * QUAD_BYTES, lowX, lowY, lowZ, highX, highY, highZ) << 12)
    const contexts = load<u32>(bundle, RAY_CONTEXTS)
    while (some != 0) {
      const ray = contexts + i32.ctz(some) * BUNDLED_RAY_BYTES
      store<u32>(ray, child, CURRENT)
      store<u32>(ray, load<u32>(ray, STEPS) + 1, STEPS)
      store<u32>(rays, ray)
      rays += 4
      some &= some - 1
    }
  }
  return rays
}

/** Bit i: whether ray i of four may meet something in a box. */
@inline
function raysInBox(quad: u32, lowX: v128, lowY: v128, lowZ: v128, highX: v128, highY: v128, highZ: v128): u32 {
  const x = v128.load(quad)
  const inverseX = v128.load(quad, QUAD_INVERSE)
  const toLowX = f32x4.mul(f32x4.sub(lowX, x), inverseX)
  const toHighX = f32x4.mul(f32x4.sub(highX, x), inverseX)
  let entry = f32x4.pmax(f32x4.splat(0), f32x4.pmin(toLowX, toHighX))
  let exit = f32x4.pmin(v128.load(quad, QUAD_BEST), f32x4.pmax(toLowX, toHighX))
  const y = v128.load(quad, 16)
  const inverseY = v128.load(quad, QUAD_INVERSE + 16)
  const toLowY = f32x4.mul(f32x4.sub(lowY, y), inverseY)
  const toHighY = f32x4.mul(f32x4.sub(highY, y), inverseY)
  entry = f32x4.pmax(entry, f32x4.pmin(toLowY, toHighY))
  exit = f32x4.pmin(exit, f32x4.pmax(toLowY, toHighY))
  const z = v128.load(quad, 32)
  const inverseZ = v128.load(quad, QUAD_INVERSE + 32)
  const toLowZ = f32x4.mul(f32x4.sub(lowZ, z), inverseZ)
  const toHighZ = f32x4.mul(f32x4.sub(highZ, z), inverseZ)
  entry = f32x4.pmax(entry, f32x4.pmin(toLowZ, toHighZ))
  exit = f32x4.pmin(exit, f32x4.pmax(toLowZ, toHighZ))
  return i32x4.bitmask(f32x4.le(entry, f32x4.mul(exit, f32x4.splat(BOX_SLACK))))
}

/** Takes over what the rays of the bundles listed have found. */
export function closePackets(list: u32, end: u32): void {
  for (; list < end; list += 4) takeBests(load<u32>(list))
}

/** Of one coordinate, the least of a packet's corners, in all lanes. */
@inline
function leastCorner(coordinates: u32): v128 {
  const ab = f32x4.pmin(v128.load(coordinates), v128.load(coordinates, PACKET_CORNER))
  const abc = f32x4.pmin(ab, v128.load(coordinates, 2 * PACKET_CORNER))
  const pairs = f32x4.pmin(abc, i32x4.shuffle(abc, abc, 2, 3, 0, 1))
  return f32x4.pmin(pairs, i32x4.shuffle(pairs, pairs, 1, 0, 3, 2))
}

@inline
function greatestCorner(coordinates: u32): v128 {
  const ab = f32x4.pmax(v128.load(coordinates), v128.load(coordinates, PACKET_CORNER))
  const abc = f32x4.pmax(ab, v128.load(coordinates, 2 * PACKET_CORNER))
  const pairs = f32x4.pmax(abc, i32x4.shuffle(abc, abc, 2, 3, 0, 1))
  return f32x4.pmax(pairs, i32x4.shuffle(pairs, pairs, 1, 0, 3, 2))
}
