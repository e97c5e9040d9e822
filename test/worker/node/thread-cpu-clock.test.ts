import { describe, expect, it } from 'vitest'
import { threadCpuClock } from '../../../worker/node/thread-cpu-clock.ts'

describe('the CPU clock of a thread', () => {
  const clock = threadCpuClock()
  const compute = (rounds: number) => {
    let sum = 0
    for (let i = 0; i < rounds; i++) sum += Math.sqrt(i)
    return sum
  }

  it('runs while the thread computes, never back, and not ahead of the wall', () => {
    const [cpu, wall] = [clock.now(), performance.now()]
    expect(compute(2e7)).toBeGreaterThan(0)
    const used = clock.now() - cpu
    expect(used).toBeGreaterThan(0)
    expect(used).toBeLessThanOrEqual((performance.now() - wall) * 1.05 + 1)
  })

  it.skipIf(clock.kind === 'wall')('stands still while the thread sleeps', () => {
    const before = clock.now()
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
    expect(clock.now() - before).toBeLessThan(20)
  })
})
