/** Which objects of three were made of which nodes of a glTF file. */
import { AttachedBindMode, InstancedMesh, Material, Matrix4, Mesh, type Object3D, type SkinnedMesh } from 'three'
import type { GLTFParser } from 'three/addons/loaders/GLTFLoader.js'
import type { Gltf } from './gltf-schema.ts'

export class GltfObjects {
  /** By the number of their node; those that are not shown are missing. */
  readonly #nodes: readonly (Object3D | undefined)[]
  readonly #all: ReadonlySet<Object3D>

  readonly #materials: ReadonlyMap<number, readonly Material[]>

  private constructor(nodes: readonly (Object3D | undefined)[], materials: ReadonlyMap<number, readonly Material[]>) {
    this.#nodes = nodes
    this.#materials = materials
    this.#all = new Set(nodes.filter(node => node !== undefined))
  }

  /** @param parser that has loaded the document */
  static async of({ nodes }: Gltf, parser: GLTFParser): Promise<GltfObjects> {
    // Its types leave out what it has made so far.
    const { nodeCache } = parser as unknown as { nodeCache: Readonly<Record<number, Promise<Object3D>>> }
    const materials = new Map<number, Material[]>()
    for (const [made, from] of parser.associations)
      if (made instanceof Material && from?.materials !== undefined) {
        const known = materials.get(from.materials) ?? []
        materials.set(from.materials, known)
        known.push(made)
      }
    return new GltfObjects(await Promise.all(nodes.map((_, i) => nodeCache[i])), materials)
  }

  /** Materials that were made of one of the file's: one for each way in which meshes use it. */
  materialsOf(number: number): readonly Material[] {
    return this.#materials.get(number) ?? []
  }

  node(number: number): Object3D | undefined {
    return this.#nodes[number]
  }

  /** What a node consists of: itself, and what is below it that is no other node. */
  partsOf(number: number): Object3D[] {
    const parts: Object3D[] = []
    const add = (object: Object3D) => {
      parts.push(object)
      for (const child of object.children) if (!this.#all.has(child)) add(child)
    }
    const node = this.#nodes[number]
    if (node) add(node)
    return parts
  }

  /** Meshes of a node. */
  meshesOf(number: number): Mesh[] {
    return this.partsOf(number).filter((part): part is Mesh => part instanceof Mesh)
  }

  /** Meshes of a node with morph targets. */
  morphedOf(number: number): Mesh[] {
    return this.meshesOf(number).filter(({ morphTargetInfluences }) => morphTargetInfluences !== undefined)
  }
}

/** Gives instances the skin of their node, which three's loader forgets, and of which it has no class. */
export async function bindInstances({ nodes }: Gltf, objects: GltfObjects, parser: GLTFParser): Promise<void> {
  for (const [i, { mesh, skin, extensions }] of nodes.entries()) {
    if (mesh === undefined || skin === undefined || !extensions?.EXT_mesh_gpu_instancing) continue
    const skeleton: SkinnedMesh['skeleton'] = await parser.getDependency('skin', skin)
    for (const each of objects.meshesOf(i))
      if (each instanceof InstancedMesh)
        Object.assign(each, {
          skeleton,
          bindMode: AttachedBindMode,
          bindMatrix: new Matrix4(),
          bindMatrixInverse: new Matrix4(),
        })
  }
}

/** Gives instances the weights of their node, which three's loader forgets. */
export function weighInstances({ nodes, meshes }: Gltf, objects: GltfObjects): void {
  nodes.forEach(({ mesh, weights, extensions }, i) => {
    if (mesh === undefined || !extensions?.EXT_mesh_gpu_instancing) return
    for (const each of objects.meshesOf(i)) {
      const targets = each.geometry.morphAttributes.position ?? each.geometry.morphAttributes.normal ?? []
      if (each instanceof InstancedMesh && targets.length > 0)
        each.morphTargetInfluences = targets.map((_, i) => weights?.[i] ?? meshes[mesh]!.weights?.[i] ?? 0)
    }
  })
}
