/** Fills the holes of a grid from the known values around them. */

/** Values that do not fit everywhere; 1 where it is so. */
export interface Fitting {
  /** The known values that fit some holes only. */
  readonly of: Uint8Array
  /** These holes. */
  readonly to: Uint8Array
}

/**
 * Each unknown value becomes that of the nearest known one, in steps; ties go to the lowest of `ranks`.
 * @param known 1 where `values` and `ranks` (row-major, `columns` wide) are valid
 * @param fits absent: every value fits every hole
 */
export function fillHoles(
  values: Float64Array,
  known: Uint8Array,
  ranks: Float32Array,
  columns: number,
  fits?: Fitting,
): void {
  const reached = Uint8Array.from(known)
  const special = fits && Uint8Array.from(fits.of)
  const suits = (from: number, to: number): boolean => special?.[from] !== 1 || fits!.to[to] === 1
  const neighbours = (at: number, visit: (to: number) => void): void => {
    const column = at % columns
    if (column > 0) visit(at - 1)
    if (column < columns - 1) visit(at + 1)
    if (at >= columns) visit(at - columns)
    if (at < values.length - columns) visit(at + columns)
  }
  // Breadth-first from all borders at once: of equally near ones, the first in the order wins.
  const border = new Set<number>()
  for (let at = 0; at < known.length; at++) {
    if (known[at] === 1) continue
    neighbours(at, to => {
      if (known[to] === 1 && suits(to, at)) border.add(to)
    })
  }
  const order = [...border].sort((a, b) => ranks[a]! - ranks[b]! || a - b)
  for (const at of order) {
    neighbours(at, to => {
      if (reached[to] === 1 || !suits(at, to)) return
      reached[to] = 1
      values[to] = values[at]!
      if (special) special[to] = special[at]!
      order.push(to)
    })
  }
}
