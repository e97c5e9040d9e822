/**
 * The integrators, as `worker/engine/wasm/kernel/integrators.ts` has them: what each of them adds to a shader, which is the function `trace_samples`. It traces
 * samples of a pixel, and returns how far away the first of them hits something.
 */
import { MODELS } from '../../wasm/records/material.ts'
import { type Counted, EVERY_COUNT } from '../pixel-records.ts'
import type { AmbientNeeds, PathNeeds } from '../shader-needs.ts'
import { CAMERA } from './ambient/camera.ts'
import { KINDS } from './ambient/kinds.ts'
import { AMBIENT } from './ambient/lights/ambient.ts'
import { SUN } from './ambient/lights/sun.ts'
import { PATHS } from './ambient/paths.ts'
import { SAMPLING } from './ambient/sampling.ts'
import { BLEND } from './ambient/scattering/blend.ts'
import { COATED } from './ambient/scattering/coated.ts'
import { GLASS } from './ambient/scattering/glass.ts'
import { MATTE } from './ambient/scattering/matte.ts'
import { MIRROR } from './ambient/scattering/mirror.ts'
import { SEND_ON } from './ambient/scattering/send-on.ts'
import { SHADOWS } from './ambient/shadows.ts'
import { SURROUNDINGS } from './ambient/surroundings.ts'
import { wave as ambientWave } from './ambient/wave.ts'
import { CAMERA as PATH_CAMERA } from './path/camera.ts'
import { COINCIDENT } from './path/coincident.ts'
import { FIREFLIES } from './path/fireflies.ts'
import { FRAME } from './path/frame.ts'
import { gaze } from './path/gaze.ts'
import { HITS } from './path/hits.ts'
import { lights } from './path/lights/lights.ts'
import { emission } from './path/lights/triangle.ts'
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
import { pixelShader } from './pixels.ts'
import { HILBERT } from './surface/hilbert.ts'
import { ARCTANGENT } from './surface/math/arctangent.ts'
import { EXPONENTIAL } from './surface/math/exponential.ts'
import { pass } from './surface/pass.ts'
import { PASS_SURELY } from './surface/pass-surely.ts'
import type { TreeShape } from './trace/trace.ts'

export const ambientShader = (shape: TreeShape, needs: AmbientNeeds, counted: Counted): string =>
  pixelShader({ shape, textured: needs.textured, goesOn: needs.passes, counted }, ambientIntegrator(needs))

export const pathShader = (shape: TreeShape, needs: PathNeeds, counted: Counted): string =>
  pixelShader(
    { shape, textured: needs.textured, goesOn: needs.holes || needs.sheets || needs.solids, counted },
    pathIntegrator(needs, counted.features),
  )

const ANY_TREE: TreeShape = { stack: 0, wide: true }

/** All that there is, for fingerprints. */
export const allShaders = (): string =>
  ambientShader(ANY_TREE, { textured: true, passes: true }, EVERY_COUNT) + pathShader(ANY_TREE, EVERYTHING, EVERY_COUNT)

const ambientIntegrator = ({ textured, passes }: AmbientNeeds): string => /* wgsl */ `
${passes ? pass({ textured, sheets: false }) + PASS_SURELY + BLEND : ''}${HILBERT}${CAMERA}${SAMPLING}${PATHS}${SURROUNDINGS}${SHADOWS}
${SUN}${AMBIENT}${SEND_ON}${MATTE}${COATED}${MIRROR}${GLASS}${KINDS}${ambientWave(passes)}
fn trace_samples(x: u32, y: u32, first: u32, end: u32) -> f32 {
  let curve = hilbert_index(x, y);
  var depth = 0.0;
  for (var sample = first; sample < end; sample++) {
    let hit = trace_ambient(camera_ray(x, y, sample_place(sample), curve, sample));
    if (sample == first) { depth = hit; }
  }
  return depth;
}
`

/** @param gazes whether features are added up */
function pathIntegrator(needs: PathNeeds, gazes: boolean): string {
  const { textured, sheets } = needs
  const passes = needs.holes || sheets
  return [
    passes ? pass({ textured, sheets }) : '',
    EXPONENTIAL + ARCTANGENT + RESULT + FRAME + lobes(needs) + STATE + SAMPLER + FIREFLIES + MEDIA_OF_PATHS + SOLIDS,
    lights(needs.lights),
    needs.lights.triangles ? emission({ textured, passes }) : '',
    needs.solids ? AROUND : '',
    needs.solids ? COINCIDENT : '',
    PATH_CAMERA + PATH_SHADOWS + HITS + shade(needs.solids, needs.lights.triangles, gazes),
    gazes ? gaze(needs.lights.map) : '',
    passes ? PASS_PATHS + DIMS_LIGHT : '',
    wave(needs, gazes),
    PATH_SAMPLES,
  ].join('')
}

const PATH_SAMPLES = /* wgsl */ `
fn trace_samples(x: u32, y: u32, first: u32, end: u32) -> f32 {
  return trace_paths(x, y, first, end);
}
`

const EVERYTHING: PathNeeds = {
  models: new Set(Object.keys(MODELS) as (keyof typeof MODELS)[]),
  parts: { coat: true, sheen: true, film: true, clear: true, dispersion: true, anisotropy: true },
  lights: { distant: true, map: true, rectangles: true, spheres: true, triangles: true },
  ...{ textured: true, solids: true, touching: true, holes: true, sheets: true },
}
