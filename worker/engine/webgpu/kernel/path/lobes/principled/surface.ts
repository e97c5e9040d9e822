/**
 * The properties of a principled material at a hit, as `worker/engine/wasm/kernel/path/lobes/principled/surface.ts` has them: computed once for a hit.
 * Directions are in a frame whose z is the shading normal and whose x is the long side of highlights.
 */

/** What any principled material of a scene has; code for the rest is left out. */
export interface PrincipledParts {
  readonly coat: boolean
  readonly sheen: boolean
  readonly film: boolean
  /** What light passes through. */
  readonly clear: boolean
  readonly dispersion: boolean
  readonly anisotropy: boolean
}

const LAYERS = /* wgsl */ `
/* See the kernel's file for what each is; viewer are the albedos towards the viewer, factors of F₀ and of F₉₀. */
struct Layers {
  turn: vec2<f32>,
  o: vec3<f32>,
  alpha: vec2<f32>,
  roughness: f32,
  body: f32,
  clear: f32,
  thin: bool,
  inside: bool,
  denser: bool,
  disperses: bool,
  eta: vec3<f32>,
  color: vec3<f32>,
  f0: vec3<f32>,
  f90: f32,
  again: vec3<f32>,
  lost: f32,
  mean_lost: f32,
  reflected: f32,
  mean_reflected: f32,
  viewer: vec2<f32>,
  is_bare: bool,
  clear_f0: f32,
  clear_f90: f32,
  clear_again: f32,
  coat: f32,
  coat_f0: f32,
  coat_alpha: f32,
  coat_roughness: f32,
  coat_normal: vec3<f32>,
  sheen_color: vec3<f32>,
  sheen: f32,
  sheen_roughness: f32,
  film: f32,
  film_index: f32,
  film_thickness: f32,
  clear_lost: f32,
  clear_passes: f32,
  clear_back: f32,
  clear_through: f32,
  row: u32,
  down: f32,
  chooses_facets: f32,
  chooses_cosine: f32,
  chooses_coat: f32,
  passes_cosine: f32,
  carried: vec3<f32>,
}

var<private> layers: Layers;
`

const ANISOTROPY = /* wgsl */ `
  let strength = material.anisotropy;
  if (strength > 0.0) {
    layers.alpha.x = alpha + (1.0 - alpha) * strength * strength;
    /* The tangent in the local frame; a surface without one has the frame's. */
    var along = vec2<f32>(1.0, 0.0);
    let tangent = material.tangent;
    if (dot(tangent.xyz, tangent.xyz) > 0.5) {
      let flat = local(tangent.xyz).xy;
      let length = sqrt(dot(flat, flat));
      if (length > 1e-6) { along = flat / length; }
    }
    let direction = material.anisotropy_direction * vec2<f32>(1.0, select(1.0, -1.0, tangent.w < 0.0));
    layers.turn = vec2<f32>(direction.x * along.x - direction.y * along.y, direction.x * along.y + direction.y * along.x);
  }
`

const COAT = /* wgsl */ `
fn set_coat(material: Material) {
  layers.coat = material.coat;
  layers.coat_f0 = material.coat_f0;
  layers.coat_roughness = material.coat_roughness;
  layers.coat_alpha = max(LEAST_ALPHA, material.coat_roughness * material.coat_roughness);
  layers.coat_normal = vec3<f32>(0.0, 0.0, 1.0);
  let normal = material.coat_normal.xyz;
  if (!(dot(normal, normal) > 0.5)) { return; }
  let here = local(normal);
  layers.coat_normal = vec3<f32>(turned(here.xy), here.z);
}

/* Reflected share of the coat for a direction with a cosine to its normal. */
fn coat_at(cosine: f32) -> f32 {
  let albedos = albedos_at(layers.coat_roughness, cosine);
  return layers.coat * (layers.coat_f0 * albedos.x + albedos.y);
}

/* Share of light that a coat leaves to a diffuse body, from what it reflects in both directions. */
fn left_under_coat(out: f32, into: f32) -> f32 {
  let means = mean_albedos(layers.coat_roughness);
  return (1.0 - out) * (1.0 - into) / (1.0 - layers.coat * (layers.coat_f0 * means.x + means.y));
}
`

const SHEEN = /* wgsl */ `
fn set_sheen(material: Material) {
  layers.sheen_color = material.sheen_color;
  layers.sheen = largest(material.sheen_color);
  layers.sheen_roughness = material.sheen_roughness;
}

/* Share of fibres along a direction; never all. */
fn sheen_at(cosine: f32) -> f32 { return layers.sheen * min(1.0, fibre_albedo(layers.sheen_roughness, cosine)); }

/* What fibres scatter must be divided by so that it is not more than there is. */
fn fibre_excess(cosine: f32) -> f32 { return max(1.0, fibre_albedo(layers.sheen_roughness, cosine)); }
`

export const surface = ({ coat, sheen, film, dispersion, anisotropy }: PrincipledParts): string => /* wgsl */ `${LAYERS}
/* Air in air: facets that bend nothing would send all light into one direction. */
const LEAST_INDEX = 1.001;

fn set_surface(material: Material, side: f32, o: vec3<f32>) {
  let passes = material.transmission;
  layers.roughness = material.roughness;
  layers.thin = material.thin != 0u;
  layers.clear = (1.0 - material.metallic) * passes;
  layers.body = (1.0 - material.metallic) * (1.0 - passes);
  layers.inside = side < 0.0 && !layers.thin && layers.clear > 0.0;
  set_indices(material, side);
  set_turn(material);
  layers.o = vec3<f32>(turned(o.xy), o.z);
  layers.color = material.color.xyz;
  set_reflection(material);
  ${coat ? 'set_coat(material);' : ''}
  ${sheen ? 'set_sheen(material);' : ''}
}

fn set_indices(material: Material, side: f32) {
  let index = material.ior;
  /* KHR_materials_dispersion: as much more or less as 0.025 of what exceeds 1. */
  let apart = ${dispersion ? '(index - 1.0) * 0.025 * material.dispersion' : '0.0'};
  layers.disperses = apart > 0.0 && !layers.thin && layers.clear > 0.0;
  let colours = vec3<f32>(-apart, 0.0, apart);
  if (is_between()) {
    let factors = 1.0 + colours / index;
    layers.eta = contrast(select(ratio / factors, ratio * factors, side > 0.0));
    layers.denser = layers.eta.y < 1.0;
    return;
  }
  layers.denser = layers.inside;
  let beyond = max(vec3<f32>(LEAST_INDEX), index + colours);
  layers.eta = select(beyond, 1.0 / beyond, layers.inside);
}

/* Whether it is a boundary of two media, none of which is air. */
fn is_between() -> bool { return !in_air && layers.clear > 0.0 && !layers.thin; }

fn contrast(between: vec3<f32>) -> vec3<f32> {
  return select(max(between, vec3<f32>(LEAST_INDEX)), min(between, vec3<f32>(1.0 / LEAST_INDEX)), between < vec3<f32>(1.0));
}

/* The frame's turn, and the widths of facets. */
fn set_turn(material: Material) {
  let alpha = max(LEAST_ALPHA, layers.roughness * layers.roughness);
  layers.turn = vec2<f32>(1.0, 0.0);
  layers.alpha = vec2<f32>(alpha);${anisotropy ? ANISOTROPY : ''}
}

/* Coordinates in this frame of a direction in the hit's, and back. */
fn turned(v: vec2<f32>) -> vec2<f32> {
  return vec2<f32>(v.x * layers.turn.x + v.y * layers.turn.y, v.y * layers.turn.x - v.x * layers.turn.y);
}

fn turned_back(v: vec2<f32>) -> vec2<f32> {
  return vec2<f32>(v.x * layers.turn.x - v.y * layers.turn.y, v.y * layers.turn.x + v.x * layers.turn.y);
}

fn set_reflection(material: Material) {
  let roughness = layers.roughness;
  let normal = normal_reflectance(select(material.ior, layers.eta.y, is_between()));
  /* The roughest surfaces are purely diffuse, as where they are nothing else. */
  let strength = select(material.specular, 0.0, roughness == 1.0 && layers.clear == 0.0);
  let f0 = strength * min(vec3<f32>(1.0), normal * material.specular_color);
  layers.clear_f0 = largest(f0);
  layers.clear_f90 = strength;
  layers.f0 = f0 + (layers.color - f0) * material.metallic;
  layers.f90 = strength + (1.0 - strength) * material.metallic;
  layers.film = ${film ? 'select(0.0, material.iridescence, material.iridescence_thickness > 0.0)' : '0.0'};
  ${
    film
      ? /* wgsl */ `layers.film_index = material.iridescence_ior;
  layers.film_thickness = material.iridescence_thickness;`
      : ''
  }
  layers.is_bare = layers.body == 1.0 && strength == 0.0 && layers.film == 0.0;
  layers.viewer = albedos_at(roughness, layers.o.z);
  layers.lost = lost_of(layers.viewer);
  let means = mean_albedos(roughness);
  layers.mean_lost = max(1e-9, 1.0 - means.x - means.y);
  layers.again = several_color(layers.f0, layers.f90, layers.mean_lost);
  layers.clear_again = several_color(vec3<f32>(layers.clear_f0), layers.clear_f90, layers.mean_lost).x;
  layers.reflected = reflected_of(layers.viewer, layers.o.z);
  layers.mean_reflected = layers.clear_f0 * means.x + layers.clear_f90 * means.y + layers.clear_again * layers.mean_lost;
}

/* How much of the light along a direction with such albedos facets scatter several times. */
fn lost_of(albedos: vec2<f32>) -> f32 { return select(max(0.0, 1.0 - albedos.x - albedos.y), 0.0, single); }

/* How much of the light along a direction what is not metal reflects. */
fn reflected_of(albedos: vec2<f32>, cosine: f32) -> f32 {
  let plain = layers.clear_f0 * albedos.x + layers.clear_f90 * albedos.y + layers.clear_again * lost_of(albedos);
  ${
    film
      ? /* wgsl */ `if (layers.film > 0.0) {
    let color = film_at(layers.film_index, layers.film_thickness, cosine, vec3<f32>(layers.clear_f0));
    return plain + layers.film * max(0.0, largest(color) - plain);
  }`
      : ''
  }
  return plain;
}

/* Reflectance of a facet, for the cosine on the outer side; grazing is (1 - cosine)⁵. */
fn shares_at(cosine: f32, grazing: f32) -> vec3<f32> {
  var shares = schlick_between(layers.f0, layers.f90, grazing);
  ${
    film
      ? 'if (layers.film > 0.0) { shares += layers.film * (film_at(layers.film_index, layers.film_thickness, cosine, layers.f0) - shares); }'
      : ''
  }
  return shares;
}

fn largest(color: vec3<f32>) -> f32 { return max(color.x, max(color.y, color.z)); }
${coat ? COAT : ''}${sheen ? SHEEN : ''}`
