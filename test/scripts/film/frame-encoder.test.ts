import sharp from 'sharp'
import { afterAll, expect, it } from 'vitest'
import { EncodingError, FrameEncoder } from '../../../scripts/film/frame-encoder.ts'
import type { Size } from '../../../shared/frame/rect.ts'
import { readExr } from '../../support/read-exr.ts'

const size: Size = [4, 2]
const [pixels, light] = [new Uint8Array(24), new Float32Array(24)]
const FORMAT = {
  outputs: ['exr'],
  aovs: [],
  exrLayers: false,
  exrType: 'float',
  transparent: false,
  look: { exposure: 1 },
} as const
const encoder = new FrameEncoder(FORMAT)
afterAll(() => encoder.close())

it('says in PNG and EXR files what traced them, if their bytes depend on that', async () => {
  const format = { ...FORMAT, outputs: ['png', 'png16', 'exr'], aovs: ['depth', 'objectId'] } as const
  const labelled = new FrameEncoder(format)
  const planes = { light, depth: new Float32Array(8), objectId: new Uint32Array(8) }
  const by = 'wasm mixed with webgpu:☃ card (software)'
  const of = async (tracedBy?: string) => new Map(await labelled.files(size, pixels, planes, tracedBy))
  const [plain, said] = [await of(), await of(by)]
  await labelled.close()
  expect([...said.keys()]).toEqual([...plain.keys()])
  for (const [ending, bytes] of said) {
    const before = plain.get(ending)!
    if (ending.endsWith('exr')) {
      expect(readExr(bytes).words.tracedBy).toBe(by)
      expect(readExr(before).words).not.toHaveProperty('tracedBy')
      continue
    }
    // The format has no snowmen.
    const text = by.replace('☃', '?')
    expect((await sharp(bytes).metadata()).comments).toEqual([{ keyword: 'Comment', text: `traced by ${text}` }])
    expect((await sharp(before).metadata()).comments ?? []).toEqual([])
    expect(await sharp(bytes).raw().toBuffer()).toEqual(await sharp(before).raw().toBuffer())
  }
})

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
