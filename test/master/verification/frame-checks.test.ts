/** Which rows are checked, and who is believed. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bandsOf, pixelsOf, rowsOf } from '../../../master/verification/bands.ts'
import { type Check, FrameChecks, type Tracer } from '../../../master/verification/frame-checks.ts'
import { forEachRun, type PixelSet, pixelCount } from '../../../shared/frame/pixel-set.ts'
import { areaId } from '../../../shared/ids.ts'
import { randomNumbers } from '../../support/random-numbers.ts'

const tracer = (name: string, changes: Partial<Tracer> = {}): Tracer => ({
  area: areaId(name),
  name,
  key: name,
  kernel: 'k',
  ...changes,
})
const [anna, bob, carl, dora] = ['anna', 'bob', 'carl', 'dora'].map(name => tracer(name)) as [
  Tracer,
  Tracer,
  Tracer,
  Tracer,
]
const tile: PixelSet = { rect: { x: 10, y: 20, w: 32, h: 40 } }
const bytes = (...values: number[]) => Uint8Array.from(values)

/** Checks with a single open one, on what `by` traced. */
function oneCheck(by: Tracer, pixels: Uint8Array): FrameChecks<string> {
  const checks = new FrameChecks<string>(1, () => 0)
  checks.traced(by, tile, 'order', () => pixels)
  return checks
}

const ask = (checks: FrameChecks<string>, by: Tracer): Check<string> => {
  const check = checks.next(by)
  expect(check).toBeDefined()
  return check!
}

describe('somebody who is not believed any more', () => {
  it('has its own pixels unchecked, also where another was asked', () => {
    const waiting = oneCheck(anna, bytes(1))
    expect(waiting.discredit('anna')).toEqual([])
    expect(waiting.open).toBe(0)
    const asked = oneCheck(anna, bytes(1))
    const check = ask(asked, bob)
    expect(asked.discredit('anna')).toEqual([check])
    expect(asked.open).toBe(0)
  })

  it('has no vote on those of others', () => {
    const checks = oneCheck(anna, bytes(1))
    checks.answered(ask(checks, bob), bytes(2))
    expect(checks.discredit('bob')).toEqual([])
    // Otherwise this would make anna a liar.
    expect(checks.answered(ask(checks, carl), bytes(2))).toEqual({ type: 'disputed' })
    expect(checks.answered(ask(checks, dora), bytes(1))).toMatchObject({ type: 'liars', liars: [carl] })
  })
})

describe('bands of rows', () => {
  it('lie in their set, and are all of it with share 1', () => {
    expect(bandsOf(tile, 1, () => 0.7)).toEqual([tile])
    expect(bandsOf(tile, 0, () => 0)).toEqual([])
  })

  it('have each row as often as any other, and as often as the share says', () => {
    const random = randomNumbers(5)
    for (const [set, share] of [
      [{ rect: { x: 0, y: 7, w: 1280, h: 23 } }, 0.05],
      [{ rect: { x: 0, y: 7, w: 1280, h: 23 } }, 0.3],
      [{ rect: { x: 64, y: 32, w: 32, h: 32 } }, 0.05],
      [{ rect: { x: 0, y: 0, w: 1, h: 5 } }, 0.5],
      [{ rect: { x: 0, y: 0, w: 64, h: 64 }, pattern: { kind: 'lattice', stepX: 8, stepY: 16, dx: 4, dy: 4 } }, 0.25],
    ] as const) {
      const times = new Map(rowsOf(set).rows.map(row => [row, 0]))
      const draws = 20_000
      for (let draw = 0; draw < draws; draw++)
        for (const band of bandsOf(set, share, random))
          for (const row of rowsOf(band).rows) times.set(row, times.get(row)! + 1)
      expect(times.size).toBe(rowsOf(set).rows.length)
      // Six standard deviations.
      const spread = 6 * Math.sqrt((share * (1 - share)) / draws)
      for (const count of times.values()) expect(Math.abs(count / draws - share)).toBeLessThan(spread)
    }
  })

  it('have the values of their pixels', () => {
    fc.assert(
      fc.property(
        fc.record({
          x: fc.nat(20),
          y: fc.nat(20),
          w: fc.integer({ min: 1, max: 20 }),
          h: fc.integer({ min: 1, max: 20 }),
        }),
        fc.option(fc.record({ stepX: fc.integer({ min: 1, max: 4 }), stepY: fc.integer({ min: 1, max: 4 }) }), {
          nil: undefined,
        }),
        fc.nat(5),
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        fc.nat(),
        (rect, steps, more, share, seed) => {
          const set: PixelSet = {
            rect,
            ...(steps ? { pattern: { kind: 'lattice', ...steps, dx: 0, dy: 0 } as const } : {}),
          }
          const random = randomNumbers(seed)
          const count = pixelCount(set)
          // Of each pixel its place; of some further rows nothing.
          const rgb = new Uint8Array((count + more) * 3)
          const ids = new Uint32Array(count + more)
          let at = 0
          forEachRun(set, (x, y, length) => {
            for (let i = 0; i < length; i++, at++) {
              rgb.set([x + i, y, 7], at * 3)
              ids[at] = y * 1000 + x + i
            }
          })
          const packed = new Uint8Array(ids.byteLength + rgb.byteLength)
          packed.set(new Uint8Array(ids.buffer))
          packed.set(rgb, ids.byteLength)
          for (const band of bandsOf(set, share, random)) {
            const got = pixelsOf(band, set, ['id', 'rgb'], packed)
            const n = pixelCount(band)
            const gotIds = new Uint32Array(got.slice(0, n * 4).buffer)
            let i = 0
            forEachRun(band, (x, y, length) => {
              for (let k = 0; k < length; k++, i++) {
                expect(gotIds[i]).toBe(y * 1000 + x + k)
                expect([...got.subarray(n * 4 + i * 3, n * 4 + i * 3 + 3)]).toEqual([x + k, y, 7])
              }
            })
            expect(i).toBe(n)
          }
        },
      ),
    )
  })
})

describe('a check', () => {
  it('is settled by another worker with the same bytes', () => {
    const checks = oneCheck(anna, bytes(1, 2))
    expect(checks.next(anna)).toBeUndefined()
    expect(checks.next(tracer('anna.2', { key: 'anna' }))).toBeUndefined()
    expect(checks.answered(ask(checks, bob), bytes(1, 2))).toEqual({ type: 'settled' })
    expect(checks).toMatchObject({ open: 0, rows: 40, mismatches: 0 })
  })

  it.each([
    ['the first', bytes(0), bytes(1), bytes(1), [anna]],
    ['the second', bytes(1), bytes(0), bytes(1), [bob]],
  ])('is decided by a third: %s lied', (_who, first, second, third, liars) => {
    const checks = oneCheck(anna, first)
    expect(checks.answered(ask(checks, bob), second)).toEqual({ type: 'disputed' })
    expect(checks.next(anna) ?? checks.next(bob)).toBeUndefined()
    expect(checks.stuck([anna, bob])?.why).toBe('undecided')
    expect(checks.answered(ask(checks, carl), third)).toMatchObject({ type: 'liars', liars })
    expect(checks).toMatchObject({ open: 0, rows: 40, mismatches: 1 })
  })

  it('is not decided by a worker that has answered before, over another connection', () => {
    const checks = oneCheck(anna, bytes(0))
    checks.answered(ask(checks, bob), bytes(1))
    const again = [anna, bob].map(({ name, key }) => tracer(`${name} again`, { name, key }))
    for (const each of again) expect(checks.next(each)).toBeUndefined()
    expect(checks.stuck(again)?.why).toBe('undecided')
    const alone = oneCheck(anna, bytes(0))
    expect(alone.stuck([again[0]!])?.why).toBe('alone')
    // Nor asked again for what it has failed.
    alone.returned(ask(alone, bob), 'engine broke')
    expect(alone.next(again[1]!)).toBeUndefined()
    expect(alone.stuck(again)?.check.failed.get('bob')).toEqual({ name: 'bob', reason: 'engine broke' })
  })

  it('takes a fourth if three differ', () => {
    const checks = oneCheck(anna, bytes(0))
    checks.answered(ask(checks, bob), bytes(1))
    expect(checks.answered(ask(checks, carl), bytes(2))).toEqual({ type: 'disputed' })
    expect(checks.answered(ask(checks, dora), bytes(1))).toMatchObject({ liars: [anna, carl], agreeing: [bob, dora] })
  })

  it('says why nobody can answer it', () => {
    const checks = oneCheck(anna, bytes(0))
    expect(checks.stuck([anna])?.why).toBe('alone')
    const other = tracer('bob', { kernel: 'other' })
    expect(checks.stuck([anna, other])?.why).toBe('incomparable')
    expect(checks.next(other)).toBeUndefined()
    checks.returned(ask(checks, bob), 'engine broke')
    expect(checks.stuck([anna, bob])?.why).toBe('failed')
    expect(checks.stuck([anna, bob, carl])).toBeUndefined()
    checks.skip(checks.stuck([anna])!.check)
    expect(checks).toMatchObject({ open: 0, unchecked: 40 })
  })

  it('returns to the others when whoever was asked is gone', () => {
    const checks = oneCheck(anna, bytes(0))
    checks.returned(ask(checks, bob))
    expect(checks.open).toBe(1)
    expect(checks.answered(ask(checks, bob), bytes(0))).toEqual({ type: 'settled' })
  })
})

it('believes the honest, whoever answers and leaves in whatever order, as long as liars do not agree', () => {
  fc.assert(
    fc.property(
      fc.array(fc.boolean(), { minLength: 3, maxLength: 6 }).filter(lies => lies.filter(lie => !lie).length >= 2),
      fc.array(fc.record({ by: fc.nat(), gone: fc.boolean() }), { maxLength: 60 }),
      fc.nat(),
      fc.constantFrom(0.05, 0.5, 1),
      (lies, steps, seed, share) => {
        const random = randomNumbers(seed)
        const everyone = lies.map((_, i) => tracer(`w${i}`))
        const truth = bytes(1, 2, 3)
        const said = (by: number) => (lies[by] ? bytes(9, by, 9) : truth)
        const checks = new FrameChecks<number>(share, random)
        for (const [by, each] of everyone.entries()) checks.traced(each, tile, by, () => said(by))
        const expelled = new Set<string>()
        const step = (by: number, gone: boolean) => {
          const check = checks.next(everyone[by]!)
          if (!check) return
          if (gone) return checks.returned(check)
          const finding = checks.answered(check, said(by))
          if (finding.type === 'liars') for (const { name } of finding.liars) expelled.add(name)
          // Two that agree are both honest.
          if (finding.type === 'settled') expect(lies[by] || lies[check.order]).toBe(false)
        }
        for (const { by, gone } of steps) step(by % everyone.length, gone)
        for (let round = 0; round < everyone.length; round++)
          for (let by = 0; by < everyone.length; by++) for (let i = 0; i < everyone.length; i++) step(by, false)
        expect(checks.open).toBe(0)
        for (const name of expelled) expect(lies[Number(name.slice(1))]).toBe(true)
        if (share === 1) expect(expelled.size).toBe(lies.filter(Boolean).length)
      },
    ),
  )
})
