/**
 * The balancer between devices of a well-known renderer (Blender Cycles, `PathTrace::rebalance`): each device's weight is multiplied by
 * mix(t, mean, 1/N) / t, t being the device's time and N the number of devices, until all times are within 2 % of each other.
 */
import { inProportion, startingShares, type Within } from './within.ts'

/** Times that differ from their mean by less than this share are equal. */
const TOLERANCE = 0.02

export const weightMix: Within = {
  name: 'weight-mix',
  summary: 'weights move towards equal times, by one Nth of the way for N devices',
  advice: 'for comparison: steady, but the more devices there are the slower it is',
  source: 'Blender Cycles, multi-device balancing',
  divide(input) {
    if (!input.previous) return { shares: startingShares(input) }
    const { shares, measured } = input.previous
    const times = measured.map(({ busyMs }) => busyMs)
    const mean = times.reduce((sum, time) => sum + time, 0) / times.length
    if (times.every(time => Math.abs(time - mean) <= TOLERANCE * mean)) return { shares }
    // A device that was given nothing, and so took no time, begins anew with as much as an even share.
    const weights = times.map((time, i) =>
      time > 0 ? (shares[i]! * (time + (mean - time) / times.length)) / time : 1 / times.length,
    )
    return { shares: inProportion(weights) }
  },
}
