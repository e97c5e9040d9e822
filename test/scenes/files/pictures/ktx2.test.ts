/** KTX2 pictures: decoded whatever is in them, and refused in words where that is not possible. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Ktx2Decoder } from '../../../../scenes/files/pictures/ktx2.ts'
import { PictureDecoder } from '../../../../scenes/files/pictures/picture-decoder.ts'
import { ETC1S, LEFT, plainKtx2, RIGHT, UASTC, UASTC_ZSTD } from '../../../support/ktx2.ts'

/** ETC1S has 5 bits per channel. */
const MOST_OFF = 6

const with32 = (file: Uint8Array, at: number, value: number): Buffer => {
  const changed = Buffer.from(file)
  changed.writeUInt32LE(value, at)
  return changed
}

describe('a KTX2 picture', () => {
  it.each([
    ['ETC1S', ETC1S, MOST_OFF],
    ['UASTC', UASTC, 0],
    ['UASTC, packed', UASTC_ZSTD, 0],
  ])('of %s is decoded', async (_, file, mostOff) => {
    const decoder = new PictureDecoder()
    const { data, width, height } = await decoder.decode(file)
    expect([width, height, data.length]).toEqual([8, 4, 128])
    for (let at = 0; at < data.length; at++) {
      const expected = ((at >> 2) % 8 < 4 ? LEFT : RIGHT)[at % 4]!
      expect(Math.abs(data[at]! - expected), `byte ${at}`).toBeLessThanOrEqual(mostOff)
    }
    expect(decoder.decoded).toEqual({ count: 1, bytes: 128 })
  })

  it.each([
    [43, [1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3, 4, 5, 6, 7, 8]],
    [37, [1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3, 4, 5, 6, 7, 8]],
    [29, [1, 2, 3, 5, 6, 7], [1, 2, 3, 255, 5, 6, 7, 255]],
    [16, [1, 2, 5, 6], [1, 2, 0, 255, 5, 6, 0, 255]],
    [9, [1, 5], [1, 0, 0, 255, 5, 0, 0, 255]],
  ])('of plain bytes, format %i of Vulkan, is taken as it is', async (format, texels, expected) => {
    const file = plainKtx2(format, [2, 1], Uint8Array.from(texels))
    const picture = await new PictureDecoder().decode(file)
    expect(picture).toEqual({ data: Uint8Array.from(expected), width: 2, height: 1 })
  })

  const plain = plainKtx2(43, [2, 1], Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8))
  it.each([
    [
      'in a format of graphics cards',
      with32(plain, 12, 145),
      'expected KTX2 with ETC1S, UASTC or plain bytes, got format 145',
    ],
    ['of plain bytes, packed', with32(plain, 44, 2), 'expected plain KTX2 data, got it packed with Zstandard'],
    ['with too few bytes', with32(plain, 88, 7), 'expected 8 bytes of KTX2 data, got 7'],
    ['cut off', plain.subarray(0, -1), 'its KTX2 data is cut off'],
    ['cut off early', plain.subarray(0, 90), 'its KTX2 header is cut off'],
    ['that is a cube', with32(plain, 36, 6), 'expected one flat picture in KTX2'],
    ['that is too large', with32(ETC1S, 20, 16385), 'expected at most 16384 px a side, got 16385 × 4'],
    [
      'whose packed data claims to be huge',
      with32(UASTC_ZSTD, 96, 2 ** 31),
      'expected 32 bytes of UASTC data, got 2147483648',
    ],
    ['without its tables', with32(ETC1S, 72, 4), 'its KTX2 data is damaged, or not ETC1S or UASTC'],
  ])('%s is refused', async (_, file, message) => {
    await expect(new PictureDecoder().decode(file)).rejects.toThrow(message)
  })

  it('is not decoded without the memory for it', async () => {
    for (const file of [plain, UASTC, ETC1S])
      await expect(new PictureDecoder(7).decode(file)).rejects.toThrow('more memory than there is')
  })

  it('is whole or refused in a sentence, however it is damaged, and the next one is decoded', async () => {
    const decoder = new Ktx2Decoder()
    const damage = fc.array(fc.record({ at: fc.nat({ max: 1023 }), byte: fc.nat({ max: 255 }) }), {
      minLength: 1,
      maxLength: 6,
    })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(ETC1S, UASTC, UASTC_ZSTD), damage, async (file, changes) => {
        const damaged = Buffer.from(file)
        for (const { at, byte } of changes) damaged[12 + (at % (file.length - 12))] = byte
        const sizes: number[] = []
        // Without the memory for a large picture, which the damage may ask for.
        const reserve = (bytes: number) => {
          sizes.push(bytes)
          if (bytes > 2 ** 20) throw new Error('too large')
        }
        const result = await decoder.decode(damaged, reserve).catch((error: Error) => error)
        if (result instanceof Error) expect(result.message).toMatch(/KTX2|UASTC|px a side|too large/)
        else expect(sizes).toEqual([result.data.length])
        expect((await decoder.decode(UASTC, () => {})).data.subarray(0, 4)).toEqual(Uint8Array.from(LEFT))
      }),
      { numRuns: 60 },
    )
  })
})
