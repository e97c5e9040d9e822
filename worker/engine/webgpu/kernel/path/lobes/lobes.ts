/**
 * How a material scatters light, as `worker/engine/wasm/kernel/path/lobes/lobes.ts`: picks the model's lobe, of those that a scene has. Directions are in the
 * local frame, o towards the ray's origin.
 *
 * It takes RECORDS with `tables` and `scene`, RESULT, FRAME, FRESNEL, TURNS and EXPONENTIAL.
 */
import { MODELS } from '../../../../wasm/records/material.ts'
import { ALBEDO_TABLES } from './albedo.ts'
import { BOUNDARY } from './boundary.ts'
import { COATED } from './coated.ts'
import { CONDUCTOR } from './conductor.ts'
import { DIELECTRIC } from './dielectric.ts'
import { DIFFUSE } from './diffuse.ts'
import { GGX } from './ggx.ts'
import { PRINCIPLED_ALBEDOS } from './principled/albedos.ts'
import { chances } from './principled/chances.ts'
import { CLEAR } from './principled/clear.ts'
import { COLOURS } from './principled/colours.ts'
import { FIBRES } from './principled/fibres.ts'
import { FILM } from './principled/film.ts'
import { principled } from './principled/principled.ts'
import { type PrincipledParts, surface } from './principled/surface.ts'
import { SEVERAL } from './several.ts'
import { THIN } from './thin.ts'

export type Model = keyof typeof MODELS

/** What of the lobes a scene needs. */
export interface LobeNeeds {
  readonly models: ReadonlySet<Model>
  readonly parts: PrincipledParts
}

/**
 * Besides the kernel's functions: `point_lobe` gives a direction that `evaluate` is still to be asked for, so that a shader can have it in one place,
 * for lights and for the path's next ray.
 * After `set_frame`, and after `set_ratio` at solids, `begin_hit` is called once for a hit.
 */
export function lobes({ models, parts }: LobeNeeds): string {
  const has = (model: Model) => models.has(model)
  const among = (...some: readonly Model[]) =>
    `(${some.map(model => `material.model == ${MODELS[model]}u`).join(' || ')})`
  const cases = (calls: Readonly<Partial<Record<Model, string>>>) =>
    Object.entries(calls)
      .filter(([model]) => has(model as Model))
      .map(([model, call]) => `  if (${among(model as Model)}) { ${call} }\n`)
      .join('')
  return /* wgsl */ `
/* The largest float below 1: quotients of numbers below 1 may be rounded to it. */
const BELOW_ONE = 0.99999994;
/* Of the direction towards the viewer: digits of floats end there. */
const LEAST_COSINE = 1e-6;
${[ALBEDO_TABLES, BOUNDARY, SEVERAL, GGX, DIFFUSE].join('')}${[
  has('coated') ? COATED : '',
  has('conductor') ? CONDUCTOR : '',
  has('dielectric') ? DIELECTRIC : '',
  has('thin') ? THIN : '',
  has('principled') ? principledLobe(parts) : '',
].join('')}
/* Whether light from a chosen direction can be scattered towards the ray at all. */
fn scatters_widely(material: Material) -> bool {
  if ${among('diffuse', 'coated', 'principled')} { return true; }
  return !${among('thin')} && material.alpha > 0.0;
}

/* Whether light from behind the surface, as the ray sees it, may be scattered towards the ray. */
fn passes_light(material: Material) -> bool {
  return ${among('dielectric', 'thin')} || (${among('principled')} && material.transmission > 0.0);
}

/* The weight is what the path of the hit carries. Nothing of the hit before is kept, nor held in registers for this one. */
fn begin_hit(material: Material, side: f32, o: vec3<f32>, weight: vec3<f32>) {
${has('principled') ? '  layers = Layers();\n' : ''}${cases({ principled: 'begin_principled(material, side, facing_ray(o), weight);' })}}

fn facing_ray(o: vec3<f32>) -> vec3<f32> { return vec3<f32>(o.xy, max(LEAST_COSINE, o.z)); }

fn evaluate(material: Material, side: f32, to_ray: vec3<f32>, i: vec3<f32>) -> Scattered {
  let o = facing_ray(to_ray);
${cases({
  diffuse: 'return evaluate_diffuse(material, i);',
  coated: 'return evaluate_coated(material, o, i);',
  conductor: 'return evaluate_conductor(material, o, i);',
  dielectric: 'return evaluate_dielectric(material, side, o, i);',
  principled: 'return evaluate_principled(i);',
})}  return answer_nothing();
}

fn point_lobe(material: Material, side: f32, to_ray: vec3<f32>, w: f32, cosine: f32, sine: f32, v: f32) -> Pointed {
  let o = facing_ray(to_ray);
  let circle = vec2<f32>(cosine, sine);
${cases({
  diffuse: 'return point(point_cosine(circle, v));',
  coated: 'return sample_coated(material, o, w, circle, v);',
  conductor: 'return sample_conductor(material, o, w, circle, v);',
  dielectric: 'return sample_dielectric(material, side, o, w, circle, v);',
  thin: 'return sample_thin(material, o, w);',
  principled: 'return sample_principled(w, circle, v);',
})}  return point_finally(vec3<f32>(0.0, 0.0, 1.0), vec3<f32>());
}
`
}

/** Of the principled model, what any of its materials has. */
const principledLobe = (parts: PrincipledParts): string =>
  [
    PRINCIPLED_ALBEDOS,
    parts.sheen ? FIBRES : '',
    parts.film ? FILM : '',
    parts.dispersion ? COLOURS : '',
    surface(parts),
    parts.clear ? CLEAR : '',
    chances(parts),
    principled(parts),
  ].join('')
