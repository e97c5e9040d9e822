/**
 * Output that can no longer be written in the middle of a run: it ends by itself, with one sentence, exit code 1, nothing
 * half written, and no process left behind. Against the faults of real file systems; those that this machine cannot be
 * brought to are skipped.
 */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PROGRAM, type Running, sortfirst, start } from '../support/program.ts'

const mesh = fileURLToPath(new URL('../../../test/support/tent.obj', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let out: string
beforeEach(() => {
  out = mkdtempSync(join(folder, 'run-'))
})

/** More frames than are ever reached. */
const film = (place: string) => [
  ...['render', mesh, '--frames', '20000', '--size', '320x180', '--samples', '1', '--ambient-rays', '1'],
  ...['--workers', '1', '--out', place],
]

const unfinished = (place: string) => readdirSync(place).filter(name => name.endsWith('.part'))

/** Waits until it ends, and checks what is promised of every end in the middle. @returns the sentence */
async function sentence(run: Running): Promise<string> {
  const said = await run.line(/^sortfirst: /)
  expect(await run.ended).toBe(1)
  await expect(run.line(/unexpected error|^\s+at /)).rejects.toThrow('ended without')
  return said
}

describe('a folder', () => {
  it('that is removed is not made again', async () => {
    const run = start(film(join(out, 'film')))
    await run.line(/frame\s+3 /)
    // At one moment, though files are being written into it.
    renameSync(join(out, 'film'), join(out, 'removed'))
    rmSync(join(out, 'removed'), { recursive: true, maxRetries: 20 })
    expect(await sentence(run)).toMatch(/film.*expected a writable (file|folder), got .*\(ENOENT\)/)
    expect(readdirSync(out)).toEqual([])
  })

  it('that becomes a file is left as it is', async () => {
    const run = start(film(join(out, 'film')))
    await run.line(/frame\s+3 /)
    renameSync(join(out, 'film'), join(out, 'moved'))
    writeFileSync(join(out, 'film'), 'precious')
    expect(await sentence(run)).toMatch(/film/)
    expect(unfinished(join(out, 'moved'))).toEqual([])
  })

  it('of one strategy that is removed ends compare, too', async () => {
    const args = ['compare', mesh, '--frames', '20000', '--size', '64x36', '--workers', '1', '--strategies', 'pbt']
    const run = start([...args, '--out', join(out, 'report')])
    await run.line(/frame\s+3 /)
    renameSync(join(out, 'report', 'pbt'), join(out, 'removed'))
    expect(await sentence(run)).toMatch(/pbt.*\(ENOENT\)/)
    expect(readdirSync(join(out, 'report'))).toEqual(['compare.json'])
    expect(unfinished(join(out, 'removed'))).toEqual([])
  })
})

describe('a disk', () => {
  const disk = join(folder, 'disk')
  const mounted = (() => {
    try {
      mkdirSync(disk)
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=96k', 'tmpfs', disk], { stdio: 'ignore' })
      execFileSync('umount', [disk])
      return true
    } catch {
      return false
    }
  })()
  if (!mounted) console.warn('full and read-only disks are not tested: nothing can be mounted here')

  describe.skipIf(!mounted)('(a small one)', () => {
    const mount = (size: string) => execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk])
    afterEach(() => void execFileSync('umount', [disk]))

    it('that is full ends the run, and what is there is whole', async () => {
      // Many frames: those that are being written when it is full are removed.
      mount('512k')
      const run = start(film(join(disk, 'film')))
      expect(await sentence(run)).toMatch(/\d{4}\.png: expected a writable file, got a full disk \(ENOSPC\); make room/)
      expect(unfinished(join(disk, 'film'))).toEqual([])
      expect(readdirSync(join(disk, 'film')).length).toBeGreaterThan(1)
    })

    it('that is full of a trace keeps no part of it', async () => {
      mount('96k')
      // Small frames are as long in a trace, and there sooner.
      const run = start([...film(join(out, 'film')), '--size', '32x18', '--trace', join(disk, 'trace.json')])
      expect(await sentence(run)).toMatch(/--trace .*trace\.json: .*a full disk \(ENOSPC\)/)
      expect(readdirSync(disk)).toEqual([])
    })

    it('that becomes read-only ends the run', async () => {
      mount('4m')
      const run = start(film(join(disk, 'film')))
      await run.line(/frame\s+3 /)
      // Refused as long as a file is open for writing, which is most of the time.
      for (let remounted = false; !remounted; ) {
        try {
          execFileSync('mount', ['-o', 'remount,ro', disk], { stdio: 'ignore' })
          remounted = true
        } catch {}
      }
      expect(await sentence(run)).toMatch(/got a read-only file system \(EROFS\)/)
    })

    it('that is read-only from the beginning is wrong usage', async () => {
      mount('96k')
      execFileSync('mount', ['-o', 'remount,ro', disk])
      const { code, stderr } = await sortfirst(film(join(disk, 'film')))
      expect(stderr).toMatch(/^sortfirst: --out .*: expected a writable folder, got a read-only file system \(EROFS\)/)
      expect(code).toBe(2)
    })
  })
})

it('a limit on the size of files ends the run, and what is there is whole', async () => {
  // In blocks of 1 KiB: too few for a picture of noise, which a PNG cannot compress.
  const shell = ['-c', 'ulimit -f 8; exec "$0" "$@"', process.execPath, PROGRAM, ...film(out), '--ambient-rays', '4']
  const child = spawn('bash', shell, { stdio: ['ignore', 'ignore', 'pipe'] })
  let stderr = ''
  child.stderr.on('data', chunk => {
    stderr += chunk
  })
  const code = await new Promise(resolve => child.once('close', resolve))
  // One of the three that are written side by side.
  expect(stderr).toMatch(/^sortfirst: .*000[0-2]\.png: expected a writable file, got a limit on file sizes \(EFBIG\)/m)
  expect(stderr).not.toMatch(/unexpected error|^\s+at /m)
  expect(code).toBe(1)
  expect(unfinished(out)).toEqual([])
})

it.each([
  ['the result of a run', ['render', mesh, '--frames', '2', '--size', '64x36', '--workers', '1', '--out'], true],
  ['a list', ['strategies'], false],
])('%s that nobody reads to the end is said in a sentence', async (_, args, writes) => {
  const child = spawn(process.execPath, [PROGRAM, ...args, ...(writes ? [out] : [])], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stdout.destroy()
  let stderr = ''
  child.stderr.on('data', chunk => {
    stderr += chunk
  })
  const code = await new Promise(resolve => child.once('close', resolve))
  expect(stderr).toMatch(/^sortfirst: standard output: expected a reader that reads all of it, got .*\(EPIPE\)/m)
  expect(stderr).not.toMatch(/unexpected error|^\s+at /m)
  expect(code).toBe(1)
  // Nothing of the result is lost with it.
  expect(readdirSync(out).sort()).toEqual(
    writes ? ['0000.png', '0001.png', 'frames.csv', 'render.json', 'summary.json'] : [],
  )
})

it('progress that nobody reads does not end a run', async () => {
  const args = ['render', mesh, '--frames', '2', '--size', '64x36', '--workers', '1', '--json', '--out', out]
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stderr.destroy()
  let stdout = ''
  child.stdout.on('data', chunk => {
    stdout += chunk
  })
  expect(await new Promise(resolve => child.once('close', resolve))).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ frames: 2 })
})
