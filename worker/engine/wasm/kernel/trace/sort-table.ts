/**
 * Branch-free sorting of four keys: compare each with the others, look up the order, shuffle. The tables are made once per
 * thread.
 */

/** 64 shuffles of four words. */
export const SORT_TABLE_BYTES: u32 = 64 * 16
/** 16 shuffles of four words. */
export const PACK_TABLE_BYTES: u32 = 16 * 16

/**
 * Fills the table of shuffles that put keys into descending order. Bits 0 to 3 of an index say whether key i is greater than
 * key i + 1 (mod 4), bits 4 and 5 whether key 0 is greater than key 2, and 1 than 3. A key that is not greater counts as smaller,
 * so equal keys can form a cycle: the key that precedes most of the remaining ones belongs to the foremost cycle and can go
 * first.
 */
export function fillSortTable(table: u32): void {
  for (let index: u32 = 0; index < 64; index++) {
    let left: u32 = 15
    for (let place: u32 = 0; place < 4; place++) {
      let first: u32 = 0
      let most: i32 = -1
      for (let key: u32 = 0; key < 4; key++) {
        if (((left >> key) & 1) == 0) continue
        let wins: i32 = 0
        for (let other: u32 = 0; other < 4; other++)
          if (other != key && ((left >> other) & 1) == 1 && before(index, key, other)) wins++
        if (wins <= most) continue
        most = wins
        first = key
      }
      left &= ~(1 << first)
      storeLane(table + index * 16, place, first)
    }
  }
}

/** Fills the table of shuffles that move the words whose bit is 1 in the index to the front. */
export function fillPackTable(table: u32): void {
  for (let index: u32 = 0; index < 16; index++) {
    let place: u32 = 0
    for (let lane: u32 = 0; lane < 4; lane++) if (((index >> lane) & 1) == 1) storeLane(table + index * 16, place++, lane)
    for (let lane: u32 = 0; lane < 4; lane++) if (((index >> lane) & 1) == 0) storeLane(table + index * 16, place++, lane)
  }
}

/** Whether the comparisons put key a before key b. */
function before(index: u32, a: u32, b: u32): bool {
  if (((a + 1) & 3) == b) return ((index >> a) & 1) == 1
  if (((b + 1) & 3) == a) return ((index >> b) & 1) == 0
  return a < b ? ((index >> (4 + a)) & 1) == 1 : ((index >> (4 + b)) & 1) == 0
}

function storeLane(shuffle: u32, place: u32, lane: u32): void {
  store<u32>(shuffle + place * 4, 0x03020100 + lane * 0x04040404)
}
