import { afterAll, expect, it } from 'vitest'
import { EncodingError, FrameEncoder } from '../../../scripts/film/frame-encoder.ts'
import type { Size } from '../../../shared/frame/rect.ts'

const size: Size = [4, 2]
const [pixels, light] = [new Uint8Array(24), new Float32Array(24)]
const encoder = new FrameEncoder({
  outputs: ['exr'],
  aovs: [],
  exrLayers: false,
  exrType: 'float',
  transparent: false,
  look: { exposure: 1 },
})
afterAll(() => encoder.close())

it('makes files in its thread, and refuses at once when the thread has ended: nobody would answer', async () => {
  const [file] = await encoder.files(size, pixels, { light })
  expect(file![0]).toBe('exr')
  const waiting = encoder.files(size, pixels, { light })
  const refused = expect(waiting).rejects.toThrow(EncodingError)
  await encoder.close()
  await refused
  await expect(encoder.files(size, pixels, { light })).rejects.toThrow('encoding frames: the thread has ended')
})
