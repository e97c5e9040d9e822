/** Hashes, compared with those that others publish. */
import { expect, it } from 'vitest'
import { bitsOf } from '../../../scripts/film/cryptomatte.ts'
import { murmurHash } from '../../../scripts/film/murmur-hash.ts'

const hashOf = (text: string) => murmurHash(new TextEncoder().encode(text))

it.each<[string, number]>([
  ['', 0],
  ['a', 0x3c2569b2],
  ['abc', 0xb3dd93fa],
  ['test', 0xba6bd213],
  ['hello', 0x248bfa47],
  ['Hello, world!', 0xc0363e43],
  ['The quick brown fox jumps over the lazy dog', 0x2e4ff723],
  // Of the sample images of Cryptomatte's authors.
  ['bunny', 0x13851a76],
])('of %j is that of MurmurHash3 x86_32', (text, hash) => expect(hashOf(text)).toBe(hash))

it('reads the bytes where they are in their buffer, and names as UTF-8', () => {
  const bytes = new TextEncoder().encode('..hello')
  expect(murmurHash(bytes.subarray(2))).toBe(hashOf('hello'))
  expect(murmurHash(Uint8Array.of(0xc3, 0xa4))).toBe(hashOf('ä'))
})

it('of names have an exponent that neither denormal numbers nor infinities have, and are otherwise the same', () => {
  let moved = 0
  for (let i = 0; i < 4000; i++) {
    const [hash, bits] = [hashOf(`object ${i}`), bitsOf(`object ${i}`)]
    const [id] = new Float32Array(Uint32Array.of(bits).buffer)
    expect(Number.isFinite(id) && Math.abs(id!) >= 2 ** -126).toBe(true)
    const exponent = (hash >>> 23) & 255
    if (exponent > 0 && exponent < 255) expect(bits).toBe(hash)
    else {
      moved++
      expect((bits ^ hash) & 0x807fffff).toBe(0)
    }
  }
  expect(moved).toBeGreaterThan(5)
})
