import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { withOutputFolder } from '../../../scripts/files/output-folder.ts'
import { beginFilm, checkManifest, finishedFrames, type Manifest, ResumeError } from '../../../scripts/run/manifest.ts'

const film: Manifest = {
  version: 1,
  scene: { name: 'tent', sha256: 'ab'.repeat(32) },
  size: [64, 36],
  quality: { samples: 1, ambientRays: 1, maxDepth: 2 },
  camera: 'orbit',
  exposure: 1,
  engine: 'wasm',
}
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('a film', () => {
  it('can be continued as what it is, and as nothing else', async () => {
    await checkManifest(folder, film)
    await withOutputFolder(folder, out => beginFilm(out, film))
    await checkManifest(folder, film)
    await expect(checkManifest(folder, { ...film, camera: 'cut' })).rejects.toThrow(
      'expected the camera of the frames that are there, "orbit", got "cut"',
    )
    writeFileSync(join(folder, 'render.json'), '{')
    await expect(checkManifest(folder, film)).rejects.toThrow(ResumeError)
  })

  it('is not continued where frames of unknown origin lie', async () => {
    writeFileSync(join(folder, '0000.png'), 'somebody else')
    await expect(checkManifest(folder, film)).rejects.toThrow(
      'expected a render.json beside the frames that are there, got none',
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
