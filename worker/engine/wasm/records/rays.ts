/** Rays, what they hit, and the paths that they belong to. */
import { color4, f32, f64, lanes, quad, reading, record, records, rgb, u16, u32, xyz } from './record.ts'
import { LIGHT_GROUPS } from './scene.ts'

export const RAY = record(
  'Ray',
  'A ray to be traced, and what it has hit.',
  {
    origin: xyz('f32', 'relative to the scene’s centre'),
    tMin: f32(
      'where it begins, in lengths of its direction; negative: where it goes on from `hit`, and of triangles at that distance only those are met that come after it',
    ),
    direction: xyz('f32', 'of any length'),
    tMax: f32('where it ends; after a closest-hit pass the distance of the hit'),
    hit: u32('slot that was hit, or 0; after a shadow pass SHADOW, and tMax is unchanged'),
    steps: u32('work of tracing it'),
    pixel: u32('of its owner: in the block'),
    number: u32('of its owner: of the path’s sample'),
    tag: reading('pixel', u32('of the ambient integrator’s paths, with their pixel (`ambient/paths.ts`)')),
    sequence: reading('number', u32('of the ambient integrator’s paths: index of the sample along the Hilbert curve')),
    words: reading('hit', quad('u32', ['Hit', 'Steps', 'Pixel', 'Number'], 'to copy them')),
    instance: u32('in scenes that have some: that of the triangle that was hit, or 0'),
  },
  { align: 16 },
)

/** What blocks a shadow ray: something opaque, something clear. */
export const SHADOW = { blocked: 1, dimmed: 2 }

export const HIT = record('Hit', 'What shading keeps of a hit; addresses all.', {
  ray: u32('address of RAY'),
  weight: u32('of the share of light along the ray that reaches the eye: PATH, or of the ambient integrator f32[4]'),
  instance: u32('address of INSTANCE; 0 if the triangle is baked, or once it is placed (`placed-hits.ts`)'),
  vertexA: { ...u32('address of VERTEX'), align: 16 },
  vertexB: u32('address of VERTEX'),
  vertexC: u32('address of VERTEX'),
  material: u32('address of MATERIAL'),
  parts: reading(
    'vertexA',
    quad('u32', ['A', 'B', 'C', 'Material'], 'the parts of the triangle (`triangle-parts.ts`)'),
  ),
})

/** Four surfaces: the first one’s address is the record’s, those of the others are 4, 8 and 12 more. */
export const SURFACE = record('Surface', 'Four hit points.', {
  x: lanes('f32', 'the hit point'),
  y: lanes('f32', 'the hit point'),
  z: lanes('f32', 'the hit point'),
  dx: lanes('f32', 'unit direction in which the ray arrived'),
  dy: lanes('f32', 'the same'),
  dz: lanes('f32', 'the same'),
  gx: lanes('f32', 'unit normal of the triangle, towards the ray’s side'),
  gy: lanes('f32', 'the same'),
  gz: lanes('f32', 'the same'),
  nx: lanes('f32', 'shading normal, towards the ray’s side'),
  ny: lanes('f32', 'the same'),
  nz: lanes('f32', 'the same'),
  offset: lanes('f32', 'how far rays start from the surface'),
  side: lanes('f32', '1 if the ray came from outside, -1 if from inside'),
  litX: lanes('f32', 'origin of shadow and ambient rays'),
  litY: lanes('f32', 'the same'),
  litZ: lanes('f32', 'the same'),
  onB: lanes('f32', 'weight of the triangle’s corner b at the hit point'),
  onC: lanes('f32', 'weight of corner c'),
  material: lanes('u32', 'address of the MATERIAL as it is at the hit point (`vary.ts`)'),
})

export const DRAWN = record(
  'Drawn',
  'Numbers of a sample for its camera ray, or for a hit, see `path/sampler.ts`; in [0, 1).',
  {
    lobe: f64('chooses how the surface scatters'),
    survival: f64('whether the path goes on'),
    lightU: f64('chooses the light, and what is left of it a point of that: both are spread well together'),
    lightV: f64('the point'),
    lobeU: f64('a direction'),
    lobeV: f64('the same'),
    lobeCosine: f64('of the angle lobeU, turns: in place of the last of four pairs'),
    lobeSine: f64('of the same'),
    filterU: reading('lobe', f64('of a camera ray: its place in the pixel')),
    filterV: reading('survival', f64('the same')),
    lensU: reading('lightU', f64('of a camera ray: its place on the lens')),
    lensV: reading('lightV', f64('the same')),
  },
)

export const LIGHT_SAMPLE = record(
  'LightSample',
  'A direction towards a light, as next-event estimation chooses it (`path/lights/lights.ts`).',
  {
    light: rgb('f64', 'radiance, or irradiance of a light without a size; 0 if there is none'),
    density: f64('per solid angle; 0 for lights without a size'),
    direction: xyz('f64', 'unit vector'),
    reach: f64('how far away the light is'),
    probability: f64('by which the light of a light without a size has still to be divided'),
  },
)

export const AIM = record('Aim', 'Where lights are looked for from a hit (`path/aim.ts`).', {
  samples: records(LIGHT_SAMPLE, LIGHT_GROUPS, 'of each group of lights that is not empty, if `asks`'),
  surface: u32('address of the hit’s, one of four'),
  asks: u32('whether lights matter to the hit at all'),
  distant: u32('number of the distant light that was chosen'),
  rest: f64('what is left of the number that chose it, uniform in [0, 1)'),
  cosine: f64('of that as an angle, turns'),
  sine: f64('of the same'),
  facing: u32('of the surface (`path/lights/facing.ts`)'),
})

export const CAMERA_SAMPLE = record('CameraSample', 'A sample whose camera ray is appended next (`path/camera.ts`).', {
  x: u32('of its pixel in the frame, px'),
  y: u32('the same'),
  pixel: u32('in the block'),
  number: u32('in the sequences of its patch'),
  seed: u32('of these'),
})

export const MET = record('Met', 'A hit before hits are ordered.', {
  parts: quad('u32', ['A', 'B', 'C', 'Material'], 'of the triangle'),
  ray: u32('address of RAY'),
  model: u32('of its material, one of MODELS'),
  instance: u32('as that of HIT'),
})

export const SHADOW_LIGHT = record('ShadowLight', 'What a shadow ray contributes if nothing is in its way.', {
  light: color4('of ambient rays still to be multiplied by the sky’s radiance'),
})

export const AMBIENT_LIGHT = record('AmbientLight', 'The same for shadow rays of the ambient integrator.', {
  light: color4('of ambient rays still to be multiplied by the sky’s radiance'),
  tint: color4('of ambient rays: the colour of the surface'),
})

export const PATH = record('Path', 'The state of a path, beside its ray.', {
  weight: { ...rgb('f32', 'share of the light along the ray that reaches the eye'), align: 16 },
  density: f32(
    'per solid angle, with which its direction was chosen; 0 if its light could not have been found in another way; with a sign (`path/fireflies.ts`)',
  ),
  scattered: u16('how often it was'),
  facing: u16(
    'which way the surface faces that it comes from, as directions to the environment map are chosen (`path/lights/facing.ts`)',
  ),
  media: u32('numbers of the media that it is in, a byte each, from the one that it entered last'),
  seed: u32('of its sample’s numbers'),
  cone: u32('how much of a surface it stands for (`surface/cone.ts`)'),
})
