import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { NoOidnError, OidnError } from '../../../scripts/film/denoise-error.ts'
import { denoiseWithOidn, findOidn, type OidnPicture } from '../../../scripts/film/oidn.ts'
import { InterruptedError } from '../../../scripts/terminal/interrupt.ts'
import { fakeOidn, outOf } from '../../support/fake-oidn.ts'

let folder: string
const path = process.env.PATH
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
})
afterEach(() => {
  process.env.PATH = path
  rmSync(folder, { recursive: true, force: true })
})

const { signal } = new AbortController()

/** 2 × 3 px, of which every value is another one. */
const picture: OidnPicture = {
  size: [2, 3],
  light: Float32Array.from({ length: 18 }, (_, i) => i * 100 + 0.5),
  albedo: Float32Array.from({ length: 18 }, (_, i) => i / 18),
  normal: Float32Array.from({ length: 18 }, (_, i) => Math.cos(i)),
}

describe('the oidnDenoise of the machine', () => {
  it('is the one on the PATH, and is known to depend on the machine', async () => {
    fakeOidn(folder)
    process.env.PATH = `${folder}:${path}`
    expect(await findOidn()).toEqual({
      command: 'oidnDenoise',
      label: 'denoised by the oidnDenoise of this machine: pixels may differ where another one runs',
    })
  })

  it('may not be there', async () => {
    process.env.PATH = folder
    await expect(findOidn()).rejects.toThrow(NoOidnError)
    await expect(findOidn()).rejects.toMatchObject({ code: 'NO_OIDN', exitCode: 2 })
    await expect(findOidn()).rejects.toThrow(
      '--denoise oidn: expected oidnDenoise on the PATH, got none; install Open Image Denoise',
    )
  })

  it('may not start', async () => {
    const broken = join(folder, 'broken')
    writeFileSync(broken, '#!/bin/sh\necho "libOpenImageDenoise.so.2: cannot open" >&2\nexit 127\n')
    chmodSync(broken, 0o755)
    await expect(findOidn(broken)).rejects.toThrow(
      'got one that fails (libOpenImageDenoise.so.2: cannot open); install Open Image Denoise',
    )
  })
})

describe('a picture by oidnDenoise', () => {
  it('is made of light, albedo and normals, row by row from the top, and nothing of it is left behind', async () => {
    const clean = await denoiseWithOidn(await findOidn(fakeOidn(folder)), picture, signal)
    const { light, albedo, normal } = picture
    // What the program in its place makes; rows that were not turned back would be elsewhere.
    expect([...clean]).toEqual([...light.map((value, i) => Math.fround(value * albedo[i]! + normal[i]!))])
    const out = outOf(folder)
    expect(out).toContain('sortfirst-oidn-')
    expect(existsSync(dirname(out))).toBe(false)
  })

  it('has its bottom row first on the way', async () => {
    const oidn = await findOidn(fakeOidn(folder, 'hangs'))
    const abort = new AbortController()
    const making = denoiseWithOidn(oidn, picture, abort.signal)
    const pid = join(folder, 'pid')
    while (!existsSync(pid) || readFileSync(pid, 'utf8') === '') await new Promise(setImmediate)
    const file = readFileSync(join(dirname(outOf(folder)), 'light.pfm'))
    const header = 'PF\n2 3\n-1.0\n'
    expect(file.subarray(0, header.length).toString()).toBe(header)
    expect(file.readFloatLE(header.length)).toBe(picture.light[12])
    expect(file.readFloatLE(file.length - 4)).toBe(picture.light[5])
    abort.abort(new InterruptedError('SIGINT'))
    await expect(making).rejects.toThrow(InterruptedError)
  })

  it.each([
    ['fails', 'expected oidnDenoise to make a picture, got exit code 3 (Error: out of memory); --denoise on needs'],
    ['is killed', 'expected oidnDenoise to make a picture, got SIGKILL; --denoise on needs'],
    ['makes nothing', 'expected a picture of 2x3 from it, got none; --denoise on needs'],
    ['makes another size', 'expected a picture of 2x3 from it, got none; --denoise on needs'],
  ] as const)('that %s says so in a sentence, and leaves nothing', async (deed, sentence) => {
    const making = denoiseWithOidn(await findOidn(fakeOidn(folder, deed)), picture, signal)
    await expect(making).rejects.toThrow(OidnError)
    await expect(making).rejects.toThrow(sentence)
    await expect(making).rejects.toMatchObject({ code: 'OIDN_FAILED', exitCode: 1 })
    expect(existsSync(dirname(outOf(folder)))).toBe(false)
  })

  it('that is no longer there says so in a sentence', async () => {
    const oidn = await findOidn(fakeOidn(folder))
    rmSync(oidn.command)
    await expect(denoiseWithOidn(oidn, picture, signal)).rejects.toThrow(
      /expected oidnDenoise to make a picture, got .*ENOENT/,
    )
  })

  it('ends at once with the run, and leaves nothing', async () => {
    const oidn = await findOidn(fakeOidn(folder, 'hangs'))
    const abort = new AbortController()
    const making = denoiseWithOidn(oidn, picture, abort.signal)
    const pid = join(folder, 'pid')
    while (!existsSync(pid) || readFileSync(pid, 'utf8') === '') await new Promise(setImmediate)
    abort.abort(new InterruptedError('SIGINT'))
    await expect(making).rejects.toThrow(InterruptedError)
    expect(() => process.kill(Number(readFileSync(pid, 'utf8')), 0)).toThrow('ESRCH')
    expect(existsSync(dirname(outOf(folder)))).toBe(false)
    await expect(denoiseWithOidn(oidn, picture, abort.signal)).rejects.toThrow(InterruptedError)
  })
})
