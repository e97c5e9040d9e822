/**
 * The elements that the builder sorts: one record of 32 bytes per triangle and instance, so that every pass over a range reads memory in
 * order.
 *
 *     f32 min[3] | u32 key | f32 max[3] | 0
 *
 * The key is the triangle's number, or that of an instance, which follow, plus the bits of 1.0, with the sign bit set if its material lets light through:
 * whole-vector arithmetic then sees ordinary floats in this lane, where small integers would be slow denormals.
 */
import { Id, Instance, Material, Scene, Slot, Vertex } from '../records'
import { firstParts, materialNumber, partsOf, wordsOf } from '../triangle-parts'
import { sideWidening } from './boxes'
import { DONE_RECORDS, NEXT_RECORD, PART_BOUNDS, RECORDS } from './state'

export const RECORD_BYTES: u32 = 32
const KEY_OFFSET: u32 = 0x3f800000

/** The key of the first instance; more than any if there is none. */
export function firstInstanceKey(): u32 {
  return Scene.instanceCount() > 0 ? Scene.triangleCount() + KEY_OFFSET : 0xffffffff
}

@inline
export function isInstanceKey(key: u32, first: u32): bool {
  return (key & Id.MASK) >= first
}

/** The triangle's number and clear bit, as stored in a triangle4. */
@inline
export function idOfKey(key: u32): u32 {
  return ((key & Id.MASK) - KEY_OFFSET) | (key & Id.CLEAR)
}

/** Items whose records are made at a time. */
export const RECORDS_PART: u32 = 4096
/** v128 low and high of a part's box. */
export const PART_BOUNDS_BYTES: u32 = 32

/** Makes records until none are left to make; true for the thread that completes the last ones. */
export function helpWithRecords(state: u32): bool {
  const instances = Scene.instanceCount()
  const items = instances + Scene.triangleCount()
  while (true) {
    const first = atomic.add<u32>(state, RECORDS_PART, NEXT_RECORD)
    if (first >= items) return false
    const end = min(first + RECORDS_PART, items)
    const box = load<u32>(state, PART_BOUNDS) + (first / RECORDS_PART) * PART_BOUNDS_BYTES
    const records = load<u32>(state, RECORDS)
    if (first < instances) writeInstances(records, first, min(end, instances))
    const from = max(first, instances)
    if (from < end) makePart(records + instances * RECORD_BYTES, from - instances, end - instances, box)
    if (atomic.add<u32>(state, end - first, DONE_RECORDS) + end - first == items) return true
  }
}

/** Writes the bounds of all parts, which have triangles alone, to `box`. */
export function joinBounds(state: u32, box: u32): void {
  let low = f32x4.splat(Infinity)
  let high = f32x4.splat(-Infinity)
  const bounds = load<u32>(state, PART_BOUNDS)
  const end = bounds + ((Scene.triangleCount() + RECORDS_PART - 1) / RECORDS_PART) * PART_BOUNDS_BYTES
  for (let part = bounds; part < end; part += PART_BOUNDS_BYTES) {
    low = f32x4.pmin(low, v128.load(part))
    high = f32x4.pmax(high, v128.load(part, 16))
  }
  v128.store(box, low)
  v128.store(box, high, 16)
}

/** Writes the records of the triangles `first` to `end` (exclusive), and their bounds to `box`. */
function makePart(records: u32, first: u32, end: u32, box: u32): void {
  const triangles = Scene.triangles()
  const firsts = firstParts()
  // Of what a mesh's triangle has in place of a material, see `Slot`.
  const baked = Scene.bakedCount()
  let boxLow = f32x4.splat(Infinity)
  let boxHigh = f32x4.splat(-Infinity)
  for (let id = first; id < end; id++) {
    const parts = partsOf(id, triangles, firsts)
    // The fourth lane is no coordinate: of what follows from it, nothing is kept.
    const a = Vertex.position(i32x4.extract_lane(parts, 0))
    const b = Vertex.position(i32x4.extract_lane(parts, 1))
    const c = Vertex.position(i32x4.extract_lane(parts, 2))
    const low = f32x4.pmin(f32x4.pmin(a, b), c)
    const high = f32x4.pmax(f32x4.pmax(a, b), c)
    boxLow = f32x4.pmin(boxLow, low)
    boxHigh = f32x4.pmax(boxHigh, high)
    const clear = id < baked ? clearOf(i32x4.extract_lane(parts, 3)) : slotClear(triangles, id)
    const at = records + id * RECORD_BYTES
    const wider = sideWidening(f32x4.sub(high, low))
    v128.store(at, i32x4.replace_lane(f32x4.sub(low, wider), 3, (id + KEY_OFFSET) | clear))
    v128.store(at, f32x4.replace_lane(f32x4.add(high, wider), 3, 0), 16)
  }
  v128.store(box, boxLow)
  v128.store(box, boxHigh, 16)
}

/** Writes the records of the instances `first` to `end` (exclusive). */
function writeInstances(records: u32, first: u32, end: u32): void {
  const key = firstInstanceKey()
  const instances = Scene.instances()
  for (let i = first; i < end; i++) {
    const at = records + i * RECORD_BYTES
    const instance = instances + i * Instance.BYTES
    v128.store(at, i32x4.replace_lane(Instance.low(instance), 3, key + i))
    v128.store(at, f32x4.replace_lane(Instance.high(instance), 3, 0), 16)
  }
}

@inline
function slotClear(triangles: u32, id: u32): u32 {
  return (materialNumber(wordsOf(id, triangles)) & Slot.CLEAR) != 0 ? Id.CLEAR : 0
}

@inline
function clearOf(material: u32): u32 {
  return Material.clear(material) != 0 ? Id.CLEAR : 0
}
