/** Tiles that came back: who is asked about them, and in which order they are taken. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Blame } from '../../../master/scheduling/blame.ts'
import { ReturnedTiles } from '../../../master/scheduling/returned-tiles.ts'
import { areaId } from '../../../shared/ids.ts'
import type { PixelSet } from '../../../shared/pixel-set.ts'

const tileAt = (y: number): PixelSet => ({ rect: { x: 0, y, w: 8, h: 1 } })
const blamesOf = (...names: string[]): readonly Blame[] =>
  names.map(area => ({ area: areaId(area), who: { area, worker: area }, reason: '', verdict: 'open' }))
const any = () => true

describe('tiles that came back', () => {
  it('are taken in their order, by whomever may, as from a plain list', () => {
    const kinds = [blamesOf(), blamesOf('a'), blamesOf('b'), blamesOf('a', 'b')]
    const anyStep = fc.record({ add: fc.nat(3), kind: fc.nat(3), mayTake: fc.subarray([0, 1, 2, 3]) })
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 60 }), steps => {
        const tiles = new ReturnedTiles()
        let list: { readonly y: number; readonly kind: number }[] = []
        let y = 0
        for (const { add, kind, mayTake } of steps) {
          const added = Array.from({ length: add }, () => y++)
          tiles.add(added.map(tileAt), kinds[kind]!)
          list = [...list, ...added.map(y => ({ y, kind }))]
          const found = list.find(({ kind }) => mayTake.includes(kind))
          const taken = tiles.take(
            blames => mayTake.includes(kinds.indexOf(blames)) || (blames.length === 0 && mayTake.includes(0)),
          )
          expect(taken?.rect.y).toBe(found?.y)
          if (found) expect(taken?.blames).toEqual(kinds[found.kind])
          list = list.filter(each => each !== found)
          expect(tiles.size).toBe(list.length)
          expect(tiles.hasFailedOn('a')).toBe(list.some(({ kind }) => kind === 1 || kind === 3))
        }
      }),
    )
  })

  it('are asked about once for all that failed together, and by suspects only where the others have failed', () => {
    const tiles = new ReturnedTiles()
    for (let i = 0; i < 100; i++)
      tiles.add(
        Array.from({ length: 10 }, (_, y) => tileAt(10 * i + y)),
        blamesOf(`w${i}`),
      )
    const asked: (readonly Blame[])[] = []
    const never = (blames: readonly Blame[]) => {
      asked.push(blames)
      return false
    }
    expect(tiles.take(never)).toBeUndefined()
    expect(asked).toHaveLength(100)
    asked.length = 0
    expect(tiles.take(never, 'w7')).toBeUndefined()
    expect(asked).toEqual([blamesOf('w7')])
    expect(tiles.take(any, 'w7')).toMatchObject({ rect: { y: 70 } })
    expect(tiles.take(any, 'nobody')).toBeUndefined()
  })
})
