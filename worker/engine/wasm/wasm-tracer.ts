/** Makes pixels with the kernel: tells it the view, has it trace block after block, and copies out what it made. */
import type { Rect } from '../../../shared/rect.ts'
import type { View } from '../../../shared/view.ts'
import type { TileBuffers, Tracer } from '../engine.ts'
import { checkTileBuffers } from '../tile-buffers.ts'
import { blocksOf } from './blocks.ts'
import type { WasmScene } from './building.ts'
import { instantiate, type Kernel } from './kernel.ts'
import { KernelMemory } from './memory.ts'
import { putView } from './view-block.ts'

export class WasmTracer implements Tracer {
  readonly #memory: KernelMemory
  readonly #kernel: Kernel
  /** Address of the view block, the beginning of the shading's area. */
  readonly #viewBlock: number
  readonly #mostPixels: number
  /** Where the kernel leaves what it made of a block. */
  readonly #made: { readonly pixels: number; readonly steps: number; readonly depths: number }
  /** The view that the kernel knows. */
  #view: View | undefined

  constructor(module: WebAssembly.Module, scene: WasmScene, thread: number) {
    this.#memory = new KernelMemory(scene.memory)
    this.#kernel = instantiate(module, scene.memory)
    const area = scene.areas + thread * (scene.traceBytes + scene.shadeBytes)
    this.#viewBlock = area + scene.traceBytes
    this.#kernel.bindTrace(area)
    this.#kernel.bindShade(this.#viewBlock)
    this.#mostPixels = this.#kernel.maxBlockPixels()
    this.#made = {
      pixels: this.#kernel.pixelsAddress(),
      steps: this.#kernel.stepsAddress(),
      depths: this.#kernel.depthAddress(),
    }
  }

  traceRows(view: View, rect: Rect, fromRow: number, toRow: number, out: TileBuffers): void {
    checkTileBuffers(rect, out)
    if (view !== this.#view) {
      putView(this.#memory, this.#viewBlock, view)
      this.#view = view
    }
    const kernel = this.#kernel
    for (const block of blocksOf(rect.w, fromRow, toRow, this.#mostPixels)) {
      kernel.tracePixels(rect.x + block.x, rect.y + block.y, block.w, block.h)
      this.#copyOut(rect.w, block, out)
    }
  }

  /** Copies the newest block to its place in a tile that is `width` wide. */
  #copyOut(width: number, { x, y, w, h }: Rect, { rgb, steps, depth }: TileBuffers): void {
    const { bytes, words, floats } = this.#memory
    const { pixels, steps: stepsAt, depths } = this.#made
    for (let row = 0; row < h; row++) {
      const from = row * w
      const to = (y + row) * width + x
      rgb.set(bytes.subarray(pixels + from * 3, pixels + (from + w) * 3), to * 3)
      steps?.set(words.subarray((stepsAt >> 2) + from, (stepsAt >> 2) + from + w), to)
      depth?.set(floats.subarray((depths >> 2) + from, (depths >> 2) + from + w), to)
    }
  }
}
