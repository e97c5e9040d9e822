/**
 * Computes pixels with the kernel: passes it the view, has it trace block by block, and copies the results. Channels other than
 * colour come from rays of their own through the centres of pixels (`centre-hits.ts`).
 */

import { CHANNELS } from '../../../shared/frame/channels.ts'
import { TABLE_ENTRIES } from '../../../shared/frame/coverage-table.ts'
import { firstHalf, secondHalf } from '../../../shared/frame/halves.ts'
import { type PixelSet, pixelCount } from '../../../shared/frame/pixel-set.ts'
import { raysPerPixel } from '../../../shared/frame/rays-per-pixel.ts'
import type { Rect } from '../../../shared/frame/rect.ts'
import { frameAround } from '../../../shared/frame/region.ts'
import { isLasting, toMeans } from '../../../shared/frame/sample-layout.ts'
import type { SampleRange, View } from '../../../shared/frame/view.ts'
import { sumScale } from '../../../shared/light/sum-scale.ts'
import { isKernelLook, ToneMap } from '../../../shared/light/tone-map.ts'
import { CentreHits } from '../centre-hits.ts'
import type { GoOn, PixelBuffers, Tracer } from '../engine.ts'
import { checkRequest } from '../pixel-buffers.ts'
import { pixelsOfList, pixelsOfRect } from '../webgpu/pixel-lists.ts'
import type { PixelRequest } from '../webgpu/pixel-request.ts'
import { blocksOf } from './blocks.ts'
import { instantiate, type Kernel } from './kernel.ts'
import { KernelRays } from './kernel-rays.ts'
import { KernelMemory } from './memory.ts'
import { FEATURES, LISTED, SUM } from './records/view.ts'
import { centreIn, extentIn } from './scene-header.ts'
import { type ListedPixels, SquareList } from './square-list.ts'
import { putSamples, putView, type ScenePlace } from './view-block.ts'
import type { WasmScene } from './wasm-scene.ts'

/** Approximate number of rays per kernel call, about ten milliseconds of work: a call cannot be interrupted. */
const BLOCK_RAYS = 65536
const BLOCK_RAYS_ALONE = 16384
/**
 * A block of more than so many times as many rays, because its pixels have many samples, takes several calls, with some of the samples each:
 * urgent tiles wait for the call at hand. Shorter calls cost more, some 6 % with 1024 samples: the last paths of each have no others beside them.
 */
const MOST_BLOCKS = 16
const MOST_BLOCKS_ALERT = 4
/** Pixels of a square, which the kernel prefers complete. */
const SQUARE_PIXELS = 64

/** Traces rays of the kernel instead of it; a device does. */
export interface RaysElsewhere {
  /** Fewest rays of a batch that it is worth asking for. */
  readonly least: number
  /**
   * Writes what rays meet, in the memory of the scene of that number, to their records, or counts no steps of them and leaves them as they are. The
   * caller waits. @throws Error if the device fails
   */
  trace(scene: number, rays: number, count: number, shadow: boolean): void
}

/** Computes pixels instead of the kernel, from camera rays to sums of light; a device does. */
export interface PixelsElsewhere {
  /** The caller waits. @throws Error if the device fails */
  compute(request: PixelRequest): void
}

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
  readonly #made: Readonly<
    Record<
      'sums' | 'pixels' | 'steps' | 'depths' | 'albedos' | 'covered' | 'features' | 'objectTables' | 'labelTables',
      number
    >
  >
  readonly #place: ScenePlace
  /** The view that the kernel currently has. */
  #view: View | undefined
  /** The place of that view's picture in its frame, of which the kernel traces pixels. */
  #corner = { x: 0, y: 0 }
  /** Made when it is first needed. */
  #hits: CentreHits | undefined
  isAlert = false
  /** Where its workspaces begin and end: those of every tracer of the scene and thread. */
  readonly #workspaces: { readonly from: number; readonly to: number }
  /** Computes pixels instead of the kernel, if a device does. */
  readonly #compute: ((request: Omit<PixelRequest, 'scene'>) => void) | undefined
  /** What was there when it was lent. */
  #had: Uint8Array | undefined

  /**
   * @param alone whether rays are traced one by one: the scalar driver
   * @param device traces rays of scenes that are there, or computes their pixels
   */
  constructor(
    module: WebAssembly.Module,
    scene: WasmScene,
    thread: number,
    alone: boolean,
    device?: RaysElsewhere | PixelsElsewhere,
  ) {
    this.#alone = alone
    this.#memory = new KernelMemory(scene.memory)
    const { onDevice } = scene
    const sent = device && 'trace' in device && onDevice !== undefined ? device : undefined
    if (device && 'compute' in device && onDevice !== undefined)
      this.#compute = request => device.compute({ ...request, scene: onDevice })
    this.#kernel = instantiate(
      module,
      scene.memory,
      sent && ((rays, count, shadow) => sent.trace(onDevice!, rays >>> 0, count, shadow !== 0)),
    )
    this.#place = { centre: centreIn(this.#memory), extent: extentIn(this.#memory) }
    const workspace = scene.workspaces + thread * (scene.traceBytes + scene.shadeBytes)
    this.#viewBlock = workspace + scene.traceBytes
    this.#workspaces = { from: workspace, to: workspace + scene.traceBytes + scene.shadeBytes }
    this.#kernel.bindTrace(workspace)
    this.#kernel.bindShade(this.#viewBlock)
    if (sent) this.#kernel.sendElsewhere(sent.least)
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
      features: this.#kernel.featuresAddress() >>> 0,
      objectTables: this.#kernel.objectTablesAddress() >>> 0,
      labelTables: this.#kernel.labelTablesAddress() >>> 0,
    }
  }

  trace(view: View, set: PixelSet, samples: SampleRange, out: PixelBuffers, goOn: GoOn = () => true): void {
    checkRequest(view, set, samples, out)
    if (view !== this.#view) {
      putView(this.#memory, this.#viewBlock, view, this.#place, this.#alone)
      this.#view = view
      this.#corner = frameAround(view.camera, view.size)
    }
    const { rgb, centre } = out
    // The kernel finishes what is most common; anything else is finished here, from sums of light.
    const finishedHere = rgb && !isKernelLook(view)
    const light = finishedHere ? new Float64Array(pixelCount(set) * 3) : out.light
    const { rgb: _, ...rest } = out
    this.#traceLight(view, set, samples, light ? { ...rest, light } : out, goOn)
    if (centre) this.#centreHits.fill(view, set, centre, goOn)
    if (!finishedHere) return
    toMeans(view.quality, light!)
    new ToneMap(view, sumScale(view)).finish(light!, rgb)
  }

  lend(): () => void {
    const { from, to } = this.#workspaces
    this.#had ??= new Uint8Array(to - from)
    const had = this.#had
    had.set(this.#memory.bytes.subarray(from, to))
    return () => this.#memory.bytes.set(had, from)
  }

  get #centreHits(): CentreHits {
    if (!this.#hits) {
      const rays = new KernelRays(this.#memory, this.#kernel, this.#alone)
      this.#hits = new CentreHits(this.#place.centre, (batch, count) => rays.closest(batch, count))
    }
    return this.#hits
  }

  #traceLight(view: View, set: PixelSet, samples: SampleRange, out: PixelBuffers, goOn: GoOn): void {
    const blockRays = this.#alone ? BLOCK_RAYS_ALONE : BLOCK_RAYS
    const rays = raysPerPixel({ ...view.quality, samples: samples.to - samples.from })
    const mostPixels = Math.min(this.#mostPixels, Math.max(SQUARE_PIXELS, Math.floor(blockRays / rays)))
    const counted = {
      hits: (out.albedo ?? out.alpha) !== undefined,
      features: (out.features ?? out.halfFeatures) !== undefined,
      objects: out.cryptoObject !== undefined,
      labels: out.cryptoMaterial !== undefined,
    }
    const parts = partsOf(view, samples, out)
    const all = pixelCount(set) * (samples.to - samples.from)
    let done = 0
    const sumUp = (pixels: number, trace: () => void, copy: (out: PixelBuffers) => void): boolean => {
      const mostBlocks = this.isAlert ? MOST_BLOCKS_ALERT : MOST_BLOCKS
      const mostSamples = Math.ceil((mostBlocks * blockRays * (samples.to - samples.from)) / (pixels * rays))
      let goesOn = false
      for (const { ranges, out } of parts) {
        for (const range of ranges.flatMap(range => [...portionsOf(range, mostSamples)]).reverse()) {
          if (!goOn(done / all)) return false
          putSamples(this.#memory, this.#viewBlock, range, counted, goesOn)
          trace()
          goesOn = true
          done += pixels * (range.to - range.from)
        }
        copy(out)
      }
      return true
    }
    if (set.pattern) this.#list.forEach(set, listed => this.#traceListed(listed, sumUp), mostPixels, this.#corner)
    else this.#traceRect(set.rect, mostPixels, sumUp)
  }

  #traceRect({ w, h, ...at }: Rect, mostPixels: number, sumUp: SumUp): void {
    const [x, y] = [this.#corner.x + at.x, this.#corner.y + at.y]
    for (const block of blocksOf(w, 0, h, mostPixels)) {
      const trace = () =>
        this.#compute
          ? this.#computeAll(this.#compute, pixelsOfRect({ ...block, x: x + block.x, y: y + block.y }))
          : this.#kernel.tracePixels(x + block.x, y + block.y, block.w, block.h)
      if (!sumUp(block.w * block.h, trace, out => this.#copyBlock(w, block, out))) return
    }
  }

  #computeAll(compute: (request: Omit<PixelRequest, 'scene'>) => void, pixels: Uint32Array): void {
    compute({ ...this.#made, count: pixels.length, pixels, view: this.#viewBlock })
  }

  /** Copies the newest block to its place in a tile that is `width` wide. */
  #copyBlock(width: number, { x, y, w, h }: Rect, out: PixelBuffers): void {
    const { rgb, light, albedo, features, alpha, steps, depth, cryptoObject, cryptoMaterial } = out
    if (rgb) this.#kernel.finishPixels(w * h)
    const { bytes, words, floats, doubles } = this.#memory
    const { sums, pixels, steps: stepsAt, depths, albedos, covered, features: featuresAt } = this.#made
    const { objectTables, labelTables } = this.#made
    for (let row = 0; row < h; row++) {
      const from = row * w
      const to = (y + row) * width + x
      rgb?.set(bytes.subarray(pixels + from * 3, pixels + (from + w) * 3), to * 3)
      if (light) for (let i = 0; i < w; i++) copySum(doubles, sums, from + i, light, to + i)
      if (albedo) for (let i = 0; i < w; i++) copySum(doubles, albedos, from + i, albedo, to + i)
      if (features) for (let i = 0; i < w; i++) copyFeatures(words, featuresAt, from + i, features, to + i)
      if (cryptoObject) copyTables(words, objectTables, from, w, cryptoObject, to)
      if (cryptoMaterial) copyTables(words, labelTables, from, w, cryptoMaterial, to)
      alpha?.set(words.subarray((covered >>> 2) + from, (covered >>> 2) + from + w), to)
      steps?.set(words.subarray((stepsAt >>> 2) + from, (stepsAt >>> 2) + from + w), to)
      depth?.set(floats.subarray((depths >>> 2) + from, (depths >>> 2) + from + w), to)
    }
  }

  #traceListed({ words, squares, places, pixels }: ListedPixels, sumUp: SumUp): void {
    this.#memory.words.set(words.subarray(0, (squares * LISTED.bytes) / 4), this.#listed >>> 2)
    const trace = () =>
      this.#compute
        ? this.#computeAll(this.#compute, pixelsOfList(words, squares, pixels))
        : this.#kernel.traceListed(squares, pixels)
    sumUp(pixels, trace, out => this.#copyListed(pixels, places, out))
  }

  /** Copies the newest block to the places of its pixels. */
  #copyListed(pixels: number, places: ListedPixels['places'], out: PixelBuffers): void {
    const { rgb, light, albedo, features, alpha, steps, depth, cryptoObject, cryptoMaterial } = out
    if (rgb) this.#kernel.finishPixels(pixels)
    const { bytes, words: counts, floats, doubles } = this.#memory
    const { sums, pixels: rgbAt, steps: stepsAt, depths, albedos, covered, features: featuresAt } = this.#made
    const { objectTables, labelTables } = this.#made
    for (let pixel = 0; pixel < pixels; pixel++) {
      const to = places[pixel]!
      if (light) copySum(doubles, sums, pixel, light, to)
      if (albedo) copySum(doubles, albedos, pixel, albedo, to)
      if (features) copyFeatures(counts, featuresAt, pixel, features, to)
      if (cryptoObject) copyTables(counts, objectTables, pixel, 1, cryptoObject, to)
      if (cryptoMaterial) copyTables(counts, labelTables, pixel, 1, cryptoMaterial, to)
      if (alpha) alpha[to] = counts[(covered >>> 2) + pixel]!
      if (rgb) for (let k = 0; k < 3; k++) rgb[to * 3 + k] = bytes[rgbAt + pixel * 3 + k]!
      if (steps) steps[to] = counts[(stepsAt >>> 2) + pixel]!
      if (depth) depth[to] = floats[(depths >>> 2) + pixel]!
    }
  }
}

/** Has the kernel trace a block of so many pixels with `trace`, in one call or several, and `copy` results. False if it was stopped before the end. */
type SumUp = (pixels: number, trace: () => void, copy: (out: PixelBuffers) => void) => boolean

/** Samples that are traced together, and what of their sums, and those of the parts before, is wanted. */
interface Part {
  readonly ranges: readonly SampleRange[]
  readonly out: PixelBuffers
}

/** All samples, or those of the second half, and then the others. A depth is that of the first sample of the part that has it. */
function partsOf(view: View, samples: SampleRange, out: PixelBuffers): Part[] {
  const { halfLight, halfFeatures, depth, ...rest } = out
  if (!halfLight && !halfFeatures) return [{ ranges: [samples], out }]
  const { quality, moments, adaptive = false, timed = false } = view
  const isDoubling = adaptive || (moments === undefined && isLasting(quality))
  const sampling = { samples: quality.samples, moments, isAdaptive: isDoubling, isTimed: timed }
  const [first, second] = [firstHalf(sampling, samples), secondHalf(sampling, samples)]
  const ofDepth = depth ? { depth } : {}
  const half = { ...(halfLight ? { light: halfLight } : {}), ...(halfFeatures ? { features: halfFeatures } : {}) }
  if (second.length === 0) {
    halfLight?.fill(0)
    halfFeatures?.fill(0)
    return [{ ranges: first, out: { ...rest, ...ofDepth } }]
  }
  const isInFirst = first[0]?.from === samples.from
  return [
    { ranges: second, out: isInFirst ? half : { ...half, ...ofDepth } },
    { ranges: first, out: isInFirst ? { ...rest, ...ofDepth } : rest },
  ]
}

/** Divides samples into ranges of at most so many. */
function* portionsOf({ from, to }: SampleRange, most: number): Generator<SampleRange> {
  const count = Math.ceil((to - from) / Math.max(1, most))
  const edge = (i: number) => from + Math.floor(((to - from) * i) / count)
  for (let i = 0; i < count; i++) yield { from: edge(i), to: edge(i + 1) }
}

/** Copies the sum of a block's pixel, from the sums at an address, to a pixel of a tile. */
function copySum(doubles: Float64Array, sums: number, pixel: number, light: Float64Array, to: number): void {
  const from = (sums + pixel * SUM.bytes) >>> 3
  for (let k = 0; k < 3; k++) light[to * 3 + k] = doubles[from + k]!
}

/** Copies the tables of some of a block's pixels, from the `from`th on. */
function copyTables(
  words: Uint32Array,
  at: number,
  from: number,
  pixels: number,
  tables: Uint32Array,
  to: number,
): void {
  const first = (at >>> 2) + from * TABLE_ENTRIES
  tables.set(words.subarray(first, first + pixels * TABLE_ENTRIES), to * TABLE_ENTRIES)
}

/** Copies the features of a block's pixel. */
function copyFeatures(words: Uint32Array, at: number, pixel: number, features: Uint32Array, to: number): void {
  const from = (at + pixel * FEATURES.bytes) >>> 2
  const count = CHANNELS.features.components
  for (let k = 0; k < count; k++) features[to * count + k] = words[from + k]!
}
