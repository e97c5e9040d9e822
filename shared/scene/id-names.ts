/** Which names the ids in a film's pictures stand for, as files say it. Apart from `scene-names.ts`, so that threads need no schemas. */
import * as z from 'zod'
import { whole } from '../text/numbers.ts'
import type { SceneNames } from './scene-names.ts'

/** Only of those that its pictures have. */
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
