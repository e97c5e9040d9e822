import { describe, expect, it } from 'vitest'
import { BufferPool } from '../../shared/buffer-pool.ts'

describe('a pool of buffers', () => {
  it('gives what was given back to whoever fits into it, and to nobody else', () => {
    const pool = new BufferPool()
    const first = pool.take(100)
    expect(first).toHaveLength(100)
    expect(pool.take(100).buffer).not.toBe(first.buffer)
    pool.give(first)
    const larger = pool.take(1000)
    expect(larger.buffer).not.toBe(first.buffer)
    const smaller = pool.take(60)
    expect(smaller).toHaveLength(60)
    expect(smaller.buffer).toBe(first.buffer)
  })

  it('has room for a slightly larger message', () => {
    const pool = new BufferPool()
    const first = pool.take(100)
    pool.give(first)
    expect(pool.take(125).buffer).toBe(first.buffer)
  })

  it('keeps few, and none that is very large', () => {
    const pool = new BufferPool()
    const taken = Array.from({ length: 9 }, () => pool.take(10))
    for (const bytes of taken) pool.give(bytes)
    const kept = new Set(Array.from({ length: 9 }, () => pool.take(10).buffer))
    expect(taken.filter(({ buffer }) => kept.has(buffer))).toHaveLength(4)
    const large = pool.take(27 << 20)
    pool.give(large)
    expect(pool.take(1).buffer).not.toBe(large.buffer)
  })
})
