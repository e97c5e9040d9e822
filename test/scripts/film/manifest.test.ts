import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { frameFile } from '../../../scripts/files/frame-names.ts'
import { withOutputFolder } from '../../../scripts/files/output-folder.ts'
import { finishedFrames } from '../../../scripts/film/finished-frames.ts'
import { beginFilm } from '../../../scripts/film/frame-list.ts'
import { type Manifest, ResumeError, resumedFilm, type WrittenFile } from '../../../scripts/film/manifest.ts'
import { unfinished } from '../../../scripts/film/unfinished.ts'
import { FrameNumbers } from '../../../scripts/options/frame-numbers.ts'
import { sha256 } from '../../../shared/node/sha256.ts'

const film: Manifest = {
  version: 1,
  scene: { name: 'tent', sha256: 'ab'.repeat(32) },
  size: [64, 36],
  quality: { samples: 1, ambientRays: 1, maxDepth: 2 },
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
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const MANY = { firstFrame: 0, frames: 1_000_000 }
const finished = async (range = MANY) => {
  const { frames, changed } = await finishedFrames(folder, (await resumedFilm(folder, film))!, range)
  return { frames: [...frames].sort((a, b) => a - b), changed }
}

const text = () => readFileSync(join(folder, 'render.json'), 'utf8')

/** A file of a frame, as a writer puts it there. */
function put(name: string, text: string): WrittenFile {
  writeFileSync(join(folder, name), text)
  const bytes = Buffer.from(text)
  return { name, bytes: bytes.length, sha256: sha256(bytes) }
}

describe('the frames of a film', () => {
  it('are those that are not there yet, counted without a list of them', () => {
    const frames = new FrameNumbers({ firstFrame: 0, frames: 6 }, new Set([1, 4, 9]))
    expect([...frames]).toEqual([0, 2, 3, 5])
    expect(frames.length).toBe(4)
    const [first] = new FrameNumbers({ firstFrame: 0, frames: 1_000_000 })
    expect(first).toBe(0)
    expect(new FrameNumbers({ firstFrame: 0, frames: 1_000_000 }).length).toBe(1_000_000)
    expect(new FrameNumbers({ firstFrame: 0, frames: 2 }, new Set([0, 1])).length).toBe(0)
    const later = new FrameNumbers({ firstFrame: 10, frames: 4 }, new Set([0, 9, 11, 14]))
    expect([...later]).toEqual([10, 12, 13])
    expect(later.length).toBe(3)
  })

  it('are found in a folder of many, whatever the length of their names', async () => {
    const numbers = [0, 7, 9999, 10_000, ...Array.from({ length: 3000 }, (_, i) => 20_000 + i), 123_456]
    const files = numbers.map(number => put(frameFile(number), `${number}`))
    await withOutputFolder(folder, async out => void (await beginFilm(out, film, files)))
    expect(await finished()).toEqual({ frames: numbers, changed: 0 })
    expect(await finished({ firstFrame: 7, frames: 20_000 })).toEqual({ frames: numbers.slice(1, 3 + 8), changed: 0 })
  })

  it('are noted one by one, so that a run that is killed has lost none', async () => {
    await withOutputFolder(folder, async out => {
      const list = await beginFilm(out, film)
      expect(await finished()).toEqual({ frames: [], changed: 0 })
      put('0000.png', 'not noted')
      await list.add([put('0002.png', 'two')])
      expect(await finished()).toEqual({ frames: [2], changed: 0 })
      await Promise.all([list.add([put('0001.png', 'one')]), list.add([put('0003.png', 'three')])])
      expect(await finished()).toEqual({ frames: [1, 2, 3], changed: 0 })
      // What is there is JSON at any time, and in the order of frames when it is complete.
      const names = () => JSON.parse(text()).written.map(({ name }: WrittenFile) => name)
      expect(names()).toEqual(['0002.png', '0001.png', '0003.png'])
      await list.add([put('10000.png', 'more')])
      await list.rewrite()
      await list.add([put('0000.png', 'first')])
      expect(names()).toEqual(['0001.png', '0002.png', '0003.png', '10000.png', '0000.png'])
    })
  })

  it.each<[string, (path: string) => void]>([
    ['empty', path => truncateSync(path, 0)],
    ['cut short', path => truncateSync(path, 2)],
    ['longer', path => writeFileSync(path, 'one more')],
    ['of other bytes', path => writeFileSync(path, 'eno')],
    ['gone', path => rmSync(path)],
    [
      'a folder',
      path => {
        rmSync(path)
        mkdirSync(path)
      },
    ],
  ])('are not those with a file that is %s', async (_, harm) => {
    const files = [put('0000.png', 'nil'), put('0001.png', 'one'), put('0002.png', 'two')]
    await withOutputFolder(folder, async out => void (await beginFilm(out, film, files)))
    harm(join(folder, '0001.png'))
    expect(await finished()).toEqual({ frames: [0, 2], changed: 1 })
    expect(await finished({ firstFrame: 2, frames: 2 })).toEqual({ frames: [2], changed: 0 })
  })

  it('are those of the lines that are whole, where writing the last was cut off', async () => {
    await withOutputFolder(folder, async out => {
      const list = await beginFilm(out, film)
      for (const name of ['0000.png', '0001.png', '0002.png']) await list.add([put(name, name)])
    })
    const whole = text()
    for (let length = whole.length - 1; length > whole.indexOf('"written"') + 12; length--) {
      truncateSync(join(folder, 'render.json'), length)
      const { frames } = await finished()
      expect(frames).toEqual([0, 1, 2].slice(0, frames.length))
      expect(frames.length).toBeGreaterThanOrEqual([...whole.slice(0, length).matchAll(/"\},\n/g)].length)
    }
    writeFileSync(join(folder, 'render.json'), whole.slice(0, -40) + '\0'.repeat(40))
    expect((await finished()).frames).toEqual([0, 1])
  })

  it('of an earlier release are those whose pictures can be decoded', async () => {
    const made = (width: number) =>
      sharp({ create: { width, height: 36, channels: 3, background: '#847' } })
        .png()
        .toBuffer()
    const picture = await made(64)
    const old = JSON.parse(JSON.stringify(film))
    writeFileSync(join(folder, 'render.json'), JSON.stringify(old))
    utimesSync(join(folder, 'render.json'), 1e9, 1e9)
    for (let frame = 0; frame < 7; frame++) writeFileSync(join(folder, frameFile(frame)), picture)
    truncateSync(join(folder, '0001.png'), 0)
    truncateSync(join(folder, '0002.png'), picture.length - 30)
    writeFileSync(join(folder, '0003.png'), await made(65))
    const flipped = Buffer.from(picture)
    flipped[flipped.indexOf('IDAT') + 8]! ^= 1
    writeFileSync(join(folder, '0004.png'), flipped)
    // A frame of a film that was there before, and a preview.
    utimesSync(join(folder, '0005.png'), 1, 1)
    writeFileSync(join(folder, '0007.png'), unfinished(picture))
    expect(await finished()).toEqual({ frames: [0, 6], changed: 0 })
    // Noted from now on.
    const { files } = await finishedFrames(folder, (await resumedFilm(folder, film))!, { firstFrame: 6, frames: 1 })
    await withOutputFolder(folder, async out => void (await beginFilm(out, film, files)))
    expect(await finished()).toEqual({ frames: [0, 6], changed: 0 })
  })
})

describe('a film', () => {
  it('can be continued as what it is, and as nothing else', async () => {
    expect(await resumedFilm(folder, film)).toBeUndefined()
    await withOutputFolder(folder, async out => void (await beginFilm(out, film)))
    expect(await resumedFilm(folder, film)).toEqual({ ...film, written: [] })
    await expect(resumedFilm(folder, { ...film, camera: 'cut' })).rejects.toThrow(
      'expected the camera of the existing frames, "orbit", got "cut"',
    )
    await expect(resumedFilm(folder, { ...film, shutter: { share: 0.5, steps: 8 } })).rejects.toThrow(
      'expected the shutter of the existing frames, "none", got {"share":0.5,"steps":8}',
    )
    writeFileSync(join(folder, 'render.json'), '{')
    await expect(resumedFilm(folder, film)).rejects.toThrow(ResumeError)
  })

  it('is not continued where frames of unknown origin lie', async () => {
    writeFileSync(join(folder, '0000.png'), 'somebody else')
    await expect(resumedFilm(folder, film)).rejects.toThrow(
      'expected a render.json beside the existing frames, got none',
    )
  })

  it('begun afresh does not count the frames of the one before, nor touches them', async () => {
    writeFileSync(join(folder, '0000.png'), 'old')
    utimesSync(join(folder, '0000.png'), 1, 1)
    await withOutputFolder(folder, async out => (await beginFilm(out, film)).add([put('0002.png', 'new')]))
    writeFileSync(join(folder, 'notes.png'), 'x')
    writeFileSync(join(folder, '00003.png'), 'a name that no frame has')
    expect(await finished()).toEqual({ frames: [2], changed: 0 })
    expect(readdirSync(folder).sort()).toEqual(['0000.png', '00003.png', '0002.png', 'notes.png', 'render.json'])
  })
})
