import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { startSha256 } from '../../shared/sha256.ts'

const known = (pieces: readonly Uint8Array[]): string => {
  const hash = createHash('sha256')
  for (const piece of pieces) hash.update(piece)
  return hash.digest('hex')
}
const own = (pieces: readonly Uint8Array[]): string => {
  const hash = startSha256()
  for (const piece of pieces) hash.update(piece)
  return hash.digest()
}

it('is that of Node.js for bytes in any pieces', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 5 }), pieces => {
      expect(own(pieces)).toBe(known(pieces))
    }),
  )
})

it('is so for every length around a block, and for a part of a scene', () => {
  for (let length = 0; length <= 130; length++) {
    const bytes = Uint8Array.from({ length }, (_, i) => i * 7)
    expect(own([bytes])).toBe(known([bytes]))
  }
  const large = new Uint8Array(3_000_001).map((_, i) => i * 31)
  expect(own([large])).toBe(known([large]))
})
