/** Camera rays of the ambient integrator, as `worker/engine/wasm/kernel/ambient/camera.ts`; the host has scaled the camera's vectors. */
export const CAMERA = /* wgsl */ `
fn camera_ray(x: u32, y: u32, place: vec2<f32>, curve: u32, sample: u32) -> Path {
  let at = vec2<f32>(f32(x), f32(y)) - 0.5 * vec2<f32>(f32(view.width), f32(view.height)) + place;
  let aside = sealed(at.x * order.across) + sealed(at.y * order.down);
  let origin = select(order.eye, sealed(order.eye + aside), order.parallel != 0u);
  let direction = select(sealed(order.ahead + aside), order.ahead, order.parallel != 0u);
  sequence = curve * view.samples + sample;
  return Path(origin.xyz, direction.xyz, vec3<f32>(order.share), 1u, bitcast<u32>(order.eye.w), vec2<u32>());
}
`
