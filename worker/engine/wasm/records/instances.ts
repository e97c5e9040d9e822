/**
 * Meshes that stand in many places. Their vertices and triangles are in memory once, in the mesh's own coordinates, and each mesh has a
 * tree of its own; rays reach it through instances, which are leaves of the scene's tree (CHILD.instance).
 *
 * What a ray meets are the triangles as baking would place them, bit for bit: a triangle4's corners are transformed as `bake.ts` does it,
 * in doubles rounded to floats, and then tested in the scene's coordinates. Only boxes are tested in the mesh's coordinates, with
 * margins for all rounding: so which triangle is hit depends neither on the tree nor on whether a mesh is instanced. One that has no area where it is placed is never hit
 * (`lanesWithArea`), as a baked one becomes a point; both keep their numbers.
 *
 * Triangles: those that are baked come first, then each mesh's.
 */
import { TANGENT, UV, VERTEX, VERTEX_COLOR } from './mesh.ts'
import { f64, list, quad, reading, record, records, u32, vector, xyz, xyz4 } from './record.ts'

export const MATRIX_ROW = record('MatrixRow', 'As rows of both matrices begin.', {
  x: f64('factor'),
  y: f64('factor'),
  z: f64('factor'),
  shift: f64('of a place alone'),
})

const row = (axis: string) =>
  vector('f64', ['X', 'Y', 'Z', 'Shift'], `from the mesh’s coordinates to ${axis} in the scene`)
const normals = (axis: string) => xyz('f64', `${axis} of the matrix of normals, the inverse’s transpose`)
const margin = (axis: string) => xyz4(`what a distance from the scene’s centre along ${axis} adds`)

export const INSTANCE = record(
  'Instance',
  'A mesh at a place.',
  {
    placeX: row('x'),
    placeY: row('y'),
    placeZ: row('z'),
    normalX: normals('x'),
    normalY: normals('y'),
    normalZ: normals('z'),
    place: reading('placeX', list('f64', 12, 'all of it')),
    rows: reading('placeX', records(MATRIX_ROW, 3, 'of the same')),
    normals: reading('normalX', list('f64', 9, 'all of it')),
    root: u32('number of its tree, 1 for the first mesh’s; the builder replaces it by the address of the tree’s root'),
    materials: u32('address of the addresses of its materials, by slot'),
    number: u32('its first triangle’s number in the scene, less that in memory'),
    cornerB: u32('offset of corner b in a triangle4: mirrored instances exchange b and c'),
    cornerC: u32('offset of corner c in a triangle4'),
    object: u32('number of the object that it belongs to'),
    low: xyz4('of its box in the scene'),
    high: xyz4('of its box in the scene'),
    marginX: margin('x'),
    marginY: margin('y'),
    marginZ: margin('z'),
    marginOwn: xyz4('what the instance’s own place adds, for each axis of the mesh’s coordinates as the others'),
    margins: reading('marginX', list('f32', 16, 'all of them')),
  },
  { align: 32 },
)

export const TREE = record('Tree', 'Of a mesh.', {
  first: u32('number of its first triangle'),
  end: u32('number past its last triangle'),
})

export const RUN = record('Run', 'Baked triangles that follow each other in the scene, too.', {
  first: u32('number in memory of the first'),
  distance: u32('what is added to their numbers for those in the scene'),
})

export const OBJECT_RUN = record('ObjectRun', 'Baked triangles of one object that follow each other.', {
  end: u32('number in memory past the last'),
  object: u32('its number'),
})

export const TANGENT_FLOATS = record('TangentFloats', 'Of a vertex of a mesh that is not baked.', {
  direction: quad('f32', ['X', 'Y', 'Z', 'Side'], 'unit vector, and the side of its bitangent'),
})

export const PLACED_VERTEX = record(
  'PlacedVertex',
  'A vertex of an instance where it is in the scene, see `placed-triangle.ts`.',
  {
    vertex: records(VERTEX, 1, 'first, so that it can be read as any other'),
    color: records(VERTEX_COLOR, 1, 'if any mesh has colours'),
    uv: records(UV, 1, 'if there are textures'),
    uv2: records(UV, 1, 'if any mesh has a second set of coordinates'),
    tangent: records(TANGENT, 1, 'if any mesh has tangents'),
  },
  { align: 32 },
)

export const PLACED_TRIANGLE = record('PlacedTriangle', 'Its vertices a, b and c.', {
  vertices: records(PLACED_VERTEX, 3, 'in the order of the scene'),
})

/** Words of the lists of materials of instances. */
export const MATERIAL_SLOT = record('MaterialSlot', 'A material of an instance.', { material: u32('its address') })
