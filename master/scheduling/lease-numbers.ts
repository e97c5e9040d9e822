/** Lease numbers are unique, so that two frames in flight and late answers to an earlier one are never confused. */
import { type LeaseId, leaseId } from '../../shared/ids.ts'

export type LeaseNumbers = () => LeaseId

/** Numbers from `first` on. They are 32-bit words on the wire and wrap around at 2³². */
export function leaseNumbers(first = 0): LeaseNumbers {
  let next = first
  return () => {
    const number = next
    next = (next + 1) >>> 0
    return leaseId(number)
  }
}
