/**
 * A ray against four boxes at once, as `worker/engine/wasm/kernel/trace/box-step.ts`. The margin is wider than the kernel's, so that quotients may be
 * inexact and products fused: which triangle is hit does not depend on boxes, if only none is lost. In an instance, boxes are as much larger as what rounds
 * there needs (`instances.ts`).
 */
import { offsetOf } from '../../../wasm/records/access.ts'
import { GROUP } from '../../../wasm/records/mesh.ts'

const row = (name: keyof typeof GROUP.fields): string => `${offsetOf(GROUP, name) / 16}u`

/** @param wide whether the scene has instances */
export function boxStep(wide: boolean): string {
  const before = (axis: string) => (wide ? ` - (*ray).slack.${axis}` : '')
  const behind = (axis: string) => (wide ? ` + (*ray).slack.${axis}` : '')
  return /* wgsl */ `
const WIDER = 1.0 + 0x1p-17f;
const NARROWER = 1.0 - 0x1p-17f;
const LARGEST = 0x7f7fffffu;
const MISSED = -1.0;

fn plane(at: u32, axis: u32, ray: ptr<function, Context>) -> vec4<f32> {
  return (bitcast<vec4<f32>>(nodes[at]) - vec4<f32>((*ray).origin[axis])) * vec4<f32>((*ray).inverse[axis]);
}

/* Where a ray enters each of a group's boxes; MISSED for those that it does not enter before best. */
fn entries(group: u32, best: u32, ray: ptr<function, Context>) -> vec4<f32> {
  let x0 = plane(group + ${row('minX')}, 0u, ray);
  let x1 = plane(group + ${row('maxX')}, 0u, ray);
  let y0 = plane(group + ${row('minY')}, 1u, ray);
  let y1 = plane(group + ${row('maxY')}, 1u, ray);
  let z0 = plane(group + ${row('minZ')}, 2u, ray);
  let z1 = plane(group + ${row('maxZ')}, 2u, ray);
  let entry = max(vec4<f32>(), max(max(min(x0, x1)${before('x')}, min(y0, y1)${before('y')}), min(z0, z1)${before('z')})) * NARROWER;
  let exit = min(min(max(x0, x1)${behind('x')}, max(y0, y1)${behind('y')}), max(z0, z1)${behind('z')}) * WIDER;
  let most = min(exit, vec4<f32>(bitcast<f32>(min(best, LARGEST))));
  let none = nodes[group + ${row('children')}] == vec4<u32>();
  return select(entry, vec4<f32>(MISSED), none | (entry > most));
}
`
}
