import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { withOutputFolder } from '../../../scripts/files/output-folder.ts'
import { finishedFrames } from '../../../scripts/film/finished-frames.ts'
import { beginFilm } from '../../../scripts/film/frame-list.ts'
import { FrameWriter } from '../../../scripts/film/frame-writer.ts'
import { type Manifest, resumedFilm } from '../../../scripts/film/manifest.ts'
import { putBackKept } from '../../../scripts/film/previews.ts'
import { isUnfinished, unfinished } from '../../../scripts/film/unfinished.ts'
import type { Size } from '../../../shared/frame/rect.ts'

const film: Manifest = {
  version: 1,
  scene: { name: 'tent', sha256: 'ab'.repeat(32) },
  size: [8, 4],
  quality: { samples: 2, ambientRays: 1, maxDepth: 2 },
  denoise: 'off',
  noise: null,
  camera: 'orbit',
  fps: null,
  shutter: null,
  exposure: 1,
  toneMapping: 'aces',
  transparent: false,
  files: ['png'],
  exrType: 'float',
  layers: null,
  engine: 'wasm',
}
const size: Size = [8, 4]
const grey = (level: number) => new Uint8Array(8 * 4 * 3).fill(level)
const levelOf = async (name: string) => (await sharp(join(folder, name)).raw().toBuffer())[0]
const picture = () =>
  sharp(grey(9), { raw: { width: 8, height: 4, channels: 3 } })
    .png()
    .toBuffer()
/** Without the lock of the run. */
const filesIn = (folder: string) =>
  readdirSync(folder)
    .filter(name => !name.startsWith('.run-'))
    .sort()
const finished = async () => [
  ...(await finishedFrames(folder, (await resumedFilm(folder, film))!, { firstFrame: 0, frames: 9 })).frames,
]
const { signal } = new AbortController()

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Resolves when the folder has a file of that name which `seen` has not. */
async function fileAfter(name: string, seen: number | undefined): Promise<number> {
  for (;;) {
    const found = statSync(join(folder, name), { throwIfNoEntry: false })?.ino
    if (found !== undefined && found !== seen) return found
    await new Promise(setImmediate)
  }
}

it('shows a frame as it gets better, and counts it when it is finished', () =>
  withOutputFolder(folder, async out => {
    const writer = new FrameWriter(out, () => beginFilm(out, film))
    await writer.during(signal, async () => {
      writer.preview(0, size, grey(10))
      const first = await fileAfter('0000.png', undefined)
      expect(await levelOf('0000.png')).toBe(10)
      expect(await resumedFilm(folder, film)).toBeUndefined()
      writer.preview(0, size, grey(20))
      await fileAfter('0000.png', first)
      expect(await levelOf('0000.png')).toBe(20)
      // The last preview may still be on its way: the frame follows it.
      writer.preview(0, size, grey(30))
      await writer.write(0, size, grey(40))
    })
    expect(await levelOf('0000.png')).toBe(40)
    expect(await finished()).toEqual([0])
  }))

it('says of a preview that it is one, and when it was made', () =>
  withOutputFolder(folder, async out => {
    const path = join(folder, '0000.png')
    const marked = join(folder, 'marked.png')
    writeFileSync(marked, '')
    const writer = new FrameWriter(out, () => beginFilm(out, film))
    await writer.during(signal, async () => {
      writer.preview(0, size, grey(10))
      await fileAfter('0000.png', undefined)
      expect(await isUnfinished(path)).toBe(true)
      expect(statSync(path).mtimeMs).toBeGreaterThanOrEqual(statSync(marked).mtimeMs)
      expect((await sharp(path).metadata()).comments).toEqual([{ keyword: 'Comment', text: 'unfinished frame' }])
      await writer.write(0, size, grey(40))
    })
    expect(await isUnfinished(path)).toBe(false)
    for (const other of [folder, marked, join(folder, 'none.png')]) expect(await isUnfinished(other)).toBe(false)
  }))

it('leaves no preview of a frame that is never finished', () =>
  withOutputFolder(folder, async out => {
    const writer = new FrameWriter(out, () => beginFilm(out, film))
    const rendering = writer.during(signal, async () => {
      await writer.write(0, size, grey(1))
      writer.preview(1, size, grey(2))
      await fileAfter('0001.png', undefined)
      throw new Error('on fire')
    })
    await expect(rendering).rejects.toThrow('on fire')
    expect(filesIn(folder)).toEqual(['0000.png', 'render.json'])
  }))

describe('a film that is there already', () => {
  const before = new Uint8Array([1, 2, 3])
  const put = () => writeFileSync(join(folder, '0000.png'), before)
  const isBack = () => readFileSync(join(folder, '0000.png')).equals(before)
  const manifest = () => readFileSync(join(folder, 'render.json'), 'utf8')

  it('stays as it is if previews are all that comes of another one', () =>
    withOutputFolder(folder, async out => {
      put()
      await beginFilm(out, { ...film, exposure: 2 })
      const was = manifest()
      const writer = new FrameWriter(out, () => beginFilm(out, film))
      const rendering = writer.during(signal, async () => {
        writer.preview(0, size, grey(10))
        const first = await fileAfter('0000.png', statSync(join(folder, '0000.png')).ino)
        expect(await levelOf('0000.png')).toBe(10)
        writer.preview(0, size, grey(20))
        await fileAfter('0000.png', first)
        expect(await levelOf('0000.png')).toBe(20)
        throw new Error('on fire')
      })
      await expect(rendering).rejects.toThrow('on fire')
      expect(isBack()).toBe(true)
      expect(manifest()).toBe(was)
      expect(filesIn(folder)).toEqual(['0000.png', 'render.json'])
    }))

  it('loses a frame when the one in its place is finished', () =>
    withOutputFolder(folder, async out => {
      put()
      const writer = new FrameWriter(out, () => beginFilm(out, film))
      await writer.during(signal, async () => {
        const seen = statSync(join(folder, '0000.png')).ino
        writer.preview(0, size, grey(10))
        await fileAfter('0000.png', seen)
        await writer.write(0, size, grey(40))
      })
      expect(await levelOf('0000.png')).toBe(40)
      expect(filesIn(folder)).toEqual(['0000.png', 'render.json'])
    }))

  it.each<[string, (png: Buffer) => void, boolean]>([
    ['while a preview was shown', png => writeFileSync(join(folder, '0000.png'), unfinished(png)), true],
    ['before the preview was written', () => rmSync(join(folder, '0000.png')), true],
    ['when the frame was finished', () => {}, false],
  ])('comes back after a run that was killed %s', (_, state, back) =>
    withOutputFolder(folder, async out => {
      put()
      renameSync(join(folder, '0000.png'), join(folder, '.0000.png.kept'))
      writeFileSync(join(folder, '0000.png'), 'later')
      state(await picture())
      await putBackKept(out)
      expect(isBack()).toBe(back)
      expect(filesIn(folder)).toEqual(['0000.png'])
    }),
  )
})

it('takes nothing once the rendering is over', () =>
  withOutputFolder(folder, async out => {
    const writer = new FrameWriter(out)
    await writer.during(signal, async () => {})
    writer.preview(0, size, grey(1))
    await writer.write(0, size, grey(1))
    expect(filesIn(folder)).toEqual([])
  }))

it('ends the rendering as soon as a frame cannot be written', () =>
  withOutputFolder(folder, async out => {
    const writer = new FrameWriter(out)
    const rendering = writer.during(signal, async ended => {
      rmSync(folder, { recursive: true })
      await writer.write(0, size, grey(1))
      await new Promise((_, reject) => ended.addEventListener('abort', () => reject(ended.reason)))
    })
    await expect(rendering).rejects.toMatchObject({ code: 'CANNOT_WRITE', exitCode: 1 })
  }))
