/** MurmurHash3, the variant x86_32 with seed 0 (Appleby, 2011, public domain): 32 bits of any bytes, by which mattes know names. */

const C1 = 0xcc9e2d51
const C2 = 0x1b873593

export function murmurHash(bytes: Uint8Array): number {
  const { length } = bytes
  const words = Math.floor(length / 4)
  const view = new DataView(bytes.buffer, bytes.byteOffset, length)
  let hash = 0
  for (let i = 0; i < words; i++) {
    hash = rotated(hash ^ scrambled(view.getUint32(i * 4, true)), 13)
    hash = (Math.imul(hash, 5) + 0xe6546b64) | 0
  }
  let tail = 0
  for (let i = length - 1; i >= words * 4; i--) tail = (tail << 8) | bytes[i]!
  hash ^= scrambled(tail) ^ length
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

const scrambled = (word: number): number => Math.imul(rotated(Math.imul(word, C1), 15), C2)

const rotated = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits))
