/**
 * What covers pixels: tables of the objects, and of the names of materials, that samples see first, each with how many do
 * (`shared/frame/coverage-table.ts`). An entry has an id in its upper half and a number in its lower one.
 */
import { hitObject } from '../hit-names'
import { Coverage, Material } from '../records'
import { countsLabels, countsObjects, labelTables, objectTables } from './workspace'

/** Empties the tables of a block's pixels. */
export function clearCoverage(pixels: u32): void {
  if (countsObjects) memory.fill(objectTables, 0, pixels * Coverage.BYTES)
  if (countsLabels) memory.fill(labelTables, 0, pixels * Coverage.BYTES)
}

/** Counts a hit of one of a pixel's camera rays. */
@inline
export function countCoverage(pixel: u32, ray: u32, material: u32): void {
  if (countsObjects) count(objectTables + pixel * Coverage.BYTES, hitObject(ray) + 1)
  if (countsLabels) count(labelTables + pixel * Coverage.BYTES, Material.label(material) + 1)
}

/** Entries are in the order of their ids; where there are too many, the largest is left out. */
function count(table: u32, id: u32): void {
  const end = table + Coverage.BYTES
  let at = table
  while (at < end) {
    const entry = load<u32>(at)
    if (entry >> 16 == id) {
      store<u32>(at, entry + 1)
      return
    }
    if (entry == 0 || entry >> 16 > id) break
    at += 4
  }
  let moved: u32 = (id << 16) | 1
  while (at < end && moved != 0) {
    const next = load<u32>(at)
    store<u32>(at, moved)
    moved = next
    at += 4
  }
}
