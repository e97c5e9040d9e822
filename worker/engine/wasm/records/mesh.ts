/**
 * Vertices and triangles, and the tree over them.
 *
 * Children of a node are words: 0 none; the address of a node (bits 0 to 4 are zero); that of a triangle4, plus CHILD.triangle4; that of an
 * instance of a mesh that has a tree of its own, plus CHILD.instance.
 *
 * A *slot* is a triangle4's address plus 4 × lane: what lanes have of a triangle is at the slot plus the field's offset.
 */
import { lanes, reading, record, records, u64, vector, xyz } from './record.ts'

export const VERTEX = record('Vertex', 'What hits on any material need.', {
  position: xyz('f32', 'relative to the scene’s centre, or in the mesh’s coordinates'),
  normal: xyz('f32', 'unit vector, or zeros: the triangle’s own is used'),
  rest: reading('position', vector('f32', ['Z', 'NormalX', 'NormalY', 'NormalZ'], 'its last four numbers'), 8),
})

export const VERTEX_COLOR = record('VertexColor', 'Of a vertex, if any mesh has colours.', {
  channels: vector('u16', ['Red', 'Green', 'Blue', 'Opacity'], '65535 is 1'),
  bits: reading('channels', u64('to copy them')),
})

export const UV = record('Uv', 'Of a vertex: of each set of coordinates that there is.', {
  uv: vector('f32', ['U', 'V'], 'zeros where a mesh has none'),
  bits: reading('uv', u64('to copy them')),
})

export const TANGENT = record('Tangent', 'Of a vertex, if any mesh has tangents.', {
  direction: vector('i16', ['X', 'Y', 'Z', 'Side'], 'unit vector, and the side of the bitangent; 32767 is 1'),
  bits: reading('direction', u64('to clear them')),
})

/**
 * A mesh that is not baked has, where triangles have the number of a material, that of a material slot in `SLOT.number`s, and `clear` if the slot's material
 * lets light through.
 */
export const SLOT = { clear: 1, number: 2 }

/**
 * Two cache lines, so that `address ^ SLAB.otherSide` leads from the side where a ray enters a slab to the side where it leaves. A lane without a child
 * has a box that nothing enters: min +Infinity, max -Infinity.
 */
export const GROUP = record(
  'Group',
  'Four children of a node.',
  {
    minX: lanes('f32', 'of the children’s boxes'),
    minY: lanes('f32', 'of the children’s boxes'),
    minZ: lanes('f32', 'of the children’s boxes'),
    children: lanes('u32', 'child words'),
    maxX: lanes('f32', 'of the children’s boxes'),
    maxY: lanes('f32', 'of the children’s boxes'),
    maxZ: lanes('f32', 'of the children’s boxes'),
    odds: lanes('f32', 'which child a shadow ray visits first (`build/odds.ts`)'),
  },
  { align: 128 },
)

export const NODE = record('Node', 'Eight children.', {
  groups: records(GROUP, 2, 'of lower and higher children along an axis'),
})

export const CORNER = record('Corner', 'The same corner of four triangles.', {
  x: lanes('f32', 'as of a vertex'),
  y: lanes('f32', 'as of a vertex'),
  z: lanes('f32', 'as of a vertex'),
})

export const TRIANGLE4 = record(
  'Triangle4',
  'Four triangles. An unused lane has three corners at one point, which no ray hits, and id ID.mask.',
  {
    corners: records(CORNER, 3, 'a, b and c'),
    id: lanes('u32', 'numbers of the triangles in the scene, with ID.clear'),
  },
  { align: 32 },
)

/** Of a triangle4's `id`: set if the material lets light through; and the number. */
export const ID = { clear: 0x80000000, mask: 0x7fffffff }

/** What is added to addresses in child words; `exit` is below a mesh's tree on a ray's stack: the way out, an instance at no address. */
export const CHILD = { triangle4: 1, instance: 2, exit: 2 }

/** Distance in a group from one side of a slab to the other. */
export const SLAB = { otherSide: GROUP.fields.maxX.offset - GROUP.fields.minX.offset }
