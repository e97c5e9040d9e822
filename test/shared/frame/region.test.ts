/** A picture that is a part of a frame: of points of the image plane and pixels, which are which. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { frameAround, planePart, type Region } from '../../../shared/frame/region.ts'
import { cameraSchema } from '../../../shared/frame/view.ts'
import { smallCamera } from '../../support/small-scene.ts'

const side = fc.integer({ min: 1, max: 400 })
const anyRegion = fc
  .tuple(side, side, fc.nat(), fc.nat(), fc.nat(), fc.nat())
  .map(([w, h, x, y, across, down]): Region => {
    const [left, top] = [x % w, y % h]
    return { x: left, y: top, w: 1 + (across % (w - left)), h: 1 + (down % (h - top)), of: [w, h] }
  })

describe('a region', () => {
  it('lies in its frame where it says, and a picture without one is all of its frame', () => {
    fc.assert(
      fc.property(anyRegion, ({ x, y, w, h, of }) => {
        expect(frameAround({ region: { x, y, w, h, of } }, [w, h])).toEqual({ x, y, frame: of })
        expect(frameAround({}, of)).toEqual({ x: 0, y: 0, frame: of })
      }),
    )
  })

  it('lies inside its frame in small pictures, too', () => {
    fc.assert(
      fc.property(anyRegion, side, side, (region, w, h) => {
        const { x, y, frame } = frameAround({ region }, [w, h])
        expect(x >= 0 && y >= 0 && x + w <= frame[0] && y + h <= frame[1]).toBe(true)
      }),
    )
    const half: Region = { x: 40, y: 20, w: 40, h: 20, of: [80, 40] }
    expect(frameAround({ region: half }, [10, 5])).toEqual({ x: 10, y: 5, frame: [20, 10] })
  })

  it('has the points of the image plane that its pixels have', () => {
    fc.assert(
      fc.property(anyRegion, fc.double({ min: 0, max: 1, noNaN: true }), (region, share) => {
        const { u, v } = planePart({ region })
        const { x, y, w, h, of } = region
        expect(u.scale * (2 * share - 1) + u.shift).toBeCloseTo((2 * (x + share * w)) / of[0] - 1, 9)
        expect(v.scale * (1 - 2 * share) + v.shift).toBeCloseTo(1 - (2 * (y + share * h)) / of[1], 9)
      }),
    )
  })

  it('that is not inside its frame is no camera’s', () => {
    const of = [80, 40]
    const isOne = (region: object) => cameraSchema.safeParse({ ...smallCamera(0), region }).success
    expect(isOne({ x: 0, y: 0, w: 80, h: 40, of })).toBe(true)
    for (const region of [
      { x: 1, y: 0, w: 80, h: 40, of },
      { x: 0, y: 1, w: 80, h: 40, of },
      { x: -1, y: 0, w: 8, h: 4, of },
      { x: 0, y: 0, w: 0, h: 4, of },
      { x: 0.5, y: 0, w: 8, h: 4, of },
      { x: 0, y: 0, w: 8, h: 4 },
    ])
      expect(isOne(region)).toBe(false)
  })
})
