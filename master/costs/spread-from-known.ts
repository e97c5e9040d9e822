/** Fills the holes of a grid: each unknown value becomes that of a known one which is the fewest steps away. */

/** @param known 1 where `values` (row-major, `columns` wide) means something; afterwards as before */
export function spreadFromKnown(values: Float64Array, known: Uint8Array, columns: number): void {
  const reached = Uint8Array.from(known)
  const order = new Int32Array(values.length)
  let count = 0
  for (let i = 0; i < known.length; i++) if (known[i] === 1) order[count++] = i
  if (count === values.length) return
  const visit = (to: number, value: number): void => {
    if (reached[to] !== 0) return
    reached[to] = 1
    values[to] = value
    order[count++] = to
  }
  // Breadth first from all known values at once.
  for (let next = 0; next < count; next++) {
    const at = order[next]!
    const value = values[at]!
    const column = at % columns
    if (column > 0) visit(at - 1, value)
    if (column < columns - 1) visit(at + 1, value)
    if (at >= columns) visit(at - columns, value)
    if (at < values.length - columns) visit(at + columns, value)
  }
}
