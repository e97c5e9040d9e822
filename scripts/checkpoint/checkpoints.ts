/**
 * Keeps what frames in the making have beside their pictures: every so often, at the ends of passes, and when the run ends before they
 * do. A thread writes; each file is whole or absent, and replaces the one before only when it is on the disk.
 *
 *     0000.checkpoint       sums and counts (`checkpoint-file.ts`)
 *     0000.partial.png      the picture that they make
 */
import { join } from 'node:path'
import { messageOf } from '../../shared/errors.ts'
import { bytesPerPixelOf } from '../../shared/frame/channels.ts'
import { type FrameState, sampleCount } from '../../shared/frame/frame-state.ts'
import type { Size } from '../../shared/frame/rect.ts'
import { stateOf } from '../../shared/frame/state-head.ts'
import type { FrameKeeper } from '../../shared/session/session.ts'
import { frameFile } from '../files/frame-names.ts'
import type { OutputFolder } from '../files/output-folder.ts'
import type { ResumeError } from '../film/manifest.ts'
import { plural } from '../report/figures/numbers.ts'
import { type CheckpointHeader, PARTIAL_ENDING, partsOf } from './checkpoint-file.ts'
import type { CheckpointOrder, CheckpointResult } from './checkpoint-thread.ts'
import type { CheckpointWorker } from './checkpoint-worker.ts'
import { checkpointFile, type KeptFilm, mismatchOf, samplesMismatchOf, samplesOf, unreadable } from './fitting.ts'
import { keptFrames, picturedFrames } from './kept-frames.ts'
import { withMore } from './more-samples.ts'

export interface CheckpointPorts {
  readonly folder: OutputFolder
  readonly worker: Pick<CheckpointWorker, 'do' | 'close'>
  /** Between two of a frame, ms. */
  readonly everyMs: number
  /** The most samples of a tile. */
  readonly mostTileSamples?: number | undefined
  /** Whether complete frames are kept, too, for more samples. @default false */
  readonly keepsComplete?: boolean
  readonly now: () => number
  /** Calls `wake` after `inMs` unless the returned function is called. */
  readonly alarm: (wake: () => void, inMs: number) => () => void
  readonly warn: (text: string) => void
  readonly info: (text: string) => void
  readonly encode: (size: Size, rgba: Uint8Array) => Promise<Uint8Array>
}

/** What is kept of a frame. */
export interface KeptFrame {
  readonly frame: number
  /** Mean over its pixels. */
  readonly samples: number
}

interface Making {
  readonly state: () => Promise<FrameState | undefined>
  savedAt: number
  /** How long it takes to keep it, ms. */
  tookMs: number
  disarm: () => void
  /** One that has not begun to take what there is. */
  waiting: Promise<void> | undefined
  /** Whether it is complete, and its files are written: they may need all the room there is. */
  isTaken: boolean
}

/** At the end of a pass, what less work than this would lose is not kept, ms; nor is what takes a larger share of the time to keep. */
const WORTH_MS = 1000
const MOST_SHARE = 0.01
/** Until it is known how long it takes. */
const BYTES_PER_MS = 2 ** 17

export class Checkpoints implements FrameKeeper {
  readonly mostTileSamples: number | undefined
  /** Whether complete frames are kept, too. */
  readonly keepsSums: boolean
  readonly #of: KeptFilm
  readonly #ports: CheckpointPorts
  readonly #making = new Map<number, Making>()
  /** Frames with a checkpoint in the folder that may be replaced, or of a run that this one resumes. */
  readonly #there = new Set<number>()
  /** Frames whose file is of another program. */
  readonly #foreign = new Set<number>()
  /** Frames whose picture is of another program, because no checkpoint is beside it. */
  readonly #foreignPictures = new Set<number>()
  readonly #resumed = new Set<number>()
  /** Complete frames whose checkpoint stays. */
  readonly #complete = new Set<number>()
  readonly #kept = new Map<number, KeptFrame>()
  readonly #wentOn = new Map<number, KeptFrame>()
  readonly #sessions: Promise<unknown>[] = []
  #last: Promise<void> = Promise.resolve()
  #hasWarned = false

  constructor(of: KeptFilm, ports: CheckpointPorts) {
    this.#of = of
    this.#ports = ports
    this.mostTileSamples = ports.mostTileSamples
    this.keepsSums = ports.keepsComplete ?? false
  }

  get kernel(): string {
    return this.#of.kernel
  }

  /** Looks for checkpoints in the folder. @returns those of these frames, whatever they are of, but for files of other programs */
  async look(frames: (frame: number) => boolean): Promise<CheckpointHeader[]> {
    const headers: CheckpointHeader[] = []
    for (const frame of await keptFrames(this.#ports.folder.path)) {
      if (!frames(frame)) continue
      const read = await this.#do({ kind: 'read', path: this.#path(frame), head: true }).catch(() => 'foreign' as const)
      if (read === 'foreign') {
        this.#foreign.add(frame)
        continue
      }
      this.#there.add(frame)
      if (typeof read !== 'string') headers.push(read.header)
    }
    for (const frame of await picturedFrames(this.#ports.folder.path))
      if (!this.#there.has(frame)) this.#foreignPictures.add(frame)
    return headers
  }

  /** Whether there are any, all of this film. */
  suits(headers: readonly CheckpointHeader[]): boolean {
    const { path } = this.#ports.folder
    return headers.length > 0 && headers.every(header => !mismatchOf(path, header, this.#of))
  }

  /** Why there is no going on with them, if that is the number of samples alone. */
  problemOfSamples(headers: readonly CheckpointHeader[]): ResumeError | undefined {
    const problems = headers.map(header => samplesMismatchOf(this.#ports.folder.path, header, this.#of))
    return problems.every(Boolean) ? problems[0] : undefined
  }

  /**
   * Goes on with what is there, but for complete frames.
   * @throws ResumeError if that does not fit, or cannot be read
   */
  async resume(headers: readonly CheckpointHeader[], complete: ReadonlySet<number>): Promise<void> {
    const { path } = this.#ports.folder
    const readable = new Map(headers.map(header => [header.frame, header]))
    for (const frame of this.#there) {
      if (complete.has(frame)) continue
      const header = readable.get(frame)
      if (!header) throw unreadable(path, frame, await this.#problem(frame))
      const mismatch = mismatchOf(path, header, this.#of)
      if (mismatch) throw mismatch
      this.#resumed.add(frame)
    }
  }

  /** What a frame begins with. @throws ResumeError */
  async from(frame: number): Promise<FrameState | undefined> {
    if (!this.#resumed.has(frame)) return undefined
    const read = await this.#do({ kind: 'read', path: this.#path(frame), head: false })
    if (typeof read === 'string') throw unreadable(this.#ports.folder.path, frame, read)
    const state = withMore(stateOf(read.header, read.sections), samplesOf(read.header.film)!, this.#of.taking)
    this.#note(frame, state)
    // Not if it is this run that kept it, whose master was lost.
    if (!this.#making.has(frame)) this.#goOn(this.#kept.get(frame)!)
    return state
  }

  /** Frames that went on where an earlier run had kept them, and what that was. */
  get wentOn(): KeptFrame[] {
    return [...this.#wentOn.values()].sort((a, b) => a.frame - b.frame)
  }

  /** Frames in the making, and what is kept of each. */
  get kept(): KeptFrame[] {
    return [...this.#kept.values()].sort((a, b) => a.frame - b.frame)
  }

  /** A session makes its frames until this settles. */
  during(session: Promise<unknown>): void {
    this.#sessions.push(session.catch(() => {}))
  }

  begun(frame: number, state: () => Promise<FrameState | undefined>): void {
    const { size, channels } = this.#of
    const making: Making = {
      state,
      savedAt: this.#ports.now(),
      tookMs: (size[0] * size[1] * bytesPerPixelOf(channels)) / BYTES_PER_MS,
      disarm: () => {},
      waiting: undefined,
      isTaken: false,
    }
    this.#making.get(frame)?.disarm()
    this.#making.set(frame, making)
    this.#arm(frame, making)
  }

  passDone(frame: number): void {
    const making = this.#making.get(frame)
    if (!making) return
    const since = this.#ports.now() - making.savedAt
    if (since >= Math.max(WORTH_MS, making.tookMs / MOST_SHARE)) void this.#save(frame, making)
  }

  atRisk(frame: number): void {
    const making = this.#making.get(frame)
    if (making) void this.#save(frame, making)
  }

  async givenUp(frame: number): Promise<void> {
    const making = this.#making.get(frame)
    if (!making) return
    making.disarm()
    making.isTaken = false
    await this.#save(frame, making)
    // What was kept last has set the alarm again.
    making.disarm()
    making.isTaken = true
    if (this.#making.get(frame) === making) this.#making.delete(frame)
  }

  async complete(frame: number): Promise<void> {
    const making = this.#making.get(frame)
    if (making && this.keepsSums) await this.#save(frame, making)
  }

  /** A complete frame's files are made; resolves when nothing more is written of it until `finished`, or its end without that. */
  async taken(frame: number): Promise<void> {
    const making = this.#making.get(frame)
    if (!making) return
    making.disarm()
    making.isTaken = true
    await this.#last
  }

  /** A frame's files are complete: nothing of it has to be kept. */
  async finished(frame: number): Promise<void> {
    this.#making.get(frame)?.disarm()
    this.#making.delete(frame)
    this.#kept.delete(frame)
    this.#resumed.delete(frame)
    this.#last = this.#last.then(() => (this.#complete.has(frame) ? this.#removePicture(frame) : this.#remove(frame)))
    await this.#last
  }

  /** Resolves when everything is kept that can be. */
  async end(): Promise<void> {
    await Promise.all(this.#sessions)
    // Complete, but not on the disk.
    await Promise.all([...this.#making.keys()].map(frame => this.givenUp(frame)))
    await this.#last
    await this.#ports.worker.close()
  }

  #arm(frame: number, making: Making): void {
    making.disarm()
    making.disarm = this.#ports.alarm(() => void this.#save(frame, making), this.#ports.everyMs)
  }

  /** Keeps what there is now, or later, if something is being kept now. */
  #save(frame: number, making: Making): Promise<void> {
    making.waiting ??= this.#last = this.#last.then(() => {
      making.waiting = undefined
      return this.#write(frame, making)
    })
    return making.waiting
  }

  /** Never fails: a frame goes on without. */
  async #write(frame: number, making: Making): Promise<void> {
    const isNewest = () => this.#making.get(frame) === making
    if (!isNewest() || making.isTaken) return
    const { now, folder, encode } = this.#ports
    const beganAt = now()
    try {
      const state = await making.state()
      if (!state || !isNewest()) return
      if (this.#foreign.has(frame))
        return this.#warnOnce(`${checkpointFile(frame)} is a file of another program`, frame)
      const { film, kernel, look, size } = this.#of
      const parts = partsOf(state, { film, kernel, frame })
      await folder.make(checkpointFile(frame), path => this.#do({ kind: 'write', path, parts }))
      this.#there.add(frame)
      // A lost master that comes back goes on there.
      this.#resumed.add(frame)
      this.#note(frame, state)
      // Its files follow.
      const stays = this.keepsSums && state.phase === 'complete'
      if (stays) this.#complete.add(frame)
      if (stays || this.#foreignPictures.has(frame)) return
      const rgba = await this.#do({ kind: 'picture', state, look })
      await folder.write(frameFile(frame, PARTIAL_ENDING), await encode(size, rgba))
    } catch (error) {
      this.#warnOnce(messageOf(error), frame)
    } finally {
      making.savedAt = now()
      making.tookMs = making.savedAt - beganAt
      if (isNewest() && !making.isTaken) this.#arm(frame, making)
    }
  }

  #goOn(kept: KeptFrame): void {
    this.#wentOn.set(kept.frame, kept)
    const there = `${Number(kept.samples.toPrecision(3))} of ${plural(this.#of.taking.quality.samples, 'sample')} per pixel`
    this.#ports.info(`frame ${kept.frame} goes on: ${there} are there; its times will be of the rest alone`)
  }

  #note(frame: number, state: FrameState): void {
    const [w, h] = state.size
    this.#kept.set(frame, { frame, samples: sampleCount(state) / (w * h) })
  }

  #warnOnce(why: string, frame: number): void {
    if (this.#hasWarned) return
    this.#hasWarned = true
    const before = this.#kept.has(frame) ? ', and what was kept of it before stays' : ''
    this.#ports.warn(`what there is of frame ${frame} cannot be kept: ${why}; it goes on without${before}`)
  }

  async #remove(frame: number): Promise<void> {
    if (!this.#there.has(frame)) return
    // The picture is known by the checkpoint beside it, which therefore goes last.
    await this.#removePicture(frame)
    this.#there.delete(frame)
    await this.#ports.folder.remove(checkpointFile(frame))
  }

  async #removePicture(frame: number): Promise<void> {
    if (this.#there.has(frame) && !this.#foreignPictures.has(frame))
      await this.#ports.folder.remove(frameFile(frame, PARTIAL_ENDING))
  }

  async #problem(frame: number) {
    const read = await this.#do({ kind: 'read', path: this.#path(frame), head: true })
    return typeof read === 'string' ? read : 'damaged'
  }

  #do<O extends CheckpointOrder>(order: O): Promise<CheckpointResult<O>> {
    return this.#ports.worker.do(order)
  }

  #path(frame: number): string {
    return join(this.#ports.folder.path, checkpointFile(frame))
  }
}
