/** Fills the holes of a grid from the known values around them. */

/**
 * Each unknown value becomes that of the nearest known one, in steps; ties go to the lowest of `ranks`.
 * @param known 1 where `values` and `ranks` (row-major, `columns` wide) are valid
 */
export function fillHoles(values: Float64Array, known: Uint8Array, ranks: Float32Array, columns: number): void {
  const reached = Uint8Array.from(known)
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
      if (known[to] === 1) border.add(to)
    })
  }
  const order = [...border].sort((a, b) => ranks[a]! - ranks[b]! || a - b)
  for (const at of order) {
    neighbours(at, to => {
      if (reached[to] === 1) return
      reached[to] = 1
      values[to] = values[at]!
      order.push(to)
    })
  }
}
