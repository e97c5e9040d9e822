/** What camera rays hit, for the channels beside colour, as `worker/engine/wasm/kernel/surface/first-hits.ts`. */
export const firstHits = (isCounted: boolean): string => /* wgsl */ `
var<private> albedo: Sum;
var<private> covered: u32;

/* Counts a hit of a camera ray. */
fn count_first_hit(material: Material) {
  ${isCounted ? 'covered += 1u;\n  albedo = accumulated(albedo, material.color.xyz / f32(view.weighted_for));' : ''}
}
`
