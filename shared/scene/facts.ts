/** What files of a run say about its scene. */
import * as z from 'zod'
import { sha256Schema } from '../numbers.ts'

export const sceneFactsSchema = z.object({
  name: z.string(),
  triangles: z.int().positive(),
  /** Those of them that are of the floor under a file's mesh; absent where there is none. */
  floorTriangles: z.int().positive().exactOptional(),
  sha256: sha256Schema,
})

export type SceneFacts = z.infer<typeof sceneFactsSchema>
