/**
 * Multiply-add. The exact kernel rounds after each of the two operations; the fast one (`--fast-math`) leaves it to the
 * processor, which may round once, so its pixels may differ between machines. Meshes stay closed either way: corners are
 * sheared by the same operation in every triangle, and the sides of an edge are still distinguished by two rounded products.
 */
@inline
export function minusProduct(c: v128, a: v128, b: v128): v128 {
  if (FAST_MATH) return f32x4.relaxed_nmadd(a, b, c)
  return f32x4.sub(c, f32x4.mul(a, b))
}

@inline
export function plusProduct(c: v128, a: v128, b: v128): v128 {
  if (FAST_MATH) return f32x4.relaxed_madd(a, b, c)
  return f32x4.add(c, f32x4.mul(a, b))
}
