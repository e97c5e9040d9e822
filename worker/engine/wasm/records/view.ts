/** What a thread is to trace, and what it makes of it. */
import { TABLE_ENTRIES } from '../../../../shared/frame/coverage-table.ts'
import { bits, f64, list, numbered, quad, reading, record, rgb, u32, u64, vector, xyz } from './record.ts'

export const VIEW = record(
  'View',
  'At the start of every thread’s workspace.',
  {
    origin: xyz('f64', 'the eye, relative to the scene’s centre'),
    right: xyz('f64', 'unit vector'),
    up: xyz('f64', 'unit vector'),
    back: xyz('f64', 'unit vector'),
    tanHalfX: f64('of the angle of view'),
    tanHalfY: f64('of the angle of view'),
    near: f64('scene units'),
    far: f64('scene units'),
    exposure: f64('factor of light'),
    clamp: f64('for the path tracer: the most radiance of indirect light, or Infinity'),
    sumScale: f64('factor of light in sums'),
    frame: u32('its number'),
    width: u32('of the frame, px'),
    height: u32('of the frame, px'),
    samples: u32('of a pixel'),
    weightedFor: u32('samples that weights in sums are for'),
    sharedBy: u32('samples that a pixel’s area is shared by'),
    stretchBits: u32('of the number of a sample in its stretch of the sampler’s sequences'),
    ambientRays: u32('per hit'),
    maxDepth: u32('smooth surfaces between a ray and the eye'),
    fromSample: u32('the first that is traced'),
    toSample: u32('one past the last'),
    integrator: u32('one of INTEGRATORS'),
    flags: u32('VIEW_FLAGS'),
    lensRadius: f64('scene units'),
    lensFocus: f64('scene units'),
    lensRotation: f64('turns'),
    reach: f64('of the scene as the camera sees it, scene units: where a feature of depth is a half'),
    lensBlades: u32('0 for a circle'),
    firstHits: u32('whether what camera rays hit is counted, for other channels than colour'),
    goesOn: u32('whether a block goes on from the sums of later samples'),
    bounces: u32('for the path tracer: the most'),
    features: u32('for the path tracer: whether FEATURES are added up'),
    coveredBy: u32('which tables of COVERAGE are filled, COVERED_BY'),
  },
  { align: 128 },
)

export const INTEGRATORS = numbered(['ambient', 'path'])

/**
 * `alone`: rays one by one, and what each leads to before the next, the scalar driver. `transparent`: camera rays that hit nothing add no light.
 * `single`: light that microfacets scatter several times is left out. `plain`: there are no caustics.
 */
export const VIEW_FLAGS = bits(['gaussian', 'orthographic', 'alone', 'transparent', 'single', 'plain'])

/** What mattes tell apart. */
export const COVERED_BY = bits(['objects', 'labels'])

export const COVERAGE = record(
  'Coverage',
  'Of a pixel: which ids its samples see first, in the upper half of each word, and how many do.',
  { entries: list('u32', TABLE_ENTRIES, 'by ascending ids, and then zeros') },
  { align: 16 },
)

export const SUM = record(
  'Sum',
  'Of a pixel’s light.',
  { light: vector('f64', ['Red', 'Green', 'Blue', 'Rest'], 'multiples of 2^-32; the last is unused') },
  { align: 32 },
)

export const FEATURES = record(
  'Features',
  'Of a pixel: sums over samples of what each sees first that is not smooth, 0 to 65535.',
  {
    first: quad('u32', ['Red', 'Green', 'Blue', 'X'], 'colour, and the first coordinate of the normal'),
    second: quad('u32', ['Y', 'Z', 'Depth', 'Rest'], 'the others, and depth; the last is unused'),
  },
  { align: 32 },
)

export const ANSWER = record('Answer', 'Of one of the path tracer’s parts, for tests.', {
  direction: xyz('f64', 'unit vector'),
  value: rgb('f64', 'of a scattering function times the cosine, a weight, or radiance'),
  density: f64('per solid angle'),
})

export const LISTED = record('Listed', 'A square of a list.', {
  x: u32('left column in the frame, a multiple of 8'),
  y: u32('top row in the frame, a multiple of 8'),
  pixels: u64(
    'a bit for each requested pixel; bit i is the pixel whose column is bits 0, 2, 4 of i and whose row is bits 1, 3, 5 (Morton order)',
  ),
  words: reading('pixels', list('u32', 2, 'the low and the high half')),
})
