/** What a page sets by hand beside its camera: when it looks, how light is shown, and where it comes from. Whatever is absent is as who brought the view said. */
import * as z from 'zod'
import { exposureSchema, toneMappingSchema } from '../frame/view.ts'
import { type Immutable, whole } from '../text/numbers.ts'

/** Degrees; a sun that is turned once is where it was. */
const azimuth = z.number().min(-360).max(360)
const elevation = z.number().min(-90).max(90)

/** What another scene is needed for: who brought the view makes it. */
const sceneSchema = {
  /** Number of a film's frame, of a scene that moves. */
  frame: whole.max(999_999).exactOptional(),
  /** As `--sun`. */
  sun: z.union([z.literal('none'), z.tuple([azimuth, elevation]).readonly()]).exactOptional(),
  /** As `--environment-rotation` and `--environment-intensity`. */
  environmentRotation: azimuth.exactOptional(),
  environmentIntensity: z.number().min(0).max(1e6).exactOptional(),
}

export const askedSceneSchema = z.object(sceneSchema)

export const handSchema = z.object({
  ...sceneSchema,
  exposure: exposureSchema.exactOptional(),
  toneMapping: toneMappingSchema.exactOptional(),
})

export type Hand = Immutable<z.infer<typeof handSchema>>
export type AskedScene = Omit<Hand, 'exposure' | 'toneMapping'>

/** The part of it that another scene is needed for. */
export const askedScene = ({ exposure: _, toneMapping: __, ...scene }: Hand): AskedScene => scene
