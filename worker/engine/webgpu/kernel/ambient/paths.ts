/**
 * Rays from the eye, as `worker/engine/wasm/kernel/ambient/paths.ts`: what mirrors, glass and blends send on waits on a stack. Of each depth two wait at
 * most, and the last three.
 */
import { MAX_DEPTH } from '../../../../../shared/frame/frame-limits.ts'

export const PATHS = /* wgsl */ `
struct Path {
  origin: vec3<f32>,
  direction: vec3<f32>,
  weight: vec3<f32>,
  path: u32,
  /* Where it begins, in lengths of its direction, and the slot that it goes on from there, if any, with its instance. */
  t_min: u32,
  passed: vec2<u32>,
}

/* Of all paths of a sample. */
var<private> sequence: u32;
var<private> waiting: array<Path, ${2 * MAX_DEPTH + 2}>;
var<private> waiting_count: u32;

fn depth_of_path(path: u32) -> u32 {
  return firstLeadingBit(path);
}

fn child_path(path: u32, refracted: u32) -> u32 {
  return (path << 1u) | refracted;
}

fn append_path(path: Path) {
  waiting[waiting_count] = path;
  waiting_count += 1u;
}
`
