/**
 * Splits a range of many triangles: measures it, sorts its triangles into 32 bins along every axis in one pass, and
 * partitions it at the cheapest border. Wald, "On fast Construction of SAH-based Bounding Volume Hierarchies", RT 2007.
 * Where a bin would have five hundred triangles, a sample tells as well where the border is.
 *
 * Triangles are represented by their doubled centroid, min + max. Loops are called for parts of a range: WebAssembly has no
 * on-stack replacement, so a single call over a whole mesh would run to its end in unoptimised code.
 */
import { WORKSPACE_BINS, BOX_HIGH, BOX_LOW, CENTROID_HIGH, CENTROID_LOW, largestSide } from './workspace'
import { RECORD_BYTES } from './records'
import { BIN_BYTES, BIN_COUNTS, cheapestBorder, clearBins, MAX_BINS } from './sweep'

/**
 * Bytes of records per call of a loop. The last call is written out separately: the compiler would inline a loop that is called
 * in only one place.
 */
const PART_BYTES: u32 = 4096 * RECORD_BYTES
/** Of a range with at least twice as many triangles, only a sample is sorted into bins: this many, or up to half as many again. */
const SAMPLE: u32 = 8192
/** Adding it rounds a small positive float to an integer, which is then in the low bits. */
const ROUNDER: f32 = 12582912
/** An axis is not searched if the extent of its centroids is less than this. */
const MIN_SPREAD: f32 = 1e-36

/** Writes the bounds of the records from `first` to `end` (addresses) into the workspace. */
export function measure(workspace: u32, first: u32, end: u32): void {
  const low = f32x4.splat(Infinity)
  const high = f32x4.splat(-Infinity)
  v128.store(workspace, low, BOX_LOW)
  v128.store(workspace, high, BOX_HIGH)
  v128.store(workspace, low, CENTROID_LOW)
  v128.store(workspace, high, CENTROID_HIGH)
  for (; end - first > PART_BYTES; first += PART_BYTES) measurePart(workspace, first, first + PART_BYTES)
  measurePart(workspace, first, end)
}

function measurePart(workspace: u32, first: u32, end: u32): void {
  let low = v128.load(workspace, BOX_LOW)
  let high = v128.load(workspace, BOX_HIGH)
  let centroidLow = v128.load(workspace, CENTROID_LOW)
  let centroidHigh = v128.load(workspace, CENTROID_HIGH)
  for (let at = first; at < end; at += RECORD_BYTES) {
    const a = v128.load(at)
    const b = v128.load(at, 16)
    const c = f32x4.add(a, b)
    low = f32x4.pmin(low, a)
    high = f32x4.pmax(high, b)
    centroidLow = f32x4.pmin(centroidLow, c)
    centroidHigh = f32x4.pmax(centroidHigh, c)
  }
  v128.store(workspace, low, BOX_LOW)
  v128.store(workspace, high, BOX_HIGH)
  v128.store(workspace, centroidLow, CENTROID_LOW)
  v128.store(workspace, centroidHigh, CENTROID_HIGH)
}

/** Partitions a measured range; returns the address of the first record of its right part, `first` if nothing separates it. */
export function splitByBins(workspace: u32, first: u32, end: u32): u32 {
  const bins = workspace + WORKSPACE_BINS
  const low = v128.load(workspace, CENTROID_LOW)
  const spread = f32x4.sub(v128.load(workspace, CENTROID_HIGH), low)
  // The outermost centroids lie in the middle of the outermost bins, which are never empty unless they are missing in a sample.
  const searched = f32x4.gt(spread, f32x4.splat(MIN_SPREAD))
  const scale = v128.and(f32x4.div(f32x4.splat(<f32>(MAX_BINS - 1)), spread), searched)
  let best: u32 = 0
  const step = ((end - first) / (SAMPLE * RECORD_BYTES)) * RECORD_BYTES
  if (step > RECORD_BYTES) {
    sortIntoBins(bins, first, end, step, low, scale)
    if (fills(bins, v128.load(workspace, BOX_LOW), v128.load(workspace, BOX_HIGH))) best = cheapestBorder(bins, MAX_BINS, 1 / largestSide(workspace))
  }
  if (best == 0) {
    sortIntoBins(bins, first, end, RECORD_BYTES, low, scale)
    best = cheapestBorder(bins, MAX_BINS, 1 / largestSide(workspace))
  }
  if (best == 0) return first
  const border = <i32>(best >> 2) * <i32>BIN_BYTES
  const axis = best & 3
  let borders = i32x4.splat(0)
  if (axis == 0) borders = i32x4.replace_lane(borders, 0, border)
  else if (axis == 1) borders = i32x4.replace_lane(borders, 1, border)
  else borders = i32x4.replace_lane(borders, 2, border)
  let left = first
  let at = first
  for (; end - at > PART_BYTES; at += PART_BYTES) left = partition(at, at + PART_BYTES, left, low, scale, borders)
  return partition(at, end, left, low, scale, borders)
}

/** Byte offset of a record's bin, per axis. Bit-identical in every use, and never out of bounds. */
@inline
function binsOf(min: v128, max: v128, low: v128, scale: v128): v128 {
  const x = f32x4.mul(f32x4.sub(f32x4.add(min, max), low), scale)
  return i32x4.shl(v128.and(f32x4.add(x, f32x4.splat(ROUNDER)), i32x4.splat(MAX_BINS - 1)), 7)
}

/** Makes bins those of every record of a range, or of one every `step` bytes. */
function sortIntoBins(bins: u32, first: u32, end: u32, step: u32, low: v128, scale: v128): void {
  clearBins(bins, MAX_BINS)
  const part = (PART_BYTES / RECORD_BYTES) * step
  for (; end - first > part; first += part) fillBins(bins, first, first + part, step, low, scale)
  fillBins(bins, first, end, step, low, scale)
}

/**
 * Whether a sample tells what its range is like: along no axis it leaves out more of the box than a bin is wide, as it would if a few triangles were far
 * from all others.
 */
function fills(bins: u32, low: v128, high: v128): bool {
  let sampleLow = f32x4.splat(Infinity)
  let sampleHigh = f32x4.splat(-Infinity)
  for (let bin = bins, last = bins + MAX_BINS * BIN_BYTES; bin < last; bin += BIN_BYTES) {
    sampleLow = f32x4.pmin(sampleLow, v128.load(bin))
    sampleHigh = f32x4.pmax(sampleHigh, v128.load(bin, 16))
  }
  const most = f32x4.mul(f32x4.sub(high, low), f32x4.splat(1 - 1 / <f32>MAX_BINS))
  return (i32x4.bitmask(f32x4.ge(f32x4.sub(sampleHigh, sampleLow), most)) & 7) == 7
}

/** Extends each record's bin on every axis by the record's box. */
function fillBins(bins: u32, first: u32, end: u32, step: u32, low: v128, scale: v128): void {
  for (let at = first; at < end; at += step) {
    const a = v128.load(at)
    const b = v128.load(at, 16)
    const places = binsOf(a, b, low, scale)
    const x = bins + i32x4.extract_lane(places, 0)
    v128.store(x, f32x4.pmin(v128.load(x), a))
    v128.store(x, f32x4.pmax(v128.load(x, 16), b), 16)
    store<u32>(x, load<u32>(x, BIN_COUNTS) + 1, BIN_COUNTS)
    const y = bins + i32x4.extract_lane(places, 1)
    v128.store(y, f32x4.pmin(v128.load(y, 32), a), 32)
    v128.store(y, f32x4.pmax(v128.load(y, 48), b), 48)
    store<u32>(y, load<u32>(y, BIN_COUNTS + 4) + 1, BIN_COUNTS + 4)
    const z = bins + i32x4.extract_lane(places, 2)
    v128.store(z, f32x4.pmin(v128.load(z, 64), a), 64)
    v128.store(z, f32x4.pmax(v128.load(z, 80), b), 80)
    store<u32>(z, load<u32>(z, BIN_COUNTS + 8) + 1, BIN_COUNTS + 8)
  }
}

/**
 * Continues a partition whose left part ends at `left`: Lomuto's, branch-free. Every record is swapped with the first one of
 * the right part; `left` advances if it belongs to the left.
 */
function partition(first: u32, end: u32, left: u32, low: v128, scale: v128, borders: v128): u32 {
  for (let at = first; at < end; at += RECORD_BYTES) {
    const a = v128.load(at)
    const b = v128.load(at, 16)
    const isLeft = v128.any_true(i32x4.lt_s(binsOf(a, b, low, scale), borders))
    const c = v128.load(left)
    const d = v128.load(left, 16)
    v128.store(left, a)
    v128.store(left, b, 16)
    v128.store(at, c)
    v128.store(at, d, 16)
    left += u32(isLeft) << 5
  }
  return left
}
