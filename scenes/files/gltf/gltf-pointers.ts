/** What a pointer of KHR_animation_pointer moves. Times set it as a whole, whatever it was before. */
import {
  type Light,
  MathUtils,
  type Object3D,
  OrthographicCamera,
  PerspectiveCamera,
  SpotLight,
  Light as ThreeLight,
} from 'three'
import { materialProperty, prepareMaterial } from './gltf-material-pointers.ts'
import type { GltfObjects } from './gltf-objects.ts'
import type { Gltf } from './gltf-schema.ts'
import type { CurveUse } from './motion/gltf-curves.ts'
import { MESH_WEIGHTS, NODE_VISIBLE, NODE_WEIGHTS } from './motion/gltf-targets.ts'

/** Something that an animation moves. */
export interface Moved extends CurveUse {
  set(value: Float64Array): void
}

export const vector = (size: 1 | 2 | 3 | 4): CurveUse => ({
  size,
  type: size === 1 ? 'SCALAR' : `VEC${size}`,
  isRotation: false,
})

type Path = 'translation' | 'rotation' | 'scale'

/** Undefined for a node that is not shown. */
export function moveNode(objects: GltfObjects, number: number, path: Path): Moved | undefined {
  const node = objects.node(number)
  if (!node) return undefined
  if (path === 'rotation')
    return { ...vector(4), isRotation: true, set: ([x, y, z, w]) => void node.quaternion.set(x!, y!, z!, w!) }
  const moved = path === 'scale' ? node.scale : node.position
  return { ...vector(3), set: ([x, y, z]) => void moved.set(x!, y!, z!) }
}

/** All weights of a mesh in some nodes, or one of them. */
export function weigh(
  { meshes }: Gltf,
  objects: GltfObjects,
  mesh: number,
  nodes: readonly number[],
  only?: number,
): Moved | undefined {
  const size = meshes[mesh]!.primitives[0]!.targets?.length ?? 0
  const moved = nodes.flatMap(node => objects.morphedOf(node))
  if (size === 0 || moved.length === 0 || (only !== undefined && only >= size)) return undefined
  if (only === undefined)
    return {
      size,
      type: 'SCALAR',
      isRotation: false,
      set(weights) {
        for (const { morphTargetInfluences } of moved)
          for (let i = 0; i < size; i++) morphTargetInfluences![i] = weights[i]!
      },
    }
  return {
    ...vector(1),
    set([weight]) {
      for (const { morphTargetInfluences } of moved) morphTargetInfluences![only] = weight!
    },
  }
}

/** Resolves the pointers of one document. */
export class GltfPointers {
  readonly #document: Gltf
  readonly #objects: GltfObjects
  /** Numbers of nodes by what is in them: `mesh 0`. */
  readonly #nodes = new Map<string, number[]>()
  /** Cones of spots as they are now: two pointers may move one. */
  readonly #cones = new Map<number, { inner: number; outer: number }>()

  constructor(document: Gltf, objects: GltfObjects) {
    this.#document = document
    this.#objects = objects
  }

  /** Undefined for what is not in the scene; 'unknown' for what cannot be moved. */
  resolve(pointer: string): Moved | 'unknown' | undefined {
    const { nodes, meshes, materials } = this.#document
    const weights = NODE_WEIGHTS.exec(pointer) ?? MESH_WEIGHTS.exec(pointer)
    if (weights) {
      const [number, only] = [Number(weights[1]), weights[2] === undefined ? undefined : Number(weights[2])]
      const ofNode = pointer.startsWith('/nodes')
      const mesh = ofNode ? nodes[number]?.mesh : meshes[number] && number
      if (mesh === undefined) return 'unknown'
      const users = ofNode ? [number] : this.#nodesWith(`mesh ${mesh}`).filter(i => nodes[i]!.weights === undefined)
      return weigh(this.#document, this.#objects, mesh, users, only)
    }
    const visible = NODE_VISIBLE.exec(pointer)
    if (visible) return nodes[Number(visible[1])] ? this.#visibility(Number(visible[1])) : 'unknown'
    const found = PARTS.exec(pointer)
    if (!found) return 'unknown'
    const [part, number, property] = [found[1]!, Number(found[2]), found[3]!]
    if (part === 'nodes')
      return nodes[number] && isPath(property) ? moveNode(this.#objects, number, property) : 'unknown'
    if (part === 'materials') return materials[number] ? this.#material(number, property) : 'unknown'
    return part === 'cameras' ? this.#camera(number, property) : this.#light(number, property)
  }

  #visibility(number: number): Moved | undefined {
    const node = this.#objects.node(number)
    if (!node) return undefined
    return {
      ...vector(1),
      set([value]) {
        node.visible = value !== 0
      },
    }
  }

  #material(number: number, name: string): Moved | 'unknown' | undefined {
    const property = materialProperty(name)
    if (!property) return 'unknown'
    const materials = this.#objects.materialsOf(number)
    if (materials.length === 0) return undefined
    for (const material of materials) prepareMaterial(material, name)
    return {
      ...vector(property.size),
      set(value) {
        for (const material of materials) property.set(material as unknown as Record<string, unknown>, value)
      },
    }
  }

  #camera(number: number, property: string): Moved | 'unknown' | undefined {
    if (!Object.hasOwn(CAMERA, property) || !this.#document.cameras[number]) return 'unknown'
    const cameras = this.#partsWith(`camera ${number}`).filter(
      part => part instanceof PerspectiveCamera || part instanceof OrthographicCamera,
    )
    return {
      ...vector(1),
      set([value]) {
        for (const camera of cameras) CAMERA[property]!(camera, value!)
      },
    }
  }

  #light(number: number, property: string): Moved | 'unknown' | undefined {
    const light = this.#document.extensions?.KHR_lights_punctual?.lights[number]
    if (!light) return 'unknown'
    const lights = this.#partsWith(`light ${number}`).filter(part => part instanceof ThreeLight)
    if (Object.hasOwn(LIGHT, property)) {
      const set = LIGHT[property]!
      return {
        ...vector(property === 'color' ? 3 : 1),
        set(value) {
          for (const each of lights) set(each, value)
        },
      }
    }
    if (property !== 'spot/innerConeAngle' && property !== 'spot/outerConeAngle') return 'unknown'
    const { innerConeAngle: inner = 0, outerConeAngle: outer = Math.PI / 4 } = light.spot ?? {}
    const cone = this.#cones.get(number) ?? { inner, outer }
    this.#cones.set(number, cone)
    const key = property === 'spot/innerConeAngle' ? 'inner' : 'outer'
    return {
      ...vector(1),
      set([angle]) {
        cone[key] = Math.min(Math.max(angle!, 0), Math.PI / 2)
        for (const each of lights)
          if (each instanceof SpotLight) {
            each.angle = cone.outer
            each.penumbra = cone.outer > 0 ? Math.min(Math.max(1 - cone.inner / cone.outer, 0), 1) : 0
          }
      },
    }
  }

  #nodesWith(content: string): readonly number[] {
    if (this.#nodes.size === 0)
      this.#document.nodes.forEach(({ mesh, camera, extensions }, i) => {
        for (const each of [`mesh ${mesh}`, `camera ${camera}`, `light ${extensions?.KHR_lights_punctual?.light}`]) {
          const known = this.#nodes.get(each)
          if (known) known.push(i)
          else this.#nodes.set(each, [i])
        }
      })
    return this.#nodes.get(content) ?? []
  }

  #partsWith(content: string): Object3D[] {
    return this.#nodesWith(content).flatMap(node => this.#objects.partsOf(node))
  }
}

const PARTS = /^\/(nodes|materials|cameras|extensions\/KHR_lights_punctual\/lights)\/(\d+)\/(.+)$/

const isPath = (property: string): property is Path => ['translation', 'rotation', 'scale'].includes(property)

const CAMERA: Readonly<Record<string, (camera: PerspectiveCamera | OrthographicCamera, value: number) => void>> = {
  'perspective/yfov': (camera, value) => Object.assign(camera, { fov: MathUtils.radToDeg(value) }),
  'perspective/aspectRatio': (camera, value) => Object.assign(camera, { aspect: value }),
  'perspective/znear': (camera, value) => Object.assign(camera, { near: value }),
  'perspective/zfar': (camera, value) => Object.assign(camera, { far: value }),
  'orthographic/xmag': (camera, value) => Object.assign(camera, { left: -value, right: value }),
  'orthographic/ymag': (camera, value) => Object.assign(camera, { bottom: -value, top: value }),
  'orthographic/znear': (camera, value) => Object.assign(camera, { near: value }),
  'orthographic/zfar': (camera, value) => Object.assign(camera, { far: value }),
}

/** Light is never negative, whatever a spline makes of it. */
const LIGHT: Readonly<Record<string, (light: Light, value: Float64Array) => void>> = {
  color: ({ color }, [r, g, b]) => Object.assign(color, { r: Math.max(r!, 0), g: Math.max(g!, 0), b: Math.max(b!, 0) }),
  intensity: (light, [value]) => Object.assign(light, { intensity: Math.max(value!, 0) }),
  range: (light, [value]) => Object.assign(light, { distance: value }),
}
