import { describe, expect, it } from 'vitest'
import { Network } from '../../../master/simulator/network.ts'

/** 8 Mbit/s are a byte a microsecond: 1000 bytes a ms. */
const slow = { latencyMs: 5, workerMbit: 8, masterMbit: 8 }

describe('a simulated network', () => {
  it('takes latency and length over bandwidth, links one after the other only where they are busy', () => {
    const network = new Network(slow, 2)
    expect(network.toWorker(0, 3000, 10)).toBeCloseTo(18, 9)
    // The master's link is busy until 13, this worker's is not.
    expect(network.toWorker(1, 1000, 10)).toBeCloseTo(19, 9)
    expect(network.toWorker(0, 1000, 30)).toBeCloseTo(36, 9)
  })

  it('shares the master’s link among those who answer at once', () => {
    const network = new Network({ ...slow, workerMbit: 80 }, 3)
    const reached = [0, 1, 2].map(worker => network.toMasterLink(worker, 2000, 0))
    expect(reached).toEqual([5.2, 5.2, 5.2])
    expect(reached.map(at => network.throughMasterLink(2000, at))).toEqual([5.2, 7.2, 9.2])
  })

  it('is nothing but latency where links have no limit', () => {
    const network = new Network(
      { latencyMs: 1, workerMbit: Number.POSITIVE_INFINITY, masterMbit: Number.POSITIVE_INFINITY },
      1,
    )
    expect(network.toWorker(0, 1e9, 3)).toBe(4)
    expect(network.throughMasterLink(1e9, network.toMasterLink(0, 1e9, 3))).toBe(4)
  })
})
