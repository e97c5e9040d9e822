import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { frameFile } from '../../../scripts/files/frame-names.ts'
import { withOutputFolder } from '../../../scripts/files/output-folder.ts'
import { FrameNumbers } from '../../../scripts/run/frame-numbers.ts'
import { beginFilm, checkManifest, finishedFrames, type Manifest, ResumeError } from '../../../scripts/run/manifest.ts'

const film: Manifest = {
  version: 1,
  scene: { name: 'tent', sha256: 'ab'.repeat(32) },
  size: [64, 36],
  quality: { samples: 1, ambientRays: 1, maxDepth: 2 },
  noise: null,
  camera: 'orbit',
  fps: null,
  shutter: null,
  exposure: 1,
  toneMapping: 'aces',
  transparent: false,
  files: ['png'],
  exrType: 'float',
  engine: 'wasm',
}
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

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
    const names = [0, 7, 9999, 10_000, ...Array.from({ length: 3000 }, (_, i) => 20_000 + i), 123_456]
    await withOutputFolder(folder, out => beginFilm(out, film))
    for (const name of names) writeFileSync(join(folder, frameFile(name)), '')
    expect([...(await finishedFrames(folder))].sort((a, b) => a - b)).toEqual(names)
  })
})

describe('a film', () => {
  it('can be continued as what it is, and as nothing else', async () => {
    await checkManifest(folder, film)
    await withOutputFolder(folder, out => beginFilm(out, film))
    await checkManifest(folder, film)
    await expect(checkManifest(folder, { ...film, camera: 'cut' })).rejects.toThrow(
      'expected the camera of the existing frames, "orbit", got "cut"',
    )
    await expect(checkManifest(folder, { ...film, shutter: { share: 0.5, steps: 8 } })).rejects.toThrow(
      'expected the shutter of the existing frames, "none", got {"share":0.5,"steps":8}',
    )
    writeFileSync(join(folder, 'render.json'), '{')
    await expect(checkManifest(folder, film)).rejects.toThrow(ResumeError)
  })

  it('is not continued where frames of unknown origin lie', async () => {
    writeFileSync(join(folder, '0000.png'), 'somebody else')
    await expect(checkManifest(folder, film)).rejects.toThrow(
      'expected a render.json beside the existing frames, got none',
    )
  })

  it('begun afresh does not count the frames of the one before, nor touches them', async () => {
    writeFileSync(join(folder, '0000.png'), 'old')
    utimesSync(join(folder, '0000.png'), 1, 1)
    await withOutputFolder(folder, out => beginFilm(out, film))
    writeFileSync(join(folder, '0002.png'), 'new')
    writeFileSync(join(folder, 'notes.png'), 'x')
    writeFileSync(join(folder, '00003.png'), 'a name that no frame has')
    expect([...(await finishedFrames(folder))]).toEqual([2])
    expect(readdirSync(folder).sort()).toEqual(['0000.png', '00003.png', '0002.png', 'notes.png', 'render.json'])
  })
})
