/** One timed phase. The same spans feed the balancer, the frame report, the trace export and the dashboard. */
import * as z from 'zod'
import { type Immutable, whole } from '../text/numbers.ts'
import { rectSchema } from './rect-schema.ts'
import { SPAN_KINDS } from './span-kinds.ts'

export const spanSchema = z.object({
  kind: z.enum(SPAN_KINDS),
  frame: whole,
  /** Absent on spans that apply to every worker (stats, decide). */
  worker: z.string().exactOptional(),
  tile: rectSchema.exactOptional(),
  /** Milliseconds on the master's clock. */
  start: z.number(),
  end: z.number(),
})
export type Span = Immutable<z.infer<typeof spanSchema>>
