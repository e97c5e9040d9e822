/** Tiles that came back: who is asked about them, in which order they are taken, and into how many pieces they are cut. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Blame } from '../../../master/scheduling/blame.ts'
import { ReturnedTiles } from '../../../master/scheduling/returned-tiles.ts'
import { piecesOfEach } from '../../../master/scheduling/strips.ts'
import type { PixelSet } from '../../../shared/frame/pixel-set.ts'
import { areaId } from '../../../shared/ids.ts'

const tileAt = (y: number): PixelSet => ({ rect: { x: 0, y, w: 8, h: 1 } })
const blamesOf = (...names: string[]): readonly Blame[] =>
  names.map(area => ({ area: areaId(area), who: { area, worker: area }, reason: '', verdict: 'open' }))
const any = () => true
const whole = (tile: PixelSet) => [tile]

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
          tiles.add(added.map(tileAt), kinds[kind]!, false)
          list = [...list, ...added.map(y => ({ y, kind }))]
          const found = list.find(({ kind }) => mayTake.includes(kind))
          const taken = tiles.take(
            blames => mayTake.includes(kinds.indexOf(blames)) || (blames.length === 0 && mayTake.includes(0)),
            whole,
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
        false,
      )
    const asked: (readonly Blame[])[] = []
    const never = (blames: readonly Blame[]) => {
      asked.push(blames)
      return false
    }
    expect(tiles.take(never, whole)).toBeUndefined()
    expect(asked).toHaveLength(100)
    asked.length = 0
    expect(tiles.take(never, whole, 'w7')).toBeUndefined()
    expect(asked).toEqual([blamesOf('w7')])
    expect(tiles.take(any, whole, 'w7')).toMatchObject({ rect: { y: 70 } })
    expect(tiles.take(any, whole, 'nobody')).toBeUndefined()
  })

  it('are cut when they are wanted, by how many wait then', () => {
    const tiles = new ReturnedTiles()
    const waited: number[] = []
    const cut = ({ rect }: PixelSet, _: readonly Blame[], waiting: number) => {
      waited.push(waiting)
      return [0, 4].map(x => ({ rect: { ...rect, x, w: 4 } }))
    }
    for (let y = 0; y < 3; y++) tiles.add([tileAt(y)], blamesOf(), true)
    expect(tiles.size).toBe(3)
    const taken = Array.from({ length: 6 }, () => tiles.take(any, cut)!.rect)
    expect(taken.map(({ x, y }) => [x, y])).toEqual(
      [0, 1, 2].flatMap(y => [
        [0, y],
        [4, y],
      ]),
    )
    expect(waited).toEqual([3, 2, 1])
    expect([tiles.size, tiles.take(any, cut)]).toEqual([0, undefined])
  })
})

describe('pieces of a tile', () => {
  it('are one for each area if nothing else waits, and few if much does', () => {
    expect([1, 2, 3, 4, 999].map(able => piecesOfEach(able, 1))).toEqual([1, 2, 3, 4, 999])
    expect(piecesOfEach(3, 2)).toBe(3)
    expect(piecesOfEach(500, 500)).toBe(2)
    expect(piecesOfEach(500, 1000)).toBe(1)
    expect(piecesOfEach(5, 1000)).toBe(1)
  })

  it('are together in proportion to the areas, however many tiles are lost', () => {
    for (const able of [10, 100, 1000]) {
      let pieces = 0
      for (let waiting = 1000; waiting > 0; waiting--) pieces += piecesOfEach(able, waiting)
      expect(pieces).toBeLessThan(1000 + 2 * able * (1 + Math.log(2 * able)))
    }
  })
})
