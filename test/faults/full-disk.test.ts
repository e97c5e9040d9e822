/** Disks that are full in the middle of a run: one sentence, and every finished frame is kept, whole. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { MAX_PENDING } from '../../scripts/film/frame-writer.ts'
import { lentCluster } from '../support/lent-cluster.ts'
import { PROGRAM, sortfirst } from '../support/program.ts'
import { canMount, onSmallDisk, type SmallDiskRun } from '../support/small-disk.ts'

const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const mesh = fileURLToPath(new URL('../../../test/support/tent.obj', import.meta.url))
const lent = lentCluster()
const quick = ['--samples', '1', '--ambient-rays', '1', '--workers', '1']
/** More frames than are ever reached. */
const film = ['render', mesh, ...quick, '--frames', '20000', '--size', '160x90']

/** Checks what is promised of every such end. @returns the names of what is left */
async function expectKept({ code, stderr, left }: SmallDiskRun, out: string, sentence: RegExp): Promise<string[]> {
  const complaint = stderr.trim().split('\n').at(-1)!
  expect(complaint).toMatch(sentence)
  expect(stderr).not.toMatch(/unexpected error|^\s+at /m)
  expect(code).toBe(1)
  const names = readdirSync(join(left, out))
  expect(names.filter(name => name.startsWith('.'))).toEqual([])
  for (const name of names)
    if (/\.(png|webp)$/.test(name))
      expect(
        (
          await sharp(join(left, out, name))
            .raw()
            .toBuffer()
        ).length,
      ).toBeGreaterThan(0)
  return names
}

if (!canMount) console.warn('full disks are not tested: this machine lets no tests mount any (unshare -Urm)')

describe.skipIf(!canMount)('a disk that is full', () => {
  it.each<[string, string, string[]]>([
    ['', '300k', []],
    // Several frames are written at once: a disk of few of them could be full before any is whole.
    ['of several files of each frame', '2m', ['--output', 'png,webp,exr', '--aov', 'depth']],
    ['of frames with all channels in one file', '2m', ['--exr-layers', '--aov', 'depth,objectId,cryptoObject']],
    [
      'of frames that are written after each of their passes',
      '300k',
      ['--progressive', '--passes', '4', '--samples', '4'],
    ],
  ])('in the middle of a film %s ends it, with its finished frames', async (_, size, more) => {
    const run = await onSmallDisk(folder, size, disk => [...film, ...more, '--out', join(disk, 'film')])
    const full = /film\/\d{4}\.\S+: expected a writable file, got a full disk \(ENOSPC\); make room and run it again$/
    const names = await expectKept(run, 'film', full)
    const [, said = ''] = /^([\d,]+) of 20,000 frames? (?:is|are) in /m.exec(run.stderr) ?? []
    const files = names.filter(name => /^\d{4}\./.test(name)).map(name => name.slice(0, 4))
    const each = more.includes('--exr-layers') ? 3 : more.includes('--aov') ? 4 : 1
    const whole = new Set(files.filter(frame => files.filter(other => other === frame).length === each))
    // A frame counts once the list in `render.json` has it, and that is on the same disk.
    const counted = Number(said.replace(',', ''))
    expect(counted).toBeLessThanOrEqual(whole.size)
    expect(counted).toBeGreaterThanOrEqual(whole.size - MAX_PENDING)
    expect(whole.size).toBeGreaterThan(0)
  })

  it.each(['film.webp', 'contact-sheet.png'])('of frames has no half %s', async made => {
    const frames = join(folder, `frames-${made}`)
    const few = ['render', mesh, '--samples', '1', '--ambient-rays', '1', '--frames', '12', '--size', '64x36']
    expect((await sortfirst([...few, '--out', frames, ...lent()])).code).toBe(0)
    const what = made === 'film.webp' ? ['--output', 'animated-webp'] : ['--contact-sheet']
    const run = await onSmallDisk(
      folder,
      '300k',
      disk => [...few, '--workers', '1', '--resume', ...what, '--out', disk],
      {
        before: `cp -a ${frames}/. . && (cat /dev/zero > fill 2>&-; true)`,
      },
    )
    const names = await expectKept(run, '.', /: expected a writable file, got a full disk \(ENOSPC\); make room/)
    expect(names).not.toContain(made)
    expect(names.filter(name => name.endsWith('.png'))).toHaveLength(12)
    expect(readFileSync(join(run.left, '0007.png'))).toEqual(readFileSync(join(frames, '0007.png')))
  })

  it('of a trace has no part of it', async () => {
    const args = (disk: string) => [...film, '--out', join(folder, 'traced'), '--trace', join(disk, 'trace.json')]
    await expectKept(await onSmallDisk(folder, '64k', args), '.', /--trace \S+: .*a full disk \(ENOSPC\)/)
  })
})

describe.runIf(process.platform === 'linux')('a device that is full', () => {
  it('takes no trace, and stays a device', async () => {
    const { code, stderr } = await sortfirst([...film, '--out', join(folder, 'device'), '--trace', '/dev/full'])
    expect(stderr).toMatch(/^sortfirst: --trace \/dev\/full: expected a writable file, got a full disk \(ENOSPC\)/m)
    expect(code).toBe(1)
    expect(statSync('/dev/full').isCharacterDevice()).toBe(true)
  })

  it('takes no result, which is said in a sentence', async () => {
    const args = [
      'render',
      mesh,
      ...quick,
      '--frames',
      '2',
      '--size',
      '64x36',
      '--json',
      '--out',
      join(folder, 'result'),
    ]
    const shell = ['-c', 'exec "$0" "$@" > /dev/full', process.execPath, PROGRAM, ...args]
    const child = spawn('sh', shell, { stdio: ['ignore', 'ignore', 'pipe'] })
    let stderr = ''
    child.stderr.on('data', chunk => {
      stderr += chunk
    })
    expect(await new Promise(resolve => child.once('close', resolve))).toBe(1)
    expect(stderr).toMatch(/^sortfirst: standard output: expected .*, got a full disk \(ENOSPC\)/m)
    expect(readdirSync(join(folder, 'result')).sort()).toContain('summary.json')
  })
})
