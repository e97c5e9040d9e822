/**
 * The arrays of a scene: all of its meshes and instances concatenated, one array per kind of data. They are what a packed scene
 * stores after its head, and what is cut into parts to be sent (`manifest.ts`).
 */
import {
  type Instance,
  type SceneDescription,
  type SceneMesh,
  strideOf,
  VERTEX_ATTRIBUTES,
  type VertexAttribute,
} from './description.ts'
import { PackedSceneError } from './packed-scene-error.ts'
import { type Texture, type TextureFacts, texelBytes } from './texture.ts'

/**
 * `meshes`: MESH_WORDS per mesh: its attributes as bits in the order of VERTEX_ATTRIBUTES, and its numbers of vertices, triangles and
 * slots · `transforms`: twelve per instance · `placements`: the mesh of each instance · `assignments`: the materials of each
 * instance · `objects`: the number of each instance's object · `vertices`, `indices`, `slots`: mesh by mesh · `images`: the texels of textures, one after the other · `texels`: of the
 * environment map, if there is one.
 */
export const SECTIONS = {
  meshes: Uint32Array,
  transforms: Float64Array,
  placements: Uint32Array,
  assignments: Uint16Array,
  objects: Uint16Array,
  vertices: Float32Array,
  indices: Uint32Array,
  slots: Uint16Array,
  images: Uint8Array,
  texels: Float32Array,
} as const
export type SectionName = keyof typeof SECTIONS
export const SECTION_NAMES = Object.keys(SECTIONS) as readonly SectionName[]

export interface SceneArrays {
  readonly meshes: Uint32Array
  readonly transforms: Float64Array
  readonly placements: Uint32Array
  readonly assignments: Uint16Array
  readonly objects: Uint16Array
  readonly vertices: Float32Array
  readonly indices: Uint32Array
  readonly slots: Uint16Array
  readonly images: Uint8Array
  readonly texels: Float32Array
}
/** Numbers of elements. */
export type SectionLengths = Readonly<Record<SectionName, number>>

export const MESH_WORDS = 4
export const TRANSFORM_NUMBERS = 12
const ATTRIBUTES = Object.keys(VERTEX_ATTRIBUTES) as readonly VertexAttribute[]

/** The attributes of a mesh in the table of meshes. */
export const attributesOf = (bits: number): VertexAttribute[] => ATTRIBUTES.filter((_, bit) => (bits >>> bit) & 1)

export function lengthsOf({ meshes, instances, textures, environment }: SceneDescription): SectionLengths {
  const total = <T>(of: readonly T[], count: (one: T) => number) => of.reduce((sum, one) => sum + count(one), 0)
  return {
    meshes: meshes.length * MESH_WORDS,
    transforms: instances.length * TRANSFORM_NUMBERS,
    placements: instances.length,
    assignments: total(instances, ({ materials }) => materials.length),
    objects: instances.length,
    vertices: total(meshes, ({ vertices }) => vertices.length),
    indices: total(meshes, ({ indices }) => indices.length),
    slots: total(meshes, ({ slots }) => slots.length),
    images: total(textures, ({ texels }) => texels.length),
    texels: environment.kind === 'map' ? environment.texels.length : 0,
  }
}

/** The elements of a section in a buffer, plain or shared. */
export function viewOf(name: SectionName, buffer: ArrayBufferLike, offset: number, length: number): ArrayBufferView {
  const Type = SECTIONS[name] as new (buffer: ArrayBufferLike, offset: number, length: number) => ArrayBufferView
  return new Type(buffer, offset, length)
}

/** The tables: what of the arrays is not simply the items' own arrays one after the other. */
export function tablesOf({ meshes, instances }: Pick<SceneDescription, 'meshes' | 'instances'>) {
  const transforms = new Float64Array(instances.length * TRANSFORM_NUMBERS)
  const assignments = new Uint16Array(instances.reduce((sum, { materials }) => sum + materials.length, 0))
  let next = 0
  for (const [i, { transform, materials }] of instances.entries()) {
    transforms.set(transform, i * TRANSFORM_NUMBERS)
    assignments.set(materials, next)
    next += materials.length
  }
  return {
    meshes: Uint32Array.from(meshes.flatMap(wordsOf)),
    transforms,
    placements: Uint32Array.from(instances, ({ mesh }) => mesh),
    assignments,
    objects: Uint16Array.from(instances, ({ object = 0 }) => object),
  }
}

const wordsOf = ({ attributes, vertices, indices, slotCount }: SceneMesh): number[] => {
  const bits = attributes.reduce((sum, attribute) => sum | (1 << ATTRIBUTES.indexOf(attribute)), 0)
  return [bits, vertices.length / strideOf(attributes), indices.length / 3, slotCount]
}

/** Fills arrays of the right lengths. */
export function fillArrays(scene: SceneDescription, into: SceneArrays): void {
  const { meshes, textures, environment } = scene
  const at = { vertices: 0, indices: 0, slots: 0, images: 0 }
  const { meshes: words, transforms, placements, assignments, objects } = tablesOf(scene)
  into.meshes.set(words)
  into.transforms.set(transforms)
  into.placements.set(placements)
  into.assignments.set(assignments)
  into.objects.set(objects)
  for (const { vertices, indices, slots } of meshes) {
    into.vertices.set(vertices, at.vertices)
    into.indices.set(indices, at.indices)
    into.slots.set(slots, at.slots)
    at.vertices += vertices.length
    at.indices += indices.length
    at.slots += slots.length
  }
  for (const { texels } of textures) {
    into.images.set(texels, at.images)
    at.images += texels.length
  }
  if (environment.kind === 'map') into.texels.set(environment.texels)
}

/**
 * The meshes and instances in the arrays, as views where possible.
 * @throws PackedSceneError if the tables do not account for exactly the other arrays
 */
export function geometryIn(
  arrays: Omit<SceneArrays, 'images' | 'texels'>,
): Pick<SceneDescription, 'meshes' | 'instances'> {
  const at = { vertices: 0, indices: 0, slots: 0, assignments: 0 }
  const take = <Name extends keyof typeof at>(name: Name, length: number): SceneArrays[Name] => {
    const from = at[name]
    at[name] += length
    if (at[name] > arrays[name].length)
      throw new PackedSceneError(`${name}: expected at least ${at[name]} elements, got ${arrays[name].length}`)
    return arrays[name].subarray(from, at[name]) as SceneArrays[Name]
  }
  const meshes = Array.from({ length: arrays.meshes.length / MESH_WORDS }, (_, i): SceneMesh => {
    const [bits, vertices, triangles, slotCount] = arrays.meshes.subarray(i * MESH_WORDS) as unknown as Four
    const attributes = attributesOf(bits)
    if (bits >>> ATTRIBUTES.length !== 0 || attributes[0] !== 'position')
      throw new PackedSceneError(`mesh ${i} has attributes ${bits.toString(2)}: expected bits below 2^6, the first set`)
    return {
      attributes,
      vertices: take('vertices', vertices * strideOf(attributes)),
      indices: take('indices', triangles * 3),
      slots: take('slots', triangles),
      slotCount,
    }
  })
  const { transforms, placements, objects } = arrays
  if (transforms.length !== placements.length * TRANSFORM_NUMBERS)
    throw new PackedSceneError(`${transforms.length} numbers of transforms for ${placements.length} instances`)
  if (objects.length !== placements.length)
    throw new PackedSceneError(`${objects.length} numbers of objects for ${placements.length} instances`)
  // There may be a million: they share lists of materials, and nothing is copied by iterators, which take a microsecond.
  const instances: Instance[] = []
  let materials: readonly number[] = []
  for (let i = 0; i < placements.length; i++) {
    const mesh = placements[i]!
    const transform: number[] = []
    for (let k = i * TRANSFORM_NUMBERS; k < (i + 1) * TRANSFORM_NUMBERS; k++) transform.push(transforms[k]!)
    const slotCount = meshes[mesh]?.slotCount
    if (slotCount === undefined) throw new PackedSceneError(`instance ${i} names mesh ${mesh} of ${meshes.length}`)
    const from = at.assignments
    if (from + slotCount > arrays.assignments.length || !isListAt(materials, slotCount, arrays.assignments, from))
      materials = Array.from(take('assignments', slotCount))
    else at.assignments += slotCount
    const object = objects[i]!
    instances.push(object === 0 ? { mesh, transform, materials } : { mesh, transform, materials, object })
  }
  for (const name of ['vertices', 'indices', 'slots', 'assignments'] as const)
    if (at[name] !== arrays[name].length)
      throw new PackedSceneError(`${name}: expected ${at[name]} elements, got ${arrays[name].length}`)
  return { meshes, instances }
}

/** Whether a list has so many elements, those of an array from some place on. */
function isListAt(list: readonly number[], length: number, array: Uint16Array, from: number): boolean {
  if (list.length !== length) return false
  for (let i = 0; i < length; i++) if (list[i] !== array[from + i]) return false
  return true
}

/** The textures in `images`, as views. @throws PackedSceneError if their sizes do not account for exactly its bytes */
export function texturesIn(facts: readonly TextureFacts[], images: Uint8Array): Texture[] {
  let at = 0
  const textures = facts.map(each => {
    const from = at
    at += texelBytes(each)
    return { ...each, texels: images.subarray(from, at) }
  })
  if (at !== images.length) throw new PackedSceneError(`images: expected ${at} bytes, got ${images.length}`)
  return textures
}

type Four = [number, number, number, number]
