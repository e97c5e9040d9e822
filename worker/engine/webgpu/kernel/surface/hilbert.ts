/** The place of a pixel on the Hilbert curve through the frame, as `worker/engine/wasm/kernel/surface/hilbert.ts`, without its table. */
export const HILBERT = /* wgsl */ `
const CURVE_BITS = 16u;

fn hilbert_index(column: u32, row: u32) -> u32 {
  var x = column;
  var y = row;
  var index = 0u;
  for (var bit = 1u << (CURVE_BITS - 1u); bit > 0u; bit >>= 1u) {
    let right = select(0u, 1u, (x & bit) != 0u);
    let below = select(0u, 1u, (y & bit) != 0u);
    index = (index << 2u) | ((3u * right) ^ below);
    if (below == 1u) { continue; }
    let turned = select(x, ~x, right == 1u);
    x = select(y, ~y, right == 1u);
    y = turned;
  }
  return index;
}
`
