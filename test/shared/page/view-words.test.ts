/** Views in words: addresses that are read as they were written, and words that make the same camera. */
import fc from 'fast-check'
import * as THREE from 'three'
import { type PerspectiveCamera, Vector3 } from 'three'
import { describe, expect, it } from 'vitest'
import { fullViewpointSchema } from '../../../shared/frame/viewpoint.ts'
import { Bookmarks } from '../../../shared/page/bookmarks.ts'
import { flown, turned } from '../../../shared/page/flight.ts'
import { type Hand, handSchema } from '../../../shared/page/hand.ts'
import {
  cameraJson,
  camerasJson,
  cameraWords,
  fittedHand,
  fromAddress,
  handWords,
  threeCode,
  toAddress,
} from '../../../shared/page/view-words.ts'

const viewpoint = { eye: [5, 2.5, 12.7311], target: [-3, 0, 1e-7], up: [0, 1, 0], fov: 36 } as const
const plain = { viewpoint, hand: {} }

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true }).map(value => value + 0)
const hands: fc.Arbitrary<Hand> = fc.record(
  {
    frame: fc.nat(999_999),
    exposure: number(1e-6, 1e6),
    toneMapping: fc.constantFrom('aces', 'agx', 'linear'),
    sun: fc.oneof(fc.constant('none'), fc.tuple(number(-360, 360), number(-90, 90))),
    environmentRotation: number(-360, 360),
    environmentIntensity: number(0, 1e6),
  } as const,
  { requiredKeys: [] },
) as fc.Arbitrary<Hand>

describe('an address', () => {
  it('is read as it was written, and has what a master takes', () => {
    fc.assert(
      fc.property(hands, hand => {
        const read = fromAddress(`#${toAddress({ viewpoint, hand })}`)!
        expect(read).toEqual({ viewpoint, hand })
        expect(handSchema.safeParse(read.hand).success).toBe(true)
        expect(fullViewpointSchema.safeParse(read.viewpoint).success).toBe(true)
      }),
    )
  })

  it.each([
    ['', undefined],
    ['#', undefined],
    ['#view=', undefined],
    ['#view=1,2,3', undefined],
    ['#view=1,2,3,1,2,3,0,1,0,36', undefined],
    ['#view=0,1,0,0,0,0,0,1,0,36', undefined],
    ['#view=0,0,1,0,0,0,0,0,0,36', undefined],
    ['#view=0,0,1e13,0,0,0,0,1,0,36', undefined],
    ['#view=0,0,1,0,0,0,0,1,0,180', undefined],
    ['#view=0,0,1,0,0,0,0,1,0,', undefined],
    ['#view=0,0,1,0,0,0,0,1,0,NaN', undefined],
    [`#${'x'.repeat(43)}`, undefined],
    ['#view=0,0,1,0,0,0,0,1,0,36&exposure=0&frame=1.5&sun=1,91&tone=__proto__&turn=&light=-1', {}],
    ['#view=0,0,1,0,0,0,0,1,0,36&frame=0&sun=none&exposure', { frame: 0, sun: 'none' }],
  ])('that is %j is read as that, and never as something that a master would drop a page for', (hash, hand) => {
    expect(fromAddress(hash)?.hand).toEqual(hand)
  })
})

describe('words', () => {
  it('say a camera for a command line, a file and a program', () => {
    expect(cameraWords(viewpoint)).toBe('--eye=5,2.5,12.7311 --target=-3,0,1e-7 --up=0,1,0 --fov 36')
    expect(JSON.parse(cameraJson(viewpoint))).toEqual(viewpoint)
    expect(JSON.parse(camerasJson([viewpoint, viewpoint]))).toEqual({ frames: [viewpoint, viewpoint] })
    const camera = new Function('THREE', `${threeCode(viewpoint, [640, 360])}\nreturn camera`)(
      THREE,
    ) as PerspectiveCamera
    const ahead = new Vector3(...viewpoint.target).sub(new Vector3(...viewpoint.eye)).normalize()
    expect(camera.getWorldDirection(new Vector3()).distanceTo(ahead)).toBeLessThan(1e-12)
    expect([camera.fov, camera.aspect, ...camera.position]).toEqual([36, 640 / 360, ...viewpoint.eye])
  })

  it('say what is set by hand, in signs that no option is taken for', () => {
    expect(handWords({})).toEqual([])
    expect(handWords({ frame: 0, exposure: 2, toneMapping: 'agx', sun: [-54, 40] })).toEqual([
      ...['--exposure 2', '--tone-mapping agx', '--sun=-54,40', '--frames 0..0'],
    ])
    expect(handWords({ sun: 'none', environmentRotation: -90, environmentIntensity: 0 })).toEqual([
      ...['--sun=none', '--environment-rotation=-90', '--environment-intensity 0'],
    ])
  })
})

describe('what an address sets', () => {
  const hand: Hand = {
    ...{ frame: 500, exposure: 2, toneMapping: 'agx', sun: 'none' },
    ...{ environmentRotation: 10, environmentIntensity: 2 },
  }

  it('is left out where the scene has nothing of it, and no frame is after the last', () => {
    expect(fittedHand(hand, {})).toEqual({ exposure: 2, toneMapping: 'agx' })
    const { frame: _, ...others } = hand
    const environment = { rotation: 0, intensity: 1 }
    expect(fittedHand(hand, { sun: [0, 1], environment })).toEqual(others)
    expect(fittedHand(hand, { sun: 'none', environment, film: { fps: 24 } })).toEqual(hand)
    for (const [frames, frame] of [
      [1, 0],
      [24, 23],
      [500, 499],
      [501, 500],
    ] as const)
      expect(fittedHand({ frame: 500 }, { film: { fps: 24, frames } })).toEqual({ frame })
    expect(fittedHand({ frame: 0 }, { film: { fps: 24 } })).toEqual({ frame: 0 })
  })

  it('is as it was where nothing is set', () => {
    expect(fittedHand({}, {})).toEqual({})
  })
})

describe('bookmarks', () => {
  const store = (texts = new Map<string, string>()) => ({
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, value: string) => void texts.set(key, value),
  })

  it('are kept by scene, nine of each, and seen by other pages', () => {
    const texts = store()
    const here = new Bookmarks('a', () => texts)
    const there = new Bookmarks('a', () => texts)
    expect(here.free).toBe(1)
    for (let i = 1; i <= 9; i++) (i % 2 ? here : there).set(i, { viewpoint, hand: { frame: i } })
    const later = new Bookmarks('a', () => texts)
    expect([later.free, later.taken]).toEqual([undefined, [1, 2, 3, 4, 5, 6, 7, 8, 9]])
    expect(later.get(4)).toEqual({ viewpoint, hand: { frame: 4 } })
    later.set(4, undefined)
    expect([later.free, new Bookmarks('b', () => texts).taken]).toEqual([4, []])
  })

  it.each([
    ['nothing', () => null],
    [
      'an error',
      () => {
        throw new Error('refused')
      },
    ],
    ['no list', () => '"x"'],
    ['no JSON', () => '{'],
    ['other things', () => '{"1": 5, "2": "view=1"}'],
  ])('are kept while the page is open where a browser gives %s', (_, getItem) => {
    const refuse = () => {
      throw new Error('refused')
    }
    const marks = new Bookmarks('a', () => ({ getItem, setItem: refuse }))
    expect(marks.taken).toEqual([])
    marks.set(2, plain)
    expect(marks.get(2)).toEqual(plain)
    const none = new Bookmarks('a', refuse)
    none.set(1, plain)
    expect(none.taken).toEqual([1])
  })
})

describe('a flight', () => {
  const distance = ({ eye, target }: typeof viewpoint | ReturnType<typeof flown>) =>
    Math.hypot(...eye.map((at, axis) => at - target[axis]!))

  it('keeps where it looks while it goes, and where it is while it looks around', () => {
    const ahead = flown(viewpoint, [0, 0, 1], 2)
    expect(Math.hypot(...ahead.eye.map((at, axis) => at - viewpoint.eye[axis]!))).toBeCloseTo(2)
    expect(distance(ahead)).toBeCloseTo(distance(viewpoint))
    expect(flown(viewpoint, [0, 0, 0], 2)).toEqual(viewpoint)
    expect(flown(viewpoint, [0, 1, 0], 2).eye).toEqual([5, 4.5, 12.7311])
    const around = turned(viewpoint, 0.3, 0)
    expect(around.eye).toEqual(viewpoint.eye)
    expect(distance(around)).toBeCloseTo(distance(viewpoint))
  })

  it('never looks straight up or down, however far it is turned', () => {
    fc.assert(
      fc.property(number(-9, 9), number(-9, 9), (left, up) => {
        const { eye, target } = turned(viewpoint, left, up)
        const sine = Math.abs(target[1] - eye[1]) / distance({ ...viewpoint, eye, target })
        expect(sine).toBeLessThan(Math.cos(0.04))
      }),
    )
  })
})
