/**
 * What `arithmetic.ts` has, for pictures that need not have the kernel's bytes: nothing is fused or reordered, so that neighbouring triangles still agree
 * on their common edge, but quotients are the device's, and no ray is left to the CPU.
 */
import { SEALED } from './arithmetic.ts'

export const LOOSE_ARITHMETIC = /* wgsl */ `${SEALED}
fn product(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
  return sealed(a * b);
}

fn quotients(n: vec4<u32>, d: vec4<u32>) -> vec4<u32> {
  return bitcast<vec4<u32>>(bitcast<vec4<f32>>(n) / bitcast<vec4<f32>>(d)) & vec4<u32>(MAGNITUDE);
}
`
