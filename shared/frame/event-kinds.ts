/**
 * What happens between frames, or while they are made: to workers, and to the frames themselves. Apart from the schema of reports, as the kinds
 * of spans are.
 */
export const EVENT_KINDS = [
  ...(['joined', 'left', 'lost', 'quarantined', 'released'] as const),
  ...(['cut', 'strategy', 'retried', 'other'] as const),
] as const
export type EventKind = (typeof EVENT_KINDS)[number]
