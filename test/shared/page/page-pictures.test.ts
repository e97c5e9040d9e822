/** Pictures and their depths, on their way to a page and back. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { packDepths, unpackNearness } from '../../../shared/page/page-depths.ts'
import type { PictureFacts } from '../../../shared/page/page-messages.ts'
import { packPicture, unpackPicture } from '../../../shared/page/page-pictures.ts'

const FACTS: PictureFacts = {
  picture: 3,
  seq: 7,
  stage: 'moving',
  size: [20, 10],
  fullSize: [40, 20],
  samples: 1,
  mostSamples: 4,
  times: { waitMs: 0, traceMs: 1, encodeMs: 2 },
  workers: ['ä'],
}
const bytes = fc.uint8Array({ maxLength: 40 })

describe('depths', () => {
  it('arrive as near as they were, to 16 bits of the nearest', () => {
    const depth = fc.oneof(fc.double({ min: 1e-3, max: 1e6, noNaN: true }), fc.constant(Number.POSITIVE_INFINITY))
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.array(depth, { minLength: 1, maxLength: 9 }), (columns, row) => {
        const depths = Float32Array.from({ length: columns * row.length }, (_, i) => row[Math.floor(i / columns)]!)
        const { facts, bytes } = packDepths({ cell: 8, columns, rows: row.length, depths })
        const nearness = unpackNearness(facts, bytes)
        expect(nearness).toHaveLength(depths.length)
        for (const [i, depth] of depths.entries())
          expect(Math.abs(nearness[i]! - 1 / depth)).toBeLessThanOrEqual(1e-5 / facts.nearest)
      }),
    )
  })

  it('that are not known are those of the cell before, or above, and else far away', () => {
    const unknown = Number.NaN
    const depths = Float32Array.of(unknown, 2, unknown, 4, unknown, unknown, unknown, 1, unknown)
    const { facts, bytes } = packDepths({ cell: 8, columns: 3, rows: 3, depths })
    const known = [...unpackNearness(facts, bytes)].map(near => Math.round(near * 100) / 100)
    expect(known).toEqual([0, 0.5, 0.5, 0.25, 0.25, 0.25, 0.25, 1, 1])
  })

  it('of nothing at all are all far away', () => {
    const depths = new Float32Array(4).fill(Number.POSITIVE_INFINITY)
    const { facts, bytes } = packDepths({ cell: 8, columns: 2, rows: 2, depths })
    expect([...unpackNearness(facts, bytes)]).toEqual([0, 0, 0, 0])
  })
})

describe('a picture', () => {
  it('arrives as it was sent, with its depths or without', () => {
    fc.assert(
      fc.property(bytes, fc.boolean(), (file, hasDepths) => {
        const depths = { facts: { cell: 8, columns: 3, rows: 2, nearest: 1.5 }, bytes: new Uint8Array(12).fill(9) }
        const facts = hasDepths ? { ...FACTS, depths: depths.facts } : FACTS
        const came = unpackPicture(packPicture(facts, file, hasDepths ? depths.bytes : undefined))
        expect(came.facts).toEqual(facts)
        expect([...came.file]).toEqual([...file])
        expect(came.depths).toHaveLength(hasDepths ? 12 : 0)
      }),
    )
  })

  it('that ends before its depths do is refused', () => {
    const facts = { ...FACTS, depths: { cell: 8, columns: 3, rows: 2, nearest: 1 } }
    expect(() => unpackPicture(packPicture(facts, new Uint8Array(5)))).toThrow(/depths up to byte \d+ in a message/)
  })
})
