/** Normals made of heights: with the slopes of the heights, the same at the edges as within. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isNormalMap, normalsOf } from '../../../../scenes/files/pictures/height-map.ts'
import type { Picture } from '../../../../scenes/files/pictures/picture.ts'

const heights = (width: number, levels: readonly number[]): Picture => ({
  data: Uint8Array.from(levels.flatMap(level => [level, level, level, 255])),
  width,
  height: levels.length / width,
})

/** Slopes to the right and upwards, as they are seen when they are scaled by 1 / steepness. */
function slopesOf(picture: Picture, clamped = false): [number, number][] {
  const { picture: normals, steepness } = normalsOf(picture, clamped)
  return Array.from({ length: normals.data.length / 4 }, (_, texel) => {
    const [x, y, z] = [0, 1, 2].map(axis => normals.data[4 * texel + axis]! / 127.5 - 1) as [number, number, number]
    expect(Math.hypot(x, y, z)).toBeCloseTo(1, 1)
    return [-x / z / steepness, -y / z / steepness]
  })
}

const levels = fc.array(fc.nat({ max: 255 }), { minLength: 12, maxLength: 12 })

describe('normals of heights', () => {
  it('have their slopes, per texel, of any size', () => {
    fc.assert(
      fc.property(levels, fc.constantFrom(1, 4, 16, 64), fc.boolean(), (all, divisor, clamped) => {
        const [width, height] = [4, 3]
        const scaled = all.map(level => Math.floor(level / divisor))
        const at = (x: number, y: number) => {
          const [column, row] = clamped
            ? [Math.min(Math.max(x, 0), width - 1), Math.min(Math.max(y, 0), height - 1)]
            : [(x + width) % width, (y + height) % height]
          return scaled[row * width + column]! / 255
        }
        const steepest = Math.max(1, ...scaled) / 255
        slopesOf(heights(width, scaled), clamped).forEach(([right, up], texel) => {
          const [x, y] = [texel % width, Math.floor(texel / width)]
          const error = 0.03 * Math.max(steepest, 1 / 64)
          expect(Math.abs(right - (at(x + 1, y) - at(x - 1, y)) / 2)).toBeLessThan(error)
          expect(Math.abs(up - (at(x, y - 1) - at(x, y + 1)) / 2)).toBeLessThan(error)
        })
      }),
    )
  })

  it('of a gentle ramp are not lost in bytes', () => {
    const ramp = Array.from({ length: 16 }, (_, x) => x)
    const [, ...within] = slopesOf(heights(16, ramp), true)
    for (const [right] of within.slice(0, -1)) expect(right * 255).toBeCloseTo(1, 1)
  })

  it('move with the picture when it repeats', () => {
    fc.assert(
      fc.property(levels, all => {
        const moved = [...all.slice(4), ...all.slice(0, 4)]
        const [{ picture: one }, { picture: other }] = [
          normalsOf(heights(4, all), false),
          normalsOf(heights(4, moved), false),
        ]
        expect([...other.data.subarray(0, 32)]).toEqual([...one.data.subarray(16)])
      }),
    )
  })

  it('are told from heights by their colours', () => {
    fc.assert(
      fc.property(levels, all => {
        expect(isNormalMap(heights(4, all))).toBe(false)
        // Of a relief with one direction: where many normals lean both to the right and upwards, they are nearly grey.
        const { picture } = normalsOf(heights(12, [...all, ...all]), false)
        expect(isNormalMap(picture)).toBe(true)
      }),
    )
    const wood = { data: Uint8Array.of(150, 100, 60, 255, 130, 90, 50, 255), width: 2, height: 1 }
    expect(isNormalMap(wood)).toBe(false)
  })
})
