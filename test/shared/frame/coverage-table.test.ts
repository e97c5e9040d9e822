/** Tables of what covers a pixel, compared with maps of everything that its samples see. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addTables, RANKS, rankTables, TABLE_ENTRIES } from '../../../shared/frame/coverage-table.ts'

/** What samples see as a table, from a map. */
function tableOf(ids: readonly number[]): Uint32Array {
  const counts = new Map<number, number>()
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1)
  const entries = [...counts].sort(([a], [b]) => a - b).map(([id, count]) => id * 65536 + count)
  return Uint32Array.from({ length: TABLE_ENTRIES }, (_, i) => entries[i] ?? 0)
}

/** From few ids that occur often to more than a table holds. */
const seen = fc.constantFrom(3, 12, 40).chain(most =>
  fc.array(
    fc.integer({ min: 1, max: most }).map(id => id * 1638),
    { maxLength: 120 },
  ),
)

describe('tables', () => {
  it('of any parts of the samples add up, in any order, to that of all', () => {
    fc.assert(
      fc.property(
        seen,
        fc.array(fc.nat(4), { minLength: 120, maxLength: 120 }),
        fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 }),
        (ids, parts, order) => {
          // Two pixels, of which the first sees nothing.
          const sum = new Uint32Array(2 * TABLE_ENTRIES)
          for (const part of order) {
            const some = new Uint32Array(2 * TABLE_ENTRIES)
            some.set(tableOf(ids.filter((_, i) => parts[i] === part)), TABLE_ENTRIES)
            addTables(sum, some)
          }
          expect(sum.subarray(0, TABLE_ENTRIES)).toEqual(new Uint32Array(TABLE_ENTRIES))
          expect(sum.subarray(TABLE_ENTRIES)).toEqual(tableOf(ids))
        },
      ),
    )
  })

  it('of a worker that lies do not touch other ids', () => {
    const table = tableOf([1, 2])
    addTables(
      table,
      Uint32Array.from({ length: TABLE_ENTRIES }, (_, i) => (i === 0 ? 0x1ffff : 0)),
    )
    expect([...table.subarray(0, 2)]).toEqual([0x1ffff, 0x20001])
  })
})

it('ranks are those that cover most, as shares of the samples that a pixel has', () => {
  fc.assert(
    fc.property(seen, fc.integer({ min: 0, max: 9 }), (ids, missed) => {
      const kept = [...new Set(ids)].sort((a, b) => a - b).slice(0, TABLE_ENTRIES)
      const samples = Math.max(1, ids.length + missed)
      const share = (id: number) => Math.fround(ids.filter(each => each === id).length / samples)
      const expected = kept.sort((a, b) => share(b) - share(a) || a - b).flatMap(id => [id, share(id)])
      const table = new Uint32Array(TABLE_ENTRIES * 3)
      table.set(tableOf(ids), TABLE_ENTRIES * 2)
      const ranks = rankTables(table, visit => {
        visit(0, 1, 7)
        visit(1, 3, samples)
      })
      const padded = [...expected, ...Array(RANKS * 2).fill(0)].slice(0, RANKS * 2)
      expect([...ranks]).toEqual([...Array(RANKS * 4).fill(0), ...padded])
    }),
  )
})
