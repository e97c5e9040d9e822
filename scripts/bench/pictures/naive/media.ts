/**
 * What a ray is in, as a list: the solid that it entered last comes last, and counts. A surface bends light if another one counts behind
 * it.
 */
import type { Vec3 } from '../../../../shared/frame/view.ts'
import { BLACK } from '../model/vector.ts'

export interface Medium {
  readonly ior: number
  readonly absorption: Vec3
}

export const AIR: Medium = { ior: 1, absorption: BLACK }

/** A solid's surface that a ray meets. */
export interface Crossing {
  readonly inner: Medium
  /** On its outer side, where the scene says so. */
  readonly outer?: Medium | undefined
  readonly inwards: boolean
}

export type Media = readonly Medium[]

export const innermost = (media: Media): Medium => media.at(-1) ?? AIR

export const isSame = (a: Medium, b: Medium): boolean =>
  a.ior === b.ior && a.absorption.every((value, i) => value === b.absorption[i])

export const crossed = (media: Media, { inner, outer, inwards }: Crossing): Media => {
  const [from, to] = inwards ? [outer, inner] : [inner, outer]
  return [...without(media, from), ...(to ? [to] : [])]
}

/** What is on the side that a ray comes from: what the scene says, if the ray has missed that. */
export const before = (media: Media, { inner, outer, inwards }: Crossing): Medium => {
  const said = inwards ? outer : inner
  return said && !media.some(each => isSame(each, said)) ? said : innermost(media)
}

function without(media: Media, gone: Medium | undefined): Media {
  const at = gone ? media.findLastIndex(each => isSame(each, gone)) : -1
  return at < 0 ? media : media.filter((_, i) => i !== at)
}
