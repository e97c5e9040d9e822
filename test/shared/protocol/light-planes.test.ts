import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { packLight, planesBytes, unpackLight } from '../../../shared/protocol/light-planes.ts'
import { decodePixels, encodePixels } from '../../../shared/protocol/node/pixel-encoding.ts'
import { ProtocolError } from '../../../shared/protocol/protocol-error.ts'

const STEP = 2 ** -32
/** Sums on the grid, also the least, the largest, and those that just fit into so many bytes. */
const anySum = fc.oneof(
  fc.constantFrom(0, STEP, 255 * STEP, 256 * STEP, 1 - STEP, 1, 255, 256, 65535, 65536, 2 ** 20 - STEP, 2 ** 20),
  fc.integer({ min: 0, max: 2 ** 52 }).map(steps => steps * STEP),
  fc.integer({ min: 0, max: 2 ** 34 }).map(steps => steps * STEP),
)
const anyLight = fc.array(anySum, { minLength: 1, maxLength: 60 }).map(sums => Float64Array.from(sums))
const anyPixels = fc
  .array(fc.tuple(anySum, anySum, anySum), { minLength: 1, maxLength: 40 })
  .map(pixels => Float64Array.from(pixels.flat()))

describe('unfinished light', () => {
  it('comes back exactly as it was, in no more bytes than its largest value needs', () => {
    fc.assert(
      fc.property(anyLight, light => {
        const packed = packLight(light)
        expect(unpackLight(packed, light.length)).toEqual(light)
        const steps = Math.max(...light) / STEP
        expect(packed.length).toBe(planesBytes(light.length, Math.ceil(Math.log2(steps + 1) / 8)))
      }),
    )
  })

  it('travels as other pixels do', () => {
    fc.assert(
      fc.property(anyPixels, fc.constantFrom('raw' as const, 'lz4' as const), (light, encoding) => {
        const pixels = new Uint8Array(light.buffer)
        const back = decodePixels(encoding, 'light', encodePixels(encoding, 'light', pixels), pixels.length)
        expect(new Float64Array(back.buffer)).toEqual(light)
      }),
    )
  })

  it('is refused when it is not as much as promised, before anything is allocated for it', () => {
    const packed = packLight(Float64Array.of(1, 2, 3))
    expect(() => unpackLight(packed, 4)).toThrow('16 bytes are not 4 values of 5 bytes each')
    expect(() => unpackLight(new Uint8Array(0), 1)).toThrow(ProtocolError)
    expect(() => unpackLight(Uint8Array.of(8, 0, 0, 0, 0, 0, 0, 0, 0), 1)).toThrow(ProtocolError)
    expect(() => unpackLight(Uint8Array.of(7, 0, 0, 0, 0, 0, 0, 0xff), 1)).toThrow('light: expected at most 1048576')
    const pixels = new Uint8Array(Float64Array.of(1, 2, 3).buffer)
    const body = Uint8Array.from(encodePixels('lz4', 'light', pixels))
    expect(() => decodePixels('lz4', 'light', body, 48)).toThrow('LZ4 declares 16 bytes, expected 1 or 7 or 13')
    new DataView(body.buffer).setUint32(0, 0xfffffff0, true)
    expect(() => decodePixels('lz4', 'light', body, 24)).toThrow('LZ4 declares 4294967280 bytes')
  })
})
