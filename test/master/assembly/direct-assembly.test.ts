import { describe, expect, it } from 'vitest'
import { DirectAssembly } from '../../../master/assembly/direct-assembly.ts'
import { newPlane } from '../../../shared/frame/channels.ts'
import type { PlaneName } from '../../../shared/frame/frame-planes.ts'
import { frameRect, type Size } from '../../../shared/frame/rect.ts'
import { ToneMap } from '../../../shared/light/tone-map.ts'
import { orderOf, quality, settled } from '../../support/assemblies.ts'

describe('a frame that is assembled at once', () => {
  const size: Size = [5, 3]

  it('is finished colour, as it came', async () => {
    const order = orderOf(size, {})
    const assembly = new DirectAssembly(order)
    const tile = Uint8Array.from({ length: 45 }, (_, i) => i)
    expect(assembly.put({ rect: frameRect(size) }, tile)).toBe(undefined)
    assembly.passDone({ from: 0, to: 64 }, false)
    expect(await assembly.color()).toEqual(tile)
    expect(await assembly.planes()).toEqual({})
  })

  it('has a plane for each channel; those of centres come with the first range, and sums add up', async () => {
    const content = {
      channels: ['light', 'depth', 'id', 'alpha'] as PlaneName[],
      passes: 2,
      transparent: true,
    } as const
    const order = orderOf(size, { ...content, quality: { ...quality, samples: 4 } })
    const assembly = new DirectAssembly(order)
    const names = ['light', 'depth', 'id', 'alpha']
    const tile = (pixels: number, value: number) =>
      Uint8Array.from(
        assembly.channels.flatMap(name => [
          ...new Uint8Array(newPlane(name, pixels).fill(value + names.indexOf(name)).buffer),
        ]),
      )
    // More pixels than wanted: those that follow in each channel are ignored.
    assembly.put({ rect: { x: 0, y: 0, w: 5, h: 1 } }, tile(10, 1))
    assembly.put({ rect: { x: 0, y: 1, w: 5, h: 2 } }, tile(10, 1))
    assembly.passDone({ from: 0, to: 2 }, 'all')
    expect(assembly.channels).toEqual(['light', 'alpha'])
    assembly.put({ rect: { x: 0, y: 0, w: 5, h: 3 } }, tile(15, 0))
    assembly.passDone({ from: 2, to: 4 }, false)
    const planes = await assembly.planes()
    expect(planes.light).toEqual(new Float32Array(45).fill(1))
    expect(planes.depth).toEqual(new Float32Array(15).fill(2))
    expect(planes.id).toEqual(new Uint32Array(15).fill(3))
    // 4 + 3 of 4 samples.
    expect(planes.alpha).toEqual(new Float32Array(15).fill(7 / 4))
    const straight = new Uint8Array(45)
    new ToneMap({ exposure: 1 }).finish(new Float64Array(45).fill(4 / 7), straight)
    expect(await assembly.color()).toEqual(straight)
  })

  it('shows a part of the samples as bright as all of them will be, after the next pass has begun', async () => {
    const previews: [Uint8Array, number][] = []
    const preview = (...shown: [Uint8Array, number]) => void previews.push(shown)
    const assembly = new DirectAssembly(orderOf([1, 1], { passes: 4 }, { preview }))
    const light = Float64Array.of(0.125, 0.25, 0.0625)
    assembly.put({ rect: frameRect([1, 1]) }, new Uint8Array(light.buffer))
    assembly.passDone({ from: 0, to: 16 }, 'all')
    expect(previews).toEqual([])
    await settled()
    const whole = new Uint8Array(3)
    new ToneMap({ exposure: 1 }).finish(
      light.map(sum => sum * 4),
      whole,
    )
    expect(previews).toEqual([[whole, 16]])
  })
})
