/** Materials that vary over a surface, as `worker/engine/wasm/kernel/surface/vary.ts`: by the colours of vertices, and by textures. */
import { MAP_EFFECTS, type MapEffect } from '../../../wasm/records/map-effects.ts'
import { MAPS, VARIES } from '../../../wasm/records/material.ts'
import { snake } from '../../device-record.ts'

const CHANNELS = { red: 'x', green: 'y', blue: 'z', opacity: 'w', rgb: 'xyz' } as const

/** What a texture multiplies. */
function scaling([name, { scales }]: [string, MapEffect]): string[] {
  if (!scales) return []
  const number = MAPS[name as keyof typeof MAPS]
  return [`if (name == ${number}u) { (*own).${snake(scales.field)} *= texel.${CHANNELS[scales.by]}; }`]
}

/** @param textured whether materials have textures, or tangents matter otherwise */
export const vary = (textured: boolean): string => /* wgsl */ `
/* The material of a surface as it is at the hit point; textures turn the surface's normal. The ray's cone has a width at its origin. */
fn vary(surface: ptr<function, Surface>, width: f32, spread: f32) -> Material {
  var own = read_material((*surface).material);
  if (own.varies == 0u) { return own; }
  if ((own.varies & ${VARIES.byVertexColors}u) != 0u) { apply_color(&own, vertex_color(*surface)); }
  ${textured ? 'apply_maps(&own, surface, width, spread);' : ''}
  return own;
}

fn apply_color(own: ptr<function, Material>, color: vec4<f32>) {
  (*own).color *= vec4<f32>(color.xyz, 1.0);
  (*own).opacity *= color.w;
}
${textured ? APPLY_MAPS : ''}`

const APPLY_MAPS = /* wgsl */ `
fn apply_maps(own: ptr<function, Material>, surface: ptr<function, Surface>, width: f32, spread: f32) {
  let tangent = tangent_at(*surface);
  if ((*own).map_count > 0u) {
    let seen = seen_of(*surface, width, spread);
    var normal = (*surface).n;
    /* The coat keeps the normal that the textures of the body turn. */
    (*own).coat_normal = vec4<f32>(normal, 0.0);
    var texel = vec4<f32>(1.0);
    for (var i = 0u; i < (*own).map_count; i++) {
      let map = read_texture_use((*own).maps + i * TEXTURE_USE_WORDS);
      /* Textures of several properties, as of metal and roughness, follow each other. */
      if (map.again == 0u) { texel = look_up(map, *surface, seen); }
      if (map.name == ${MAPS.normal}u) { normal = turned_normal(*surface, tangent, texel, (*own).normal_scale); }
      else if (map.name == ${MAPS.coatNormal}u) {
        (*own).coat_normal = vec4<f32>(turned_normal(*surface, tangent, texel, (*own).coat_normal_scale), 0.0);
      }
      else { apply(own, map.name, texel); }
    }
    (*surface).n = normal;
  }
  /* Seen from behind, the tangent's frame is turned around. */
  (*own).tangent = tangent * (*surface).side;
}

fn apply(own: ptr<function, Material>, name: u32, texel: vec4<f32>) {
  ${Object.entries(MAP_EFFECTS).flatMap(scaling).join('\n  else ')}
  else if (name == ${MAPS.color}u) { apply_color(own, texel); }
  else if (name == ${MAPS.occlusion}u) { (*own).open = 1.0 + (*own).occlusion * (texel.x - 1.0); }
  else if (name == ${MAPS.anisotropy}u) { turn_anisotropy(own, 2.0 * texel.xy - 1.0, texel.z); }
  else if (name == ${MAPS.iridescenceThickness}u) { (*own).iridescence_thickness += (*own).iridescence_range * texel.y; }
}

/* Turns the direction of anisotropy by that of a texture, as complex numbers are multiplied. */
fn turn_anisotropy(own: ptr<function, Material>, way: vec2<f32>, strength: f32) {
  let length = sqrt(dot(way, way));
  (*own).anisotropy *= strength;
  if (!(length > 0.0)) { return; }
  let direction = (*own).anisotropy_direction;
  (*own).anisotropy_direction = vec2<f32>(direction.x * way.x - direction.y * way.y, direction.y * way.x + direction.x * way.y) / length;
}
`
