/** What a machine did beside tracing, as recordings and complete runs keep it. */
import * as z from 'zod'
import { ms } from './numbers.ts'

export const hostLoadSchema = z.object({
  wallMs: ms,
  /** Of the machine, whoever may use them. */
  cores: z.int().positive(),
  /** CPU time of all but the run itself. */
  otherMs: ms,
})

export type HostLoad = Readonly<z.infer<typeof hostLoadSchema>>
