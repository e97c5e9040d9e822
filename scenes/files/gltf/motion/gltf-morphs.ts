/**
 * What three's loader leaves out of morph targets: of tangents and texture coordinates, and of colours where a target has none. It gets
 * them as attributes of the mesh, each under a name of its own, and they are put where they belong afterwards.
 */
import { BufferAttribute, type BufferGeometry } from 'three'
import type { GltfAccessor, GltfPrimitive } from '../gltf-schema.ts'

/** By their names in glTF: as `morph-targets.ts` names them, and numbers of each element. */
const OTHERS = {
  TANGENT: ['tangent', 3],
  TEXCOORD_0: ['uv', 2],
  TEXCOORD_1: ['uv1', 2],
  COLOR_0: ['color', 4],
} as const
const NAMES = Object.keys(OTHERS) as (keyof typeof OTHERS)[]

const nameFor = (target: number, name: string): string => `_TARGET_${target}_${name}`

/** What the targets of a primitive add to those of its attributes that the loader leaves out: numbers of accessors. */
export function otherTargets({ attributes, targets = [] }: GltfPrimitive): Record<string, number> {
  const found: Record<string, number> = {}
  targets.forEach((target, i) => {
    for (const name of NAMES)
      if (Object.hasOwn(attributes, name) && Object.hasOwn(target, name)) found[nameFor(i, name)] = target[name]!
  })
  return found
}

/** Makes morph attributes of what `otherTargets` named. */
export function takeTargets(geometry: BufferGeometry): void {
  const { position = [] } = geometry.morphAttributes
  for (const name of NAMES) {
    const keys = position.map((_, i) => nameFor(i, name).toLowerCase())
    if (!keys.some(key => geometry.hasAttribute(key))) continue
    const [key, size] = OTHERS[name]
    const none = new BufferAttribute(new Float32Array(geometry.getAttribute('position').count * size), size)
    const targets = keys.map(key => (geometry.hasAttribute(key) ? geometry.getAttribute(key) : none))
    Object.assign(geometry.morphAttributes, { [key]: targets })
    for (const key of keys) geometry.deleteAttribute(key)
  }
}

/**
 * Accessors that are added to a document: of zeros, for morph targets that leave out what others move, for three's loader would take the
 * mesh itself; and others once more, for it changes the weights of joints where it has read them.
 */
export class AddedAccessors {
  readonly added: GltfAccessor[] = []
  readonly #own: readonly GltfAccessor[]
  readonly #zeros = new Map<number, number>()
  readonly #copies = new Map<number, number>()

  /** @param own the document's */
  constructor(own: readonly GltfAccessor[]) {
    this.#own = own
  }

  /** Targets that all have what one of them moves. */
  completed({ attributes, targets = [] }: GltfPrimitive): Record<string, number>[] {
    const movesNormals = 'NORMAL' in attributes && targets.some(target => Object.hasOwn(target, 'NORMAL'))
    // Positions in any case: without them, the loader gives the mesh no weights.
    const moved = ['POSITION', ...(movesNormals ? ['NORMAL'] : [])]
    const { count } = this.#own[attributes.POSITION!]!
    return targets.map(target =>
      Object.fromEntries(moved.map(name => [name, Object.hasOwn(target, name) ? target[name]! : this.#zerosOf(count)])),
    )
  }

  copyOf(number: number): number {
    const known = this.#copies.get(number)
    if (known !== undefined) return known
    const copy = this.#add(this.#own[number]!)
    this.#copies.set(number, copy)
    return copy
  }

  #zerosOf(count: number): number {
    const known = this.#zeros.get(count)
    if (known !== undefined) return known
    const number = this.#add({ componentType: 5126, count, type: 'VEC3' })
    this.#zeros.set(count, number)
    return number
  }

  #add(accessor: GltfAccessor): number {
    return this.#own.length + this.added.push(accessor) - 1
  }
}
