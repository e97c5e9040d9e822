/** Makes the files of frames: the usual pictures with sharp, everything else in a thread that starts when it is first needed. */
import { Worker } from 'node:worker_threads'
import type { Sharp } from 'sharp'
import { SortfirstError } from '../../shared/errors.ts'
import type { FramePlanes } from '../../shared/frame/frame-planes.ts'
import type { Size } from '../../shared/frame/rect.ts'
import type { Region } from '../../shared/frame/region.ts'
import type { Look } from '../../shared/light/tone-map.ts'
import { threadProgram } from '../../shared/node/program-files.ts'
import type { SceneNames } from '../../shared/scene/scene-names.ts'
import { OUTPUT_ENDINGS } from '../files/frame-names.ts'
import type { Denoiser } from '../options/groups/light.ts'
import type { OutputOptions } from '../options/groups/output.ts'
import type { EncodeAnswer, EncodeRequest } from './encoding-thread.ts'
import type { EncodedFrame, EncodeOrder } from './frame-files.ts'
import { comment, withComment } from './png-text.ts'

/** The encoding thread failed or ended: a bug, or too little memory. */
export class EncodingError extends SortfirstError {
  readonly code = 'THREAD_FAILED'
}

/** Which files, and how light is shown in them. */
export interface FrameFormat extends Pick<OutputOptions, 'outputs' | 'aovs' | 'exrLayers' | 'exrType' | 'transparent'> {
  readonly look: Look
  /** The part of each frame that pictures are; undefined: all of it. */
  readonly region?: Region | undefined
  /** What EXR files of light say. */
  readonly comments?: string | undefined
  /** Of the scene; for mattes. */
  readonly names?: SceneNames | undefined
  readonly denoise?: Denoiser | undefined
}

interface Waiting {
  resolve(encoded: EncodedFrame): void
  reject(error: EncodingError): void
}

export class FrameEncoder {
  readonly #format: FrameFormat
  readonly #waiting = new Map<number, Waiting>()
  #thread: Worker | undefined
  /** Why there is no thread any more: nobody would answer. */
  #ended: EncodingError | undefined
  #orders = 0

  constructor(format: FrameFormat) {
    this.#format = format
  }

  /**
   * The files of a frame by what comes after the number in their names. `pixels` are its RGB8.
   * @param tracedBy of its report, for PNG and EXR files
   */
  async files(
    size: Size,
    pixels: Uint8Array,
    planes: FramePlanes,
    tracedBy?: string,
  ): Promise<(readonly [ending: string, bytes: Uint8Array])[]> {
    const { outputs, aovs, exrLayers, exrType, look, region, comments, names, denoise } = this.#format
    const inThread = outputs.some(name => name === 'exr' || name === 'png16') || aovs.length > 0
    const making = inThread
      ? this.#encode({
          size,
          region,
          look,
          planes,
          outputs,
          aovs,
          exrLayers,
          exrType,
          comments,
          names,
          denoise,
          tracedBy,
        })
      : undefined
    // Awaited below; the pictures may fail first.
    making?.catch(() => {})
    const files: (readonly [string, Uint8Array])[] = []
    const picture = this.#picture(size, pixels, planes)
    if (outputs.includes('png')) files.push([OUTPUT_ENDINGS.png, await png(await picture(), tracedBy)])
    if (outputs.includes('webp'))
      files.push([OUTPUT_ENDINGS.webp, await (await picture()).webp({ lossless: true }).toBuffer()])
    const made = await making
    if (made?.rgb16) files.push([OUTPUT_ENDINGS.png16, await png(await image16(size, made.rgb16), tracedBy)])
    for (const [ending, rgb] of made?.pictures ?? []) files.push([ending, await png(await image8(size, rgb), tracedBy)])
    return [...files, ...(made?.files ?? [])]
  }

  /** A PNG of an unfinished frame (RGB8). */
  async preview(size: Size, pixels: Uint8Array): Promise<Uint8Array> {
    return png(await image8(size, pixels))
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    await this.#thread?.terminate()
  }

  /** Returns a function that begins a picture of 8 bits, with alpha if the frame has it. */
  #picture(size: Size, pixels: Uint8Array, { alpha }: FramePlanes): () => Promise<Sharp> {
    if (!this.#format.transparent || !alpha) return () => image8(size, pixels)
    const rgba = new Uint8Array(alpha.length * 4)
    for (let i = 0; i < alpha.length; i++) {
      for (let k = 0; k < 3; k++) rgba[i * 4 + k] = pixels[i * 3 + k]!
      rgba[i * 4 + 3] = Math.round(alpha[i]! * 255)
    }
    return () => image8(size, rgba)
  }

  #encode(order: EncodeOrder): Promise<EncodedFrame> {
    if (this.#ended) return Promise.reject(this.#ended)
    this.#thread ??= this.#start()
    const thread = this.#thread
    const number = this.#orders++
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject })
      thread.postMessage({ number, order } satisfies EncodeRequest)
    })
  }

  #start(): Worker {
    const thread = new Worker(threadProgram('scripts/film/encoding-thread.js'), { name: 'encoding' })
    const end = (reason: string) => {
      this.#ended ??= new EncodingError(`encoding frames: ${reason}`)
      for (const { reject } of this.#waiting.values()) reject(this.#ended)
      this.#waiting.clear()
    }
    thread.on('message', (answer: EncodeAnswer) => {
      const waiting = this.#waiting.get(answer.number)
      this.#waiting.delete(answer.number)
      if ('encoded' in answer) waiting?.resolve(answer.encoded)
      else waiting?.reject(new EncodingError(`encoding a frame: ${answer.failed}`))
    })
    thread.on('error', error => end(error.message))
    thread.on('exit', () => end('the thread has ended'))
    return thread
  }
}

/** Loaded with the first picture: that takes as long as starting the rest of the program, which would wait for it. */
const sharp = async () => (await import('sharp')).default

const image8 = async ([width, height]: Size, pixels: Uint8Array): Promise<Sharp> =>
  (await sharp())(pixels, { raw: { width, height, channels: (pixels.length / (width * height)) as 3 | 4 } })

/** Values are those of the file: without this, sharp would make 8 bits of them. */
const image16 = async ([width, height]: Size, pixels: Uint16Array): Promise<Sharp> =>
  (await sharp())(pixels, {
    raw: { width, height, channels: (pixels.length / (width * height)) as 3 | 4 },
  }).toColourspace('rgb16')

async function png(image: Sharp, tracedBy?: string): Promise<Uint8Array> {
  const file = await image.png({ compressionLevel: 6 }).toBuffer()
  return tracedBy === undefined ? file : withComment(file, comment(`traced by ${tracedBy}`))
}
