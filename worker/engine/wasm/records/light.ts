/** Lights for next-event estimation. */
import { f32, f64, numbered, record, rgb, u32, xyz } from './record.ts'

/** Those of the list, as `Light` in `shared/scene/light.ts` names them, and the environment map. */
export const LIGHT_KINDS = numbered(['distant', 'point', 'spot', 'rectangle', 'map'])

export const LIGHT = record(
  'Light',
  'Which fields count depends on the kind.',
  {
    kind: u32('one of LIGHT_KINDS'),
    probability: f64('of being chosen'),
    position: xyz('f64', 'or direction towards a distant light'),
    color: rgb('f64', 'intensity, radiance or irradiance'),
    axis: xyz('f64', 'direction of a spot, half a side of a rectangle'),
    up: xyz('f64', 'half of the other side'),
    size: f64('radius, or cosine of half the disc’s angle'),
    inner: f64('cosine at which a spot’s light begins to fall'),
    outer: f64('cosine at which it ends'),
    area: f64('of a rectangle, or density of a disc’s directions'),
    normal: xyz('f64', 'of a rectangle'),
    squared: u32('whether a spot’s light falls with the square'),
  },
  { align: 64 },
)

export const CHOICE = record('Choice', 'Of a light, see `path/lights/choose.ts`.', {
  share: f32('of its cell that chooses `own`'),
  own: u32('number of a light'),
  other: u32('number of what the rest chooses'),
})
