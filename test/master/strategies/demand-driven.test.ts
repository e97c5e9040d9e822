import { expect, it } from 'vitest'
import { demandDriven } from '../../../master/strategies/demand-driven.ts'
import { frameInput } from '../../support/frame-input.ts'
import { team } from '../../support/strategy-run.ts'

it('demand-driven queues tiles for anyone, from the centre outwards', () => {
  const { tiles } = demandDriven.plan(frameInput({ size: [320, 160], workers: team([1, 1]) }))
  expect(tiles).toHaveLength(50)
  expect(tiles.every(tile => tile.worker === undefined)).toBe(true)
  const distances = tiles.map(({ rect: { x, y, w, h } }) => Math.hypot(x + w / 2 - 160, y + h / 2 - 80))
  expect(distances).toEqual(distances.toSorted((a, b) => a - b))
})
