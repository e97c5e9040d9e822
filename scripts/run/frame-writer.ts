/**
 * Turns frames into PNG files beside the critical path: the cluster traces the next frame while sharp compresses this
 * one. Only a few frames wait at a time; whoever brings more than the disk takes has to wait. A frame that cannot be
 * written ends the rendering at once: those that follow would be traced for nothing.
 */
import sharp from 'sharp'
import type { Size } from '../../shared/rect.ts'
import { frameFile } from '../files/frame-names.ts'
import type { OutputFolder } from '../files/output-folder.ts'
import { anyOf } from './interrupt.ts'

const MAX_PENDING = 3

export class FrameWriter {
  readonly #folder: OutputFolder
  readonly #begin: () => Promise<void>
  #begun: Promise<void> | undefined
  /** By frame. */
  readonly #pending = new Map<number, Promise<void>>()
  /** Frames of which the folder holds a preview. */
  readonly #previewed = new Set<number>()
  #previews = 0
  #written = 0
  readonly #failure = new AbortController()
  #ended = false

  /** @param begin done once, before the first file is put into the folder */
  constructor(folder: OutputFolder, begin: () => Promise<void> = async () => {}) {
    this.#folder = folder
    this.#begin = begin
  }

  /** Finished frames that are on disk. */
  get written(): number {
    return this.#written
  }

  /**
   * Does `rendering`, which calls `write`, and resolves when every frame taken is on disk. The signal that it gets aborts
   * when a frame cannot be written, too. Frames that are not finished by then leave no preview.
   *
   * @throws OutputError for the first frame that could not be written, else whatever `rendering` throws
   */
  async during(signal: AbortSignal, rendering: (signal: AbortSignal) => Promise<void>): Promise<void> {
    // Once it has given up, a frame on its way in is nobody's.
    const [outcome] = await Promise.allSettled([rendering(anyOf([signal, this.#failure.signal]))])
    this.#ended = true
    await Promise.all(this.#pending.values())
    for (const frame of this.#previewed) await this.#folder.remove(frameFile(frame))
    this.#failure.signal.throwIfAborted()
    if (outcome.status === 'rejected') throw outcome.reason
  }

  /** Takes a frame (RGB8, owned from now on); resolves when there is room for another. @throws OutputError of an earlier frame */
  async write(frame: number, size: Size, pixels: Uint8Array): Promise<void> {
    // One file is written by one at a time: what is begun of a preview is finished first.
    await this.#pending.get(frame)
    if (this.#ended) return
    this.#put(frame, size, pixels, undefined)
    while (this.#pending.size >= MAX_PENDING) await Promise.race(this.#pending.values())
    this.#failure.signal.throwIfAborted()
  }

  /**
   * Takes a frame that is not finished (RGB8, owned from now on), to be looked at under its name. Left out where the one
   * before is still being written: nobody waits for it. Such a file is older than any film, so that `--resume` never takes
   * it for a frame, even where the run was killed.
   */
  preview(frame: number, size: Size, pixels: Uint8Array): void {
    if (this.#ended || this.#pending.size >= MAX_PENDING || this.#pending.has(frame)) return
    // A second later each time: who looks at that sees that there is another.
    this.#put(frame, size, pixels, new Date(++this.#previews * 1000))
  }

  /** @param modified of a preview */
  #put(frame: number, [width, height]: Size, pixels: Uint8Array, modified: Date | undefined): void {
    const write = async (): Promise<void> => {
      const png = await sharp(pixels, { raw: { width, height, channels: 3 } })
        .png({ compressionLevel: 6 })
        .toBuffer()
      this.#begun ??= this.#begin()
      await this.#begun
      await this.#folder.write(frameFile(frame), png, modified)
      if (modified) this.#previewed.add(frame)
      else {
        this.#previewed.delete(frame)
        this.#written++
      }
    }
    const written = write()
      .catch(error => this.#failure.abort(error))
      .finally(() => this.#pending.delete(frame))
    this.#pending.set(frame, written)
  }
}
