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

it('makes files in its thread, and answers or refuses at once when the thread ends: nobody would answer later', async () => {
  const [file] = await encoder.files(size, pixels, { light })
  expect(file![0]).toBe('exr')
  // The thread may be sooner than its end.
  const ended = encoder.files(size, pixels, { light }).then(
    files => files.map(([ending]) => ending),
    error => error,
  )
  await encoder.close()
  const answer: unknown = await ended
  if (!(answer instanceof EncodingError)) expect(answer).toEqual(['exr'])
  await expect(encoder.files(size, pixels, { light })).rejects.toThrow('encoding frames: the thread has ended')
})
