/**
 * The principled model, as `worker/engine/wasm/kernel/path/lobes/principled/principled.ts`. Drivers copy a function wherever it is called: so
 * light that is mirrored and light that passes are added up in one place, once for each index of refraction.
 */
import type { PrincipledParts } from './surface.ts'

const REST_OF_COLOURS = /* wgsl */ `
  if (layers.disperses) {
    for (var k = 0u; k < 3u; k++) {
      let shares = shares_by(facing, layers.eta[k]);
      facet.shares[k] = shares[k];
      facet.rest[k] = 1.0 - largest(shares);
    }
    let passing = layers.carried * layers.color * facet.rest;
    facet.chooses = colours_of(passing);
    let mirrored = dot(layers.carried, facet.shares);
    let sum = passing.x + passing.y + passing.z;
    if (sum > 0.0) { facet.mirrored = mirrored / (mirrored + layers.clear * sum); }
    return facet;
  }
`

const FACET = ({ dispersion }: PrincipledParts): string => /* wgsl */ `
/* A facet seen at a cosine on the ray's side: the probability that a sample is mirrored there, what it mirrors and what it lets pass of each colour, and the probabilities of their indices. */
struct Facet { mirrored: f32, shares: vec3<f32>, rest: vec3<f32>, chooses: vec3<f32> }

fn mirrored_share(facing: f32) -> Facet {
  var facet = Facet(1.0, vec3<f32>(1.0), vec3<f32>(), vec3<f32>(1.0));
  ${dispersion ? REST_OF_COLOURS : ''}
  facet.shares = shares_by(facing, layers.eta.y);
  if (layers.clear == 0.0) { return facet; }
  let mirrored = largest(facet.shares);
  facet.rest = vec3<f32>(1.0 - mirrored);
  facet.mirrored = mirrored / (mirrored + layers.clear * largest(layers.color) * (1.0 - mirrored) + select(1e-9, 0.0, mirrored == 1.0));
  return facet;
}

/* Reflectances by one index: all, beyond the critical angle; Schlick's formula is for the outer side, so that light may travel the other way round. */
fn shares_by(facing: f32, index: f32) -> vec3<f32> {
  let far = refracted(facing, index);
  if (far == 0.0) { return vec3<f32>(1.0); }
  let outer = select(facing, far, layers.denser);
  return shares_at(outer, schlick_weight(outer));
}
`

const FACETS = ({ clear, dispersion }: PrincipledParts): string => /* wgsl */ `
/* What facets mirror into a direction, or let pass. */
fn facets(i: vec3<f32>) -> Scattered {
  let o = layers.o;
  let near = i.z > 0.0;
  let bends = ${clear ? '!near && !layers.thin' : 'false'};
  /* Light passes sheets as if it were mirrored on their other side. */
  let to = select(vec3<f32>(i.xy, -i.z), i, near || bends);
  let lambda_o = stretched_lambda(layers.alpha, o);
  let masked = 1.0 / (1.0 + lambda_o + stretched_lambda(layers.alpha, i));
  let chosen = layers.chooses_facets / (1.0 + lambda_o);
  var sum = answer_nothing();
  ${
    dispersion
      ? /* wgsl */ `for (var k = 0u; k < select(1u, 3u, bends && layers.disperses); k++) {
    let index = select(1.0, layers.eta[select(1u, k, layers.disperses)], bends);
    var channels = vec3<f32>(1.0);
    if (layers.disperses && bends) { channels = vec3<f32>(vec3<u32>(0u, 1u, 2u) == vec3<u32>(k)); }`
      : /* wgsl */ `{
    let index = select(1.0, layers.eta.y, bends);`
  }
    let both = o + to * index;
    let square = dot(both, both);
    let m = both * (select(1.0, -1.0, both.z < 0.0) * inverseSqrt(max(square, 1e-30)));
    let out = dot(o, m);
    let into = dot(to, m);
    /* A facet that is to bend faces both directions, each on its side. */
    if (square > 1e-12 && !(bends && (out <= 0.0 || into >= 0.0))) {
      let facet = mirrored_share(out);
      let spread = stretched_d(layers.alpha, m) / o.z;
      if (near) {
        /* Where all may be reflected, facets are as clear as the solid is, and the body is visible directly. */
        let share = select(1.0, 1.0 - layers.body, layers.denser);
        sum.value += 0.25 * spread * masked * share * facet.shares;
        sum.density += 0.25 * spread * chosen * facet.mirrored;
      }${
        clear
          ? /* wgsl */ ` else {
        /* Of light that is refracted, see glass_facets in dielectric.ts. */
        let passed = select(0.25, -out * into / square, bends) * spread * ${dispersion ? 'channels' : 'vec3<f32>(1.0)'};
        sum.value += layers.clear * masked * passed * facet.rest * layers.color;
        let share = ${dispersion ? 'select(passed.x, dot(passed, facet.chooses), layers.disperses)' : 'passed.x'};
        sum.density += chosen * (1.0 - facet.mirrored) * share * index * index;
      }`
          : ''
      }
    }
  }
  return sum;
}
`

const PASSED = ({ coat, sheen }: PrincipledParts): string => /* wgsl */ `
/* Adds what passes after facets have scattered it several times. */
fn pass_several(scattered: Scattered, i: vec3<f32>) -> Scattered {
  if (layers.clear_lost <= 0.0) { return scattered; }
  let lit = -i.z * INVERSE_PI;
  let several = layers.clear_lost * clear_lost_there(-i.z, false) * layers.clear_through * lit;
  /* The factor is for radiance from inside a solid of the middle channel's index. */
  let scale = select(1.0, layers.eta.y * layers.eta.y, layers.inside);
  let scales = select(layers.eta * layers.eta, vec3<f32>(1.0), layers.thin);
  let density = layers.chooses_cosine * layers.passes_cosine * lit;
  return Scattered(scattered.value + layers.color * several * scale / scales, scattered.density + density);
}

/* What coat and fibres leave of light that passes: they are on the outer side of solids, and on both of sheets. */
fn left_of_passed(i: vec3<f32>) -> f32 {
  var left = 1.0;
  ${coat || sheen ? 'let leaves = layers.inside || layers.thin;' : ''}
  ${
    coat
      ? /* wgsl */ `if (layers.coat > 0.0) {
    let out = select(coat_at(abs(dot(layers.o, layers.coat_normal))), 0.0, layers.inside);
    let into = select(0.0, coat_at(abs(dot(i, layers.coat_normal))), leaves);
    left *= 1.0 - max(out, into);
  }`
      : ''
  }
  ${
    sheen
      ? /* wgsl */ `if (layers.sheen > 0.0) {
    let out = select(sheen_at(layers.o.z), 0.0, layers.inside);
    let into = select(0.0, sheen_at(-i.z), leaves);
    left *= 1.0 - max(out, into);
  }`
      : ''
  }
  return left;
}
`

const COAT = /* wgsl */ `
/* Cosine from which on a coat has the body's normal. */
const FLAT = 0.999999;

fn lay_coat(scattered: Scattered, i: vec3<f32>) -> Scattered {
  if (layers.coat == 0.0) { return scattered; }
  let n = layers.coat_normal;
  let out = dot(layers.o, n);
  let into = dot(i, n);
  let mirrored_out = coat_at(abs(out));
  let mirrored_into = coat_at(abs(into));
  let is_flat = layers.is_bare && n.z > FLAT;
  let left = select(1.0 - max(mirrored_out, mirrored_into), left_under_coat(mirrored_out, mirrored_into), is_flat);
  var sum = Scattered(scattered.value * left, scattered.density);
  if (!(out > 0.0 && into > 0.0)) { return sum; }
  let m = normalize(layers.o + i);
  let alpha = vec2<f32>(layers.coat_alpha);
  let lambda_o = stretched_lambda(alpha, in_coat(layers.o, out));
  let spread = stretched_d(alpha, in_coat(m, dot(m, n))) / (4.0 * max(out, LEAST_COSINE));
  let share = layers.coat * schlick(layers.coat_f0, dot(layers.o, m));
  sum.value += vec3<f32>(spread * share / (1.0 + lambda_o + stretched_lambda(alpha, in_coat(i, into))));
  sum.density += layers.chooses_coat * spread / (1.0 + lambda_o);
  return sum;
}

/* A direction in a frame of the coat's own, where x may point anywhere: its sine is the length of a cross product. */
fn in_coat(v: vec3<f32>, cosine: f32) -> vec3<f32> { return vec3<f32>(length(cross(v, layers.coat_normal)), 0.0, cosine); }

/* Where a facet of the coat mirrors the light. */
fn point_from_coat(circle: vec2<f32>, v: f32) -> vec3<f32> {
  let around = frame_of(layers.coat_normal);
  let o = layers.o * around;
  let m = choose_stretched_facet(vec2<f32>(layers.coat_alpha), vec3<f32>(o.xy, max(LEAST_COSINE, o.z)), circle, v);
  return mirrored_at(around * m, layers.o);
}
`

const SHEEN = /* wgsl */ `
fn lay_fibres(scattered: Scattered, i: vec3<f32>) -> Scattered {
  if (layers.sheen == 0.0) { return scattered; }
  let left = 1.0 - max(sheen_at(layers.o.z), sheen_at(i.z));
  let value = fibres(layers.sheen_roughness, layers.o, i) / max(fibre_excess(layers.o.z), fibre_excess(i.z));
  return Scattered(scattered.value * left + value * layers.sheen_color, scattered.density);
}
`

export const principled = (parts: PrincipledParts): string => /* wgsl */ `
/* Before the others, for a hit; the weight is what its path carries. */
fn begin_principled(material: Material, side: f32, o: vec3<f32>, weight: vec3<f32>) {
  layers.carried = weight;
  set_surface(material, side, o);
  ${parts.clear ? 'set_clear(material);' : ''}
  set_chances();
}
${FACET(parts)}${FACETS(parts)}${parts.clear ? PASSED(parts) : ''}${parts.coat ? COAT : ''}${parts.sheen ? SHEEN : ''}
/* Adds what the body reflects, and what facets reflect after several of them have scattered it. */
fn reflect_below(scattered: Scattered, i: vec3<f32>) -> Scattered {
  let lit = i.z * INVERSE_PI;
  let there = albedos_at(layers.roughness, i.z);
  var value = layers.body * lit * left_to_body(there, i.z) * layers.color;
  if (layers.lost > 0.0 && !layers.inside) { value += layers.lost * lost_of(there) * lit / layers.mean_lost * layers.again; }
  ${
    parts.clear
      ? 'if (layers.clear_lost > 0.0) { value += vec3<f32>(layers.clear_lost * clear_lost_there(i.z, true) * layers.clear_back * lit); }'
      : ''
  }
  let density = layers.chooses_cosine * (1.0 - layers.passes_cosine) * lit;
  return Scattered(scattered.value + value, scattered.density + density);
}

/* Share of light that the facets leave to a body below, on its way in and on its way out. */
fn left_to_body(albedos: vec2<f32>, cosine: f32) -> f32 {
  if (layers.inside || layers.body == 0.0) { return 1.0; }
  let there = reflected_of(albedos, cosine);
  if (layers.film > 0.0) { return max(0.0, 1.0 - max(layers.reflected, there)); }
  return max(0.0, 1.0 - layers.reflected) * max(0.0, 1.0 - there) / (1.0 - layers.mean_reflected);
}

fn evaluate_principled(direction: vec3<f32>) -> Scattered {
  let i = vec3<f32>(turned(direction.xy), direction.z);
  if (i.z == 0.0 || (i.z < 0.0 && layers.clear == 0.0)) { return answer_nothing(); }
  var sum = facets(i);
  if (i.z > 0.0) {
    sum = reflect_below(sum, i);
    if (!layers.inside) {
      ${parts.coat ? 'sum = lay_coat(sum, i);' : ''}
      ${parts.sheen ? 'sum = lay_fibres(sum, i);' : ''}
    }
  }${
    parts.clear
      ? /* wgsl */ ` else {
    sum = pass_several(sum, i);
    sum.value *= left_of_passed(i);
  }`
      : ''
  }
  if (!(sum.density > 0.0)) { return answer_nothing(); }
  return sum;
}

fn sample_principled(w: f32, circle: vec2<f32>, v: f32) -> Pointed {
  var i: vec3<f32>;
  var passes = false;
  if (w < layers.chooses_facets) {
    let m = choose_stretched_facet(layers.alpha, layers.o, circle, v);
    let facing = dot(layers.o, m);
    i = 2.0 * facing * m - layers.o;
    ${
      parts.clear
        ? /* wgsl */ `let facet = mirrored_share(facing);
    let left = min(BELOW_ONE, w / layers.chooses_facets);
    passes = left >= facet.mirrored && facing > 0.0;
    if (passes) { i = through_facet(m, facing, facet, (left - facet.mirrored) / (1.0 - facet.mirrored)); }`
        : ''
    }
  } else if (w < layers.chooses_facets + layers.chooses_cosine) {
    i = point_cosine(circle, v);
    passes = w - layers.chooses_facets < layers.chooses_cosine * layers.passes_cosine;
    if (passes) { i.z = -i.z; }
  }${
    parts.coat
      ? /* wgsl */ ` else {
    i = point_from_coat(circle, v);
  }`
      : /* wgsl */ ` else {
    i = point_cosine(circle, v);
  }`
  }
  let direction = vec3<f32>(turned_back(i.xy), i.z);
  /* Steep facets send light to the wrong side: it is lost. */
  if (select(i.z > 0.0, i.z < 0.0, passes)) { return point(direction); }
  return point_finally(direction, vec3<f32>());
}
${
  parts.clear
    ? /* wgsl */ `
/* Where a facet sends light that passes; w chooses the colour whose index counts. */
fn through_facet(m: vec3<f32>, facing: f32, facet: Facet, w: f32) -> vec3<f32> {
  if (layers.thin) { return vec3<f32>(2.0 * facing * m.xy - layers.o.xy, layers.o.z - 2.0 * facing * m.z); }
  let index = ${parts.dispersion ? 'select(layers.eta.y, index_for(w, facet.chooses, layers.eta), layers.disperses)' : 'layers.eta.y'};
  return (facing / index - refracted(facing, index)) * m - layers.o / index;
}
`
    : ''
}`
