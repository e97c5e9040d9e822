import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { channelsFor, colorSteps, finishPlanes } from '../../../master/assembly/finish-frame.ts'
import { FrameBuffer, MisplacedTileError } from '../../../master/assembly/frame-buffer.ts'
import { SampleCounts } from '../../../master/assembly/sample-counts.ts'
import { type ChannelName, newPlane } from '../../../shared/channels.ts'
import type { PlaneName } from '../../../shared/frame-planes.ts'
import { ToneMap } from '../../../shared/light/tone-map.ts'
import type { Rect, Size } from '../../../shared/rect.ts'
import { anySize, partitionOf } from '../../support/partition.ts'

/** The pixels of a rectangle of a picture in which every byte tells where it is. */
const cutOut = ([w]: Size, { x, y, w: tileW, h }: Rect): Uint8Array =>
  Uint8Array.from({ length: tileW * h * 3 }, (_, i) => {
    const pixel = Math.floor(i / 3)
    return (((y + Math.floor(pixel / tileW)) * w + x + (pixel % tileW)) * 3 + (i % 3)) % 251
  })

const toneMap = new ToneMap({ exposure: 1 })

function colorOf(...frame: Parameters<typeof colorSteps>): Uint8Array {
  const steps = colorSteps(...frame)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** An opaque frame's pixels. */
const finished = (frame: FrameBuffer): Uint8Array =>
  colorOf(frame, { passes: 1, quality: { samples: 1, ambientRays: 0, maxDepth: 0 } }, toneMap, countsOf(frame, 1))

/** All pixels of a frame have so many of so many samples. */
function countsOf({ size }: FrameBuffer, samples: number, most = samples): SampleCounts {
  const counts = new SampleCounts(size, most)
  counts.add(samples)
  return counts
}

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
          expect(finished(frame)).toEqual(cutOut(size, { x: 0, y: 0, w: size[0], h: size[1] }))
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
    const before = finished(frame).slice()
    expect(() => frame.put({ rect: { x: 0, y: 4, w: 31, h: 2 } }, new Uint8Array(31 * 2 * 3))).toThrow(
      MisplacedTileError,
    )
    expect(finished(frame)).toEqual(before)
    expect(frame.missing).toBe(700 - 120)
  })

  it('adds the sums of ranges of samples, whatever their order, and finishes them once', () => {
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
            return finished(frame)
          },
        )
        const whole = new Uint8Array(18)
        toneMap.finish(
          Float64Array.from({ length: 18 }, (_, i) => ranges.reduce((sum, range) => sum + range[i]!, 0)),
          whole,
        )
        expect(frames).toEqual([whole, whole])
      }),
    )
  })

  it('shows a part of the samples as bright as all of them will be', () => {
    const frame = new FrameBuffer([1, 1], ['light'])
    const light = Float64Array.from([0.125, 0.25, 0.0625])
    frame.put({ rect: { x: 0, y: 0, w: 1, h: 1 } }, new Uint8Array(light.buffer))
    const whole = new Uint8Array(3)
    toneMap.finish(
      light.map(sum => sum * 4),
      whole,
    )
    expect(frame.preview(toneMap, countsOf(frame, 1, 4))).toEqual(whole)
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

  it('has a plane for each channel; those of centres come with the first range, and sums add up', () => {
    const size: Size = [5, 3]
    const channels: ChannelName[] = ['light', 'depth', 'id', 'alpha']
    const content = {
      channels: channels.filter(name => name !== 'rgb') as PlaneName[],
      passes: 2,
      transparent: true,
    } as const
    const quality = { samples: 4, ambientRays: 0, maxDepth: 0 }
    const frame = new FrameBuffer(size, channels)
    const tileOf = (names: readonly ChannelName[], pixels: number, value: number) =>
      Uint8Array.from(
        names.flatMap(name => [...new Uint8Array(newPlane(name, pixels).fill(value + channels.indexOf(name)).buffer)]),
      )
    // More pixels than wanted: those that follow in each channel are ignored.
    frame.put({ rect: { x: 0, y: 0, w: 5, h: 1 } }, tileOf(frame.channels, 10, 1))
    frame.put({ rect: { x: 0, y: 1, w: 5, h: 2 } }, tileOf(frame.channels, 10, 1))
    frame.nextRange()
    expect(frame.channels).toEqual(['light', 'alpha'])
    frame.put({ rect: { x: 0, y: 0, w: 5, h: 3 } }, tileOf(frame.channels, 15, 0))
    const planes = finishPlanes(frame, { ...content, quality }, countsOf(frame, 4))
    expect(planes.light).toEqual(new Float32Array(45).fill(1))
    expect(planes.depth).toEqual(new Float32Array(15).fill(2))
    expect(planes.id).toEqual(new Uint32Array(15).fill(3))
    // 4 + 3 of 4 samples.
    expect(planes.alpha).toEqual(new Float32Array(15).fill(7 / 4))
    const straight = new Uint8Array(45)
    toneMap.finish(new Float64Array(45).fill(4 / 7), straight)
    expect(colorOf(frame, { ...content, quality }, toneMap, countsOf(frame, 4))).toEqual(straight)
    expect(() => frame.plane('normal')).toThrow('the frame has no channel normal')
  })

  it('is asked only for what its session wants', () => {
    const quality = { samples: 4, ambientRays: 0, maxDepth: 0 }
    const ask = (wanted: object) => channelsFor({ passes: 1, quality, ...wanted }).join()
    expect(ask({})).toBe('rgb')
    expect(ask({ passes: 2 })).toBe('light')
    expect(ask({ channels: ['id', 'albedo'] })).toBe('albedo,id,rgb')
    expect(ask({ channels: ['light'] })).toBe('light')
    expect(ask({ transparent: true })).toBe('light,alpha')
  })
})
