/**
 * Names of the objects and materials of a scene. They are no part of what is sent to workers, which know numbers only: in pictures, the
 * number plus 1, so that 0 is nothing.
 */
import * as z from 'zod'
import { whole } from '../text/numbers.ts'

/** The number of all that has none of its own, as what is added to a scene during a film: 1 more, as in pictures, is the last that fits 16 bits. */
export const OTHERS = 65534

export interface SceneNames {
  /** By number. */
  readonly objects: readonly string[]
  readonly materials: readonly string[]
}

/** What ids in a film's pictures stand for, as files say it; only of those that its pictures have. */
export const idNamesSchema = z.object({
  objects: z.array(z.object({ id: whole, name: z.string() })).exactOptional(),
  materials: z.array(z.object({ id: whole, name: z.string() })).exactOptional(),
})
export type IdNames = z.infer<typeof idNamesSchema>

/** @param channels of its pictures */
export function idNames({ objects, materials }: SceneNames, channels: readonly string[]): IdNames | undefined {
  const listed = (names: readonly string[]) => names.map((name, number) => ({ id: number + 1, name }))
  const some = {
    ...(channels.includes('objectId') || channels.includes('cryptoObject') ? { objects: listed(objects) } : {}),
    ...(channels.includes('materialId') || channels.includes('cryptoMaterial') ? { materials: listed(materials) } : {}),
  }
  return Object.keys(some).length > 0 ? some : undefined
}
