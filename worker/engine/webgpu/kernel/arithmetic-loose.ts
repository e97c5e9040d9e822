/**
 * What `arithmetic.ts` has, for pictures that need not have the kernel's bytes: nothing is fused or reordered, so that neighbouring triangles still agree
 * on their common edge, but quotients are the device's, and no ray is left to the CPU.
 */
import { SEALED } from './arithmetic.ts'

export const LOOSE_ARITHMETIC = /* wgsl */ `${SEALED}
fn be_unsure(wrong: bool) {}

fn product(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
  return sealed(a * b);
}

fn quotients(n: vec4<u32>, d: vec4<u32>) -> vec4<u32> {
  return bitcast<vec4<u32>>(bitcast<vec4<f32>>(n) / bitcast<vec4<f32>>(d)) & vec4<u32>(MAGNITUDE);
}
`

/** What `arithmetic-doubles.ts` has. */
export const LOOSE_PLACES = /* wgsl */ `
/* One coordinate of four points in the scene: the same for equal points. */
fn placed(row: u32, x: vec4<f32>, y: vec4<f32>, z: vec4<f32>) -> vec4<f32> {
  let factors = bitcast<vec4<f32>>(vec4<u32>(tables[row], tables[row + 1u], tables[row + 2u], tables[row + 3u]));
  return sealed(sealed(sealed(sealed(factors.x * x) + sealed(factors.y * y)) + sealed(factors.z * z)) + factors.w);
}
`
