/**
 * What covers a pixel, for mattes: a table of ids, each with the number of samples that see it first (Friedman and Jones, "Fully Automatic
 * ID Mattes with Support for Motion Blur and Transparency", SIGGRAPH 2015 posters). Entries are words, the id in the upper half and the
 * number in the lower one, by ascending ids; free ones are 0, and behind the others.
 *
 * Tables of different samples of a pixel can be added in any order: with more ids than fit, those that fit are the smallest of all. Such
 * an id is among the smallest of every part of the samples that sees it, so its number is exact; the others are left out, whatever
 * they cover.
 */

/** Ids of a pixel. */
export const TABLE_ENTRIES = 16
/** How many of them are delivered, those that cover most first. */
export const RANKS = 6

const HALF = 16
const LOW = 0xffff

/** Not re-entrant: no call of it is interrupted. */
const merged = new Uint32Array(TABLE_ENTRIES)

/** Adds tables to others, pixel by pixel. */
export function addTables(tables: Uint32Array, others: Uint32Array): void {
  for (let at = 0; at < tables.length; at += TABLE_ENTRIES) {
    if (others[at] === 0) continue
    let [a, b] = [0, 0]
    for (let i = 0; i < TABLE_ENTRIES; i++) {
      const [one, other] = [a < TABLE_ENTRIES ? tables[at + a]! : 0, b < TABLE_ENTRIES ? others[at + b]! : 0]
      const isOne = one !== 0 && (other === 0 || one >>> HALF <= other >>> HALF)
      const isOther = other !== 0 && (one === 0 || other >>> HALF <= one >>> HALF)
      // Numbers from a worker that lies must not reach into an id.
      if (isOne && isOther) merged[i] = (one & ~LOW) | Math.min(LOW, (one & LOW) + (other & LOW))
      else merged[i] = isOne ? one : isOther ? other : 0
      a += Number(isOne)
      b += Number(isOther)
    }
    tables.set(merged, at)
  }
}

/**
 * Ranks what tables say: RANKS pairs for each pixel, an id and the share of the pixel's samples that see it first; those that cover most
 * first, and of equal ones the smaller id; pairs of zeros where there are fewer.
 * @param samples of each pixel, from one to another
 */
export function rankTables(
  tables: Uint32Array,
  forEachRun: (visit: (start: number, end: number, samples: number) => void) => void,
): Float32Array<ArrayBuffer> {
  const pixels = tables.length / TABLE_ENTRIES
  const ranks = new Float32Array(pixels * RANKS * 2)
  forEachRun((start, end, samples) => {
    for (let pixel = start; pixel < end; pixel++) {
      const at = pixel * TABLE_ENTRIES
      if (tables[at] === 0) continue
      const entries = [...tables.subarray(at, at + TABLE_ENTRIES)].filter(entry => entry !== 0)
      entries.sort((a, b) => (b & LOW) - (a & LOW) || (a >>> HALF) - (b >>> HALF))
      for (const [rank, entry] of entries.slice(0, RANKS).entries()) {
        const to = (pixel * RANKS + rank) * 2
        ranks[to] = entry >>> HALF
        ranks[to + 1] = (entry & LOW) / samples
      }
    }
  })
  return ranks
}
