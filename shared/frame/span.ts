/** One timed phase. The same spans feed the balancer, the frame report, the trace export and the dashboard. */
import * as z from 'zod'
import { type Immutable, whole } from '../text/numbers.ts'
import { rectSchema } from './rect-schema.ts'

/**
 * The phases of a frame, as the ledger adds them up:
 * - `stats`: projecting the coverage mask, turning reports into costs · `decide`: the strategy's plan
 * - `dispatch`: from the plan until this worker's tile is handed to its socket
 * - `transmit`: on the network, in either direction · `render`: tracing · `stitch`: blitting into the frame
 * - `idle`: none of these
 */
export const SPAN_KINDS = ['stats', 'decide', 'dispatch', 'transmit', 'render', 'stitch', 'idle'] as const
export type SpanKind = (typeof SPAN_KINDS)[number]

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
