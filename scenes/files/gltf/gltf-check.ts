/**
 * Checks what the parts of a glTF document refer to, before three's loader follows it: the loader would report a number too high as a
 * property of undefined, and a node that contains itself not at all.
 */
import { BadMeshError } from '../../errors.ts'
import type { Gltf, GltfAccessor } from './gltf-schema.ts'
import { checkSize } from './gltf-size.ts'
import { checkTree } from './gltf-tree.ts'

/** @param path for messages. @throws BadMeshError */
export function checkGltf(document: Gltf, path: string): void {
  const check = new Check(document, path)
  check.scenes()
  document.nodes.forEach((_, i) => {
    check.node(i)
  })
  checkTree(document, path)
  document.meshes.forEach((_, i) => {
    check.mesh(i)
  })
  check.materials()
  document.animations.forEach((_, i) => {
    check.animation(i)
  })
  check.others()
  checkSize(document, path)
}

/** Type of each attribute that is read, as accessors name it; the first of several components is enough. */
const ATTRIBUTE_TYPES: Readonly<Record<string, readonly string[]>> = {
  POSITION: ['VEC3'],
  NORMAL: ['VEC3'],
  TANGENT: ['VEC4'],
  TEXCOORD_0: ['VEC2'],
  TEXCOORD_1: ['VEC2'],
  COLOR_0: ['VEC3', 'VEC4'],
  ...Object.fromEntries([0, 1, 2, 3].flatMap(set => [`JOINTS_${set}`, `WEIGHTS_${set}`].map(name => [name, ['VEC4']]))),
}
export const READ_ATTRIBUTES: readonly string[] = Object.keys(ATTRIBUTE_TYPES)
/** Of a morph target, which moves tangents without turning them over. */
const TARGET_TYPES = { ...ATTRIBUTE_TYPES, TANGENT: ['VEC3'] }
const INSTANCE_TYPES: Readonly<Record<string, readonly string[]>> = {
  TRANSLATION: ['VEC3'],
  ROTATION: ['VEC4'],
  SCALE: ['VEC3'],
}
/** Types of numbers, where not all will do, and how they are called. */
const INDEX_COMPONENTS: readonly number[] = [5121, 5123, 5125]
const JOINT_COMPONENTS: readonly number[] = [5121, 5123]
const FLOAT = 5126

type Table =
  | 'nodes'
  | 'meshes'
  | 'materials'
  | 'textures'
  | 'samplers'
  | 'images'
  | 'cameras'
  | 'skins'
  | 'accessors'
  | 'bufferViews'
  | 'buffers'
  | 'scenes'

class Check {
  readonly #document: Gltf
  readonly #path: string

  constructor(document: Gltf, path: string) {
    this.#document = document
    this.#path = path
  }

  scenes(): void {
    const { scenes = [], scene } = this.#document
    if (scene !== undefined) this.#has('the default scene', 'scenes', scene)
    scenes.forEach(({ nodes = [] }, i) => {
      for (const node of nodes) this.#has(`scene ${i}`, 'nodes', node)
    })
  }

  node(number: number): void {
    const { mesh, camera, skin, children = [], extensions = {} } = this.#document.nodes[number]!
    const owner = `node ${number}`
    this.#has(owner, 'meshes', mesh)
    this.#has(owner, 'cameras', camera)
    this.#has(owner, 'skins', skin)
    for (const child of children) this.#has(owner, 'nodes', child)
    const light = extensions.KHR_lights_punctual?.light
    const lights = this.#document.extensions?.KHR_lights_punctual?.lights.length ?? 0
    if (light !== undefined && light >= lights) throw this.#bad(owner, `a light below ${lights}, got ${light}`)
    const instancing = extensions.EXT_mesh_gpu_instancing?.attributes
    if (instancing) this.#attributes(`the instances of ${owner}`, instancing, INSTANCE_TYPES)
  }

  mesh(number: number): void {
    this.#document.meshes[number]!.primitives.forEach((primitive, i) => {
      const owner = `mesh ${number}, primitive ${i}`
      this.#has(owner, 'materials', primitive.material)
      this.#has(owner, 'accessors', primitive.indices)
      const draco = primitive.extensions?.KHR_draco_mesh_compression
      this.#has(owner, 'bufferViews', draco?.bufferView)
      for (const { material, variants } of primitive.extensions?.KHR_materials_variants?.mappings ?? []) {
        this.#has(owner, 'materials', material)
        const most = this.#document.extensions?.KHR_materials_variants?.variants.length ?? 0
        const beyond = variants.find(variant => variant >= most)
        if (beyond !== undefined) throw this.#bad(owner, `a variant below ${most}, got ${beyond}`)
      }
      if (primitive.attributes.POSITION === undefined) throw this.#bad(owner, 'an attribute POSITION, got none')
      const count = this.#attributes(owner, primitive.attributes, ATTRIBUTE_TYPES)
      for (const target of primitive.targets ?? [])
        if ((this.#attributes(`a morph target of ${owner}`, target, TARGET_TYPES) ?? count) !== count)
          throw this.#bad(owner, `morph targets of ${count} vertices, got another number`)
      if (primitive.indices === undefined) return
      const indices = this.#document.accessors[primitive.indices]!
      if (indices.type !== 'SCALAR' || !INDEX_COMPONENTS.includes(indices.componentType) || indices.normalized)
        throw this.#bad(owner, `indices of unsigned integers, got ${kindOf(indices)}`)
    })
  }

  materials(): void {
    const { materials, textures } = this.#document
    materials.forEach((material, i) => {
      for (const texture of texturesIn(material)) this.#has(`material ${i}`, 'textures', texture)
    })
    textures.forEach(({ source, sampler, extensions = {} }, i) => {
      this.#has(`texture ${i}`, 'images', source)
      this.#has(`texture ${i}`, 'samplers', sampler)
      for (const other of Object.values(extensions)) this.#has(`texture ${i}`, 'images', other?.source)
    })
  }

  /** What it refers to; what it says is checked if it plays. */
  animation(number: number): void {
    const { samplers, channels } = this.#document.animations[number]!
    samplers.forEach(({ input, output }, i) => {
      for (const accessor of [input, output]) this.#has(`animation ${number}, sampler ${i}`, 'accessors', accessor)
    })
    channels.forEach(({ sampler, target }, i) => {
      const owner = `animation ${number}, channel ${i}`
      if (sampler >= samplers.length) throw this.#bad(owner, `a sampler below ${samplers.length}, got ${sampler}`)
      this.#has(owner, 'nodes', target.node)
    })
  }

  others(): void {
    const { images, skins, accessors, bufferViews, cameras } = this.#document
    cameras.forEach((camera, i) => {
      const { znear, zfar } = camera.type === 'perspective' ? camera.perspective : camera.orthographic
      if (zfar !== undefined && zfar <= znear) throw this.#bad(`camera ${i}`, `zfar beyond znear ${znear}, got ${zfar}`)
    })
    this.#document.extensions?.KHR_lights_punctual?.lights.forEach(({ spot = {} }, i) => {
      const { innerConeAngle: inner = 0, outerConeAngle: outer = Math.PI / 4 } = spot
      if (inner > outer) throw this.#bad(`light ${i}`, `an inner cone within the outer one of ${outer}, got ${inner}`)
    })
    images.forEach(({ bufferView }, i) => {
      this.#has(`image ${i}`, 'bufferViews', bufferView)
    })
    skins.forEach(({ joints, inverseBindMatrices }, i) => {
      for (const joint of joints) this.#has(`skin ${i}`, 'nodes', joint)
      this.#has(`skin ${i}`, 'accessors', inverseBindMatrices)
      if (inverseBindMatrices === undefined) return
      const { type, componentType, count } = this.#document.accessors[inverseBindMatrices]!
      if (type !== 'MAT4' || componentType !== FLOAT || count < joints.length)
        throw this.#bad(`skin ${i}`, `a matrix of floats for each of its ${joints.length} joints, got ${count} ${type}`)
    })
    accessors.forEach(({ bufferView, sparse }, i) => {
      for (const view of [bufferView, sparse?.indices.bufferView, sparse?.values.bufferView])
        this.#has(`accessor ${i}`, 'bufferViews', view)
    })
    bufferViews.forEach(({ buffer, extensions = {} }, i) => {
      this.#has(`buffer view ${i}`, 'buffers', buffer)
      for (const packed of Object.values(extensions)) this.#has(`buffer view ${i}`, 'buffers', packed?.buffer)
    })
  }

  /** The number of elements that all have; undefined if none of them is read. @throws BadMeshError */
  #attributes(
    owner: string,
    attributes: Readonly<Record<string, number>>,
    types: Readonly<Record<string, readonly string[]>>,
  ): number | undefined {
    let common: number | undefined
    for (const [name, number] of Object.entries(attributes)) {
      // Names are the file's: `constructor` is one, too.
      if (!Object.hasOwn(types, name)) continue
      const expected = types[name]!
      this.#has(`${owner}, ${name}`, 'accessors', number)
      const accessor = this.#document.accessors[number]!
      const { type, count, componentType } = accessor
      if (!expected.includes(type)) throw this.#bad(`${owner}, ${name}`, `${expected.join(' or ')}, got ${type}`)
      if (componentType === 5125) throw this.#bad(`${owner}, ${name}`, 'floats or integers of at most 16 bits, got 32')
      if (name.startsWith('JOINTS_') && (!JOINT_COMPONENTS.includes(componentType) || accessor.normalized))
        throw this.#bad(`${owner}, ${name}`, `unsigned integers of 8 or 16 bits, got ${kindOf(accessor)}`)
      common ??= count
      if (count !== common)
        throw this.#bad(`${owner}, ${name}`, `${common} elements like the other attributes, got ${count}`)
    }
    return common
  }

  #has(owner: string, table: Table, number: number | undefined): void {
    if (number === undefined) return
    const count = this.#document[table]?.length ?? 0
    if (number < count) return
    const kind = NAMES[table]
    throw this.#bad(
      owner,
      count === 0 ? `no number of ${kind}, for there is none, got ${number}` : `${kind} below ${count}, got ${number}`,
    )
  }

  #bad(owner: string, problem: string): BadMeshError {
    return new BadMeshError(this.#path, `${owner}: expected ${problem}`)
  }
}

const NAMES: Readonly<Record<Table, string>> = {
  nodes: 'a node',
  meshes: 'a mesh',
  materials: 'a material',
  textures: 'a texture',
  samplers: 'a sampler',
  images: 'an image',
  cameras: 'a camera',
  skins: 'a skin',
  accessors: 'an accessor',
  bufferViews: 'a buffer view',
  buffers: 'a buffer',
  scenes: 'a scene',
}

const kindOf = ({ type, componentType, normalized }: GltfAccessor) =>
  `${type} of component type ${componentType}${normalized ? ', normalized' : ''}`

/** Numbers of the textures in a material, its groups of properties and its extensions. */
function texturesIn(part: object): number[] {
  return Object.entries(part).flatMap(([key, value]) => {
    if (typeof value !== 'object' || value === null) return []
    return key.endsWith('Texture') ? [(value as { index: number }).index] : texturesIn(value)
  })
}
