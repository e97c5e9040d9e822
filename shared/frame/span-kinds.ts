/**
 * The phases of a frame, as the ledger adds them up:
 * - `stats`: projecting the coverage mask, turning reports into costs · `decide`: the strategy's plan
 * - `dispatch`: from the plan until this worker's tile is handed to its socket
 * - `transmit`: on the network, in either direction · `render`: tracing · `stitch`: blitting into the frame
 * - `idle`: none of these
 *
 * Apart from the schema of spans, because pages draw them, and a schema brings a library with it that is larger than the page.
 */
export const SPAN_KINDS = ['stats', 'decide', 'dispatch', 'transmit', 'render', 'stitch', 'idle'] as const
export type SpanKind = (typeof SPAN_KINDS)[number]
