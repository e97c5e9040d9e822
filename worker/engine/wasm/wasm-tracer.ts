/**
 * Computes pixels with the kernel: passes it the view, has it trace block by block, and copies the results. Channels other than
 * colour come from rays of their own through the centres of pixels (`centre-hits.ts`).
 */

import { type PixelSet, pixelCount } from '../../../shared/frame/pixel-set.ts'
import { raysPerPixel } from '../../../shared/frame/rays-per-pixel.ts'
import type { Rect } from '../../../shared/frame/rect.ts'
import type { SampleRange, Vec3, View } from '../../../shared/frame/view.ts'
import { sumScale } from '../../../shared/light/sum-scale.ts'
import { isKernelLook, ToneMap } from '../../../shared/light/tone-map.ts'
import { CentreHits } from '../centre-hits.ts'
import type { GoOn, PixelBuffers, Tracer } from '../engine.ts'
import { checkRequest } from '../pixel-buffers.ts'
import { blocksOf } from './blocks.ts'
import { instantiate, type Kernel } from './kernel.ts'
import { KernelRays } from './kernel-rays.ts'
import { KernelMemory } from './memory.ts'
import { LISTED, SUM } from './records/view.ts'
import { centreIn } from './scene-header.ts'
import { type ListedPixels, SquareList } from './square-list.ts'
import { putSamples, putView } from './view-block.ts'
import type { WasmScene } from './wasm-scene.ts'

/** Approximate number of rays per kernel call, about ten milliseconds of work: a call cannot be interrupted. */
const BLOCK_RAYS = 65536
const BLOCK_RAYS_ALONE = 16384
/** A block of more than so many times as many rays, because its pixels have many samples, takes several calls, with some of the samples each. */
const MOST_BLOCKS = 16
/** Pixels of a square, which the kernel prefers complete. */
const SQUARE_PIXELS = 64

export class WasmTracer implements Tracer {
  readonly #memory: KernelMemory
  readonly #kernel: Kernel
  readonly #alone: boolean
  /** Address of the view block, at the start of the shading workspace. */
  readonly #viewBlock: number
  readonly #mostPixels: number
  readonly #list: SquareList
  /** Where the kernel reads lists of squares. */
  readonly #listed: number
  /** Where the kernel leaves the results of a block. */
  readonly #made: Readonly<Record<'sums' | 'pixels' | 'steps' | 'depths' | 'albedos' | 'covered', number>>
  readonly #centre: Vec3
  /** The view that the kernel currently has. */
  #view: View | undefined
  /** Made when it is first needed. */
  #hits: CentreHits | undefined

  /** @param alone whether rays are traced one by one: the scalar driver */
  constructor(module: WebAssembly.Module, scene: WasmScene, thread: number, alone: boolean) {
    this.#alone = alone
    this.#memory = new KernelMemory(scene.memory)
    this.#kernel = instantiate(module, scene.memory)
    this.#centre = centreIn(this.#memory)
    const workspace = scene.workspaces + thread * (scene.traceBytes + scene.shadeBytes)
    this.#viewBlock = workspace + scene.traceBytes
    this.#kernel.bindTrace(workspace)
    this.#kernel.bindShade(this.#viewBlock)
    this.#mostPixels = this.#kernel.maxBlockPixels()
    this.#list = new SquareList(this.#mostPixels)
    this.#listed = this.#kernel.listedAddress() >>> 0
    this.#made = {
      sums: this.#kernel.sumsAddress() >>> 0,
      pixels: this.#kernel.pixelsAddress() >>> 0,
      steps: this.#kernel.stepsAddress() >>> 0,
      depths: this.#kernel.depthAddress() >>> 0,
      albedos: this.#kernel.albedosAddress() >>> 0,
      covered: this.#kernel.coveredAddress() >>> 0,
    }
  }

  trace(view: View, set: PixelSet, samples: SampleRange, out: PixelBuffers, goOn: GoOn = () => true): void {
    checkRequest(view, set, samples, out)
    if (view !== this.#view) {
      putView(this.#memory, this.#viewBlock, view, this.#centre, this.#alone)
      this.#view = view
    }
    const { rgb, centre } = out
    // The kernel finishes what is most common; anything else is finished here, from sums of light.
    const finishedHere = rgb && !isKernelLook(view)
    const light = finishedHere ? new Float64Array(pixelCount(set) * 3) : out.light
    const { rgb: _, ...rest } = out
    this.#traceLight(view, set, samples, light ? { ...rest, light } : out, goOn)
    if (centre) this.#centreHits.fill(view, set, centre, goOn)
    if (finishedHere) new ToneMap(view, sumScale(view)).finish(light!, rgb)
  }

  get #centreHits(): CentreHits {
    if (!this.#hits) {
      const rays = new KernelRays(this.#memory, this.#kernel, this.#alone)
      this.#hits = new CentreHits(this.#centre, (batch, count) => rays.closest(batch, count))
    }
    return this.#hits
  }

  #traceLight(view: View, set: PixelSet, samples: SampleRange, out: PixelBuffers, goOn: GoOn): void {
    const blockRays = this.#alone ? BLOCK_RAYS_ALONE : BLOCK_RAYS
    const rays = raysPerPixel({ ...view.quality, samples: samples.to - samples.from })
    const mostPixels = Math.min(this.#mostPixels, Math.max(SQUARE_PIXELS, Math.floor(blockRays / rays)))
    const countsHits = (out.albedo ?? out.alpha) !== undefined
    const all = pixelCount(set) * (samples.to - samples.from)
    let done = 0
    /** Sums up the samples of a block's pixels; false if it was stopped before it had all of them. */
    const sumUp = (pixels: number, trace: () => void): boolean => {
      for (const range of rangesOf(samples, Math.ceil((pixels * rays) / (MOST_BLOCKS * blockRays)))) {
        if (!goOn(done / all)) return false
        putSamples(this.#memory, this.#viewBlock, range, countsHits, range.to < samples.to)
        trace()
        done += pixels * (range.to - range.from)
      }
      return true
    }
    if (set.pattern) this.#list.forEach(set, listed => this.#traceListed(listed, out, sumUp), mostPixels)
    else this.#traceRect(set.rect, mostPixels, out, sumUp)
  }

  #traceRect({ x, y, w, h }: Rect, mostPixels: number, out: PixelBuffers, sumUp: SumUp): void {
    for (const block of blocksOf(w, 0, h, mostPixels)) {
      const trace = () => this.#kernel.tracePixels(x + block.x, y + block.y, block.w, block.h)
      if (!sumUp(block.w * block.h, trace)) return
      if (out.rgb) this.#kernel.finishPixels(block.w * block.h)
      this.#copyBlock(w, block, out)
    }
  }

  /** Copies the newest block to its place in a tile that is `width` wide. */
  #copyBlock(width: number, { x, y, w, h }: Rect, { rgb, light, albedo, alpha, steps, depth }: PixelBuffers): void {
    const { bytes, words, floats, doubles } = this.#memory
    const { sums, pixels, steps: stepsAt, depths, albedos, covered } = this.#made
    for (let row = 0; row < h; row++) {
      const from = row * w
      const to = (y + row) * width + x
      rgb?.set(bytes.subarray(pixels + from * 3, pixels + (from + w) * 3), to * 3)
      if (light) for (let i = 0; i < w; i++) copySum(doubles, sums, from + i, light, to + i)
      if (albedo) for (let i = 0; i < w; i++) copySum(doubles, albedos, from + i, albedo, to + i)
      alpha?.set(words.subarray((covered >>> 2) + from, (covered >>> 2) + from + w), to)
      steps?.set(words.subarray((stepsAt >>> 2) + from, (stepsAt >>> 2) + from + w), to)
      depth?.set(floats.subarray((depths >>> 2) + from, (depths >>> 2) + from + w), to)
    }
  }

  #traceListed({ words, squares, places, pixels }: ListedPixels, out: PixelBuffers, sumUp: SumUp): void {
    const { rgb, light, albedo, alpha, steps, depth } = out
    this.#memory.words.set(words.subarray(0, (squares * LISTED.bytes) / 4), this.#listed >>> 2)
    if (!sumUp(pixels, () => this.#kernel.traceListed(squares, pixels))) return
    if (rgb) this.#kernel.finishPixels(pixels)
    const { bytes, words: counts, floats, doubles } = this.#memory
    const { sums, pixels: rgbAt, steps: stepsAt, depths, albedos, covered } = this.#made
    for (let pixel = 0; pixel < pixels; pixel++) {
      const to = places[pixel]!
      if (light) copySum(doubles, sums, pixel, light, to)
      if (albedo) copySum(doubles, albedos, pixel, albedo, to)
      if (alpha) alpha[to] = counts[(covered >>> 2) + pixel]!
      if (rgb) for (let k = 0; k < 3; k++) rgb[to * 3 + k] = bytes[rgbAt + pixel * 3 + k]!
      if (steps) steps[to] = counts[(stepsAt >>> 2) + pixel]!
      if (depth) depth[to] = floats[(depths >>> 2) + pixel]!
    }
  }
}

/** Has the kernel trace a block of so many pixels with `trace`, in one call or several. */
type SumUp = (pixels: number, trace: () => void) => boolean

/** Divides samples into at most so many ranges; the last comes first, so that depths are in the end those of the first sample. */
function* rangesOf({ from, to }: SampleRange, most: number): Generator<SampleRange> {
  const count = Math.min(most, to - from)
  const edge = (i: number) => from + Math.floor(((to - from) * i) / count)
  for (let i = count; i > 0; i--) yield { from: edge(i - 1), to: edge(i) }
}

/** Copies the sum of a block's pixel, from the sums at an address, to a pixel of a tile. */
function copySum(doubles: Float64Array, sums: number, pixel: number, light: Float64Array, to: number): void {
  const from = (sums + pixel * SUM.bytes) >>> 3
  for (let k = 0; k < 3; k++) light[to * 3 + k] = doubles[from + k]!
}
