/** Numbers for leases, each given once: two frames in flight, and what comes late of an earlier one, are never mixed up. */
import { type LeaseId, leaseId } from '../../shared/ids.ts'

export type LeaseNumbers = () => LeaseId

/** Numbers from `first` on. They are words on the wire, and begin again after four thousand million. */
export function leaseNumbers(first = 0): LeaseNumbers {
  let next = first
  return () => {
    const number = next
    next = (next + 1) >>> 0
    return leaseId(number)
  }
}
