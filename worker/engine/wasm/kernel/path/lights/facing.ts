/**
 * Which way a surface faces, as far as directions to the environment map depend on it: a cell of an octahedron unfolded to a square (Meyer et al.,
 * "On Floating-Point Normal Vectors", CGF 29(4), 2010), counted from 1.
 */
import { MapGrid } from '../../records'

/** Of surfaces that light passes: all directions count. */
export const ANY_FACING: u32 = 0

/** @param nx of a unit normal, towards where light comes from */
export function facingOf(nx: f64, ny: f64, nz: f64): u32 {
  const scale = 1 / (abs<f64>(nx) + abs<f64>(ny) + abs<f64>(nz))
  let across = nx * scale
  let along = nz * scale
  if (ny < 0) {
    // The lower half lies outside the square of the upper one.
    const folded = (1 - abs<f64>(along)) * (across < 0 ? -1 : 1)
    along = (1 - abs<f64>(across)) * (along < 0 ? -1 : 1)
    across = folded
  }
  return 1 + cellOf(along) * MapGrid.FACINGS + cellOf(across)
}

@inline
function cellOf(place: f64): u32 {
  return min<u32>(MapGrid.FACINGS - 1, <u32>max<f64>(0, (place + 1) * (0.5 * <f64>MapGrid.FACINGS)))
}
