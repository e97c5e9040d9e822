/** A smooth glass boundary, as `worker/engine/wasm/kernel/ambient/scattering/glass.ts`. */
export const GLASS = /* wgsl */ `
fn scatter_glass(surface: Surface, material: Material, weight: vec3<f32>, path: u32) {
  let eta = select(material.ior, 1.0 / material.ior, surface.side > 0.0);
  let cosine = -dot(surface.d, surface.n);
  let square = 1.0 - eta * eta * (1.0 - cosine * cosine);
  if (!(square > 0.0)) {
    mirror(surface, weight, path);
    return;
  }
  let far = sqrt(square);
  let mirrored = fresnel(cosine, far, eta);
  mirror(surface, weight * mirrored, path);
  var t = eta * surface.d + (eta * cosine - far) * surface.n;
  t -= 2.0 * max(0.0, dot(t, surface.g)) * surface.g;
  let rest = weight * (1.0 - mirrored) * material.color.xyz;
  send_on(surface.point - surface.g * surface.offset, t, rest, child_path(path, 1u));
}
`
