/**
 * The header of a scene, by which the kernel finds everything else. Where that is:
 *
 *     0          nothing: address 0 means "none"
 *     128        the header, filled by the host and the builder
 *     4096       what the host keeps with a scene, and its triangles
 *     ...        material table
 *     ...        structure: nodes, then triangle4s               multiple of 128
 *     ...        one workspace per tracing thread                  multiple of 128
 */
import { color4, f64, record, records, u32, xyz4 } from './record.ts'

/** The first address that is not the header's. */
export const FIRST_FREE = 4096

export const LIGHT_GROUP = record('LightGroup', 'What next-event estimation chooses from.', {
  choices: u32('address of CHOICE for each, of distant lights'),
  count: u32('how many there are'),
})
/** Distant lights, and those in the scene. */
export const LIGHT_GROUPS = 2

/** The header's address. */
export const SCENE_AT = 128

export const SCENE = record(
  'Scene',
  'Addresses and numbers of what a scene is made of, and what there is once.',
  {
    vertices: u32('address of VERTEX for each'),
    triangles: u32('address of the words of each (`shared/scene/triangle-bits.ts`)'),
    triangleBytes: u32('of the words of a triangle'),
    vertexBits: u32('of each of the three vertices in them'),
    materialBits: u32('of the material behind these'),
    triangleCount: u32('of all meshes that are in memory'),
    vertexCount: u32('of the same'),
    materials: u32('address of MATERIAL for each'),
    materialCount: u32('how many there are'),
    root: u32('child word of the root, which is always a node; written by the builder, as what follows'),
    structure: u32('address of the nodes, and behind them of the triangle4s'),
    structureBytes: u32('of both'),
    nodeCount: u32('of all trees'),
    triangle4Count: u32('of all trees'),
    depth: u32('nodes on the longest path from the root to a triangle4, at least 1'),
    building: u32('address of the state of a build in progress (`build/state.ts`)'),
    skyZenith: color4('radiance from above'),
    skyHorizon: color4('radiance from all around'),
    skyGround: color4('radiance from below'),
    sunDirection: xyz4('unit vector towards the sun'),
    sunIrradiance: color4('on a surface that faces it'),
    lights: u32('address of LIGHT for each'),
    lightCount: u32('how many there are'),
    litTriangles: u32('address of LIT_TRIANGLE for each emissive triangle, by ascending numbers'),
    litCount: u32('how many there are'),
    cells: u32('address of the index among these of the triangle that each cell is of, u32'),
    cellCount: u32('how many there are'),
    lightTree: u32('address of LIGHT_NODE for each, the root first'),
    lightBoxes: u32('address of LIGHT_BOX for each'),
    lightCones: u32('address of LIGHT_CONE for each'),
    treeLights: u32('address of TREE_LIGHT for each light in the tree'),
    leaves: u32('address of the number of the leaf that each light is in, and behind these each cell, u32, or NO_LEAF'),
    map: u32('address of the environment map’s texels, f32 red, green and blue; 0 for the sky above'),
    mapWidth: u32('texels'),
    mapHeight: u32('texels'),
    gridFacings: u32(
      'address of how directions to it are chosen, for each facing: cumulative shares of rows of blocks, and of the blocks in each row, f32',
    ),
    gridBlocks: u32('address of the same for each block: of rows of its cells, and of the cells in each row'),
    gridWidth: u32('cells across a block'),
    gridHeight: u32('cells down a block'),
    mapIntensity: f64('factor of the texels'),
    mapRotation: f64('turns'),
    mapProbability: f64('that next-event estimation chooses the map'),
    lamps: u32('whether there is a light in the tree that rays can meet on their way to a surface'),
    colors: u32('address of VERTEX_COLOR per vertex, or 0 if no mesh has colours'),
    uv: u32('address of UV per vertex, or 0 if there are no textures'),
    uv2: u32('address of UV per vertex, or 0 if no mesh has a second set of coordinates'),
    tangents: u32('address of TANGENT per vertex, or 0 if no mesh has them'),
    passing: u32('which rays pass any material (PASSING)'),
    albedos: u32('address of ALBEDOS if there are materials that vary, or 0'),
    media: u32('address of MEDIUM for each'),
    mediaCount: u32('how many there are, with air'),
    touching: u32('whether solids of different media may touch'),
    outers: u32(
      'address of a byte per baked triangle: number of the medium on its outer side, or 0 if that depends on the path; 0 if none has one',
    ),
    textured: u32('whether any material has textures'),
    groups: records(LIGHT_GROUP, LIGHT_GROUPS, 'distant lights, and those in the scene'),
    instances: u32('address of INSTANCE for each'),
    instanceCount: u32('how many there are'),
    trees: u32('address of TREE for each mesh that has a tree of its own'),
    treeCount: u32('how many there are'),
    runs: u32('address of RUN for each'),
    runCount: u32('how many there are'),
    bakedCount: u32('of triangles'),
    objects: u32('address of OBJECT_RUN for each, by ascending triangles'),
    objectCount: u32('how many there are'),
    meshTangents: u32('where TANGENT_FLOATS for vertex 0 would be: only vertices of meshes have them'),
  },
  { at: SCENE_AT },
)
