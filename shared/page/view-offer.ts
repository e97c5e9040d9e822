/** What a client offers to show on a page of its master, beside the order of its sessions. */
import * as z from 'zod'
import { framedSubjectSchema, fullViewpointSchema } from '../frame/viewpoint.ts'
import { type Immutable, whole } from '../text/numbers.ts'
import { printableText } from '../text/printable-schema.ts'
import { HAND_WORDS } from './view-words.ts'

/** What its scene can be made anew with: for who brought the view. */
const lightSchema = z.object({
  /** Degrees. */
  sun: z.union([z.literal('none'), z.tuple([z.number(), z.number()]).readonly()]).exactOptional(),
  environment: z.object({ rotation: z.number(), intensity: z.number() }).exactOptional(),
  film: z.object({ frames: whole.min(1).exactOptional(), fps: z.number().positive() }).exactOptional(),
})

export const viewFactsSchema = z.object({
  triangles: whole,
  /** Where the view begins. */
  viewpoint: fullViewpointSchema,
  /** What it turns around. */
  subject: framedSubjectSchema,
  /** The command line that renders the scene with the same light and look, without camera and size; absent: it cannot be written as a line. */
  command: printableText(2000).exactOptional(),
  /** The same line without what a page sets by hand, and the words that it has for that, by what they say. */
  bare: z
    .object({ command: printableText(2000), words: z.partialRecord(z.enum(HAND_WORDS), printableText(2000)) })
    .exactOptional(),
  /** Present: the client makes its scene under another sun and at another time, when it is asked to. */
  light: lightSchema.exactOptional(),
})

export type ViewFacts = Immutable<z.infer<typeof viewFactsSchema>>
