/**
 * Computes pixels with the kernel: passes it the view, has it trace block by block, and copies the results. The channels beside
 * colour come from rays of their own (`first-hits.ts`), and so does transparency: light of samples that hit nothing is left out.
 */
import { joinSums } from '../../../shared/light/accumulate.ts'
import { ToneMap } from '../../../shared/light/tone-map.ts'
import { DEFAULT_TONE_MAPPING } from '../../../shared/light/tone-mapping.ts'
import { type PixelSet, pixelCount } from '../../../shared/pixel-set.ts'
import { raysPerPixel } from '../../../shared/rays-per-pixel.ts'
import type { Rect } from '../../../shared/rect.ts'
import type { SampleRange, View } from '../../../shared/view.ts'
import type { PixelBuffers, Tracer } from '../engine.ts'
import { FirstHits, type MixedPixel } from '../first-hits.ts'
import { checkRequest } from '../pixel-buffers.ts'
import { blocksOf } from './blocks.ts'
import type { WasmScene } from './building.ts'
import { LISTED_BYTES, SUM_BYTES } from './kernel/layout.ts'
import { instantiate, type Kernel } from './kernel.ts'
import { KernelRays } from './kernel-rays.ts'
import { KernelMemory } from './memory.ts'
import { packedSceneIn } from './scene-header.ts'
import { type ListedPixels, listPixel, SquareList } from './square-list.ts'
import { putSamples, putView } from './view-block.ts'

/** Approximate number of rays per kernel call, about ten milliseconds of work: a call cannot be interrupted. */
const BLOCK_RAYS = 65536
/** Pixels of a square, which the kernel prefers complete. */
const SQUARE_PIXELS = 64

export class WasmTracer implements Tracer {
  readonly #memory: KernelMemory
  readonly #kernel: Kernel
  /** Address of the view block, at the start of the shading workspace. */
  readonly #viewBlock: number
  readonly #mostPixels: number
  readonly #list: SquareList
  /** Where the kernel reads lists of squares. */
  readonly #listed: number
  /** Where the kernel leaves the results of a block. */
  readonly #made: { readonly sums: number; readonly pixels: number; readonly steps: number; readonly depths: number }
  /** The view that the kernel currently has. */
  #view: View | undefined
  /** Made when it is first needed. */
  #firstHits: FirstHits | undefined

  constructor(module: WebAssembly.Module, scene: WasmScene, thread: number) {
    this.#memory = new KernelMemory(scene.memory)
    this.#kernel = instantiate(module, scene.memory)
    const workspace = scene.workspaces + thread * (scene.traceBytes + scene.shadeBytes)
    this.#viewBlock = workspace + scene.traceBytes
    this.#kernel.bindTrace(workspace)
    this.#kernel.bindShade(this.#viewBlock)
    this.#mostPixels = this.#kernel.maxBlockPixels()
    this.#list = new SquareList(this.#mostPixels)
    this.#listed = this.#kernel.listedAddress()
    this.#made = {
      sums: this.#kernel.sumsAddress(),
      pixels: this.#kernel.pixelsAddress(),
      steps: this.#kernel.stepsAddress(),
      depths: this.#kernel.depthAddress(),
    }
  }

  trace(view: View, set: PixelSet, samples: SampleRange, out: PixelBuffers, stopped = () => false): void {
    checkRequest(view, set, samples, out)
    if (view !== this.#view) {
      putView(this.#memory, this.#viewBlock, view)
      this.#view = view
    }
    const { rgb, centre, albedo, alpha } = out
    const { toneMapping = DEFAULT_TONE_MAPPING, transparent = false } = view
    // The kernel finishes what is most common; anything else is finished here, from sums of light.
    const finishedHere = rgb && (toneMapping !== 'aces' || transparent)
    const light = finishedHere ? new Float64Array(pixelCount(set) * 3) : out.light
    const { rgb: _, ...rest } = out
    this.#traceLight(view, set, samples, light ? { ...rest, light } : out, stopped)
    if (centre) this.#hits.centres(view, set, centre, stopped)
    if (light && transparent) this.#makeTransparent(view, set, samples, { ...out, light }, stopped)
    else if (albedo || alpha) this.#hits.samples(view, set, samples, out, stopped)
    if (finishedHere) new ToneMap(view).finish(light!, rgb)
  }

  get #hits(): FirstHits {
    if (!this.#firstHits) {
      const rays = new KernelRays(this.#memory, this.#kernel)
      this.#firstHits = new FirstHits(packedSceneIn(this.#memory), (batch, count) => rays.closest(batch, count))
    }
    return this.#firstHits
  }

  /** Takes the light of samples that hit nothing out of sums, and fills `albedo` and `alpha`, if there. */
  #makeTransparent(
    view: View,
    set: PixelSet,
    samples: SampleRange,
    out: PixelBuffers & { readonly light: Float64Array },
    stopped: () => boolean,
  ): void {
    const { light } = out
    const mixed: MixedPixel[] = []
    const clear = (pixel: number) => light.fill(0, pixel * 3, pixel * 3 + 3)
    this.#hits.samples(view, set, samples, out, stopped, pixel => mixed.push(pixel), clear)
    // At the edges of things, the samples that hit something are traced again, and their light alone is added up.
    for (const { index } of mixed) clear(index)
    for (let sample = samples.from; sample < samples.to && !stopped(); sample++) {
      const pixels = mixed.filter(({ hits }) => hits.includes(sample))
      putSamples(this.#memory, this.#viewBlock, { from: sample, to: sample + 1 })
      for (let from = 0; from < pixels.length; from += this.#mostPixels)
        this.#addLight(pixels.slice(from, from + this.#mostPixels), light)
    }
  }

  /** Adds the light of the current samples of some pixels to their sums. */
  #addLight(pixels: readonly MixedPixel[], light: Float64Array): void {
    const list = this.#memory.words.subarray(this.#listed >> 2, (this.#listed + pixels.length * LISTED_BYTES) >> 2)
    for (const [i, { x, y }] of pixels.entries()) listPixel(x, y, list, i)
    this.#kernel.traceListed(pixels.length, pixels.length)
    const sum = new Float64Array(3)
    for (const [i, { index }] of pixels.entries()) {
      copySum(this.#memory.doubles, this.#made.sums, i, sum, 0)
      joinSums(light.subarray(index * 3, index * 3 + 3), sum)
    }
  }

  #traceLight(view: View, set: PixelSet, samples: SampleRange, out: PixelBuffers, stopped: () => boolean): void {
    putSamples(this.#memory, this.#viewBlock, samples)
    const rays = raysPerPixel({ ...view.quality, samples: samples.to - samples.from })
    const mostPixels = Math.min(this.#mostPixels, Math.max(SQUARE_PIXELS, Math.floor(BLOCK_RAYS / rays)))
    const take = (listed: ListedPixels): void => {
      if (!stopped()) this.#traceListed(listed, out)
    }
    if (set.pattern) this.#list.forEach(set, take, mostPixels)
    else this.#traceRect(set.rect, mostPixels, out, stopped)
  }

  #traceRect({ x, y, w, h }: Rect, mostPixels: number, out: PixelBuffers, stopped: () => boolean): void {
    for (const block of blocksOf(w, 0, h, mostPixels)) {
      if (stopped()) return
      this.#kernel.tracePixels(x + block.x, y + block.y, block.w, block.h)
      if (out.rgb) this.#kernel.finishPixels(block.w * block.h)
      this.#copyBlock(w, block, out)
    }
  }

  /** Copies the newest block to its place in a tile that is `width` wide. */
  #copyBlock(width: number, { x, y, w, h }: Rect, { rgb, light, steps, depth }: PixelBuffers): void {
    const { bytes, words, floats, doubles } = this.#memory
    const { sums, pixels, steps: stepsAt, depths } = this.#made
    for (let row = 0; row < h; row++) {
      const from = row * w
      const to = (y + row) * width + x
      rgb?.set(bytes.subarray(pixels + from * 3, pixels + (from + w) * 3), to * 3)
      if (light) for (let i = 0; i < w; i++) copySum(doubles, sums, from + i, light, to + i)
      steps?.set(words.subarray((stepsAt >> 2) + from, (stepsAt >> 2) + from + w), to)
      depth?.set(floats.subarray((depths >> 2) + from, (depths >> 2) + from + w), to)
    }
  }

  #traceListed({ words, squares, places, pixels }: ListedPixels, { rgb, light, steps, depth }: PixelBuffers): void {
    this.#memory.words.set(words.subarray(0, (squares * LISTED_BYTES) / 4), this.#listed >> 2)
    this.#kernel.traceListed(squares, pixels)
    if (rgb) this.#kernel.finishPixels(pixels)
    const { bytes, words: counts, floats, doubles } = this.#memory
    const { sums, pixels: rgbAt, steps: stepsAt, depths } = this.#made
    for (let pixel = 0; pixel < pixels; pixel++) {
      const to = places[pixel]!
      if (light) copySum(doubles, sums, pixel, light, to)
      if (rgb) for (let k = 0; k < 3; k++) rgb[to * 3 + k] = bytes[rgbAt + pixel * 3 + k]!
      if (steps) steps[to] = counts[(stepsAt >> 2) + pixel]!
      if (depth) depth[to] = floats[(depths >> 2) + pixel]!
    }
  }
}

/** Copies the sum of a block's pixel, from the sums at an address, to a pixel of a tile. */
function copySum(doubles: Float64Array, sums: number, pixel: number, light: Float64Array, to: number): void {
  const from = (sums + pixel * SUM_BYTES) >> 3
  for (let k = 0; k < 3; k++) light[to * 3 + k] = doubles[from + k]!
}
