/** The assembly of a small frame: everything is done at once, but for what takes so long that others have turns between its steps. */
import type { CellMask } from '../../shared/frame/cell-mask.ts'
import type { ChannelName } from '../../shared/frame/channels.ts'
import type { FramePlanes, PlaneName } from '../../shared/frame/frame-planes.ts'
import { newFinishedPlane } from '../../shared/frame/frame-planes.ts'
import type { FramePoint, FrameState } from '../../shared/frame/frame-state.ts'
import type { PixelSet } from '../../shared/frame/pixel-set.ts'
import type { SampleRange } from '../../shared/frame/view.ts'
import { atOnce, type Steps } from '../../shared/time/steps.ts'
import type { NoiseLeft } from './cell-noise.ts'
import type { Denoise, DenoisedPicture, NoisyPicture } from './denoising.ts'
import { planesOf } from './finish-frame.ts'
import type { AssemblyOrder, FrameAssembly } from './frame-assembly.ts'
import type { Piece } from './frame-jobs.ts'
import { FramePasses } from './frame-passes.ts'
import { type ColorJob, PlaneWorker } from './plane-job.ts'

export class DirectAssembly implements FrameAssembly {
  readonly #order: AssemblyOrder
  readonly #inSteps: <T>(steps: Steps<T>) => Promise<T>
  readonly #passes: FramePasses
  readonly #worker: PlaneWorker
  #picture: { readonly picture: NoisyPicture; readonly denoised: DenoisedPicture } | undefined
  #denoised: Float32Array | undefined
  readonly isComplete = true

  /** @param inSteps runs what takes long. @default at once @param loadDenoiser @default none */
  constructor(
    order: AssemblyOrder,
    inSteps: <T>(steps: Steps<T>) => Promise<T> = async steps => atOnce(steps),
    loadDenoiser?: () => Denoise,
  ) {
    this.#worker = new PlaneWorker(loadDenoiser)
    this.#order = order
    this.#inSteps = inSteps
    this.#passes = new FramePasses(order, order.limit ? ['light'] : [])
  }

  get channels(): readonly ChannelName[] {
    return this.#passes.buffer.channels
  }

  get missing(): number {
    return this.#passes.buffer.missing
  }

  get noise(): NoiseLeft | undefined {
    return this.#passes.left
  }

  put(set: PixelSet, tile: Uint8Array): undefined {
    this.#passes.buffer.put(set, tile)
  }

  passDone(range: SampleRange, more: false | 'all' | 'cells'): void {
    this.#passes.done(range)
    if (more === 'cells') return
    if (!more && this.#order.limit) this.#judge()
    this.#merge()
    if (more === 'all') this.#begin(range)
  }

  cells(): CellMask {
    return this.#judgeDenoised(this.#judge())
  }

  begin(cells: CellMask | undefined): void {
    this.#merge()
    if (cells) this.#begin(this.#passes.range, cells)
  }

  listen(): () => void {
    return () => {}
  }

  takeOut(sets: readonly PixelSet[]): void {
    this.#denoised = undefined
    this.#passes.takeOut(sets)
  }

  async state(point: FramePoint): Promise<FrameState> {
    const { state, jobs } = this.#passes.state(point, bytes => new SharedArrayBuffer(bytes))
    for (const job of jobs) this.#worker.do(job)
    return state
  }

  async color(): Promise<Uint8Array> {
    const { buffer } = this.#passes
    return buffer.has('rgb')
      ? buffer.plane('rgb')
      : this.#inSteps(this.#color(this.#passes.colorJobs(await this.#denoise())))
  }

  async planes(): Promise<FramePlanes> {
    const planes: [PlaneName, Float32Array | Uint32Array][] = []
    const denoised = await this.#denoise()
    for (const name of planesOf(this.#order.content))
      planes.push([name, await this.#inSteps(this.#plane(name, denoised))])
    return Object.fromEntries(planes)
  }

  end(): void {}

  /** The light of the complete frame without noise; undefined: with it. */
  async #denoise(): Promise<Float32Array | undefined> {
    if (!this.#order.content.denoise || this.#denoised) return this.#denoised
    await this.#inSteps(this.#makeDenoised())
    // Of the last samples nobody waits to hear which cells need more.
    if (this.#passes.isJudgedAtEnd) this.#judgeAgain()
    this.#denoised = this.#pictureOf().denoised.light
    return this.#denoised
  }

  #pictureOf() {
    this.#picture ??= this.#passes.newPicture(bytes => new ArrayBuffer(bytes))
    return this.#picture
  }

  /** @param cells that are needed before the newest sums are added to the others. @default all, after that */
  *#makeDenoised(cells?: CellMask): Steps<void> {
    const { picture, denoised } = this.#pictureOf()
    for (const job of this.#passes.meansJobs(picture, cells === undefined)) yield void this.#worker.do(job)
    for (const job of this.#passes.denoiseJobs(picture, denoised, cells)) yield void this.#worker.do(job)
  }

  /** Which of some cells are still too noisy when they are denoised. */
  #judgeDenoised(cells: CellMask): CellMask {
    if (!this.#passes.isJudgedDenoised) return cells
    atOnce(this.#makeDenoised(cells))
    return this.#judgeAgain(cells)
  }

  #judgeAgain(cells?: CellMask): CellMask {
    const { denoised } = this.#pictureOf()
    return this.#passes.judged(this.#passes.denoisedJudgeJobs(denoised, cells).map(job => this.#worker.do(job)))
  }

  #judge(): CellMask {
    return this.#passes.judged(this.#passes.judgeJobs()?.map(job => this.#worker.do(job)))
  }

  #merge(): void {
    for (const job of this.#passes.mergeJobs()) this.#worker.do(job)
  }

  #begin({ to }: SampleRange, cells?: CellMask): void {
    this.#passes.begin(cells)
    const { preview } = this.#order
    if (!preview) return
    const jobs = this.#passes.previewJobs()
    // When the next pass has been given out, and before any of it can come.
    queueMicrotask(() => preview(atOnce(this.#color(jobs)), to))
  }

  *#color(jobs: readonly Piece<ColorJob>[]): Steps<Uint8Array> {
    const [w, h] = this.#order.size
    const rgb = new Uint8Array(w * h * 3)
    for (const { job, at } of jobs) {
      rgb.set(this.#worker.do(job), at)
      yield
    }
    return rgb
  }

  *#plane(name: PlaneName, denoised: Float32Array | undefined): Steps<Float32Array | Uint32Array> {
    const [w, h] = this.#order.size
    const plane = newFinishedPlane(name, w * h)
    for (const { job, at } of this.#passes.planeJobs(name, denoised)) {
      plane.set(this.#worker.do(job), at)
      yield
    }
    return plane
  }
}
