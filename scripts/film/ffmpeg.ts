/** The machine's ffmpeg, which makes MP4 files: found before the first frame is rendered, and run after the last. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { pipeline } from 'node:stream/promises'
import { messageOf } from '../../shared/errors.ts'
import type { Size } from '../../shared/frame/rect.ts'
import { FilmError, NoFfmpegError } from './film-error.ts'
import { lastLine } from './last-line.ts'

export interface Ffmpeg {
  readonly command: string
  readonly encoder: Encoder
}

type Encoder = keyof typeof ENCODERS

export interface Mp4Order {
  /** Name of the film, for errors. */
  readonly file: string
  /** RGB8 of each frame, in order. */
  readonly frames: AsyncIterable<Uint8Array>
  /** px; both even, because 4:2:0 has a colour for every two by two. */
  readonly size: Size
  /** Per second. */
  readonly fps: number
}

/**
 * The options that choose the quality, for each known encoder of H.264; the first that an ffmpeg has is used. Distributions without
 * x264 have Cisco's openh264, which knows no constant quality: 0.2 bits per pixel is plenty for it.
 */
const ENCODERS = {
  libx264: () => ['-preset', 'medium', '-crf', '18'],
  libopenh264: ([width, height]: Size, fps: number) => ['-b:v', `${Math.ceil(width * height * fps * 0.2)}`],
} as const

/** How long ffmpeg may take to list its encoders, ms. */
const LIST_MS = 20_000

/** @throws NoFfmpegError */
export async function findFfmpeg(command = 'ffmpeg'): Promise<Ffmpeg> {
  const listed = await new Promise<string>((resolve, reject) => {
    execFile(command, ['-hide_banner', '-encoders'], { timeout: LIST_MS }, (error, stdout, stderr) => {
      if (!error) resolve(stdout)
      else
        reject(
          new NoFfmpegError(error.code === 'ENOENT' ? 'none' : `one that fails (${lastLine(stderr) ?? error.message})`),
        )
    })
  })
  const has = new Set(listed.split('\n').map(line => line.trim().split(/\s+/)[1]))
  const encoder = (Object.keys(ENCODERS) as Encoder[]).find(name => has.has(name))
  if (!encoder) throw new NoFfmpegError('one without them')
  return { command, encoder }
}

/**
 * Has ffmpeg make an MP4 file of frames; an aborted signal ends it at once.
 * @throws FilmError, the reason of `signal`, and what `frames` throws
 */
export async function writeMp4(ffmpeg: Ffmpeg, order: Mp4Order, path: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const child = spawn(ffmpeg.command, argumentsOf(ffmpeg.encoder, order, path), { stdio: ['pipe', 'ignore', 'pipe'] })
  const kill = () => child.kill('SIGKILL')
  signal.addEventListener('abort', kill)
  let said = ''
  child.stderr.setEncoding('utf8').on('data', text => {
    said = (said + text).slice(-LAST_CHARS)
  })
  const ended = once(child, 'close').then(
    ([code, by]) => (code === 0 ? undefined : code === null ? `${by}` : `exit code ${code}`),
    messageOf,
  )
  try {
    // Fails, too, when ffmpeg ends before it has read all: then its own end says more.
    let unread: unknown
    await pipeline(order.frames, child.stdin).catch(error => {
      unread = error
      if (isOwn(error)) kill()
    })
    const failure = await ended
    signal.throwIfAborted()
    if (isOwn(unread)) throw unread
    const got = failure ?? (unread === undefined ? undefined : 'an end before the last frame')
    if (got !== undefined) {
      const line = lastLine(said)
      throw new FilmError(order.file, 'ffmpeg to make it', line === undefined ? got : `${got} (${line})`)
    }
  } finally {
    signal.removeEventListener('abort', kill)
  }
}

const LAST_CHARS = 4096

/** Whether it comes from the frames; errors of the pipe have codes of the system and of Node. */
const isOwn = (error: unknown): error is FilmError => error instanceof FilmError

function argumentsOf(encoder: Encoder, { size, fps }: Mp4Order, path: string): string[] {
  return [
    ...['-hide_banner', '-loglevel', 'error', '-nostats', '-y'],
    ...[
      '-f',
      'rawvideo',
      '-pixel_format',
      'rgb24',
      '-video_size',
      size.join('x'),
      '-framerate',
      `${fps}`,
      '-i',
      'pipe:0',
    ],
    // The colours of HD video, and marked as such: players take what is not marked for either of two.
    ...['-vf', 'scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd+full_chroma_int,format=yuv420p'],
    ...['-color_primaries', 'bt709', '-color_trc', 'bt709', '-colorspace', 'bt709', '-color_range', 'tv'],
    ...['-c:v', encoder, ...ENCODERS[encoder](size, fps)],
    // The index first, so that browsers play it before they have all of it.
    ...['-movflags', '+faststart', '-f', 'mp4'],
    // Without it, a folder with a colon in its name would be taken for a protocol.
    `file:${path}`,
  ]
}
