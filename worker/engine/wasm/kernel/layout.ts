/**
 * The layout of the kernel's memory. No other file knows an offset. Addresses are bytes, words are 32 bits,
 * little-endian; a v128 is four lanes.
 *
 *     0          nothing: address 0 means "none"
 *     128        scene header, filled by the host and the builder
 *     4096       packed scene, unchanged
 *     ...        material table
 *     ...        structure: nodes, then triangle4s               multiple of 128
 *     ...        one workspace per tracing thread                  multiple of 128
 *
 * Node, 256 bytes, at a multiple of 128: two groups of four children. A group is two cache lines:
 *
 *     +0  f32 minX[4]  +16 minY[4]  +32 minZ[4]  +48 u32 child[4]
 *     +64 f32 maxX[4]  +80 maxY[4]  +96 maxZ[4]  +112 meta
 *
 * so `address ^ 64` leads from the side where a ray enters a slab to the side where it leaves. A lane without a child has a
 * box that nothing enters (min +Infinity, max -Infinity). Word 0 of the first group's meta is the axis (0, 1, 2) along which the
 * groups are ordered: children of group 0 lie towards its low end.
 *
 * Child: 0 none; address of a node (bits 0..4 zero); address of a triangle4, plus 1. Bit 1 is reserved for instances of
 * another tree (a second level): address of the instance's record plus 2.
 *
 * Triangle4, 160 bytes, at a multiple of 32: four triangles, each in a lane.
 *
 *     +0 f32 ax[4]  +16 ay  +32 az  +48 bx  +64 by  +80 bz  +96 cx  +112 cy  +128 cz  +144 u32 id[4]
 *
 * The id is the triangle's number in the scene; bit 31 is set if its material lets light through. An unused lane has
 * three corners at one point, which no ray hits, and id 0x7fffffff. A *slot* is a triangle4's address plus 4 × lane: the word at
 * slot + 144 is the id, the float at slot + 16 k the k-th coordinate.
 *
 * Ray, 48 bytes, at a multiple of 16:
 *
 *     +0 f32 origin[3]  +12 tMin  +16 direction[3]  +28 tMax  +32 u32 hit  +36 steps  +40 and +44 free for the owner
 *
 * After a closest-hit pass `hit` is the slot that was hit, or 0, and `tMax` the distance. After a shadow pass bit 0 of `hit`
 * is set if something opaque blocks the ray and bit 1 if something clear does; tMax is unchanged.
 */

// Scene header
export const SCENE: u32 = 128
export const SCENE_POSITIONS: u32 = 0
export const SCENE_NORMALS: u32 = 4
export const SCENE_INDICES: u32 = 8
/** Address of a u16 per triangle. */
export const SCENE_MATERIAL_IDS: u32 = 12
export const SCENE_TRIANGLES: u32 = 16
export const SCENE_VERTICES: u32 = 20
/** Address of MATERIAL_BYTES per material. */
export const SCENE_MATERIALS: u32 = 24
export const SCENE_MATERIAL_COUNT: u32 = 28
/** Written by the builder: child word of the root (always a node), the structure's address and size, nodes, triangle4s, levels. */
export const SCENE_ROOT: u32 = 32
export const SCENE_STRUCTURE: u32 = 36
export const SCENE_STRUCTURE_BYTES: u32 = 40
export const SCENE_NODES: u32 = 44
export const SCENE_TRIANGLE4S: u32 = 48
/** Number of nodes on the longest path from the root to a triangle4, at least 1. */
export const SCENE_DEPTH: u32 = 52
/** f64: zenith[3] horizon[3] ground[3] sun direction[3] sun irradiance[3]. */
export const SCENE_SKY: u32 = 64
export const SCENE_SUN: u32 = 136
export const FIRST_FREE: u32 = 4096

// Material: u32 kind | pad | f64 color[3] | f64 ior
export const MATERIAL_BYTES: u32 = 64
export const MATERIAL_KIND: u32 = 0
export const MATERIAL_COLOR: u32 = 8
export const MATERIAL_IOR: u32 = 32
export const MATTE: u32 = 0
export const COATED: u32 = 1
export const MIRROR: u32 = 2
export const GLASS: u32 = 3

// Node
export const NODE_BYTES: u32 = 256
export const GROUP_BYTES: u32 = 128
export const GROUP_CHILDREN: u32 = 48
export const GROUP_META: u32 = 112
/** Distance from one side of a slab to the other. */
export const OTHER_SIDE: u32 = 64
export const CHILD_TRIANGLE4: u32 = 1
export const CHILD_INSTANCE: u32 = 2

// Triangle4
export const TRIANGLE4_BYTES: u32 = 160
export const TRIANGLE4_IDS: u32 = 144
export const TRIANGLE4_CORNER: u32 = 48
export const ID_CLEAR: u32 = 0x80000000
export const ID_MASK: u32 = 0x7fffffff

// Ray
export const RAY_BYTES: u32 = 48
export const RAY_ORIGIN: u32 = 0
export const RAY_T_MIN: u32 = 12
export const RAY_DIRECTION: u32 = 16
export const RAY_T_MAX: u32 = 28
export const RAY_HIT: u32 = 32
export const RAY_STEPS: u32 = 36
export const RAY_FREE: u32 = 40
export const BLOCKED: u32 = 1
export const DIMMED: u32 = 2

// View block at the start of every thread's workspace: f64 origin[3] right[3] up[3] back[3] tanHalfX tanHalfY near far exposure,
// then u32 frame, width, height, samples, ambientRays, maxDepth; and the samples to be traced: the first, and one past the last.
export const VIEW_BYTES: u32 = 256
export const VIEW_ORIGIN: u32 = 0
export const VIEW_RIGHT: u32 = 24
export const VIEW_UP: u32 = 48
export const VIEW_BACK: u32 = 72
export const VIEW_TAN_HALF_X: u32 = 96
export const VIEW_TAN_HALF_Y: u32 = 104
export const VIEW_NEAR: u32 = 112
export const VIEW_FAR: u32 = 120
export const VIEW_EXPOSURE: u32 = 128
export const VIEW_FRAME: u32 = 136
export const VIEW_WIDTH: u32 = 140
export const VIEW_HEIGHT: u32 = 144
export const VIEW_SAMPLES: u32 = 148
export const VIEW_AMBIENT_RAYS: u32 = 152
export const VIEW_MAX_DEPTH: u32 = 156
export const VIEW_FROM_SAMPLE: u32 = 160
export const VIEW_TO_SAMPLE: u32 = 164

// Sum of a pixel's light: f64 red, green, blue, and eight unused bytes.
export const SUM_BYTES: u32 = 32

// Square of a list: u32 x | y | u64 pixels. Its top left corner in the frame, at multiples of 8, and a bit for each requested
// pixel; bit i is the pixel whose column is bits 0, 2, 4 of i and whose row is bits 1, 3, 5 (Morton order).
export const LISTED_BYTES: u32 = 16
export const LISTED_X: u32 = 0
export const LISTED_Y: u32 = 4
export const LISTED_PIXELS: u32 = 8
