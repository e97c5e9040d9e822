/** Lights for next-event estimation. */
import { f32, f64, lanes, list, numbered, reading, record, rgb, u32, xyz } from './record.ts'

/** Those of the list, as `Light` in `shared/scene/light.ts` names them, and the environment map. */
export const LIGHT_KINDS = numbered(['distant', 'point', 'spot', 'rectangle', 'map'])

export const LIGHT = record(
  'Light',
  'Which fields count depends on the kind; a sphere’s are in one cache line.',
  {
    kind: u32('one of LIGHT_KINDS'),
    squared: u32('whether a spot’s light falls with the square'),
    position: xyz('f64', 'or direction towards a distant light'),
    color: rgb('f64', 'intensity, radiance or irradiance'),
    size: f64('radius, or cosine of half the disc’s angle'),
    axis: xyz(
      'f64',
      'direction of a spot, half a side of a rectangle, or at right angles to the direction towards a distant light',
    ),
    up: xyz('f64', 'half of the other side, or at right angles to both'),
    inner: f64('cosine at which a spot’s light begins to fall'),
    outer: f64('cosine at which it ends'),
    area: f64('of a rectangle, or density of a disc’s directions'),
    normal: xyz('f64', 'of a rectangle'),
    probability: f64('of being chosen, if it is distant'),
  },
  { align: 64 },
)

export const LIGHT_NODE = record(
  'LightNode',
  'Of the tree over the lights in the scene, see `path/lights/tree.ts`: up to four children, a lane each; those that are not there have no power. In two cache lines.',
  {
    centreX: lanes('f32', 'of the box around its lights'),
    centreY: lanes('f32', 'the same'),
    centreZ: lanes('f32', 'the same'),
    square: lanes('f32', 'squared radius of the sphere around the box'),
    power: lanes('f32', 'share of that of all lights'),
    first: lanes('u32', 'number of a node, or of a leaf’s first TREE_LIGHT'),
    count: lanes('u32', 'of a leaf: how many lights it has; of a node 0'),
    parent: u32('number of the node that has this one in a lane, times four, and that lane'),
    aimed: u32('whether any child does not shine in all directions: has a LIGHT_CONE that counts'),
  },
  { align: 64 },
)

export const LIGHT_BOX = record(
  'LightBox',
  'What rays ask of a node’s children: the boxes around their lights.',
  {
    halfX: lanes('f32', 'half sides of the box'),
    halfY: lanes('f32', 'the same'),
    halfZ: lanes('f32', 'the same'),
    lamps: lanes('u32', 'all bits if rays can meet any of them that is not a triangle'),
  },
  { align: 64 },
)

export const LIGHT_CONE = record('LightCone', 'Where the lights of a node’s children shine.', {
  axisX: lanes('f32', 'of the cone that holds the normals of its lights'),
  axisY: lanes('f32', 'the same'),
  axisZ: lanes('f32', 'the same'),
  cosine: lanes('f32', 'of the cone’s half angle'),
  sine: lanes('f32', 'of the same'),
  twoSided: lanes('u32', 'all bits if they shine towards both sides'),
})

export const LIGHT_CHOICE = record(
  'LightChoice',
  'Of a light in the scene for a point, on its way down the tree (`path/lights/tree.ts`).',
  {
    own: lanes('f32', 'importances of the children of the node that was left last'),
    each: reading('own', list('f32', 4, 'the same')),
    before: list('f64', 4, 'sums of those of the lanes before'),
    x: f32('of the point'),
    y: f32('the same'),
    z: f32('the same'),
    number: u32('of the node that is next; at the end, of the leaf’s first TREE_LIGHT'),
    count: u32('at the end: how many lights the leaf has'),
    rest: f64('what is left of the number that chooses, uniform in [0, 1)'),
    probability: f64('of what has been chosen so far; 0 at the end if no light reaches the point'),
  },
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

/** Blocks of the grid over the environment map, and along each axis of an octahedron the ways that surfaces face. */
export const MAP_GRID = { across: 32, down: 16, facings: 8 } as const

/** Levels of the tree, at most. */
export const LIGHT_LEVELS = 64

/** Of a light that is never chosen, and of what the root is in. */
export const NO_LEAF = 0xffffffff

export const CHOICE = record('Choice', 'Of a distant light, see `path/lights/choose.ts`.', {
  share: f32('of its cell that chooses `own`'),
  own: u32('number of a light'),
  other: u32('number of what the rest chooses'),
})
