/** Lights for next-event estimation. */
import { f32, f64, numbered, record, rgb, u32, xyz } from './record.ts'

/** Those of the list, as `Light` in `shared/scene/light.ts` names them, and the environment map. */
export const LIGHT_KINDS = numbered(['distant', 'point', 'spot', 'rectangle', 'map'])

export const LIGHT = record(
  'Light',
  'Which fields count depends on the kind.',
  {
    kind: u32('one of LIGHT_KINDS'),
    probability: f64('of being chosen, if it is distant'),
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

export const LIGHT_NODE = record(
  'LightNode',
  'Of the tree over the lights in the scene, see `path/lights/tree.ts`. The first child of an inner node follows it.',
  {
    centre: xyz('f64', 'of the box around its lights'),
    half: xyz('f64', 'half sides of the box'),
    axis: xyz('f64', 'of the cone that holds the normals of its lights'),
    cosine: f64('of the cone’s half angle'),
    sine: f64('of the same'),
    power: f64('of its lights together'),
    isTwoSided: u32('whether they shine towards both sides'),
    hasLamps: u32('whether rays can meet any of them that is not a triangle'),
    parent: u32('its number; of the root, that of the root'),
    second: u32('number of the second child of an inner node'),
    next: u32('number of the node after it and all below it'),
    first: u32('of a leaf: number of its first TREE_LIGHT'),
    count: u32('of a leaf: how many there are; of an inner node 0'),
  },
  { align: 64 },
)

export const TREE_LIGHT = record('TreeLight', 'A light in a leaf.', {
  power: f64('its share of that of the leaf'),
  number: u32('of the light in the list, or behind these of the cell of an emissive triangle'),
})

export const LIT_TRIANGLE = record(
  'LitTriangle',
  'A triangle that next-event estimation asks: in cells, each of which is a light of its own (`path/lights/cells.ts`).',
  {
    triangle: u32('its number'),
    firstCell: u32('of all cells'),
    side: u32('cells along an edge; there are as many as its square'),
  },
)

/** Of a light that is never chosen. */
export const NO_LEAF = 0xffffffff

export const CHOICE = record('Choice', 'Of a distant light, see `path/lights/choose.ts`.', {
  share: f32('of its cell that chooses `own`'),
  own: u32('number of a light'),
  other: u32('number of what the rest chooses'),
})
