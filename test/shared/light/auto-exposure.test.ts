import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Clipping, exposureDoubt } from '../../../scripts/run/suit-exposure.ts'
import { autoExposure } from '../../../shared/light/auto-exposure.ts'
import { ToneMap } from '../../../shared/light/tone-map.ts'
import { TONE_MAPPINGS } from '../../../shared/light/tone-mapping.ts'

const grey = (...values: number[]) => Float32Array.from(values.flatMap(value => [value, value, value]))

describe('the exposure that suits a picture', () => {
  it('makes its log-average middle grey', () => {
    expect(autoExposure([grey(0.18)])).toBe(1)
    expect(autoExposure([grey(0.18, 0.18 * 16, 0.18 / 16)])).toBe(1)
    // Of several pictures together.
    expect(autoExposure([grey(0.18 * 4), grey(0.18 / 4)])).toBe(1)
  })

  it('follows the light, whatever its unit, as far as exposures go', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 1e-3, max: 1e3, noNaN: true }), { minLength: 1 }),
        fc.integer({ min: -2, max: 2 }),
        (values, power) => {
          const scale = 10 ** power
          const plain = autoExposure([grey(...values)])!
          const scaled = autoExposure([grey(...values.map(value => value * scale))])!
          expect((scaled * scale) / plain).toBeCloseTo(1, 2)
        },
      ),
    )
    expect(autoExposure([grey(1e12)])).toBe(1e-6)
    expect(autoExposure([grey(1e-12)])).toBe(1e6)
  })

  it('does not count black, nor a lamp in the picture', () => {
    expect(autoExposure([grey(...Array<number>(99).fill(0.18), 1e6, 0, 0, 0)])).toBe(1)
  })

  it('is none where there is no light', () => {
    expect(autoExposure([grey(0, 0)])).toBeUndefined()
    expect(autoExposure([])).toBeUndefined()
  })
})

describe('pixels that show nothing', () => {
  it('are as white as their view can show', () => {
    // Light that nothing could be brighter than, in views that come near white and do not reach it.
    for (const toneMapping of TONE_MAPPINGS) {
      const look = { exposure: 1, toneMapping, whiteBalance: { temperature: 9000, tint: 0 } }
      const glare = new Uint8Array(3)
      new ToneMap(look).write(1e9, 1e9, 1e9, glare, 0)
      const clipping = new Clipping(look)
      clipping.add(glare)
      expect([toneMapping, clipping.mostly]).toEqual([toneMapping, 'white'])
      clipping.add(Uint8Array.of(240, 240, 240, 240, 240, 240))
      expect(clipping.mostly).toBeUndefined()
    }
  })

  const mostly = (...values: number[]) => {
    const clipping = new Clipping()
    for (const value of values) clipping.add(Uint8Array.of(value, value, value))
    return clipping.mostly
  }
  it('are told if most are', () => {
    expect(mostly(255, 255, 9)).toBe('white')
    expect(mostly(0, 0, 255)).toBe('black')
    expect(mostly(0, 255)).toBeUndefined()
    expect(mostly(254, 1)).toBeUndefined()
    expect(mostly()).toBeUndefined()
  })

  /** Most of it black, a part with light. */
  const onBlack = (light: number) => grey(light, light, ...Array<number>(10).fill(0))
  it.each<[what: string, mostly: 'white' | 'black', picture: Float32Array, sentence: string | undefined]>([
    ['white', 'white', grey(1800), 'most pixels are white: --exposure 0.0001 shows them, or --exposure auto'],
    ['black', 'black', grey(1e-5), 'most pixels are black: --exposure 18000 shows them, or --exposure auto'],
    [
      'what is dark before black',
      'black',
      onBlack(1e-5),
      'most pixels are black: --exposure 18000 shows them, or --exposure auto',
    ],
    ['what is lit before black', 'black', onBlack(0.015), undefined],
    ['a room at night', 'black', grey(1e-3), undefined],
    ['a white wall', 'white', grey(0.36), undefined],
    ['nothing', 'black', grey(0, 0), 'every pixel is black: nothing that the camera sees is lit'],
  ])('%s', (_, which, picture, sentence) => expect(exposureDoubt(which, 1, [picture])).toBe(sentence))
})
