/** Normal equations of a small weighted regression for three colours, in doubles: products of features lose digits. */
import { BASIS, LEAST_RIDGE, RIDGE } from './parameters'

/** Doubles in a row of the matrix: vectors of four columns. */
const COLUMNS: i32 = 12
const SIDES: i32 = 4
const matrix = memory.data(BASIS * COLUMNS * 8, 16)
const sides = memory.data(BASIS * SIDES * 8, 16)

/** Only the lower triangle, column ≤ row, is read; rows are padded to COLUMNS. */
@inline
export function entry(row: i32, column: i32): usize {
  return matrix + ((row * COLUMNS + column) << 3)
}

/** The right side, and afterwards the solution. */
@inline
export function side(row: i32, colour: i32): usize {
  return sides + ((row * SIDES + colour) << 3)
}

/** By Cholesky's decomposition. The ridge keeps it regular; the constant is not reduced by it. @param weight sum of all weights, above 0 */
export function solve(weight: f64): void {
  const ridge = RIDGE * weight + LEAST_RIDGE
  for (let i = 1; i < BASIS; i++) store<f64>(entry(i, i), load<f64>(entry(i, i)) + ridge)
  for (let i = 0; i < BASIS; i++)
    for (let j = 0; j <= i; j++) {
      let sum = load<f64>(entry(i, j))
      for (let k = 0; k < j; k++) sum -= load<f64>(entry(i, k)) * load<f64>(entry(j, k))
      // Of the diagonal, inverses are kept.
      store<f64>(entry(i, j), i == j ? 1 / Math.sqrt(max(sum, 1e-12)) : sum * load<f64>(entry(j, j)))
    }
  for (let c = 0; c < 3; c++) {
    for (let i = 0; i < BASIS; i++) {
      let sum = load<f64>(side(i, c))
      for (let k = 0; k < i; k++) sum -= load<f64>(entry(i, k)) * load<f64>(side(k, c))
      store<f64>(side(i, c), sum * load<f64>(entry(i, i)))
    }
    for (let i = BASIS - 1; i >= 0; i--) {
      let sum = load<f64>(side(i, c))
      for (let k = i + 1; k < BASIS; k++) sum -= load<f64>(entry(k, i)) * load<f64>(side(k, c))
      store<f64>(side(i, c), sum * load<f64>(entry(i, i)))
    }
  }
}
