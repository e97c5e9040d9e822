/**
 * Turns frames into PNG files beside the critical path: the cluster traces the next frame while sharp compresses this
 * one. Only a few frames wait at a time; whoever brings more than the disk takes has to wait.
 */
import { join } from 'node:path'
import sharp from 'sharp'
import type { Size } from '../../shared/rect.ts'
import { frameFile } from '../files/output-folder.ts'
import { writeWhole } from '../files/write-whole.ts'

const MAX_PENDING = 3

export class FrameWriter {
  readonly #folder: string
  readonly #pending = new Set<Promise<void>>()
  #failure: { readonly error: unknown } | undefined

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Takes a frame (RGB8, owned from now on); resolves when there is room for another. @throws what an earlier frame met */
  async write(frame: number, [width, height]: Size, pixels: Uint8Array): Promise<void> {
    const job = sharp(pixels, { raw: { width, height, channels: 3 } })
      .png({ compressionLevel: 6 })
      .toBuffer()
      .then(png => writeWhole(join(this.#folder, frameFile(frame)), png))
      .catch(error => {
        this.#failure ??= { error }
      })
      .finally(() => this.#pending.delete(job))
    this.#pending.add(job)
    while (this.#pending.size >= MAX_PENDING) await Promise.race(this.#pending)
    this.#check()
  }

  /** Resolves when every frame taken is on disk. @throws what any of them met */
  async drain(): Promise<void> {
    await Promise.all(this.#pending)
    this.#check()
  }

  #check(): void {
    if (this.#failure) throw this.#failure.error
  }
}
