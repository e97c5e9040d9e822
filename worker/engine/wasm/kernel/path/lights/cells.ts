/**
 * Cells of emissive triangles: a triangle whose emission varies is divided into n² equal ones along lines parallel to its edges, each of which is a
 * light of its own. Cells are counted in rows from the edge between corners a and b on, those that stand on it and those between them in turn: row j has
 * 2 (n − j) − 1 of them, after j (2 n − j) in the rows before.
 */

/** A point of the triangle: its weights of corners b and c. */
export let onB: f64 = 0
export let onC: f64 = 0

/** Sets a point of the triangle; rounding may have led out of it. */
@inline
export function setWeights(b: f64, c: f64): void {
  onB = min<f64>(1, max<f64>(0, b))
  onC = min<f64>(1 - onB, max<f64>(0, c))
}

/** Sets the point of a cell that is at the weights (u, v) within it. */
@inline
export function pointOfCell(index: u32, side: u32, u: f64, v: f64): void {
  if (side == 1) {
    onB = u
    onC = v
    return
  }
  // The rows from row j on have (n − j)² cells.
  const row = side - <u32>ceil<f64>(sqrt<f64>(<f64>(side * side - index)))
  const place = index - row * (2 * side - row)
  const column = place >> 1
  const isBetween = (place & 1) != 0
  const scale: f64 = 1 / <f64>side
  onB = (<f64>column + (isBetween ? 1 - u : u)) * scale
  onC = (<f64>row + (isBetween ? 1 - v : v)) * scale
}

/** Number within its triangle of the cell that a point is in. */
@inline
export function cellAt(side: u32, b: f64, c: f64): u32 {
  if (side == 1) return 0
  // Rounding may lead out of the triangle.
  const most = <f64>side
  const atC = min<f64>(most - 1, max<f64>(0, c * most))
  const row = <u32>atC
  const atB = min<f64>(most - 1 - <f64>row, max<f64>(0, b * most))
  const column = <u32>atB
  const between = <u32>(atB - <f64>column + (atC - <f64>row) > 1) & <u32>(row + column + 1 < side)
  return row * (2 * side - row) + 2 * column + between
}
