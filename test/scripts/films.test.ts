/** Films and contact sheets, asked for as a user would, with a program of the test's own for ffmpeg. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { expectSentence } from '../support/complaint.ts'
import { type Deed, fakeFfmpeg, givenTo, wordAfter } from '../support/fake-ffmpeg.ts'
import { lentCluster } from '../support/lent-cluster.ts'
import { gone } from '../support/processes.ts'
import { sortfirst, start } from '../support/program.ts'

const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let out: string
let bin: string
beforeEach(() => {
  const run = mkdtempSync(join(folder, 'run-'))
  ;[out, bin] = [join(run, 'film'), join(run, 'bin')]
  mkdirSync(bin)
})

const words = (...more: string[]) => [
  ...['render', 'corner', '--size', '47x27', '--samples', '1', '--ambient-rays', '1', '--out', out],
  ...more,
]
const lent = lentCluster()
const run = (...more: string[]) => sortfirst(words(...more, ...lent()), { env: { PATH: bin } })
const ffmpeg = (deed: Deed) => fakeFfmpeg(bin, deed)
const filesIn = (path: string) => readdirSync(path).sort()

/** RGB of a frame's file, with even sides. */
const evenly = (frame: string) =>
  sharp(join(out, frame)).extend({ right: 1, bottom: 1, extendWith: 'copy' }).removeAlpha().raw().toBuffer()

describe('a film', () => {
  it('is made of all frames, also of those that were there already', async () => {
    ffmpeg('makes')
    const first = await run('--frames', '3', '--contact-sheet')
    expect(first.code, first.stderr).toBe(0)
    expect(first.stdout).toContain(`\ncontact sheet: ${join(out, 'contact-sheet.png')}\n`)
    expect(filesIn(out)).toEqual(
      ['0000.png', '0001.png', '0002.png', 'contact-sheet.png', 'frames.csv', 'render.json', 'summary.json'].sort(),
    )
    const sheet = await sharp(join(out, 'contact-sheet.png')).stats()
    expect(sheet.channels[0]!.stdev).toBeGreaterThan(10)

    rmSync(join(out, '0001.png'))
    const time = ['--duration', '0.16', '--fps', '25']
    const resumed = await run(...time, '--output', 'animated-webp,mp4', '--resume')
    expect(resumed.code, resumed.stderr).toBe(0)
    expect(resumed.stderr).toContain('2 of 4 frames are complete already')
    expect(resumed.stderr).toContain('film.mp4: 4 frames, 0.16 s')
    expect(resumed.stdout).toContain(`film: ${join(out, 'film.mp4')}\nfilm: ${join(out, 'film.webp')}\n`)
    const { words, stdin } = givenTo(bin)
    expect(wordAfter(words, '-video_size')).toBe('48x28')
    expect(wordAfter(words, '-framerate')).toBe('25')
    const frames = await Promise.all(['0000.png', '0001.png', '0002.png', '0003.png'].map(evenly))
    expect(stdin.equals(Buffer.concat(frames))).toBe(true)
    expect(readFileSync(join(out, 'film.mp4'), 'utf8')).toBe('a film')
    expect(await sharp(join(out, 'film.webp')).metadata()).toMatchObject({ pages: 4, delay: [40, 40, 40, 40] })

    // Nothing is left to render, and yet there is a film of what was asked for.
    rmSync(join(out, 'film.mp4'))
    const before = statSync(join(out, '0002.png')).mtimeMs
    const again = await run('--frames', '1..2', '--output', 'mp4', '--resume', '--json')
    expect(again.code, again.stderr).toBe(0)
    expect(again.stdout).toBe('null\n')
    expect(givenTo(bin).stdin.equals(Buffer.concat(frames.slice(1, 3)))).toBe(true)
    expect(statSync(join(out, '0002.png')).mtimeMs).toBe(before)
    expect(filesIn(out).filter(name => name.includes('part'))).toEqual([])
  })

  it('keeps its frames when ffmpeg fails, and the film that was there', async () => {
    ffmpeg('makes')
    expect((await run('--frames', '2', '--output', 'mp4')).code).toBe(0)
    for (const [deed, got] of [
      ['fails', 'got exit code 228 (No space left on device)'],
      ['is killed', 'got SIGKILL'],
    ] as const) {
      ffmpeg(deed)
      const failed = await run('--frames', '2', '--output', 'mp4', '--resume')
      expectSentence(failed, 1, 'film.mp4: expected ffmpeg to make it', got, 'the same command with --resume makes it')
      expect(filesIn(out)).toEqual(['0000.png', '0001.png', 'film.mp4', 'frames.csv', 'render.json', 'summary.json'])
      expect(readFileSync(join(out, 'film.mp4'), 'utf8')).toBe('a film')
    }
  })

  it('has no frame that is damaged', async () => {
    expect((await run('--frames', '2')).code).toBe(0)
    truncateSync(join(out, '0001.png'), 100)
    const resumed = await run('--frames', '2', '--output', 'animated-webp', '--resume')
    expect(resumed.code, resumed.stderr).toBe(0)
    expect(resumed.stderr).toContain('1 of 2 frames is complete already')
    expect(resumed.stderr).toContain('film.webp: 2 frames')
  })

  it('ends with Ctrl-C, and leaves no half of itself', async () => {
    ffmpeg('hangs')
    const path = process.env.PATH
    process.env.PATH = bin
    const running = start(words('--frames', '2', '--output', 'mp4'))
    process.env.PATH = path
    while (!existsSync(join(bin, 'pid'))) await new Promise(resolve => setTimeout(resolve, 5))
    expect(await running.stop('SIGINT')).toBe(130)
    await running.line(/^all frames are in .*; the same command with --resume makes film\.mp4$/)
    expect(filesIn(out)).toEqual(['0000.png', '0001.png', 'frames.csv', 'render.json', 'summary.json'])
    await gone([Number(readFileSync(join(bin, 'pid'), 'utf8'))])
  })
})

describe('words about films that are wrong', () => {
  it('are refused before there is a folder', async () => {
    const refused = await run('--frames', '2', '--output', 'mp4')
    expectSentence(refused, 2, '--output mp4: expected ffmpeg on the PATH', 'got none; install it')
    expect(existsSync(out)).toBe(false)
  })

  it.each<[string[], string]>([
    [['--fps', '0'], "--fps: expected a number from 1 to 1000, got '0'"],
    [['--duration', '2', '--frames', '48'], '--duration cannot be combined with --frames'],
    [
      ['--output', 'webp-film'],
      "unknown output 'webp-film': expected one of png, png16, exr, webp, mp4, animated-webp",
    ],
  ])('%j', async (more, sentence) => expectSentence(await run(...more), 2, sentence))
})
