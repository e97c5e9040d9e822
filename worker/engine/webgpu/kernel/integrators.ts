/**
 * The integrators, as `worker/engine/wasm/kernel/integrators.ts` has them: what each of them adds to a shader, which is the function `trace_samples`. It traces
 * samples of a pixel, and returns how far away the first of them hits something.
 */
import type { PathNeeds } from '../path-needs.ts'
import { CAMERA } from './ambient/camera.ts'
import { AMBIENT } from './ambient/lights/ambient.ts'
import { SUN } from './ambient/lights/sun.ts'
import { PATHS } from './ambient/paths.ts'
import { SAMPLING } from './ambient/sampling.ts'
import { COATED } from './ambient/scattering/coated.ts'
import { GLASS } from './ambient/scattering/glass.ts'
import { MATTE } from './ambient/scattering/matte.ts'
import { MIRROR } from './ambient/scattering/mirror.ts'
import { SEND_ON } from './ambient/scattering/send-on.ts'
import { SHADOWS } from './ambient/shadows.ts'
import { SURROUNDINGS } from './ambient/surroundings.ts'
import { WAVE } from './ambient/wave.ts'
import { CAMERA as PATH_CAMERA } from './path/camera.ts'
import { COINCIDENT } from './path/coincident.ts'
import { FIREFLIES } from './path/fireflies.ts'
import { FRAME } from './path/frame.ts'
import { HITS } from './path/hits.ts'
import { lights } from './path/lights/lights.ts'
import { PLAIN_EMISSION } from './path/lights/triangle.ts'
import { lobes } from './path/lobes/lobes.ts'
import { AROUND, MEDIA_OF_PATHS } from './path/media.ts'
import { PASS_PATHS } from './path/pass.ts'
import { RESULT } from './path/result.ts'
import { SAMPLER } from './path/sampler.ts'
import { shade } from './path/shade.ts'
import { DIMS_LIGHT, SHADOWS as PATH_SHADOWS } from './path/shadows.ts'
import { SOLIDS } from './path/solids.ts'
import { STATE } from './path/state.ts'
import { wave } from './path/wave.ts'
import { HILBERT } from './surface/hilbert.ts'
import { ARCTANGENT } from './surface/math/arctangent.ts'
import { EXPONENTIAL } from './surface/math/exponential.ts'

export const ambientIntegrator = (): string => /* wgsl */ `
${HILBERT}${CAMERA}${SAMPLING}${PATHS}${SURROUNDINGS}${SHADOWS}${SUN}${AMBIENT}${SEND_ON}${MATTE}${COATED}${MIRROR}${GLASS}${WAVE}
fn trace_samples(x: u32, y: u32, from: u32, to: u32) -> f32 {
  let curve = hilbert_index(x, y);
  var depth = 0.0;
  for (var sample = from; sample < to; sample++) {
    let hit = trace_ambient(camera_ray(x, y, sample_place(sample), curve, sample));
    if (sample == from) { depth = hit; }
  }
  return depth;
}
`

export function pathIntegrator(needs: PathNeeds): string {
  const passes = needs.holes || needs.sheets
  return [
    SHIM,
    EXPONENTIAL + ARCTANGENT + RESULT + FRAME + lobes(needs) + STATE + SAMPLER + FIREFLIES + MEDIA_OF_PATHS + SOLIDS,
    lights(needs.lights),
    needs.lights.triangles ? PLAIN_EMISSION : '',
    needs.solids ? AROUND : '',
    needs.solids ? COINCIDENT : '',
    PATH_CAMERA + PATH_SHADOWS + HITS + shade(needs.solids, needs.lights.triangles),
    passes ? PASS_PATHS + DIMS_LIGHT : '',
    wave(needs),
  ].join('')
}

/* SHIM */
export const SHIM = /* wgsl */ `
fn packed_cone(width: f32, spread: f32) -> u32 {
  return (bitcast<u32>(width) & 0xffff0000u) | (bitcast<u32>(spread) >> 16u);
}
fn width_of(cone: u32) -> f32 { return bitcast<f32>(cone & 0xffff0000u); }
fn spread_of(cone: u32) -> f32 { return bitcast<f32>(cone << 16u); }
fn triangle_of(found: Answer) -> u32 { return found.rank & 0x7fffffffu; }
fn is_of_instance(found: Answer) -> bool { return false; }
`
