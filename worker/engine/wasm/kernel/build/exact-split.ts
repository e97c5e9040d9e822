/**
 * Splits a range of at most 32 triangles: every border between neighbours on every axis is tried. It is the binned
 * search with each triangle in a separate bin, the bin of its rank. Ranks are computed by comparing all with all, four at a
 * time, which for so few is faster than sorting and free of unpredictable branches.
 */
import { WORKSPACE_BINS, WORKSPACE_KEYS, WORKSPACE_RANKS, WORKSPACE_RECORDS, CENTROID_LOW, largestSide } from './workspace'
import { RECORD_BYTES } from './records'
import { BIN_BYTES, BIN_COUNTS, cheapestBorder, MAX_BINS } from './sweep'

/** The most triangles of a range that is split exactly. */
export const MAX_EXACT: u32 = MAX_BINS
/** Bytes of an axis' keys or ranks. */
const AXIS_BYTES: u32 = MAX_BINS * 4

/** Splits a measured range by sorting it along the best axis; returns the address of the first record of its right part. */
export function splitExactly(workspace: u32, first: u32, end: u32): u32 {
  const count = (end - first) / RECORD_BYTES
  writeKeys(workspace, first, count)
  for (let axis: u32 = 0; axis < 3; axis++) rank(workspace + WORKSPACE_KEYS + axis * AXIS_BYTES, count)
  fillBins(workspace, first, count)
  const best = cheapestBorder(workspace + WORKSPACE_BINS, count, 1 / largestSide(workspace))
  if (best == 0) return first
  const ranks = workspace + WORKSPACE_RANKS + (best & 3) * AXIS_BYTES
  for (let i: u32 = 0; i < count; i++) {
    const from = workspace + WORKSPACE_RECORDS + i * RECORD_BYTES
    const to = first + load<u32>(ranks + i * 4) * RECORD_BYTES
    v128.store(to, v128.load(from))
    v128.store(to, v128.load(from, 16), 16)
  }
  return first + (best >> 2) * RECORD_BYTES
}

/**
 * Writes distinct keys in the order of the centroids: the bits of a centroid's distance from the lowest one, the last five
 * replaced by the triangle's index. Also copies the records to the workspace.
 */
function writeKeys(workspace: u32, first: u32, count: u32): void {
  const low = v128.load(workspace, CENTROID_LOW)
  const keep = i32x4.splat(~<i32>(MAX_EXACT - 1))
  for (let i: u32 = 0; i < count; i++) {
    const a = v128.load(first + i * RECORD_BYTES)
    const b = v128.load(first + i * RECORD_BYTES, 16)
    v128.store(workspace + i * RECORD_BYTES, a, WORKSPACE_RECORDS)
    v128.store(workspace + i * RECORD_BYTES, b, WORKSPACE_RECORDS + 16)
    const key = v128.or(v128.and(f32x4.sub(f32x4.add(a, b), low), keep), i32x4.splat(i))
    v128.store_lane<u32>(workspace + i * 4, key, 0, WORKSPACE_KEYS)
    v128.store_lane<u32>(workspace + i * 4, key, 1, WORKSPACE_KEYS + AXIS_BYTES)
    v128.store_lane<u32>(workspace + i * 4, key, 2, WORKSPACE_KEYS + 2 * AXIS_BYTES)
  }
}

/** Counts for each key how many are less. Lanes after the last key get ranks that are never read. */
function rank(keys: u32, count: u32): void {
  for (let group: u32 = 0; group < count; group += 4) {
    const own = v128.load(keys + group * 4)
    let less = i32x4.splat(0)
    for (let i: u32 = 0; i < count; i++) less = i32x4.sub(less, i32x4.lt_s(v128.load32_splat(keys + i * 4), own))
    v128.store(keys + group * 4, less, WORKSPACE_RANKS - WORKSPACE_KEYS)
  }
}

/** Puts every record into the bin of its rank on each axis. */
function fillBins(workspace: u32, first: u32, count: u32): void {
  const bins = workspace + WORKSPACE_BINS
  const ones = i32x4(1, 1, 1, 0)
  for (let i: u32 = 0; i < count; i++) {
    const a = v128.load(first + i * RECORD_BYTES)
    const b = v128.load(first + i * RECORD_BYTES, 16)
    const x = bins + load<u32>(workspace + i * 4, WORKSPACE_RANKS) * BIN_BYTES
    v128.store(x, a)
    v128.store(x, b, 16)
    const y = bins + load<u32>(workspace + i * 4, WORKSPACE_RANKS + AXIS_BYTES) * BIN_BYTES
    v128.store(y, a, 32)
    v128.store(y, b, 48)
    const z = bins + load<u32>(workspace + i * 4, WORKSPACE_RANKS + 2 * AXIS_BYTES) * BIN_BYTES
    v128.store(z, a, 64)
    v128.store(z, b, 80)
    v128.store(bins + i * BIN_BYTES, ones, BIN_COUNTS)
  }
}
