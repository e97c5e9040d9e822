/** What covers pixels, as `worker/engine/wasm/kernel/surface/coverage.ts`: tables of the objects, and of the names of materials, that samples see first. */
import { TABLE_ENTRIES } from '../../../../../shared/frame/coverage-table.ts'

/** @param objects whether those are counted @param labels whether names of materials are */
export const coverage = ({ objects, labels }: { objects: boolean; labels: boolean }): string => /* wgsl */ `
alias Coverage = array<u32, ${TABLE_ENTRIES}>;
${objects ? 'var<private> object_table: Coverage;' : ''}
${labels ? 'var<private> label_table: Coverage;' : ''}

/* Counts a hit of a camera ray. */
fn count_coverage(found: Answer, material: Material) {
  ${objects ? 'count(&object_table, hit_object(found) + 1u);' : ''}
  ${labels ? 'count(&label_table, material.label + 1u);' : ''}
}
${objects || labels ? COUNT : ''}`

const COUNT = /* wgsl */ `
/* Entries are in the order of their ids; where there are too many, the largest is left out. */
fn count(table: ptr<private, Coverage>, id: u32) {
  var at = 0u;
  for (; at < ${TABLE_ENTRIES}u; at++) {
    let entry = (*table)[at];
    if (entry >> 16u == id) {
      (*table)[at] = entry + 1u;
      return;
    }
    if (entry == 0u || entry >> 16u > id) { break; }
  }
  var moved = (id << 16u) | 1u;
  for (; at < ${TABLE_ENTRIES}u && moved != 0u; at++) {
    let next = (*table)[at];
    (*table)[at] = moved;
    moved = next;
  }
}
`
