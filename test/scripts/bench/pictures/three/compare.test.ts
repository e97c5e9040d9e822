/** Which pixels of two flat pictures differ, on pictures that are drawn here. */
import { describe, expect, it } from 'vitest'
import { comparePictures, EXCUSED, SAME, TOLERANCE } from '../../../../../scripts/bench/pictures/three/compare.ts'
import type { FlatPicture } from '../../../../../scripts/bench/pictures/three/flat-picture.ts'
import { hash32 } from '../../../../../shared/math/random.ts'

const [WIDTH, HEIGHT] = [64, 48] as const
const SAMPLES = 4

type Rgb = readonly [number, number, number]
/** The colour at a point, px; undefined for nothing. */
type Shape = (x: number, y: number) => Rgb | undefined

const RED: Rgb = [0.8, 0.1, 0.1]
const GREEN: Rgb = [0.1, 0.6, 0.2]

/** Means of 4 × 4 samples per pixel. */
function draw(shape: Shape): FlatPicture {
  const values = new Float32Array(WIDTH * HEIGHT * 4)
  const share = 1 / SAMPLES ** 2
  for (let row = 0; row < HEIGHT * SAMPLES; row++)
    for (let column = 0; column < WIDTH * SAMPLES; column++) {
      const color = shape((column + 0.5) / SAMPLES, (row + 0.5) / SAMPLES)
      const at = (Math.floor(row / SAMPLES) * WIDTH + Math.floor(column / SAMPLES)) * 4
      if (color) for (const [channel, value] of [...color, 1].entries()) values[at + channel]! += value * share
    }
  return { size: [WIDTH, HEIGHT], values }
}

const disc =
  (centreX: number, centreY: number, radius: number, color: Rgb): Shape =>
  (x, y) =>
    (x - centreX) ** 2 + (y - centreY) ** 2 < radius ** 2 ? color : undefined

const over =
  (...shapes: readonly Shape[]): Shape =>
  (x, y) =>
    shapes.map(shape => shape(x, y)).find(color => color !== undefined)

const checker =
  (side: number, a: Rgb, b: Rgb): Shape =>
  (x, y) =>
    (Math.floor(x / side) + Math.floor(y / side)) % 2 === 0 ? a : b

const moved =
  (shape: Shape, byX: number, byY: number): Shape =>
  (x, y) =>
    shape(x - byX, y - byY)

const DISC = disc(30, 24, 14, RED)

describe('comparePictures', () => {
  it('finds a picture the same as itself', () => {
    const picture = draw(DISC)
    const { marks, ...shares } = comparePictures(picture, picture)
    expect(marks.every(mark => mark === SAME)).toBe(true)
    expect(shares).toMatchObject({ differing: 0, excused: 0, uncovered: 0, blended: 0 })
    expect(shares.shown).toBeCloseTo((Math.PI * 14 ** 2) / (WIDTH * HEIGHT), 1)
  })

  it.each([
    [1, 0],
    [0, -1],
    [0.4, 0.3],
    [1, 1],
  ])('excuses edges that are moved by %f, %f px', (x, y) => {
    const shapes = over(disc(20, 20, 9, GREEN), DISC)
    const { differing, excused } = comparePictures(draw(shapes), draw(moved(shapes, x, y)))
    expect(differing).toBeLessThanOrEqual(TOLERANCE.pixels)
    expect(excused).toBeGreaterThan(0)
  })

  it('does not excuse edges that are moved by 3 px', () => {
    expect(comparePictures(draw(DISC), draw(moved(DISC, 3, 0))).differing).toBeGreaterThan(TOLERANCE.pixels)
  })

  it.each([
    ['on black', undefined],
    ['in front of something', GREEN],
  ])('finds that an object is missing %s, in either picture', (_, ground) => {
    const behind: Shape = () => ground
    const [withIt, without] = [draw(over(disc(30, 24, 4, RED), behind)), draw(behind)]
    for (const { differing, uncovered } of [comparePictures(withIt, without), comparePictures(without, withIt)]) {
      expect(differing).toBeGreaterThan(TOLERANCE.pixels)
      expect(uncovered).toBe(ground ? 0 : differing)
    }
  })

  it('finds that a line of one pixel is missing', () => {
    const line: Shape = x => (x >= 20 && x < 21 ? GREEN : undefined)
    const { differing } = comparePictures(
      draw(over(line, () => RED)),
      draw(() => RED),
    )
    expect(differing).toBeCloseTo(1 / WIDTH)
  })

  it.each([
    ['colours', checker(8, GREEN, RED), checker(8, GREEN, [0.1, 0.1, 0.8])],
    ['place', checker(8, GREEN, RED), moved(checker(8, GREEN, RED), 4, 0)],
    ['orientation', over((x, y) => (x > y ? RED : GREEN)), over((x, y) => (x < y ? RED : GREEN))],
  ])('finds that a texture has other %s', (_, a, b) => {
    expect(comparePictures(draw(a), draw(b)).differing).toBeGreaterThan(0.2)
  })

  it('takes a colour for the same up to its tolerance in sRGB, dark or bright', () => {
    for (const linear of [0.02, 0.2, 0.8]) {
      const gray =
        (factor: number): Shape =>
        () => [linear * factor, linear * factor, linear * factor]
      expect(comparePictures(draw(gray(1)), draw(gray(1.03))).differing).toBe(0)
      expect(comparePictures(draw(gray(1)), draw(gray(1.8))).differing).toBe(1)
    }
  })

  it('excuses no pixel within a plain surface', () => {
    const { marks } = comparePictures(
      draw(() => RED),
      draw(() => GREEN),
    )
    expect(marks).not.toContain(EXCUSED)
  })

  it('counts in shares of what is shown, not of the background around it', () => {
    const { differing, shown } = comparePictures(draw(disc(30, 24, 5, RED)), draw(disc(30, 24, 5, GREEN)))
    expect(shown).toBeLessThan(0.04)
    expect(differing).toBeGreaterThan(0.8)
  })

  describe('where surfaces are blended', () => {
    const all = new Uint8Array(WIDTH * HEIGHT).fill(1)
    /** Each sample is red with a probability, or else green. */
    const chance =
      (probability: number): Shape =>
      (x, y) =>
        hash32(x * SAMPLES, y * SAMPLES, 1, 2, 3) / 2 ** 32 < probability ? RED : GREEN
    const mixed =
      (share: number): Shape =>
      () =>
        [0, 1, 2].map(channel => RED[channel]! * share + GREEN[channel]! * (1 - share)) as unknown as Rgb

    it('does not mind the noise of an opacity that is a matter of chance', () => {
      const [exact, noisy] = [draw(mixed(0.5)), draw(chance(0.5))]
      expect(comparePictures(exact, noisy).differing).toBeGreaterThan(TOLERANCE.pixels)
      const { differing, blended } = comparePictures(exact, noisy, all)
      expect(differing).toBeLessThanOrEqual(TOLERANCE.pixels)
      expect(blended).toBe(1)
    })

    it('finds another opacity', () => {
      expect(comparePictures(draw(mixed(0.5)), draw(chance(0.8)), all).differing).toBeGreaterThan(0.5)
    })
  })
})
