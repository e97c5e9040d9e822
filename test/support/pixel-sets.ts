/** Sets of pixels of every kind, for property tests. */
import fc from 'fast-check'
import type { PixelPattern, PixelSet } from '../../shared/pixel-set.ts'
import type { Size } from '../../shared/rect.ts'

const step = fc.integer({ min: 1, max: 9 })

const latticeOf = (kind: 'lattice' | 'gaps'): fc.Arbitrary<PixelPattern> =>
  fc
    .tuple(step, step, fc.nat(8), fc.nat(8))
    .map(([stepX, stepY, dx, dy]) => ({ kind, stepX, stepY, dx: dx % stepX, dy: dy % stepY }))

const patternOf = ([w, h]: Size): fc.Arbitrary<PixelPattern> =>
  fc.oneof(
    fc.tuple(step, step, step, fc.nat(8)).map(([cellW, cellH, stride, phase]): PixelPattern => {
      return { kind: 'comb', cellW, cellH, columns: Math.ceil(w / cellW), stride, phase: phase % stride }
    }),
    fc.tuple(step, step, fc.array(fc.boolean(), { minLength: 1, maxLength: 400 })).map(([cellW, cellH, chosen]) => {
      const columns = Math.ceil(w / cellW)
      const count = columns * Math.ceil(h / cellH)
      const cells = Array.from({ length: count }, (_, i) => i).filter(i => chosen[i % chosen.length])
      return { kind: 'cells' as const, cellW, cellH, columns, cells }
    }),
    latticeOf('lattice'),
    latticeOf('gaps'),
  )

/** A rectangle of a frame, with a pattern or without; possibly without a pixel. */
export const pixelSetOf = (size: Size): fc.Arbitrary<PixelSet> =>
  fc
    .tuple(fc.nat(), fc.nat(), fc.nat(), fc.nat(), fc.option(patternOf(size), { nil: undefined }))
    .map(([a, b, c, d, pattern]) => {
      const [x, y] = [a % size[0], b % size[1]]
      const rect = { x, y, w: 1 + (c % (size[0] - x)), h: 1 + (d % (size[1] - y)) }
      return { rect, ...(pattern ? { pattern } : {}) }
    })
