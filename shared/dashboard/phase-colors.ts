/** Colours of ledger phases, in the report and on the page. Idle is pale, because nothing happens. */
import type { SpanKind } from '../frame/span-kinds.ts'

export const PHASE_COLORS: Readonly<Record<SpanKind, string>> = {
  render: '#2b73a8',
  transmit: '#e08a1e',
  stitch: '#8c5a99',
  dispatch: '#12937a',
  decide: '#c2410c',
  stats: '#e3c13b',
  idle: '#e2e6eb',
}

/** Phases as a legend names them: work first, waiting last. */
export const PHASE_ORDER = [
  'render',
  'transmit',
  'stitch',
  'dispatch',
  'decide',
  'stats',
  'idle',
] as const satisfies readonly SpanKind[]
