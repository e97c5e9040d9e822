/**
 * Meshes that stand in many places. Their vertices and triangles are in memory once, in the mesh's own coordinates, and each mesh has a
 * tree of its own; rays reach it through instances, which are leaves of the scene's tree (CHILD_INSTANCE).
 *
 * What a ray meets are the triangles as baking would place them, bit for bit: a triangle4's corners are transformed as `bake.ts` does it,
 * in doubles rounded to floats, and then tested in the scene's coordinates. Only boxes are tested in the mesh's coordinates, with
 * margins for all rounding: so which triangle is hit depends neither on the tree nor on whether a mesh is instanced.
 *
 * Triangles: those that are baked come first, then each mesh's. Of the latter, the fourth word is the number of a material slot, and
 * bit 31 is set if the slot's material lets light through.
 */

// Scene header: addresses and counts of what follows. Trees are those of meshes, besides the scene's.
export const SCENE_INSTANCES: u32 = 320
export const SCENE_INSTANCE_COUNT: u32 = 324
export const SCENE_TREES: u32 = 328
export const SCENE_TREE_COUNT: u32 = 332
export const SCENE_RUNS: u32 = 336
export const SCENE_RUN_COUNT: u32 = 340
/** Number of triangles that are baked. */
export const SCENE_BAKED: u32 = 344
/** Where TANGENT_FLOATS_BYTES for vertex 0 would be: only vertices of meshes have them. */
export const SCENE_MESH_TANGENTS: u32 = 348
/** f32[4]: x, y, z of a unit vector, and the side of its bitangent. */
export const TANGENT_FLOATS_BYTES: u32 = 16

// Instance, at a multiple of 32: f64 from mesh to scene, three rows of four; f64 the matrix of normals, three rows of three, the inverse's
// transpose; u32 its mesh's root | u32 material per slot, addresses | u32 its first triangle's number in the scene, less that in memory |
// u32 offsets of corners b and c in a triangle4; f32 box in the scene, min[4] max[4], of which three count; f32 margins, four vectors of
// which three lanes count: for each axis of the mesh's coordinates, what a distance from the scene's centre along x, y and z adds, and what
// the instance's own place does.
export const INSTANCE_BYTES: u32 = 288
export const INSTANCE_PLACE: u32 = 0
export const INSTANCE_NORMALS: u32 = 96
/** The builder replaces the number of the tree, 1 for the first mesh's, by its root's address. */
export const INSTANCE_ROOT: u32 = 168
export const INSTANCE_MATERIALS: u32 = 172
export const INSTANCE_NUMBER: u32 = 176
export const INSTANCE_CORNER_B: u32 = 180
export const INSTANCE_CORNER_C: u32 = 184
export const INSTANCE_BOX: u32 = 192
export const INSTANCE_MARGINS: u32 = 224

// Tree of a mesh: the numbers of its first triangle, and one past its last.
export const TREE_BYTES: u32 = 8
export const TREE_END: u32 = 4

// Run of baked triangles that follow each other in the scene, too: u32 the first one's number in memory | what is added for that in the scene.
export const RUN_BYTES: u32 = 8
export const RUN_DISTANCE: u32 = 4

export const SLOT_CLEAR: u32 = 0x80000000

// Placed vertex, see `placed-triangle.ts`: vertex | colour | second coordinates | tangent | pad.
export const PLACED_BYTES: u32 = 64
export const PLACED_COLOR: u32 = 32
export const PLACED_UV2: u32 = 40
export const PLACED_TANGENT: u32 = 48
export const PLACED_TRIANGLE_BYTES: u32 = 192

/** Child word below a mesh's tree on a ray's stack: the way out, an instance at no address. */
export const CHILD_EXIT: u32 = 2
