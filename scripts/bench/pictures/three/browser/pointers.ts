/**
 * What three's loader leaves out of a file: nodes that it hides (KHR_node_visibility), and the channels of animations that move by
 * pointers (KHR_animation_pointer), as far as pictures without light show them. Values between keys are three's.
 */
import {
  type BufferAttribute,
  type Interpolant,
  MathUtils,
  Mesh,
  MeshStandardMaterial,
  Object3D,
  OrthographicCamera,
  PerspectiveCamera,
  type Texture,
} from 'three'
import type { GLTF } from 'three/addons/loaders/GLTFLoader.js'

/** Makes nodes that the file hides invisible, with all below them. */
export function hideNodes({ scene, parser }: GLTF): void {
  const nodes: readonly JsonNode[] = parser.json.nodes ?? []
  scene.traverse(object => {
    const number = parser.associations.get(object)?.nodes
    if (number !== undefined && nodes[number]?.extensions?.KHR_node_visibility?.visible === false)
      object.visible = false
  })
}

/** @returns sets the time, s, of what an animation moves by pointers */
export async function pointersOf(gltf: GLTF, animation: number): Promise<(seconds: number) => void> {
  const { channels, samplers }: JsonAnimation = gltf.parser.json.animations[animation]
  const moved: ((seconds: number) => void)[] = []
  for (const { sampler, target } of channels) {
    const pointer = target.extensions?.KHR_animation_pointer?.pointer
    const set = pointer !== undefined && setterOf(pointer, gltf)
    if (!set) continue
    const curve = await curveOf(samplers[sampler]!, set.isRotation === true, gltf)
    moved.push(seconds => set.to(curve.evaluate(seconds)))
  }
  return seconds => {
    for (const move of moved) move(seconds)
  }
}

interface JsonNode {
  readonly mesh?: number
  readonly camera?: number
  readonly weights?: readonly number[]
  readonly extensions?: { readonly KHR_node_visibility?: { readonly visible?: boolean } }
}

interface JsonAnimation {
  readonly channels: readonly {
    readonly sampler: number
    readonly target: { readonly extensions?: { readonly KHR_animation_pointer?: { readonly pointer: string } } }
  }[]
  readonly samplers: readonly JsonSampler[]
}

interface JsonSampler {
  readonly input: number
  readonly output: number
  readonly interpolation?: string
}

/** Methods of three's loader that its types leave out. */
interface TrackMaker {
  _createAnimationTracks(
    node: Object3D,
    input: BufferAttribute,
    output: BufferAttribute,
    sampler: JsonSampler,
    target: { readonly path: string },
  ): readonly { createInterpolant(): Interpolant }[]
}

/** As three's loader makes it of a channel that moves a node. */
async function curveOf(sampler: JsonSampler, isRotation: boolean, { parser }: GLTF): Promise<Interpolant> {
  const read = (number: number): Promise<BufferAttribute> => parser.getDependency('accessor', number)
  const [input, output] = await Promise.all([read(sampler.input), read(sampler.output)])
  const path = isRotation ? 'rotation' : 'scale'
  const maker = parser as unknown as TrackMaker
  return maker._createAnimationTracks(new Object3D(), input, output, sampler, { path })[0]!.createInterpolant()
}

interface Setter {
  readonly isRotation?: boolean
  /** The array is used again. */
  to(value: ArrayLike<number>): void
}

/** Undefined for what does not show without light. */
function setterOf(pointer: string, gltf: GLTF): Setter | undefined {
  const [, part, number, property] = /^\/(\w+)\/(\d+)\/(.+)$/.exec(pointer) ?? []
  if (property === undefined) return undefined
  const i = Number(number)
  const nodes: readonly JsonNode[] = gltf.parser.json.nodes ?? []
  const allWith = (is: (node: JsonNode) => boolean) =>
    nodes.flatMap((node, number) => (is(node) ? objectsOf(number, gltf) : []))
  if (part === 'nodes') return nodeSetter(objectsOf(i, gltf), property)
  if (part === 'meshes')
    return nodeSetter(
      allWith(({ mesh, weights }) => mesh === i && weights === undefined),
      property,
    )
  if (part === 'cameras')
    return cameraSetter(
      allWith(({ camera }) => camera === i),
      property,
    )
  return part === 'materials' ? materialSetter(materialsOf(i, gltf), property) : undefined
}

/** Objects of a node; several if it is shared. */
function objectsOf(number: number, { scene, parser }: GLTF): Object3D[] {
  const found: Object3D[] = []
  scene.traverse(object => {
    if (parser.associations.get(object)?.nodes === number) found.push(object)
  })
  return found
}

function nodeSetter(objects: readonly Object3D[], property: string): Setter | undefined {
  const each = (set: (object: Object3D, value: ArrayLike<number>) => void): Setter => ({
    to: value => {
      for (const object of objects) set(object, value)
    },
  })
  const [what, which] = property.split('/')
  if (what === 'translation') return each(({ position }, value) => position.fromArray([...all(value)]))
  if (what === 'scale') return each(({ scale }, value) => scale.fromArray([...all(value)]))
  if (what === 'rotation')
    return { isRotation: true, ...each(({ quaternion }, value) => quaternion.fromArray([...all(value)])) }
  if (what === 'weights')
    return each((object, value) => {
      // A mesh of several primitives is a group of meshes.
      for (const mesh of [object, ...object.children])
        if (mesh instanceof Mesh && mesh.morphTargetInfluences)
          for (const [i, weight] of all(value).entries()) mesh.morphTargetInfluences[which ? Number(which) : i] = weight
    })
  if (property === 'extensions/KHR_node_visibility/visible')
    return each((object, value) => {
      object.visible = value[0] !== 0
    })
  return undefined
}

function cameraSetter(objects: readonly Object3D[], property: string): Setter {
  return {
    to(value) {
      for (const camera of objects.flatMap(object => [object, ...object.children])) {
        if (camera instanceof PerspectiveCamera && property === 'perspective/yfov')
          camera.fov = MathUtils.radToDeg(value[0]!)
        if (camera instanceof OrthographicCamera && property === 'orthographic/ymag')
          [camera.top, camera.bottom] = [value[0]!, -value[0]!]
      }
    },
  }
}

/** All that three has made of one of the file's. */
function materialsOf(number: number, { scene, parser }: GLTF): MeshStandardMaterial[] {
  const found = new Set<MeshStandardMaterial>()
  scene.traverse(object => {
    const material: unknown = object instanceof Mesh && object.material
    if (material instanceof MeshStandardMaterial && parser.associations.get(material)?.materials === number)
      found.add(material)
  })
  return [...found]
}

function materialSetter(materials: readonly MeshStandardMaterial[], property: string): Setter | undefined {
  if (property === 'pbrMetallicRoughness/baseColorFactor')
    return {
      to([r, g, b, a]: ArrayLike<number> & Iterable<number>) {
        for (const material of materials) {
          Object.assign(material.color, { r, g, b })
          material.opacity = a!
        }
      },
    }
  if (property === 'alphaCutoff')
    return {
      to(value) {
        for (const material of materials) if (material.alphaTest > 0) material.alphaTest = value[0]!
      },
    }
  const [, what] =
    /^pbrMetallicRoughness\/baseColorTexture\/extensions\/KHR_texture_transform\/(\w+)$/.exec(property) ?? []
  return what === undefined ? undefined : textureSetter(materials, what)
}

function textureSetter(materials: readonly MeshStandardMaterial[], what: string): Setter {
  // Others may share them.
  const maps = materials.flatMap(material => {
    if (material.map && !material.map.userData.isOwn) {
      material.map = material.map.clone()
      material.map.userData.isOwn = true
    }
    return material.map ?? []
  })
  return {
    to(value) {
      for (const map of maps) {
        if (what === 'offset') map.offset.set(value[0]!, value[1]!)
        else if (what === 'scale') map.repeat.set(value[0]!, value[1]!)
        else if (what === 'rotation') map.rotation = value[0]!
        transform(map)
      }
    },
  }
}

/** As glTF has it, and three's loader: first scaled, then turned. three itself turns first. */
function transform(map: Texture): void {
  const { offset, repeat, rotation } = map
  const [c, s] = [Math.cos(rotation), Math.sin(rotation)]
  map.matrixAutoUpdate = false
  map.matrix.set(repeat.x * c, repeat.y * s, offset.x, -repeat.x * s, repeat.y * c, offset.y, 0, 0, 1)
}

const all = (value: ArrayLike<number>): number[] => Array.from(value)
