/** Time spent on the wire, learned from the leases of the newest frame. */
import type { LeaseRecord } from './lease-record.ts'

/**
 * Median time of leases beyond what their workers account for, ms: the order's way there and the answer's way back,
 * including the handling at both ends. Undefined without a lease.
 */
export function roundTripMs(records: readonly LeaseRecord[]): number | undefined {
  // Of a lease sent in parts, only the first part's wait includes a full round trip.
  const firsts = new Map(records.toReversed().map(record => [record.lease, record]))
  const trips = [...firsts.values()]
    .map(({ sentAt, arrivedAt, times }) => arrivedAt - sentAt - times.waitMs - times.wallMs - times.encodeMs)
    .sort((a, b) => a - b)
  const middle = trips[trips.length >> 1]
  return middle === undefined ? undefined : Math.max(0, middle)
}
