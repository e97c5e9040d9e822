/** What a frame has after each of its passes: its sums, the samples of each pixel, and, if it is adaptive, the cells that need more. */

import { invariant } from '../../shared/errors.ts'
import { CellMask, NOISE_CELL } from '../../shared/frame/cell-mask.ts'
import type { ChannelName } from '../../shared/frame/channels.ts'
import type { PlaneName } from '../../shared/frame/frame-planes.ts'
import type { FramePoint, FrameState } from '../../shared/frame/frame-state.ts'
import type { PixelSet } from '../../shared/frame/pixel-set.ts'
import { weightedFor } from '../../shared/frame/sample-layout.ts'
import type { SampleRange } from '../../shared/frame/view.ts'
import { type NoiseLeft, noiseLeft } from './cell-noise.ts'
import { type DenoisedPicture, type NoisyPicture, newPicture } from './denoising.ts'
import type { AssemblyOrder } from './frame-assembly.ts'
import { FrameBuffer, type TakeMemory } from './frame-buffer.ts'
import {
  colorJobs,
  copyJobs,
  denoisedJudgeJobs,
  denoiseJobs,
  finishJobs,
  judgeJobs,
  meansJobs,
  mergeJobs,
  type Piece,
} from './frame-jobs.ts'
import type { ColorJob, CopyJob, DenoiseJob, FinishJob, JudgeJob, MeansJob, MergeJob } from './plane-job.ts'
import { SampleCounts } from './sample-counts.ts'

export class FramePasses {
  readonly buffer: FrameBuffer
  readonly #order: AssemblyOrder
  readonly #counts: SampleCounts
  /** Cells of the pass in progress of an adaptive frame: a cell that has been left out stays out. */
  #open: CellMask | undefined
  /** Cells that were too noisy when they were last judged. */
  #noisy: CellMask | undefined
  /** Those of the newest complete range that a next one would be about. */
  #next: CellMask | undefined
  #left: NoiseLeft | undefined
  /** The newest complete range. */
  #range: SampleRange | undefined
  /** Whether pixels are replaced, whose samples have been counted. */
  #isRepaired = false

  /** @param apart channels whose newest sums are not added to those before until they are merged */
  constructor(order: AssemblyOrder, apart: readonly ChannelName[], take?: TakeMemory) {
    const { size, channels, content, limit, from } = order
    this.#order = order
    const wasApart = from?.planes.filter(({ isNewest }) => isNewest).map(({ channel }) => channel) ?? []
    this.buffer = new FrameBuffer(size, channels, { apart: [...apart, ...wasApart], from, ...(take ? { take } : {}) })
    this.#counts = new SampleCounts(size, weightedFor(content.quality), from?.taken.slice())
    if (limit) this.#open = new CellMask(size, NOISE_CELL, from?.open?.slice() ?? (() => true))
    this.#left = from?.left
    if (from?.next) this.#next = new CellMask(size, NOISE_CELL, from.next.slice())
    if (from && from.phase !== 'tracing') this.#range = from.range
  }

  /** What has arrived, with memory for its planes, and the jobs that copy them there. @param take returns memory with any content */
  state(point: FramePoint, take: TakeMemory): { readonly state: FrameState; readonly jobs: CopyJob[] } {
    const { size, channels, content } = this.#order
    const jobs: CopyJob[] = []
    const held = this.buffer.held().filter(({ isNewest }) => !isNewest || point.phase !== 'complete')
    const planes = held.map(({ channel, isNewest, plane }) => {
      const bytes = new Uint8Array(take(plane.byteLength), 0, plane.byteLength)
      jobs.push(...copyJobs(new Uint8Array(plane.buffer, plane.byteOffset, plane.byteLength), bytes))
      return { channel, isNewest, bytes }
    })
    const open = this.#open
    const state: FrameState = {
      ...point,
      size,
      most: weightedFor(content.quality),
      channels,
      planes,
      taken: this.#counts.taken(),
      ...(open ? { open: open.marks() } : {}),
      arrived: this.buffer.arrived(),
    }
    const { left, ...next } = this.judgement
    return { state: { ...state, ...(left ? { left } : {}), ...(point.phase === 'complete' ? next : {}) }, jobs }
  }

  /** Of the newest range, as far as it has been judged. */
  get judgement(): Pick<FrameState, 'left' | 'next'> {
    const [left, next] = [this.#left, this.#next]
    return { ...(left ? { left } : {}), ...(next ? { next: next.marks() } : {}) }
  }

  /** All pixels of a range have arrived. */
  done(range: SampleRange): void {
    this.#range = range
    this.#next = undefined
    if (!this.#isRepaired) this.#counts.add(range.to - range.from, this.#open)
  }

  /** The newest complete range. */
  get range(): SampleRange {
    invariant(this.#range, 'a frame has a complete range after its first pass')
    return this.#range
  }

  /** Adds the newest sums to those before. */
  mergeJobs(): MergeJob[] {
    return mergeJobs(this.buffer, this.#open)
  }

  /** What keeps an adaptive frame from its limit, as it was last judged; undefined before that. */
  get left(): NoiseLeft | undefined {
    return this.#left
  }

  /** Says which cells of the newest range are too noisy, before it is merged; undefined: nothing is known yet, and all are open. */
  judgeJobs(): JudgeJob[] | undefined {
    const { limit, content } = this.#order
    const [open, range] = [this.#open, this.#range]
    invariant(open && limit && range, 'only the passes of an adaptive frame are about cells')
    if (this.buffer.isFirst) return undefined
    return judgeJobs(this.buffer, open, { range, most: weightedFor(content.quality), limit })
  }

  /** Whether the cells that have just been judged too noisy are to be judged by the denoised picture, too. */
  get isJudgedDenoised(): boolean {
    return this.#order.content.denoise === true && this.#noisy?.isEmpty === false
  }

  /** Whether the complete frame is judged by its denoised picture: its last samples have only been judged as they are. */
  get isJudgedAtEnd(): boolean {
    return this.#order.content.denoise === true && (this.#left?.share ?? 0) > 0
  }

  /** Says which cells are too noisy in the denoised picture. @default of the newest range */
  denoisedJudgeJobs(denoised: DenoisedPicture, cells = this.#open): JudgeJob[] {
    const { limit } = this.#order
    invariant(limit && cells, 'only the passes of an adaptive frame are about cells')
    return denoisedJudgeJobs(denoised, cells, limit)
  }

  /** The cells that need more samples, as they were judged. @param noise results of the jobs, in their order; undefined: there were none */
  judged(noise: readonly Float64Array[] | undefined): CellMask {
    const open = this.#open!
    if (!noise) return open
    const above = new Float64Array(open.columns * open.rows)
    let at = 0
    for (const some of noise) {
      above.set(some, at)
      at += some.length
    }
    const cells = new CellMask(open.size, open.cell, (column, row) => above[row * open.columns + column]! > 0)
    this.#noisy = cells
    // Judged denoised, only those need more that did as they are.
    const before = this.#next
    this.#next = before ? new CellMask(cells.size, cells.cell, (...at) => cells.has(...at) && before.has(...at)) : cells
    this.#left = noiseLeft(cells, above)
    return cells
  }

  /** Begins the next pass. @param cells that it is about. @default all */
  begin(cells?: CellMask): void {
    if (cells) this.#open = cells
    this.buffer.nextRange(cells)
  }

  takeOut(sets: readonly PixelSet[]): void {
    this.#isRepaired = true
    this.buffer.takeOut(sets)
  }

  /** Memory for what is denoised, and for what comes of it. */
  newPicture(take: TakeMemory): { readonly picture: NoisyPicture; readonly denoised: DenoisedPicture } {
    return newPicture(this.#order.size, take, this.#order.limit !== undefined)
  }

  /** @param isMerged whether the newest sums have been added to those before */
  meansJobs(picture: NoisyPicture, isMerged: boolean): MeansJob[] {
    const light = isMerged ? undefined : this.buffer.newest('light')
    return meansJobs(this.buffer, this.#counts, picture, light && { light, taken: this.range.to })
  }

  /** @param cells that are needed. @default all */
  denoiseJobs(picture: NoisyPicture, denoised: DenoisedPicture, cells?: CellMask): DenoiseJob[] {
    return denoiseJobs(picture, denoised, cells)
  }

  /** @param denoised light of the frame, if it is */
  colorJobs(denoised?: Float32Array): Piece<ColorJob>[] {
    const { content, look } = this.#order
    return colorJobs(this.buffer, this.#counts, content, look, denoised)
  }

  /** As bright as with all samples, and as noisy as it is; of a transparent frame on black. */
  previewJobs(): Piece<ColorJob>[] {
    const { content, look } = this.#order
    const { transparent: _, ...opaque } = content
    return colorJobs(this.buffer, this.#counts, opaque, look)
  }

  planeJobs(name: PlaneName, denoised?: Float32Array): Piece<FinishJob>[] {
    return finishJobs(name, this.buffer, this.#counts, this.#order, denoised)
  }
}
