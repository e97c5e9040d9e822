/** Frames that the machine's own denoiser cleans; here a program in its place, which multiplies light with albedo and adds the normal. */
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { expectSentence } from '../support/complaint.ts'
import { fakeOidn } from '../support/fake-oidn.ts'
import { lentCluster } from '../support/lent-cluster.ts'
import { type Outcome, sortfirst } from '../support/program.ts'

const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const lent = lentCluster()
const bin = (deed: Parameters<typeof fakeOidn>[1]) => {
  const path = mkdtempSync(join(folder, 'bin-'))
  fakeOidn(path, deed)
  return path
}

const PICTURE = ['render', 'corner', '--frames', '1', '--size', '24x16', '--samples', '2', '--integrator', 'path']
const render = (out: string, path: string, ...more: string[]): Promise<Outcome> =>
  sortfirst([...PICTURE, '--out', join(folder, out), ...more, ...lent()], { env: { PATH: path } })
const rgb = (out: string) =>
  sharp(join(folder, out, '0000.png'))
    .removeAlpha()
    .raw()
    .toBuffer()

describe('--denoise oidn', () => {
  it('writes what the program makes, says that it depends on the machine, and goes on with --resume', async () => {
    const path = bin('makes')
    const done = await render('clean', path, '--denoise', 'oidn', '--output', 'png,exr', '--json')
    expect(done.code, done.stderr).toBe(0)
    expect(done.stderr).toContain('pixels may differ where another one runs')
    const pixels = await rgb('clean')
    const summary = JSON.parse(done.stdout) as {
      strategies: [{ frameSha256: string[] }]
    }
    expect(summary).toMatchObject({ denoise: 'oidn' })
    expect(summary.strategies[0].frameSha256).toEqual([createHash('sha256').update(pixels).digest('hex')])
    expect(readFileSync(join(folder, 'clean', '0000.exr'), 'latin1')).toContain('oidnDenoise, of one machine')
    expect((await render('noisy', path, '--json')).code).toBe(0)
    expect(pixels.equals(await rgb('noisy'))).toBe(false)
    const again = await render('clean', path, '--denoise', 'oidn', '--output', 'png,exr', '--resume')
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('complete already')])
    expectSentence(await render('clean', path, '--output', 'png,exr', '--resume'), 2, 'denoise')
  })

  it('leaves the transparent part of pictures as it is', async () => {
    const done = await render('thin', bin('makes'), '--denoise', 'oidn', '--transparent')
    expect(done.code, done.stderr).toBe(0)
    expect((await render('plain', folder, '--transparent')).code).toBe(0)
    const alphaOf = (out: string) =>
      sharp(join(folder, out, '0000.png'))
        .extractChannel('alpha')
        .raw()
        .toBuffer()
    expect((await alphaOf('thin')).equals(await alphaOf('plain'))).toBe(true)
  })

  it('is refused before anything is rendered where there is no such program', async () => {
    const refused = await render('none', folder, '--denoise', 'oidn')
    expectSentence(refused, 2, '--denoise oidn: expected oidnDenoise on the PATH', 'use --denoise on')
    expect(existsSync(join(folder, 'none'))).toBe(false)
  })

  it('fails with the program’s own words, and keeps no half frame', async () => {
    expectSentence(await render('failed', bin('fails'), '--denoise', 'oidn'), 1, 'out of memory')
    expect(existsSync(join(folder, 'failed', '0000.png'))).toBe(false)
  })

  it('is of programs that write frames: the library has its cluster’s own', async () => {
    const { render } = await import('../../scripts/library/render.ts')
    const frames = render('corner', { denoise: 'oidn' as never })
    await expect(frames.next()).rejects.toThrow("unknown denoiser 'oidn': expected one of off, on")
  })
})
