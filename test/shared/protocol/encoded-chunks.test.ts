import { describe, expect, it } from 'vitest'
import { decodeBinary, type PartChunk } from '../../../shared/protocol/codec.ts'
import { EncodedChunks } from '../../../shared/protocol/encoded-chunks.ts'

const chunk = (index: number, length = 100): PartChunk => ({
  kind: 'part-chunk',
  part: 'a'.repeat(64),
  index,
  body: new Uint8Array(length).fill(index),
})

describe('encoded chunks', () => {
  it('are the same bytes for everybody, and what was asked for', () => {
    const chunks = new EncodedChunks()
    const [first, other] = [chunks.take(chunk(1)), chunks.take(chunk(2))]
    expect(chunks.take(chunk(1)).bytes).toBe(first.bytes)
    expect(decodeBinary(first.bytes)).toEqual(chunk(1))
    expect(decodeBinary(other.bytes)).toEqual(chunk(2))
  })

  it('take the memory of old ones, but of none that is being sent', () => {
    const chunks = new EncodedChunks()
    const sent = chunks.take(chunk(0))
    const old = chunks.take(chunk(1))
    chunks.give(old)
    const { buffer } = old.bytes
    const others = Array.from({ length: 40 }, (_, i) => {
      const other = chunks.take(chunk(2 + i))
      chunks.give(other)
      return other.bytes.buffer
    })
    expect(others).toContain(buffer)
    expect(others).not.toContain(sent.bytes.buffer)
    expect(new Set(others).size).toBeLessThan(17)
    expect(decodeBinary(sent.bytes)).toEqual(chunk(0))
    // A longer one does not fit.
    expect(decodeBinary(chunks.take(chunk(99, 5000)).bytes)).toEqual(chunk(99, 5000))
  })

  it('are encoded again when they have been forgotten', () => {
    const chunks = new EncodedChunks()
    for (let index = 0; index < 40; index++) chunks.give(chunks.take(chunk(index)))
    expect(decodeBinary(chunks.take(chunk(0)).bytes)).toEqual(chunk(0))
  })

  it('that are sent one by one to a single peer take turns in the same memory', () => {
    const chunks = new EncodedChunks()
    const buffers = new Set<ArrayBufferLike>()
    for (let index = 0; index < 100; index++) {
      const sent = chunks.take(chunk(index))
      buffers.add(sent.bytes.buffer)
      chunks.give(sent)
    }
    expect(buffers.size).toBe(4)
  })

  it('keep little memory when many were sent at once, and less when none is any more', () => {
    const chunks = new EncodedChunks()
    const taken = Array.from({ length: 200 }, (_, index) => chunks.take(chunk(index, 2 ** 10)))
    const one = taken[0]!.bytes.length
    expect(chunks.bytes).toBeGreaterThanOrEqual(200 * one)
    for (const each of taken.slice(1)) chunks.give(each)
    expect(chunks.bytes).toBeLessThanOrEqual(16 * one)
    expect(decodeBinary(taken[0]!.bytes)).toEqual(chunk(0, 2 ** 10))
    chunks.give(taken[0]!)
    expect(chunks.bytes).toBeLessThanOrEqual(4 * one)
    // The newest is there for a peer that is a little behind.
    expect(chunks.take(chunk(199, 2 ** 10)).bytes).toBe(taken[199]!.bytes)
  })
})
