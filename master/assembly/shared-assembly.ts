/**
 * The assembly of a large frame: its planes are memory that threads share, and what is done with them are jobs. Here it is decided what
 * goes where, and in which order: jobs of one stage may run at the same time, those of the next begin when all of them are done.
 *
 *     tiles of a pass │ which cells need more │ its sums are added up │ tiles of the next pass, and a preview │ …
 *                     └──▶ the next pass begins as soon as that is known
 *
 * A preview reads the sums of complete passes, and tiles of the next pass are put elsewhere, so neither waits for the other.
 */

import { CancelledError } from '../../shared/errors.ts'
import type { CellMask } from '../../shared/frame/cell-mask.ts'
import type { ChannelName } from '../../shared/frame/channels.ts'
import { type FramePlanes, newFinishedPlane, type PlaneName } from '../../shared/frame/frame-planes.ts'
import type { FramePoint, FrameState } from '../../shared/frame/frame-state.ts'
import type { PixelSet } from '../../shared/frame/pixel-set.ts'
import type { SampleRange } from '../../shared/frame/view.ts'
import type { NoiseLeft } from './cell-noise.ts'
import type { DenoisedPicture, NoisyPicture } from './denoising.ts'
import { planesOf } from './finish-frame.ts'
import type { AssemblyOrder, FrameAssembly } from './frame-assembly.ts'
import type { Piece } from './frame-jobs.ts'
import { FramePasses } from './frame-passes.ts'
import type { ColorJob, FinishJob, PlaneJob, PlaneResult } from './plane-job.ts'

/** Jobs that are wanted for the same thing. */
export interface Batch {
  /** Those of a higher one are begun first. */
  urgency: number
  /** Those that have not begun are not done any more. */
  isCancelled: boolean
}

/** What does jobs: threads of the master. */
export interface PlaneWork {
  /** Memory that all threads can use, with any content. */
  take(bytes: number): ArrayBufferLike
  /** Memory from `take` that is no longer in use. */
  give(memory: readonly ArrayBufferLike[]): void
  /** Resolves with nothing if the batch was cancelled before the job began. */
  run<J extends PlaneJob>(job: J, batch: Batch): Promise<PlaneResult<J> | undefined>
}

/** Workers wait for the first, and a client for the second; a preview must hold up neither. */
const URGENCY = { pass: 2, finish: 1, preview: 0 } as const

export class SharedAssembly implements FrameAssembly {
  readonly #order: AssemblyOrder
  readonly #work: PlaneWork
  readonly #passes: FramePasses
  readonly #batches = new Set<Batch>()
  readonly #pass = this.#batch(URGENCY.pass)
  /** Resolves when all jobs of earlier stages are done. */
  #before: Promise<unknown> = Promise.resolve()
  /** Jobs of the current stage. */
  #stage: Promise<unknown>[] = []
  #preview: Batch | undefined
  #wasDropped = false
  #judging: 'begun' | CellMask | undefined
  #isComplete = false
  #isOver = false
  /** Jobs that are running or wait. */
  #open = 0
  /** The light of the complete frame without noise, once it has been asked for; undefined: with it. */
  #denoised: Promise<Float32Array | undefined> | undefined
  #picture: { readonly picture: NoisyPicture; readonly denoised: DenoisedPicture } | undefined
  /** Memory beside that of the frame's channels. */
  readonly #beside: ArrayBufferLike[] = []
  #ready: () => void = () => {}
  #failed: (error: unknown) => void = () => {}

  constructor(order: AssemblyOrder, work: PlaneWork) {
    this.#order = order
    this.#work = work
    const isReadBetween = order.limit !== undefined || order.preview !== undefined
    const taken: ArrayBufferLike[] = []
    const take = (bytes: number) => {
      const memory = work.take(bytes)
      taken.push(memory)
      return memory
    }
    try {
      this.#passes = new FramePasses(order, isReadBetween ? ['light'] : [], take)
    } catch (error) {
      work.give(taken)
      throw error
    }
    this.#isComplete = order.from?.phase === 'complete'
  }

  get channels(): readonly ChannelName[] {
    return this.#passes.buffer.channels
  }

  get missing(): number {
    return this.#passes.buffer.missing
  }

  get isComplete(): boolean {
    return this.#isComplete
  }

  get noise(): NoiseLeft | undefined {
    return this.#passes.left
  }

  put(set: PixelSet, tile: Uint8Array): Promise<unknown> {
    const placement = this.#passes.buffer.accept(set, tile.length)
    return this.#inStage({ kind: 'place', placement, tile }, this.#pass)
  }

  passDone(range: SampleRange, more: false | 'all' | 'cells'): void {
    this.#passes.done(range)
    if (more === 'cells') return
    // Of the last samples nobody waits to hear which cells need more.
    if (more === false && this.#order.limit) this.#judgeIn(() => {})
    this.#merge(more === false)
    if (more === 'all') this.#begin(range)
    else this.#complete()
  }

  cells(): CellMask | undefined {
    if (this.#judging === 'begun') return undefined
    return this.#judging ?? this.#judge()
  }

  begin(cells: CellMask | undefined): void {
    this.#judging = undefined
    this.#merge(!cells)
    if (cells) this.#begin(this.#passes.range, cells)
    else this.#complete()
  }

  listen(ready: () => void, failed: (error: unknown) => void): () => void {
    this.#ready = ready
    this.#failed = failed
    return () => {
      this.#ready = () => {}
      this.#failed = () => {}
    }
  }

  takeOut(sets: readonly PixelSet[]): void {
    this.#isComplete = false
    this.#denoised = undefined
    this.#passes.takeOut(sets)
  }

  async state(point: FramePoint): Promise<FrameState | undefined> {
    if (this.#isOver) return undefined
    const { state, jobs } = this.#passes.state(point, bytes => new SharedArrayBuffer(bytes))
    // Tiles that are accepted meanwhile wait for this: so must not wait for a preview.
    if (this.#preview) this.#preview.urgency = URGENCY.pass
    this.#nextStage()
    const copied = jobs.map(job => this.#inStage(job, this.#pass))
    this.#nextStage()
    await Promise.all(copied)
    if (this.#isOver) return undefined
    // The last samples may have been judged since.
    return point.phase === 'complete' ? { ...state, ...this.#passes.judgement } : state
  }

  async color(): Promise<Uint8Array> {
    const [w, h] = this.#order.size
    const denoised = await this.#denoise()
    return this.#finish(() => this.#passes.colorJobs(denoised), new Uint8Array(w * h * 3))
  }

  async planes(): Promise<FramePlanes> {
    const [w, h] = this.#order.size
    const planes: [PlaneName, Float32Array | Uint32Array][] = []
    const denoised = await this.#denoise()
    for (const name of planesOf(this.#order.content))
      planes.push([
        name,
        await this.#finish(() => this.#passes.planeJobs(name, denoised), newFinishedPlane(name, w * h)),
      ])
    return Object.fromEntries(planes)
  }

  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    for (const batch of this.#batches) batch.isCancelled = true
    this.#release()
  }

  /** Rejects if a job fails, or the frame is given up. */
  #denoise(): Promise<Float32Array | undefined> {
    this.#denoised ??= this.#order.content.denoise ? this.#makeDenoised() : Promise.resolve(undefined)
    return this.#denoised
  }

  async #makeDenoised(): Promise<Float32Array> {
    if (this.#isOver) throw new CancelledError()
    const batch = this.#batch(URGENCY.finish)
    await this.#denoiseIn(batch)
    // Of the last samples nobody waits to hear which cells need more.
    if (this.#passes.isJudgedAtEnd) await this.#judgeAgain(batch)
    this.#batches.delete(batch)
    return this.#pictureOf().denoised.light
  }

  #pictureOf() {
    this.#picture ??= this.#passes.newPicture(bytes => {
      const memory = this.#work.take(bytes)
      this.#beside.push(memory)
      return memory
    })
    return this.#picture
  }

  /** @param cells that are needed before the newest sums are added to the others. @default all, after that */
  async #denoiseIn(batch: Batch, cells?: CellMask): Promise<void> {
    const { picture, denoised } = this.#pictureOf()
    await this.#doAll(this.#passes.meansJobs(picture, cells === undefined), batch)
    await this.#doAll(this.#passes.denoiseJobs(picture, denoised, cells), batch)
  }

  async #judgeAgain(batch: Batch, cells?: CellMask): Promise<CellMask> {
    const jobs = this.#passes.denoisedJudgeJobs(this.#pictureOf().denoised, cells)
    return this.#passes.judged(await this.#doAll(jobs, batch))
  }

  /** Which of some cells are still too noisy when they are denoised; undefined: the frame is given up. */
  async #judgeDenoised(cells: CellMask): Promise<CellMask | undefined> {
    if (!this.#passes.isJudgedDenoised) return cells
    try {
      await this.#denoiseIn(this.#pass, cells)
      return await this.#judgeAgain(this.#pass, cells)
    } catch (error) {
      if (!this.#isOver) this.#giveUp(error)
      return undefined
    }
  }

  /** Which cells need more samples; undefined: it is being found out. */
  #judge(): CellMask | undefined {
    const judging = this.#judgeIn(async cells => {
      const noisy = await this.#judgeDenoised(cells)
      if (!noisy || this.#isOver) return
      this.#judging = noisy
      this.#ready()
    })
    if (!judging) return this.#passes.judged(undefined)
    this.#judging = 'begun'
    return undefined
  }

  /** Judges the newest samples in a stage of its own; false if there is nothing to compare them with. */
  #judgeIn(judged: (cells: CellMask) => unknown): boolean {
    const jobs = this.#passes.judgeJobs()
    if (!jobs) return false
    this.#nextStage()
    const noise = Promise.all(jobs.map(job => this.#inStage(job, this.#pass)))
    const known = noise.then(async noise => {
      if (!this.#isOver) await judged(this.#passes.judged(noise.filter(some => some !== undefined)))
    })
    this.#stage.push(known)
    return true
  }

  /** Adds up the sums when all pixels of the pass are in place. */
  #merge(isLast: boolean): void {
    this.#overtakePreview(isLast)
    this.#nextStage()
    const jobs = this.#passes.mergeJobs()
    for (const job of jobs) void this.#inStage(job, this.#pass)
    if (jobs.length > 0) this.#nextStage()
  }

  #begin({ to }: SampleRange, cells?: CellMask): void {
    this.#passes.begin(cells)
    const { preview, size } = this.#order
    if (!preview) return
    const batch = this.#batch(URGENCY.preview)
    this.#preview = batch
    const rgb = new Uint8Array(size[0] * size[1] * 3)
    const pieces = this.#passes.previewJobs().map(({ job, at }) =>
      this.#inStage(job, batch).then(part => {
        if (part) rgb.set(part, at)
      }),
    )
    void Promise.all(pieces).then(() => {
      this.#batches.delete(batch)
      if (batch.isCancelled) return
      if (this.#preview === batch) this.#preview = undefined
      this.#wasDropped = false
      preview(rgb, to)
    })
  }

  /** A preview that is still being made would be old when it is shown: it is dropped, but not twice in a row. */
  #overtakePreview(isLast: boolean): void {
    const preview = this.#preview
    if (!preview) return
    this.#preview = undefined
    if (this.#wasDropped && !isLast) {
      // The sums that it reads are changed when it is done.
      preview.urgency = URGENCY.pass
      return
    }
    this.#wasDropped = true
    preview.isCancelled = true
  }

  /** Nothing more is to come. */
  #complete(): void {
    void this.#before.then(() => {
      if (this.#isOver) return
      this.#work.give(this.#passes.buffer.dropNewest())
      this.#isComplete = true
      this.#ready()
    })
  }

  #nextStage(): void {
    const stage = Promise.all(this.#stage)
    this.#stage = []
    this.#before = this.#before.then(() => stage)
  }

  /** Does a job when those of earlier stages are done. If it fails, so does the frame. */
  async #inStage<J extends PlaneJob>(job: J, batch: Batch): Promise<PlaneResult<J> | undefined> {
    const done = this.#before.then(() => this.#run(job, batch))
    const settled = done.catch(error => {
      // Before others hear that it is settled.
      this.#giveUp(error)
      return undefined
    })
    this.#stage.push(settled)
    return settled
  }

  /** Does jobs of a complete frame. Rejects if one fails, or the frame is given up. */
  async #finish<T extends { set(part: never, at: number): void }>(
    jobs: () => readonly Piece<ColorJob | FinishJob>[],
    whole: T,
  ): Promise<T> {
    if (this.#isOver) throw new CancelledError()
    const batch = this.#batch(URGENCY.finish)
    await Promise.all(
      jobs().map(async ({ job, at }) => {
        const part = await this.#run(job, batch)
        if (!part) throw new CancelledError()
        whole.set(part as never, at)
      }),
    )
    this.#batches.delete(batch)
    return whole
  }

  /** Does jobs, all of which write where they belong or all of which have results. Rejects as `#finish` does. */
  async #doAll<J extends PlaneJob>(jobs: readonly J[], batch: Batch): Promise<PlaneResult<J>[]> {
    const results = await Promise.all(jobs.map(job => this.#run(job, batch)))
    if (this.#isOver) throw new CancelledError()
    return results as PlaneResult<J>[]
  }

  async #run<J extends PlaneJob>(job: J, batch: Batch): Promise<PlaneResult<J> | undefined> {
    if (this.#isOver || batch.isCancelled) return undefined
    this.#open++
    try {
      return await this.#work.run(job, batch)
    } finally {
      this.#open--
      this.#release()
    }
  }

  #giveUp(error: unknown): void {
    const failed = this.#failed
    this.end()
    failed(error)
  }

  /** Gives the memory back once no job uses it. */
  #release(): void {
    if (!this.#isOver || this.#open > 0) return
    this.#work.give([...this.#passes.buffer.drop(), ...this.#beside.splice(0)])
  }

  #batch(urgency: number): Batch {
    const batch = { urgency, isCancelled: false }
    this.#batches.add(batch)
    return batch
  }
}
