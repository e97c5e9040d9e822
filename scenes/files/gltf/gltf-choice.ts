/** Which of a glTF file's animations and variants a look asks for. */
import { UnknownNameError } from '../../../shared/errors.ts'
import { NothingToChooseError } from '../../errors.ts'
import type { CheckedLook } from '../../look/scene-look.ts'
import type { Gltf } from './gltf-schema.ts'

/**
 * Numbers of the animations that play: the first one, unless the look says otherwise.
 * @param path of the file, for messages
 * @throws UnknownNameError, NothingToChooseError
 */
export function playingIn(
  names: readonly string[],
  { animation }: Pick<CheckedLook, 'animation'>,
  path: string,
): number[] {
  const all = [...names.keys()]
  if (animation === undefined) return all.slice(0, 1)
  const found = numberOf(animation, names)
  if (found !== undefined) return [found]
  if (animation === 'all') return all
  if (animation === 'none') return []
  if (names.length === 0) throw new NothingToChooseError(path, 'animation', animation)
  throw new UnknownNameError('animation', animation, [...names, 'all', 'none'])
}

/**
 * Number of a variant of the file's materials; undefined for those that it has without.
 * @param path of the file, for messages
 * @throws UnknownNameError, NothingToChooseError
 */
export function variantIn(
  names: readonly string[],
  { variant }: Pick<CheckedLook, 'variant'>,
  path: string,
): number | undefined {
  if (variant === undefined) return undefined
  const found = numberOf(variant, names)
  if (found !== undefined || variant === 'none') return found
  if (names.length === 0) throw new NothingToChooseError(path, 'variant', variant)
  throw new UnknownNameError('variant', variant, [...names, 'none'])
}

/** As they are listed and asked for. */
export const animationNames = ({ animations }: Gltf): string[] =>
  animations.map(({ name }, i) => name || `animation ${i}`)

export const variantNames = ({ extensions }: Gltf): string[] =>
  extensions?.KHR_materials_variants?.variants.map(({ name }, i) => name || `variant ${i}`) ?? []

/** By its name, or else by its number. */
function numberOf(asked: string, names: readonly string[]): number | undefined {
  const named = names.indexOf(asked)
  if (named >= 0) return named
  return /^\d{1,9}$/.test(asked) && Number(asked) < names.length ? Number(asked) : undefined
}
