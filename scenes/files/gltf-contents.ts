/** What a glTF file contains besides what is drawn of it, for `inspect`. */
import { printable } from '../../shared/printable.ts'
import type { DeclaredContents } from '../scene-source.ts'
import { animationNames } from './gltf-choice.ts'
import { HONOURED } from './gltf-extensions.ts'
import type { Gltf } from './gltf-schema.ts'

/** @param unmet extensions of which this file has something that is not shown */
export function declaredIn(
  document: Gltf,
  textures: DeclaredContents['textures'],
  unmet: readonly string[],
): DeclaredContents {
  const { extensionsUsed = [], extensionsRequired = [] } = document
  return {
    textures,
    animations: animationNames(document).map((name, i) => ({
      name,
      seconds: secondsOf(document.animations[i]!, document),
    })),
    extensions: [...new Set([...extensionsUsed, ...extensionsRequired])].map(name => ({
      name: printable(name.slice(0, 200)),
      required: extensionsRequired.includes(name),
      honoured: HONOURED.includes(name) && !unmet.includes(name),
    })),
  }
}

/** The latest time of its keys, by what the file says of the accessors with their times; 0 if it says nothing. */
function secondsOf({ samplers }: Gltf['animations'][number], { accessors }: Gltf): number {
  const ends = samplers.map(({ input }) => {
    const most = accessors[input]?.max
    const end: unknown = Array.isArray(most) ? most[0] : undefined
    return typeof end === 'number' && Number.isFinite(end) ? end : 0
  })
  return ends.reduce((latest, end) => Math.max(latest, end), 0)
}
