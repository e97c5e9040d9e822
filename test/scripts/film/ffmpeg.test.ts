import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findFfmpeg, type Mp4Order, writeMp4 } from '../../../scripts/film/ffmpeg.ts'
import { FilmError, NoFfmpegError } from '../../../scripts/film/film-error.ts'
import { InterruptedError } from '../../../scripts/terminal/interrupt.ts'
import { fakeFfmpeg, givenTo, wordAfter } from '../../support/fake-ffmpeg.ts'

let folder: string
let film: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
  film = join(folder, 'film.mp4')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const { signal } = new AbortController()

async function* pictures(count: number, bytes = 12): AsyncGenerator<Uint8Array> {
  for (let frame = 0; frame < count; frame++) yield new Uint8Array(bytes).fill(frame + 1)
}

/** Frames that no pipe takes all of. */
const many = (): Mp4Order => ({ file: 'film.mp4', frames: pictures(64, 2 ** 18), size: [512, 170], fps: 24 })

describe('the ffmpeg of the machine', () => {
  it.each([
    [['libx264'], 'libx264'],
    [['aac', 'libopenh264', 'libx264rgb', 'libx264'], 'libx264'],
    [['libopenh264'], 'libopenh264'],
  ])('with %j encodes with %s', async (encoders, encoder) => {
    const command = fakeFfmpeg(folder, 'makes', encoders)
    expect(await findFfmpeg(command)).toEqual({ command, encoder })
  })

  it.each<[string, () => string, string]>([
    ['is not there', () => join(folder, 'none'), 'got none; install it (apt install ffmpeg'],
    ['knows no H.264', () => fakeFfmpeg(folder, 'makes', ['mpeg4', 'libx264rgb']), 'got one without them; install it'],
    [
      'does not start',
      () => {
        const path = join(folder, 'broken')
        writeFileSync(path, '#!/bin/sh\necho "libavdevice.so.59: cannot open" >&2\nexit 127\n')
        chmodSync(path, 0o755)
        return path
      },
      'got one that fails (libavdevice.so.59: cannot open); install it',
    ],
  ])('may be one that %s', async (_, command, words) => {
    const finding = findFfmpeg(command())
    await expect(finding).rejects.toThrow(NoFfmpegError)
    await expect(finding).rejects.toThrow(words)
    await expect(finding).rejects.toMatchObject({ exitCode: 2 })
  })
})

describe('a film by ffmpeg', () => {
  it('gets its frames in order, with their size and rate', async () => {
    const ffmpeg = await findFfmpeg(fakeFfmpeg(folder))
    await writeMp4(ffmpeg, { file: 'film.mp4', frames: pictures(3), size: [2, 2], fps: 23.976 }, film, signal)
    const { words, stdin } = givenTo(folder)
    expect([...stdin]).toEqual([1, 2, 3].flatMap(level => Array(12).fill(level)))
    expect(words.at(-1)).toBe(`file:${film}`)
    const input = ['-f', '-pixel_format', '-video_size', '-framerate', '-i'].map(option => wordAfter(words, option))
    expect(input).toEqual(['rawvideo', 'rgb24', '2x2', '23.976', 'pipe:0'])
    expect(['-c:v', '-crf', '-movflags'].map(option => wordAfter(words, option))).toEqual([
      'libx264',
      '18',
      '+faststart',
    ])
    expect(wordAfter(words, '-vf')).toMatch(/,format=yuv420p$/)
    expect(readFileSync(film, 'utf8')).toBe('a film')
  })

  it('has a rate of bits where the encoder knows no quality', async () => {
    const ffmpeg = await findFfmpeg(fakeFfmpeg(folder, 'makes', ['libopenh264']))
    await writeMp4(ffmpeg, { file: 'film.mp4', frames: pictures(1), size: [1280, 720], fps: 25 }, film, signal)
    const { words } = givenTo(folder)
    expect([wordAfter(words, '-c:v'), wordAfter(words, '-b:v')]).toEqual(['libopenh264', '4608000'])
    expect(words).not.toContain('-crf')
  })

  it.each([
    ['fails', 'film.mp4: expected ffmpeg to make it, got exit code 228 (No space left on device); the frames are kept'],
    ['is killed', 'film.mp4: expected ffmpeg to make it, got SIGKILL; the frames are kept'],
    ['ends early', 'film.mp4: expected ffmpeg to make it, got an end before the last frame; the frames are kept'],
  ] as const)('that %s says so in a sentence', async (deed, sentence) => {
    const making = writeMp4(await findFfmpeg(fakeFfmpeg(folder, deed)), many(), film, signal)
    await expect(making).rejects.toThrow(FilmError)
    await expect(making).rejects.toThrow(sentence)
  })

  it('that is no longer there says so in a sentence', async () => {
    const ffmpeg = await findFfmpeg(fakeFfmpeg(folder))
    rmSync(ffmpeg.command)
    await expect(writeMp4(ffmpeg, many(), film, signal)).rejects.toThrow(
      /film.mp4: expected ffmpeg to make it, got .*ENOENT/,
    )
  })

  it('ends with what is wrong with a frame', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield* pictures(2)
      throw new FilmError('film.mp4', '0002.png to be a PNG', 'nothing')
    }
    const ffmpeg = await findFfmpeg(fakeFfmpeg(folder))
    const making = writeMp4(ffmpeg, { ...many(), frames: broken() }, film, signal)
    await expect(making).rejects.toThrow('film.mp4: expected 0002.png to be a PNG, got nothing')
  })

  it('ends at once with the run', async () => {
    const ffmpeg = await findFfmpeg(fakeFfmpeg(folder, 'hangs'))
    const abort = new AbortController()
    const making = writeMp4(ffmpeg, many(), film, abort.signal)
    const pid = join(folder, 'pid')
    while (!existsSync(pid) || readFileSync(pid, 'utf8') === '') await new Promise(setImmediate)
    abort.abort(new InterruptedError('SIGINT'))
    await expect(making).rejects.toThrow(InterruptedError)
    expect(() => process.kill(Number(readFileSync(pid, 'utf8')), 0)).toThrow('ESRCH')
    await expect(writeMp4(ffmpeg, many(), film, abort.signal)).rejects.toThrow(InterruptedError)
  })
})
