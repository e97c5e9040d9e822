/**
 * What the objects and materials of a scene are called, and their numbers, by which pictures tell them apart. A name is one thing, wherever
 * it occurs: objects of one name have one number, and so do the instances of an object.
 *
 * Numbers have to be the same in all frames of a film, whatever is in sight in them, and whichever frame is made first. So they are given
 * to everything that the scene has when it is imported first, visible or not, in the order of the scene graph; what is added to it
 * later, or is one too many, is among `OTHERS`.
 */
import { type Material, Mesh, type Object3D } from 'three'
import { OTHERS, type SceneNames } from '../../shared/scene/scene-names.ts'
import { printable } from '../../shared/text/printable.ts'
import { mapMaterial } from './materials/map-material.ts'
import { texturesOf } from './materials/map-textures.ts'

/** Longest name, characters. */
const LONGEST = 1000

/** A symbol, because `userData` may come from a file. */
const CALLED = Symbol('called')

/** Says which object of its file a mesh is, or is part of. */
export function callObject(mesh: Mesh, name: string): void {
  Object.assign(mesh.userData, { [CALLED]: name })
}

export class NameTable implements SceneNames {
  readonly objects: string[] = []
  readonly materials: string[] = []
  readonly #objects = new Map<string, number>()
  readonly #materials = new Map<string, number>()
  /** Names of materials that have none. */
  readonly #looks = new Map<string, string>()
  /** Also of what has no name. */
  readonly #numbers = new WeakMap<Object3D | Material, number>()
  #isFilled = false

  /** Numbers everything in a scene; the second time nothing is new. */
  fill(scene: Object3D): void {
    if (this.#isFilled) return
    this.#isFilled = true
    let meshes = 0
    scene.traverse(object => {
      if (!(object instanceof Mesh)) return
      const name = nameOf(object, scene) ?? `mesh ${meshes}`
      meshes++
      this.#numbers.set(object, numberIn(this.#objects, this.objects, name))
      for (const material of [object.material].flat()) {
        if (!material || this.#numbers.has(material)) continue
        const name = said(material.name) ?? this.#nameByLook(material)
        this.#numbers.set(material, numberIn(this.#materials, this.materials, name))
      }
    })
  }

  /** Materials without names are told apart by their looks: scenes may have one of their own for each mesh. */
  #nameByLook(material: Material): string {
    const maps = texturesOf(material).map(([key, { uuid, channel }]) => [key, uuid, channel])
    const look = JSON.stringify([mapMaterial(material), maps])
    const name = this.#looks.get(look) ?? `material ${this.#looks.size}`
    this.#looks.set(look, name)
    return name
  }

  /** The number of the object that a mesh is, or is part of. */
  objectOf(mesh: Mesh, scene: Object3D): number {
    return this.#numbers.get(mesh) ?? this.#objects.get(nameOf(mesh, scene) ?? '') ?? OTHERS
  }

  /** The number of a material's name. */
  materialOf(material: Material): number {
    return this.#numbers.get(material) ?? this.#materials.get(said(material.name) ?? '') ?? OTHERS
  }
}

function numberIn(numbers: Map<string, number>, names: string[], name: string): number {
  const known = numbers.get(name)
  if (known !== undefined) return known
  if (names.length === OTHERS) return OTHERS
  numbers.set(name, names.length)
  return names.push(name) - 1
}

/** What its file calls it, or else its own name, or that of the nearest object around it that has one. */
function nameOf(mesh: Mesh, scene: Object3D): string | undefined {
  const called = said((mesh.userData as { readonly [CALLED]?: string })[CALLED] ?? '')
  if (called) return called
  for (let object: Object3D | null = mesh; object && object !== scene; object = object.parent) {
    const name = said(object.name)
    if (name) return name
  }
  return undefined
}

const said = (name: string): string | undefined => (name === '' ? undefined : printable(name.slice(0, LONGEST)))
