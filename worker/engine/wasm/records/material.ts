/** Materials. `kind` is for the ambient integrator, everything from `model` on for the path tracer. */
import { MAP_NAMES } from '../../../../shared/scene/material.ts'
import { bits, color4, f32, f64, numbered, quad, record, rgb, u32, vector, xyz4 } from './record.ts'

/** As `AmbientMaterial` names them. */
export const MATERIAL_KINDS = numbered(['matte', 'coated', 'mirror', 'glass', 'unlit'])

export const MODELS = numbered(['diffuse', 'conductor', 'dielectric', 'thin', 'coated', 'principled', 'unlit'])

/** Whether a hit needs a record of its own, with the values at its point, see `surface/vary.ts`; and vertex colours among them. */
export const VARIES = bits(['somehow', 'byVertexColors'])

/**
 * Which rays may pass: any, where a mask or a blend has holes; those of cameras, through back sides; paths that have been scattered, through
 * sheets of clear glass: light that is not mirrored goes straight on.
 */
const WAYS = bits(['mask', 'blend', 'backs', 'sheet'])
export const PASSING = { ...WAYS, some: WAYS.mask | WAYS.blend }

export const MATERIAL = record('Material', 'A surface, or what a hit’s own copy of it says of its point.', {
  kind: u32('one of MATERIAL_KINDS'),
  model: u32('one of MODELS'),
  varies: u32('VARIES'),
  passing: u32('PASSING; 0 if no ray does'),
  color: color4('the fourth is 0'),
  ior: f64('index of refraction'),
  alpha: f64('α of the GGX distribution; 0 for a perfectly smooth surface'),
  medium: u32('number of the MEDIUM that it encloses, 0 if none'),
  emits: u32('whether any of its emission is above 0'),
  emission: rgb('f64', 'radiance'),
  coatF0: f64('reflectance of a coat at normal incidence'),
  meanAlbedo: f64('mean of the directional albedo over the cosine-weighted hemisphere'),
  albedo: u32(
    'address of SPECULAR_ALBEDO; of rough glass of GLASS_ALBEDO, and of what is partly clear of CLEAR_ALBEDO',
  ),
  maps: u32('address of TEXTURE_USE for each'),
  mapCount: u32('how many there are'),
  alphaCutoff: f32('opacity from which on a mask is opaque'),
  metallic: f32('share, 0 to 1'),
  roughness: f32('perceived, 0 to 1'),
  transmission: f32('share, 0 to 1'),
  specular: f32('strength, 0 to 1'),
  specularColor: rgb('f32', 'may be above 1'),
  occlusion: f32('strength of the shadows of an occlusion texture'),
  sheenColor: rgb('f32', 'of fibres'),
  sheenRoughness: f32('0 to 1'),
  coat: f32('share, 0 to 1'),
  coatRoughness: f32('perceived, 0 to 1'),
  anisotropy: f32('strength, 0 to 1'),
  anisotropyDirection: vector('f32', ['X', 'Y'], 'cosine and sine of its direction in the tangent’s frame'),
  iridescence: f32('share, 0 to 1'),
  iridescenceIor: f32('index of the film'),
  iridescenceThickness: f32('the least, nm; in a hit’s own record the film’s'),
  iridescenceRange: f32('how much more the most is, nm'),
  dispersion: f32('20 over the Abbe number'),
  normalScale: vector('f32', ['X', 'Y'], 'factors of normals from textures'),
  coatNormalScale: vector('f32', ['X', 'Y'], 'the same for the coat'),
  thin: u32('whether it is a sheet without inside'),
  open: f32('share of ambient light that an occlusion texture lets through, in a hit’s own record; otherwise 1'),
  tangent: quad('f32', ['X', 'Y', 'Z', 'Side'], 'in the world, in a hit’s own record; zeros where there is none'),
  coatNormal: xyz4('in a hit’s own record'),
  opacity: f32('0 to 1'),
  clear: u32('whether some light passes through the surface, so that shadow rays must not end at it'),
  label: u32('number of its name'),
})

/** What fills solids of glass, see `path/media.ts`. Number 0 is air. */
export const MEDIUM = record('Medium', 'What light travels in.', {
  ior: f64('index of refraction'),
  absorption: rgb('f64', 'per scene unit'),
})

/** Bits of a medium’s number; so the last is that of every medium beyond. */
export const MEDIA = { bits: 8, last: 255 }

/** The properties that textures scale. */
export const MAPS = numbered(MAP_NAMES)

export const TEXTURE_USE = record(
  'TextureUse',
  'A texture of a material.',
  {
    texture: u32('address of TEXTURE'),
    name: u32('one of MAPS'),
    set: u32('of coordinates with which it is looked up, 0 or 1'),
    transform: vector('f32', ['A', 'B', 'C', 'D', 'E', 'F'], 'its coordinates are a u + b v + c, d u + e v + f'),
    stretch: f32('by how much they enlarge areas'),
    again: u32('whether it has the texture and coordinates of the one before it in the list'),
  },
  { align: 16 },
)
