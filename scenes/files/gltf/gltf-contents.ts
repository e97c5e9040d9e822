/** What a glTF file contains besides what is drawn of it, for `inspect`. */
import { printable } from '../../../shared/text/printable.ts'
import type { DeclaredContents } from '../../scene-source.ts'
import type { GltfAccessors } from './gltf-accessors.ts'
import { animationNames, variantNames } from './gltf-choice.ts'
import { HONOURED } from './gltf-extensions.ts'
import type { Gltf } from './gltf-schema.ts'

/**
 * @param accessors have the times of keys where the document does not say when they end
 * @param unmet extensions of which this file has something that is not shown
 */
export async function declaredIn(
  document: Gltf,
  accessors: GltfAccessors,
  textures: DeclaredContents['textures'],
  unmet: readonly string[],
): Promise<DeclaredContents> {
  const { extensionsUsed = [], extensionsRequired = [] } = document
  const lengths = new Lengths(document, accessors)
  const animations: { name: string; seconds: number }[] = []
  for (const [i, name] of animationNames(document).entries())
    animations.push({ name: nameOf(name), seconds: await lengths.of(document.animations[i]!) })
  return {
    textures,
    animations,
    variants: variantNames(document).map(nameOf),
    extensions: [...new Set([...extensionsUsed, ...extensionsRequired])].map(name => ({
      name: nameOf(name),
      required: extensionsRequired.includes(name),
      honoured: HONOURED.includes(name) && !unmet.includes(name),
    })),
  }
}

const nameOf = (name: string): string => printable(name.slice(0, 200))

/** Ends of animations: the latest time of their keys; 0 if these are not to be found, which is no matter for one that does not play. */
class Lengths {
  readonly #document: Gltf
  readonly #accessors: GltfAccessors
  readonly #ends = new Map<number, Promise<number>>()

  constructor(document: Gltf, accessors: GltfAccessors) {
    this.#document = document
    this.#accessors = accessors
  }

  async of({ samplers }: Gltf['animations'][number]): Promise<number> {
    let latest = 0
    for (const { input } of samplers) latest = Math.max(latest, await this.#endOf(input))
    return latest
  }

  #endOf(input: number): Promise<number> {
    const known = this.#ends.get(input) ?? this.#read(input)
    this.#ends.set(input, known)
    return known
  }

  /** As the document has it, which must say so, or else the last of the times. */
  async #read(input: number): Promise<number> {
    const most = this.#document.accessors[input]?.max
    const end: unknown = Array.isArray(most)
      ? most[0]
      : await this.#accessors.read(input).then(
          ({ array }) => array[array.length - 1],
          () => 0,
        )
    return typeof end === 'number' && Number.isFinite(end) ? end : 0
  }
}
