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
})
