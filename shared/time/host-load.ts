/** The load of a machine besides the run itself, as stored in recordings and complete runs. */
import * as z from 'zod'
import { ms } from '../text/numbers.ts'

export const hostLoadSchema = z.object({
  wallMs: ms,
  /** All cores of the machine, whether or not this process may use them. */
  cores: z.int().positive(),
  /** CPU time of everything but the run itself. */
  otherMs: ms,
})

export type HostLoad = Readonly<z.infer<typeof hostLoadSchema>>
