import { describe, expect, it } from 'vitest'
import { CoverageMask } from '../../../master/coverage/coverage-mask.ts'
import { coveragePrepass } from '../../../master/strategies/coverage-prepass.ts'
import { playFrames, team } from '../../support/strategy-run.ts'

/** The left `columns` of a frame are covered. */
const covered = (columns: number) => {
  const mask = new CoverageMask([220, 50])
  for (let y = 0; y < 50; y++) if (columns > 0) mask.setRun(y, 0, columns - 1)
  return mask
}
const widths = (columns: readonly number[]) =>
  playFrames(coveragePrepass, {
    size: [220, 50],
    frames: columns.map(count => ({ workers: team([1, 1]), costAt: () => 1, coverage: covered(count) })),
  }).map(({ plan }) => plan.tiles[0]!.rect.w)

describe('coverage-prepass', () => {
  it('cuts by covered pixels, of which ten empty ones make one', () => {
    // 20 columns and a tenth of 200 make 40, of which a half is 20.
    expect(widths([20])).toEqual([20])
    expect(widths([0])).toEqual([110])
  })

  it('follows the picture at once and does not look back', () => {
    expect(widths([20, 220, 20])).toEqual([20, 110, 20])
  })
})
