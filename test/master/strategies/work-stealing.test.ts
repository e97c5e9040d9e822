import { expect, it } from 'vitest'
import { staticBlocks } from '../../../master/strategies/static-blocks.ts'
import { workStealing } from '../../../master/strategies/work-stealing.ts'
import { area } from '../../../shared/frame/rect.ts'
import { frameInput } from '../../support/frame-input.ts'
import { team } from '../../support/strategy-run.ts'

it('work-stealing begins with the static blocks, in small tiles that may be stolen', () => {
  const input = frameInput({ size: [320, 180], workers: team([1, 1, 1, 0, 1, 1, 1]) })
  const { tiles, stealing } = workStealing.plan(input)
  expect(stealing).toBe('tiles')
  for (const { rect, worker } of staticBlocks.plan(input).tiles) {
    const own = tiles.filter(tile => tile.worker === worker)
    expect(own.every(({ rect: { w, h } }) => w <= 32 && h <= 32)).toBe(true)
    expect(own.reduce((sum, tile) => sum + area(tile.rect), 0)).toBe(area(rect))
    expect(own[0]!.rect).toMatchObject({ x: rect.x, y: rect.y })
  }
})
