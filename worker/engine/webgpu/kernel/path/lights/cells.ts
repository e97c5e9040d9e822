/** Cells of emissive triangles, as `worker/engine/wasm/kernel/path/lights/cells.ts`: of a point there are its weights of corners b and c. */
export const CELLS = /* wgsl */ `
/* Rounding may have led out of the triangle. */
fn weights_within(weights: vec2<f32>) -> vec2<f32> {
  let on_b = clamp(weights.x, 0.0, 1.0);
  return vec2<f32>(on_b, clamp(weights.y, 0.0, 1.0 - on_b));
}

fn point_of_cell(index: u32, side: u32, weights: vec2<f32>) -> vec2<f32> {
  if (side == 1u) { return weights; }
  /* The rows from row j on have (n - j)^2 cells. The root of a square is a whole number, which a driver's may not be. */
  let left = side * side - index;
  var rows = u32(ceil(sqrt(f32(left))));
  if (rows > 0u && (rows - 1u) * (rows - 1u) >= left) { rows -= 1u; }
  if (rows * rows < left) { rows += 1u; }
  let row = side - rows;
  let place = index - row * (2u * side - row);
  let corner = vec2<f32>(f32(place >> 1u), f32(row));
  return (corner + select(weights, 1.0 - weights, (place & 1u) != 0u)) / f32(side);
}

fn cell_at_point(side: u32, weights: vec2<f32>) -> u32 {
  if (side == 1u) { return 0u; }
  let most = f32(side);
  let at_c = clamp(weights.y * most, 0.0, most - 1.0);
  let row = u32(at_c);
  let at_b = clamp(weights.x * most, 0.0, most - 1.0 - f32(row));
  let column = u32(at_b);
  let between = at_b - f32(column) + (at_c - f32(row)) > 1.0 && row + column + 1u < side;
  return row * (2u * side - row) + 2u * column + select(0u, 1u, between);
}
`
