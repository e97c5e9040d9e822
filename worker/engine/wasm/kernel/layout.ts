/**
 * The layout of the kernel's memory. No other file contains an offset. Addresses are bytes, words are 32 bits,
 * little-endian; a v128 is four lanes.
 *
 *     0          nothing: address 0 means "none"
 *     128        scene header, filled by the host and the builder
 *     4096       what the host keeps with a scene, and its triangles
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
 * Child: 0 none; address of a node (bits 0..4 zero); address of a triangle4, plus 1; address of an instance of a mesh that has a tree
 * of its own (`instance-layout.ts`), plus 2.
 *
 * Triangle4, 160 bytes, at a multiple of 32: four triangles, each in a lane.
 *
 *     +0 f32 ax[4]  +16 ay  +32 az  +48 bx  +64 by  +80 bz  +96 cx  +112 cy  +128 cz  +144 u32 id[4]
 *
 * The id is the triangle's number in the scene; bit 31 is set if its material lets light through. An unused lane has
 * three corners at one point, which no ray hits, and id 0x7fffffff. A *slot* is a triangle4's address plus 4 × lane: the word at
 * slot + 144 is the id, the float at slot + 16 k the k-th coordinate.
 *
 * Vertex, 32 bytes, at a multiple of 32: one access to memory brings all of it.
 *
 *     +0 f32 position[3]  +12 normal[3]  +24 uv[2]
 *
 * The normal is a unit vector, or zeros: the triangle's own is used. Triangle, 16 bytes, at a multiple of 16: what a hit needs to know
 * besides the corners that are in its triangle4.
 *
 *     +0 u32 vertices[3]  +12 material                            numbers, not addresses
 *
 * Ray, 64 bytes, at a multiple of 16:
 *
 *     +0 f32 origin[3]  +12 tMin  +16 direction[3]  +28 tMax  +32 u32 hit  +36 steps  +40 and +44 free for the owner
 *     +48 instance
 *
 * After a closest-hit pass `hit` is the slot that was hit, or 0, and `tMax` the distance; `instance`, in scenes that have some, is that of the
 * triangle, or 0. After a shadow pass bit 0 of `hit` is set if something opaque blocks the ray and bit 1 if something clear does; tMax is unchanged.
 */

// Scene header
export const SCENE: u32 = 128
/** Addresses of VERTEX_BYTES per vertex and of TRIANGLE_BYTES per triangle, and their numbers. */
export const SCENE_VERTICES_AT: u32 = 0
export const SCENE_TRIANGLES_AT: u32 = 4
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
/** Address of the state of a build in progress (`build/state.ts`). */
export const SCENE_BUILDING: u32 = 56
/** f32[4] each, of which three count: zenith, horizon, ground; the sun's direction and irradiance. */
export const SCENE_SKY: u32 = 64
export const SCENE_SUN: u32 = 112
/** Addresses and counts for next-event estimation, see `path/lights/choose.ts`: lights, what is chosen from, emissive triangles. */
export const SCENE_LIGHTS: u32 = 192
export const SCENE_LIGHT_COUNT: u32 = 196
export const SCENE_LIT_TRIANGLES: u32 = 208
/** Environment map: address of its texels, or 0 for the sky above; see `path/lights/map.ts`. */
export const SCENE_MAP: u32 = 212
export const SCENE_MAP_WIDTH: u32 = 216
export const SCENE_MAP_HEIGHT: u32 = 220
/** Grid by which directions are chosen: cumulative shares of its rows, and within each row of its columns, f32. */
export const SCENE_GRID_ROWS: u32 = 224
export const SCENE_GRID_COLUMNS: u32 = 228
export const SCENE_GRID_WIDTH: u32 = 232
export const SCENE_GRID_HEIGHT: u32 = 236
export const SCENE_MAP_INTENSITY: u32 = 240
export const SCENE_MAP_ROTATION: u32 = 248
/** u32: whether there is a light that rays can meet on their way to a surface. */
export const SCENE_LAMPS: u32 = 264
/** Address of COLOR_BYTES per vertex: u16 red, green, blue and opacity, 65535 is 1; 0 if no mesh has colours. */
export const SCENE_COLORS: u32 = 268
/** Address of UV2_BYTES per vertex: u, v of the second set of coordinates; 0 if no mesh has one. */
export const SCENE_UV2: u32 = 272
/** Address of TANGENT_BYTES per vertex: i16 x, y, z of a unit vector and the side of the bitangent, 32767 is 1; 0 if no mesh has them. */
export const SCENE_TANGENTS: u32 = 276
/** Two groups of lights, distant ones and those in the scene: the address of what is chosen from, and how much that is. */
export const SCENE_GROUPS: u32 = 304
export const GROUPS: u32 = 2
export const GROUP_CHOICES: u32 = 0
export const GROUP_COUNT: u32 = 4
export const GROUP_ENTRY: u32 = 8
/** u32: whether any material has textures. */
export const SCENE_TEXTURED: u32 = 288
/** u32: which rays pass any material (MATERIAL_PASSING). */
export const SCENE_PASSING: u32 = 280
/** Address of the albedo of rough reflection for materials that vary, see `path/lobes/principled/albedos.ts`. */
export const SCENE_ALBEDOS: u32 = 284
/** f64: with which probability the map is chosen for next-event estimation. */
export const SCENE_MAP_PROBABILITY: u32 = 256
export const FIRST_FREE: u32 = 4096

// Vertex
export const VERTEX_BYTES: u32 = 32
export const VERTEX_NORMAL: u32 = 12
export const VERTEX_UV: u32 = 24
export const COLOR_BYTES: u32 = 8
export const UV2_BYTES: u32 = 8
export const TANGENT_BYTES: u32 = 8

// Triangle
export const TRIANGLE_BYTES: u32 = 16
export const TRIANGLE_MATERIAL: u32 = 12

// Material. `kind` is for the ambient integrator, everything from `model` on for the path tracer.
export const MATERIAL_BYTES: u32 = 288
export const MATERIAL_KIND: u32 = 0
export const MATERIAL_MODEL: u32 = 4
/** u32: whether a hit needs a record of its own, with the values at its point, see `surface/vary.ts`; and vertex colours among them. */
export const MATERIAL_VARIES: u32 = 8
export const VARIES: u32 = 1
export const VARIES_VERTEX_COLORS: u32 = 2
/** u32: which rays may pass through the surface; 0 for none. */
export const MATERIAL_PASSING: u32 = 12
export const PASSING_MASK: u32 = 1
export const PASSING_BLEND: u32 = 2
/** Camera rays, through back sides. */
export const PASSING_BACKS: u32 = 4
/** Paths that have been scattered, through sheets of clear glass: light that is not mirrored goes straight on. */
export const PASSING_SHEET: u32 = 8
/** Any ray, somewhere. */
export const PASSING_SOME: u32 = PASSING_MASK | PASSING_BLEND
/** f32[4], of which three count; the fourth is 0. */
export const MATERIAL_COLOR: u32 = 16
/** f64 from here on. */
export const MATERIAL_IOR: u32 = 32
/** α of the GGX distribution; 0 for a perfectly smooth surface. */
export const MATERIAL_ALPHA: u32 = 40
export const MATERIAL_ABSORPTION: u32 = 48
export const MATERIAL_EMISSION: u32 = 72
/** Probability per area that next-event estimation chooses a point of a triangle of this material. */
export const MATERIAL_EMISSION_DENSITY: u32 = 96
/** Mean of the directional albedo over the cosine-weighted hemisphere. */
export const MATERIAL_MEAN_ALBEDO: u32 = 104
/**
 * u32 address of the directional albedo of its specular part: ALBEDO_CELLS + 1 f32, for roots of cosines from 0 to 1. Of rough glass, a
 * table of GLASS_BYTES, and of what is partly clear, of CLEAR_BYTES.
 */
export const MATERIAL_ALBEDO: u32 = 112
export const ALBEDO_CELLS: u32 = 64
/** u32: address of MAP_BYTES for each of its textures, and how many there are. */
export const MATERIAL_MAPS: u32 = 116
export const MATERIAL_MAP_COUNT: u32 = 120
/** f32: opacity from which on a mask is opaque. */
export const MATERIAL_CUTOFF: u32 = 124
/** f32 from here on. */
export const MATERIAL_METALLIC: u32 = 128
export const MATERIAL_ROUGHNESS: u32 = 132
export const MATERIAL_TRANSMISSION: u32 = 136
export const MATERIAL_SPECULAR: u32 = 140
/** f32[3], and strength of the shadows of an occlusion texture. */
export const MATERIAL_SPECULAR_COLOR: u32 = 144
export const MATERIAL_OCCLUSION: u32 = 156
/** f32[3], and roughness. */
export const MATERIAL_SHEEN: u32 = 160
export const MATERIAL_SHEEN_ROUGHNESS: u32 = 172
export const MATERIAL_COAT: u32 = 176
export const MATERIAL_COAT_ROUGHNESS: u32 = 180
export const MATERIAL_ANISOTROPY: u32 = 184
/** Cosine and sine of the direction of anisotropy in the tangent's frame. */
export const MATERIAL_ANISOTROPY_X: u32 = 188
export const MATERIAL_ANISOTROPY_Y: u32 = 192
export const MATERIAL_IRIDESCENCE: u32 = 196
export const MATERIAL_FILM_IOR: u32 = 200
/** Least thickness, nm, and how much more the most is. A hit's own record has its thickness in the first. */
export const MATERIAL_FILM: u32 = 204
export const MATERIAL_FILM_RANGE: u32 = 208
export const MATERIAL_DISPERSION: u32 = 212
export const MATERIAL_NORMAL_X: u32 = 216
export const MATERIAL_NORMAL_Y: u32 = 220
export const MATERIAL_COAT_NORMAL_X: u32 = 224
export const MATERIAL_COAT_NORMAL_Y: u32 = 228
/** u32: whether it is a sheet without inside. */
export const MATERIAL_THIN: u32 = 232
/** Share of ambient light that an occlusion texture lets through, in a hit's own record; otherwise 1. */
export const MATERIAL_OPEN: u32 = 236
/** f32[3] each, in a hit's own record: the tangent in the world, and the normal of the coat. Zeros where there is none. */
export const MATERIAL_TANGENT: u32 = 240
export const MATERIAL_COAT_NORMAL: u32 = 256
export const MATERIAL_OPACITY: u32 = 272
/** u32: whether any of its emission is above 0. */
export const MATERIAL_EMITS: u32 = 276
/** u32: whether some light passes through the surface, so that shadow rays must not end at it. */
export const MATERIAL_CLEAR: u32 = 280

// Albedos of facets and of fibres, see `path/lobes/principled/albedos.ts`: three tables of f32 over roughnesses and roots of cosines from 0
// to 1, and two means for each roughness.
export const ALBEDO_ROUGHNESSES: u32 = 24
export const ALBEDO_COSINES: u32 = 32
export const ALBEDO_TABLE: u32 = (ALBEDO_ROUGHNESSES + 1) * (ALBEDO_COSINES + 1) * 4
export const ALBEDOS_BYTES: u32 = 3 * ALBEDO_TABLE + 2 * (ALBEDO_ROUGHNESSES + 1) * 4

// What facets of glass do not scatter at once, see `light/glass-tables.ts`. Of the model for glass alone: two tables like MATERIAL_ALBEDO's, for
// light from outside and from inside; then f32 each.
export const GLASS_SIDE: u32 = (ALBEDO_CELLS + 1) * 4
/** Factors of light that is scattered back to its side, outside and inside, and of light that passes. */
export const GLASS_BACK: u32 = 2 * GLASS_SIDE
export const GLASS_THROUGH: u32 = GLASS_BACK + 8
/** Share that passes of what is scattered several times, from outside and from inside. */
export const GLASS_PASSES: u32 = GLASS_THROUGH + 4
export const GLASS_BYTES: u32 = GLASS_PASSES + 8
// Of the principled model: for each of ALBEDO_ROUGHNESSES + 1 roughnesses, tables of f32 over roots of cosines, of the part that does not depend on
// reflectances, and of the factors of F₀ and F₉₀; for light from outside, then from inside. Then the means of all six.
export const CLEAR_TABLE: u32 = (ALBEDO_COSINES + 1) * 4
export const CLEAR_SIDE: u32 = 3 * CLEAR_TABLE
export const CLEAR_MEANS: u32 = 2 * CLEAR_SIDE
export const CLEAR_ROW: u32 = CLEAR_MEANS + 24
export const CLEAR_BYTES: u32 = (ALBEDO_ROUGHNESSES + 1) * CLEAR_ROW

// Texture of a material: u32 texture, the property that it scales, and which set of coordinates it is looked up with; f32[6] a, b, c, d, e, f for its
// coordinates (a u + b v + c, d u + e v + f), and by how much they enlarge areas.
export const MAP_BYTES: u32 = 48
export const MAP_TEXTURE: u32 = 0
export const MAP_NAME: u32 = 4
export const MAP_SET: u32 = 8
export const MAP_PLACE: u32 = 12
export const MAP_STRETCH: u32 = 36
/** u32: whether it has the texture and coordinates of the one before it in the list. */
export const MAP_AGAIN: u32 = 40
// The property: its place among MAP_NAMES (shared/scene/material.ts).
export const MAP_COLOR: u32 = 0
export const MAP_OPACITY: u32 = 1
export const MAP_OCCLUSION: u32 = 2
export const MAP_METALLIC: u32 = 3
export const MAP_ROUGHNESS: u32 = 4
export const MAP_NORMAL: u32 = 5
export const MAP_EMISSION: u32 = 6
export const MAP_SPECULAR: u32 = 7
export const MAP_SPECULAR_COLOR: u32 = 8
export const MAP_TRANSMISSION: u32 = 9
export const MAP_COAT: u32 = 10
export const MAP_COAT_ROUGHNESS: u32 = 11
export const MAP_COAT_NORMAL: u32 = 12
export const MAP_SHEEN_COLOR: u32 = 13
export const MAP_SHEEN_ROUGHNESS: u32 = 14
export const MAP_ANISOTROPY: u32 = 15
export const MAP_IRIDESCENCE: u32 = 16
export const MAP_FILM: u32 = 17
// Kinds
export const MATTE: u32 = 0
export const COATED: u32 = 1
export const MIRROR: u32 = 2
export const GLASS: u32 = 3
export const UNLIT: u32 = 4
// Models
export const MODEL_DIFFUSE: u32 = 0
export const MODEL_CONDUCTOR: u32 = 1
export const MODEL_DIELECTRIC: u32 = 2
export const MODEL_THIN: u32 = 3
export const MODEL_COATED: u32 = 4
export const MODEL_PRINCIPLED: u32 = 5
export const MODEL_UNLIT: u32 = 6
export const MODELS: u32 = 7

// Light: u32 kind | pad | f64 each: probability of being chosen, position (or direction towards a distant light), its light
// (intensity, radiance or irradiance), two axes (a spot's direction; half sides of a rectangle), size (radius, or cosine of the
// disc's half angle), cosines at which a spot's light begins to fall and ends, the disc's or rectangle's density or area, normal;
// u32: whether a spot's light falls with the square.
export const LIGHT_BYTES: u32 = 192
export const LIGHT_KIND: u32 = 0
export const LIGHT_PROBABILITY: u32 = 8
export const LIGHT_POSITION: u32 = 16
export const LIGHT_COLOR: u32 = 40
export const LIGHT_AXIS: u32 = 64
export const LIGHT_UP: u32 = 88
export const LIGHT_SIZE: u32 = 112
export const LIGHT_INNER: u32 = 120
export const LIGHT_OUTER: u32 = 128
export const LIGHT_AREA: u32 = 136
export const LIGHT_NORMAL: u32 = 144
export const LIGHT_SQUARED: u32 = 168
export const LIGHT_DISTANT: u32 = 0
export const LIGHT_POINT: u32 = 1
export const LIGHT_SPOT: u32 = 2
export const LIGHT_RECTANGLE: u32 = 3
export const LIGHT_MAP: u32 = 4
// Choice of a light: the share of its cell that chooses it itself, f32, its number, and the number of what the rest chooses.
export const CHOICE_BYTES: u32 = 12
export const CHOICE_OWN: u32 = 4
export const CHOICE_OTHER: u32 = 8

// Texture: u32 each. What continues it beyond its edges; whether it is sRGB and not filtered; how many levels it has. Then LEVEL_BYTES for each level, every
// one half as large as that before: address of its blocks of 4 × 4 texels, RGBA8, row by row; how many there are in a row; its sides in
// texels.
export const TEXTURE_WRAP_U: u32 = 0
export const TEXTURE_WRAP_V: u32 = 4
export const TEXTURE_FLAGS: u32 = 8
export const TEXELS_SRGB: u32 = 1
export const TEXELS_NEAREST: u32 = 2
export const TEXTURE_LEVELS: u32 = 12
export const TEXTURE_FIRST_LEVEL: u32 = 16
export const LEVEL_BYTES: u32 = 16
export const LEVEL_BLOCKS: u32 = 0
export const LEVEL_ACROSS: u32 = 4
export const LEVEL_WIDTH: u32 = 8
export const LEVEL_HEIGHT: u32 = 12
/** Room for 15 levels, of sides of up to 16384 texels. */
export const TEXTURE_BYTES: u32 = 256
export const WRAP_REPEAT: u32 = 0
export const WRAP_CLAMP: u32 = 1
export const WRAP_MIRROR: u32 = 2

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
export const RAY_BYTES: u32 = 64
export const RAY_ORIGIN: u32 = 0
export const RAY_T_MIN: u32 = 12
export const RAY_DIRECTION: u32 = 16
export const RAY_T_MAX: u32 = 28
export const RAY_HIT: u32 = 32
export const RAY_STEPS: u32 = 36
export const RAY_FREE: u32 = 40
export const RAY_INSTANCE: u32 = 48
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
/** Which integrator (`integrators.ts`); flags; the lens of the path tracer as f64 radius, focus, rotation; blades. */
export const VIEW_INTEGRATOR: u32 = 168
export const VIEW_FLAGS: u32 = 172
export const VIEW_LENS_RADIUS: u32 = 176
export const VIEW_LENS_FOCUS: u32 = 184
export const VIEW_LENS_ROTATION: u32 = 192
export const VIEW_LENS_BLADES: u32 = 200
export const FLAG_GAUSSIAN: u32 = 1
export const FLAG_ORTHOGRAPHIC: u32 = 2
/** Rays one by one, and what each leads to before the next: the scalar driver. */
export const FLAG_ALONE: u32 = 4
/** Camera rays that hit nothing add no light. */
export const FLAG_TRANSPARENT: u32 = 8
/** Light that microfacets scatter several times is left out. */
export const FLAG_SINGLE: u32 = 16
/** u32: whether what camera rays hit is counted, for other channels than colour; whether a block goes on from the sums of later samples. */
export const VIEW_FIRST_HITS: u32 = 204
export const VIEW_GOES_ON: u32 = 208
/** u32, for the path tracer: the most bounces. */
export const VIEW_BOUNCES: u32 = 212
export const INTEGRATOR_AMBIENT: u32 = 0
export const INTEGRATOR_PATH: u32 = 1

// Sum of a pixel's light: f64 red, green, blue, and eight unused bytes.
export const SUM_BYTES: u32 = 32

// Square of a list: u32 x | y | u64 pixels. Its top left corner in the frame, at multiples of 8, and a bit for each requested
// pixel; bit i is the pixel whose column is bits 0, 2, 4 of i and whose row is bits 1, 3, 5 (Morton order).
export const LISTED_BYTES: u32 = 16
export const LISTED_X: u32 = 0
export const LISTED_Y: u32 = 4
export const LISTED_PIXELS: u32 = 8
