/**
 * Writes the files of frames off the critical path: the cluster traces the next frame while this one is compressed.
 * Only a few frames are pending at a time; a caller that is faster than the disk has to wait. A frame that cannot be
 * written ends the rendering at once, because tracing more would be pointless.
 */
import { inSteps } from '../../master/sessions/in-steps.ts'
import type { FramePlanes } from '../../shared/frame/frame-planes.ts'
import type { Size } from '../../shared/frame/rect.ts'
import { sha256Steps } from '../../shared/node/sha256.ts'
import { frameFile } from '../files/frame-names.ts'
import type { OutputFolder } from '../files/output-folder.ts'
import { PNG_ONLY } from '../options/groups/output.ts'
import { anyOf } from '../terminal/interrupt.ts'
import { FrameEncoder, type FrameFormat } from './frame-encoder.ts'
import type { WrittenFile } from './manifest.ts'
import { Previews } from './previews.ts'

/** The most frames that are being written at a time. */
export const MAX_PENDING = 3

/** Takes note of the frames that are complete; the real one is FrameList. */
export interface CompleteFrames {
  add(files: readonly WrittenFile[]): Promise<void>
}

export class FrameWriter {
  readonly #folder: OutputFolder
  readonly #begin: () => Promise<CompleteFrames | undefined>
  readonly #encoder: FrameEncoder
  #begun: Promise<CompleteFrames | undefined> | undefined
  /** Pending writes by frame. */
  readonly #pending = new Map<number, Promise<void>>()
  readonly #previews: Previews
  #written = 0
  readonly #failure = new AbortController()
  #ended = false

  /** @param begin called once, before the first finished frame is written to the folder: previews leave the film there that is there */
  constructor(
    folder: OutputFolder,
    begin: () => Promise<CompleteFrames | undefined> = async () => undefined,
    format: FrameFormat = { ...PNG_ONLY, look: { exposure: 1 } },
  ) {
    this.#folder = folder
    this.#begin = begin
    this.#previews = new Previews(folder)
    this.#encoder = new FrameEncoder(format)
  }

  /** Number of finished frames on disk. */
  get written(): number {
    return this.#written
  }

  /**
   * Runs `rendering`, which calls `write`, and resolves when every accepted frame is on disk. The signal it receives also
   * aborts when a frame cannot be written. Previews of unfinished frames give way to
   * what was there before them.
   *
   * @throws OutputError for the first frame that could not be written, else whatever `rendering` throws
   */
  async during(signal: AbortSignal, rendering: (signal: AbortSignal) => Promise<void>): Promise<void> {
    // Frames that arrive after the rendering has ended are ignored.
    const [outcome] = await Promise.allSettled([rendering(anyOf([signal, this.#failure.signal]))])
    this.#ended = true
    await Promise.all(this.#pending.values())
    await this.#encoder.close()
    await this.#previews.end()
    this.#failure.signal.throwIfAborted()
    if (outcome.status === 'rejected') throw outcome.reason
  }

  /**
   * Accepts a frame (RGB8 and the channels that its files need, now owned); resolves when there is room for another.
   * @param tracedBy of its report
   * @throws OutputError of an earlier frame
   */
  async write(
    frame: number,
    size: Size,
    pixels: Uint8Array,
    planes: FramePlanes = {},
    tracedBy?: string,
  ): Promise<void> {
    // A file has one writer at a time: a pending preview is finished first.
    await this.#pending.get(frame)
    if (this.#ended) return
    this.#put(frame, async () => {
      const files = await this.#encoder.files(size, pixels, planes, tracedBy)
      const complete = await this.#beginOnce()
      const written: WrittenFile[] = []
      for (const [ending, bytes] of files) {
        const name = frameFile(frame, ending)
        await this.#folder.write(name, bytes)
        if (complete) written.push({ name, bytes: bytes.length, sha256: await inSteps(sha256Steps(bytes)) })
      }
      await complete?.add(written)
      await this.#previews.finish(frameFile(frame))
      this.#written++
    })
    while (this.#pending.size >= MAX_PENDING) await Promise.race(this.#pending.values())
    this.#failure.signal.throwIfAborted()
  }

  /**
   * Accepts an unfinished frame (RGB8, now owned), to be viewed under its final name. Skipped if an earlier write is pending,
   * because previews must not delay anything.
   */
  preview(frame: number, size: Size, pixels: Uint8Array): void {
    if (this.#ended || this.#pending.size >= MAX_PENDING || this.#pending.has(frame)) return
    this.#put(frame, async () => this.#previews.show(frameFile(frame), await this.#encoder.preview(size, pixels)))
  }

  #beginOnce(): Promise<CompleteFrames | undefined> {
    this.#begun ??= this.#begin()
    return this.#begun
  }

  #put(frame: number, write: () => Promise<void>): void {
    const written = write()
      .catch(error => this.#failure.abort(error))
      .finally(() => this.#pending.delete(frame))
    this.#pending.set(frame, written)
  }
}
