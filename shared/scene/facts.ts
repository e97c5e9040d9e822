/** The facts about a scene that are stored in the files of a run. */
import * as z from 'zod'
import { sha256Schema } from '../text/numbers.ts'

export const sceneFactsSchema = z.object({
  name: z.string(),
  /** None, if all that moves is out of sight at first. */
  triangles: z.int().min(0),
  /** How many of them belong to the floor under a file's mesh; absent if there is none. */
  floorTriangles: z.int().positive().exactOptional(),
  sha256: sha256Schema,
})

export type SceneFacts = z.infer<typeof sceneFactsSchema>
