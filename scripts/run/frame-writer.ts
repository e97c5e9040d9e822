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
  readonly #pending = new Set<Promise<void>>()
  readonly #failure = new AbortController()
  #ended = false

  constructor(folder: OutputFolder) {
    this.#folder = folder
  }

  /**
   * Does `rendering`, which calls `write`, and resolves when every frame taken is on disk. The signal that it gets aborts
   * when a frame cannot be written, too.
   *
   * @throws OutputError for the first frame that could not be written, else whatever `rendering` throws
   */
  async during(signal: AbortSignal, rendering: (signal: AbortSignal) => Promise<void>): Promise<void> {
    // Once it has given up, a frame on its way in is nobody's.
    const [outcome] = await Promise.allSettled([rendering(anyOf([signal, this.#failure.signal]))])
    this.#ended = true
    await Promise.all(this.#pending)
    this.#failure.signal.throwIfAborted()
    if (outcome.status === 'rejected') throw outcome.reason
  }

  /** Takes a frame (RGB8, owned from now on); resolves when there is room for another. @throws OutputError of an earlier frame */
  async write(frame: number, [width, height]: Size, pixels: Uint8Array): Promise<void> {
    if (this.#ended) return
    const job = sharp(pixels, { raw: { width, height, channels: 3 } })
      .png({ compressionLevel: 6 })
      .toBuffer()
      .then(png => this.#folder.write(frameFile(frame), png))
      .then(() => {})
      .catch(error => this.#failure.abort(error))
      .finally(() => this.#pending.delete(job))
    this.#pending.add(job)
    while (this.#pending.size >= MAX_PENDING) await Promise.race(this.#pending)
    this.#failure.signal.throwIfAborted()
  }
}
