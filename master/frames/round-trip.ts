/** What the wire takes, learned from the leases of the newest frame. */
import type { LeaseRecord } from './lease-record.ts'

/**
 * Median of what leases took beyond what their workers account for, ms: an order's way there and its answer's way back,
 * with the handling at either end. Undefined without a lease.
 */
export function roundTripMs(records: readonly LeaseRecord[]): number | undefined {
  // Of a lease that came in parts only the first was waited for as long as the wire took.
  const firsts = new Map(records.toReversed().map(record => [record.lease, record]))
  const trips = [...firsts.values()]
    .map(({ sentAt, arrivedAt, times }) => arrivedAt - sentAt - times.waitMs - times.renderMs - times.encodeMs)
    .sort((a, b) => a - b)
  const middle = trips[trips.length >> 1]
  return middle === undefined ? undefined : Math.max(0, middle)
}
