/** Samples of the path tracer that frames with more of them have, too: their sums are a part of the others', bit for bit. */
import { describe, expect, it } from 'vitest'
import { CHANNELS, type ChannelName, newPlane } from '../../shared/frame/channels.ts'
import { frameRect, type Size } from '../../shared/frame/rect.ts'
import type { Quality, SampleRange } from '../../shared/frame/view.ts'
import type { PixelBuffers } from '../../worker/engine/engine.ts'
import { engineByName } from '../../worker/node/engines.ts'
import { openHere, usableEngines } from '../worker/support/engines.ts'
import { mixedScene, viewOf } from '../worker/support/meshes.ts'

const SIZE: Size = [12, 9]
const NAMES = ['light', 'halfLight', 'albedo', 'features', 'halfFeatures', 'alpha', 'depth'] as const

describe.each(usableEngines)('with the engine %s', name => {
  const tracer = openHere(engineByName(name), mixedScene())
  const sumsOf = (samples: number, range: SampleRange) => {
    const quality: Quality = { samples, ambientRays: 0, maxDepth: 0, bounces: 3 }
    const planes = Object.fromEntries(NAMES.map(name => [name, newPlane(name as ChannelName, SIZE[0] * SIZE[1])]))
    tracer.trace(viewOf(SIZE, { quality }), { rect: frameRect(SIZE) }, range, planes as unknown as PixelBuffers)
    return planes as unknown as Record<(typeof NAMES)[number], Float64Array>
  }

  it.each([
    [32, 33],
    [64, 256],
    [64, 16384],
  ])('samples are the same of %i and of %i', (few, many) => {
    const range = { from: 0, to: few }
    expect(sumsOf(many, range)).toEqual(sumsOf(few, range))
  })

  it('both parts of the samples make all of them', () => {
    const [first, second] = [sumsOf(64, { from: 0, to: 64 }), sumsOf(96, { from: 64, to: 96 })]
    const whole = sumsOf(96, { from: 0, to: 96 })
    for (const name of NAMES)
      if (CHANNELS[name].of === 'samples')
        expect(first[name].map((sum, i) => sum + second[name][i]!)).toEqual(whole[name])
  })

  it('fewer than 32 are laid out for their number: errors of neighbours cancel out', () => {
    const range = { from: 0, to: 8 }
    expect(sumsOf(32, range).light).not.toEqual(sumsOf(8, range).light)
  })
})
