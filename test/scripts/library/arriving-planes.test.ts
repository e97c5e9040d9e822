import { describe, expect, it } from 'vitest'
import { ArrivingPlanes } from '../../../scripts/library/arriving-planes.ts'
import type { FramePlane } from '../../../shared/protocol/codec.ts'

const depth = Float32Array.of(1, 2, 3, 4, 5, 6)
const message = (change: Partial<FramePlane> = {}): FramePlane => {
  const { row = 0, rows = 3 } = change
  const body = new Uint8Array(depth.slice(row * 2, (row + rows) * 2).buffer)
  const base = { kind: 'frame-plane', session: 0, frame: 4, channel: 'depth', row, rows, encoding: 'raw' } as const
  return { ...base, rawBytes: body.length, body, ...change }
}

describe('planes of a frame on their way', () => {
  it('are put together from rows', () => {
    const planes = new ArrivingPlanes([2, 3], ['depth'])
    for (let frame = 4; frame < 6; frame++) {
      planes.take(message({ frame, rows: 2 }))
      planes.take(message({ frame, row: 2, rows: 1 }))
      expect(planes.finish(frame)).toEqual({ depth })
    }
  })

  it.each<[string, Partial<FramePlane>, string]>([
    ['of a channel that nobody wanted', { channel: 'id' }, 'which was not requested'],
    ['of finished colour', { channel: 'rgb' as never }, 'which was not requested'],
    ['out of order', { row: 1, rows: 1 }, 'depth came with'],
    ['beyond the frame', { rows: 4 }, 'depth came with'],
    ['of none', { rows: 0 }, 'depth came with'],
    ['with too many bytes', { rawBytes: 1e9 }, 'depth came with'],
    ['with fewer than declared', { body: new Uint8Array(3) }, 'expected 24 bytes'],
  ])('are refused %s', (_, change, words) => {
    expect(() => new ArrivingPlanes([2, 3], ['depth']).take(message(change))).toThrow(words)
  })

  it('are refused when a frame comes before them', () => {
    const planes = new ArrivingPlanes([2, 3], ['depth'])
    expect(() => planes.finish(4)).toThrow('frame 4 came without its channel depth')
    planes.take(message({ rows: 2 }))
    expect(() => planes.finish(4)).toThrow('came without')
    expect(() => planes.take(message({ frame: 5 }))).toThrow('before frame 4 was complete')
  })
})
