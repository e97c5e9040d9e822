/** FLIP, by what its paper says of it. */
import { describe, expect, it } from 'vitest'
import { flip } from '../../../../../scripts/bench/pictures/files/flip.ts'
import { RandomStream } from '../../../../../scripts/bench/pictures/naive/random-stream.ts'
import type { Size } from '../../../../../shared/frame/rect.ts'

const SIZE: Size = [40, 30]

const picture = (of: (x: number, y: number) => readonly [number, number, number]): Uint8Array => {
  const bytes = new Uint8Array(SIZE[0] * SIZE[1] * 3)
  for (let y = 0; y < SIZE[1]; y++) for (let x = 0; x < SIZE[0]; x++) bytes.set(of(x, y), (y * SIZE[0] + x) * 3)
  return bytes
}
const plain = (...color: [number, number, number]) => picture(() => color)
const noise = (seed: number) => {
  const random = new RandomStream(seed)
  const byte = () => Math.floor(256 * random.next())
  return picture(() => [byte(), byte(), byte()])
}
const meanOf = (map: Float64Array) => map.reduce((sum, value) => sum + value, 0) / map.length

describe('FLIP', () => {
  it('is 0 between equal pictures', () => {
    expect(Math.max(...flip(noise(1), noise(1), SIZE))).toBe(0)
  })

  it('is 1 between green and blue, which are the farthest apart', () => {
    for (const value of flip(plain(0, 255, 0), plain(0, 0, 255), SIZE)) expect(value).toBeCloseTo(1, 2)
  })

  it('is the same whichever picture comes first, and from 0 to 1', () => {
    const [there, back] = [flip(noise(1), noise(2), SIZE), flip(noise(2), noise(1), SIZE)]
    there.forEach((value, i) => {
      expect(value).toBeCloseTo(back[i]!, 12)
    })
    expect(Math.min(...there)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...there)).toBeLessThanOrEqual(1)
  })

  it('grows with the difference', () => {
    const beside = (grey: number) => meanOf(flip(plain(100, 100, 100), plain(grey, grey, grey), SIZE))
    const [slight, clear, large] = [beside(104), beside(120), beside(220)]
    expect(slight).toBeLessThan(clear)
    expect(clear).toBeLessThan(large)
  })

  it('blurs what the eye cannot resolve: a fine chequerboard is nearly grey, a coarse one is not', () => {
    const board = (side: number) =>
      picture((x, y) => ((Math.floor(x / side) + Math.floor(y / side)) % 2 ? [255, 255, 255] : [0, 0, 0]))
    // The mean of black and white in linear light.
    const grey = plain(188, 188, 188)
    expect(meanOf(flip(board(1), grey, SIZE))).toBeLessThan(0.15)
    expect(meanOf(flip(board(10), grey, SIZE))).toBeGreaterThan(0.4)
  })

  it('counts edges: a line that only one picture has is seen more than an even difference as large', () => {
    const line = picture(x => (x === 20 ? [140, 140, 140] : [120, 120, 120]))
    const [edge, even] = [
      flip(line, plain(120, 120, 120), SIZE),
      flip(plain(121, 121, 121), plain(120, 120, 120), SIZE),
    ]
    expect(Math.max(...edge)).toBeGreaterThan(3 * Math.max(...even))
  })
})
