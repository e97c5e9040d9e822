import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FrameBuffer, MisplacedTileError } from '../../../master/assembly/frame-buffer.ts'
import { placeTile } from '../../../master/assembly/place-tile.ts'
import type { Rect, Size } from '../../../shared/frame/rect.ts'
import { anySize, partitionOf } from '../../support/partition.ts'

/** The pixels of a rectangle of a picture in which every byte tells where it is. */
const cutOut = ([w]: Size, { x, y, w: tileW, h }: Rect): Uint8Array =>
  Uint8Array.from({ length: tileW * h * 3 }, (_, i) => {
    const pixel = Math.floor(i / 3)
    return (((y + Math.floor(pixel / tileW)) * w + x + (pixel % tileW)) * 3 + (i % 3)) % 251
  })

describe('FrameBuffer', () => {
  it('puts the tiles of any partition, in any order, together again', () => {
    fc.assert(
      fc.property(
        anySize.chain(size =>
          partitionOf(size, 12).chain(rects =>
            fc.tuple(fc.constant(size), fc.shuffledSubarray(rects, { minLength: rects.length })),
          ),
        ),
        ([size, rects]) => {
          const frame = new FrameBuffer(size)
          for (const rect of rects) frame.put({ rect }, cutOut(size, rect))
          expect(frame.missing).toBe(0)
          expect(frame.plane('rgb')).toEqual(cutOut(size, { x: 0, y: 0, w: size[0], h: size[1] }))
        },
      ),
    )
  })

  it('has no trace of pixels that were taken out', () => {
    fc.assert(
      fc.property(
        anySize.chain(size => fc.tuple(fc.constant(size), partitionOf(size, 12), fc.nat())),
        ([size, rects, which]) => {
          const bad = rects.filter((_, i) => (which >> i) & 1)
          const light = (rect: Rect, wrong: number) => {
            const values = Float64Array.from(cutOut(size, rect), value => value + wrong)
            return new Uint8Array(values.buffer)
          }
          const frame = new FrameBuffer(size, ['light'])
          for (const rect of rects) frame.put({ rect }, light(rect, bad.includes(rect) ? 1000 : 0))
          frame.takeOut(bad.map(rect => ({ rect })))
          expect(frame.missing).toBe(bad.reduce((sum, { w, h }) => sum + w * h, 0))
          for (const rect of bad) frame.put({ rect }, light(rect, 0))
          expect(frame.missing).toBe(0)
          expect(frame.plane('light')).toEqual(Float64Array.from(cutOut(size, { x: 0, y: 0, w: size[0], h: size[1] })))
        },
      ),
    )
  })

  it('refuses any pixel a second time and leaves the frame as it was', () => {
    const frame = new FrameBuffer([70, 10])
    const first = { x: 30, y: 2, w: 40, h: 3 }
    frame.put({ rect: first }, cutOut([70, 10], first))
    const before = frame.plane('rgb').slice()
    expect(() => frame.put({ rect: { x: 0, y: 4, w: 31, h: 2 } }, new Uint8Array(31 * 2 * 3))).toThrow(
      MisplacedTileError,
    )
    expect(frame.plane('rgb')).toEqual(before)
    expect(frame.missing).toBe(700 - 120)
  })

  it('adds the sums of ranges of samples, whatever their order', () => {
    const anyLight = fc.array(
      fc.integer({ min: 0, max: 2 ** 34 }).map(steps => steps / 2 ** 32),
      { minLength: 18, maxLength: 18 },
    )
    fc.assert(
      fc.property(fc.array(anyLight, { minLength: 1, maxLength: 5 }), fc.nat(), (ranges, turn) => {
        const frames = [ranges, [...ranges.slice(turn % ranges.length), ...ranges.slice(0, turn % ranges.length)]].map(
          order => {
            const frame = new FrameBuffer([3, 2], ['light'])
            for (const [i, range] of order.entries()) {
              if (i > 0) frame.nextRange()
              for (const y of [1, 0])
                frame.put(
                  { rect: { x: 0, y, w: 3, h: 1 } },
                  new Uint8Array(Float64Array.from(range.slice(y * 9, y * 9 + 9)).buffer),
                )
            }
            return frame.plane('light')
          },
        )
        const whole = Float64Array.from({ length: 18 }, (_, i) => ranges.reduce((sum, range) => sum + range[i]!, 0))
        expect(frames).toEqual([whole, whole])
      }),
    )
  })

  it('takes the next range when the one at hand is whole', () => {
    const frame = new FrameBuffer([2, 1], ['light'])
    expect(() => frame.nextRange()).toThrow('2 pixels of a range are missing')
  })

  it('refuses a tile that reaches outside', () => {
    const frame = new FrameBuffer([128, 64])
    expect(() => frame.put({ rect: { x: 96, y: 0, w: 64, h: 64 } }, new Uint8Array(64 * 64 * 3))).toThrow(
      'tile 96,0 64x64 lies outside frame 128x64',
    )
  })

  it('keeps the newest range of a channel apart, whatever is left of earlier ones in its memory', () => {
    const frame = new FrameBuffer([2, 1], ['light', 'alpha'], {
      apart: ['light'],
      take: bytes => new Uint8Array(bytes).fill(7).buffer,
    })
    const whole = { rect: { x: 0, y: 0, w: 2, h: 1 } }
    const tile = (light: number, hits: number) =>
      Uint8Array.of(
        ...new Uint8Array(new Float64Array(6).fill(light).buffer),
        ...new Uint8Array(new Uint16Array(2).fill(hits).buffer),
      )
    frame.put(whole, tile(0.5, 3))
    expect(frame.newest('light')).toBe(undefined)
    frame.nextRange()
    frame.put(whole, tile(0.25, 1))
    expect(frame.plane('light')).toEqual(new Float64Array(6).fill(0.5))
    expect(frame.newest('light')).toEqual(new Float64Array(6).fill(0.25))
    expect(frame.newest('alpha')).toBe(undefined)
    expect(frame.plane('alpha')).toEqual(new Uint16Array(2).fill(4))
    expect(frame.dropNewest()).toHaveLength(1)
    expect(frame.drop()).toHaveLength(2)
    expect(frame.drop()).toEqual([])
  })

  it('says where the pixels of a tile go before they are put there, and refuses others for the same place', () => {
    const frame = new FrameBuffer([4, 4], ['light'])
    const set = { rect: { x: 1, y: 1, w: 2, h: 2 } }
    const placement = frame.accept(set, 4 * 24)
    expect(frame.missing).toBe(12)
    expect(() => frame.accept(set, 4 * 24)).toThrow(MisplacedTileError)
    placeTile(structuredClone({ ...placement, targets: [] }), new Uint8Array(0))
    placeTile(placement, new Uint8Array(new Float64Array(12).fill(1).buffer))
    expect(frame.plane('light').filter(value => value === 1)).toHaveLength(12)
    expect(() => frame.accept({ rect: { x: 0, y: 0, w: 4, h: 1 } }, 3 * 24)).toThrow('72 bytes for 4 pixels')
  })
})
