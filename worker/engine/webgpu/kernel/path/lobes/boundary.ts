/** The indices on both sides of a solid's surface, as `worker/engine/wasm/kernel/path/lobes/boundary.ts`. */
export const BOUNDARY = /* wgsl */ `
/* Index beyond the surface over that on the ray's side, of the hit at hand; and whether it is the material's in air. */
var<private> ratio: f32 = 1.0;
var<private> in_air: bool = true;

/* Quotients of floats may differ in their last digits where those of doubles are equal. */
const SAME_RATIO = 1e-6;

fn set_ratio(material: Material, side: f32, between: f32) {
  let own = own_ratio(material, side);
  in_air = abs(between - own) <= SAME_RATIO * own;
  ratio = select(between, own, in_air);
}

fn own_ratio(material: Material, side: f32) -> f32 { return select(1.0 / material.ior, material.ior, side > 0.0); }
`
