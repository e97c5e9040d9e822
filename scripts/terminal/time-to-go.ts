/** Estimates the remaining time of a series of frames from the pace of the last few, and from how far the next have come. Pure: the caller passes the time. */
import type { FrameProgress } from '../../shared/frame/frame-progress.ts'
import type { FrameReport } from '../../shared/frame/frame-report.ts'
import { inWords } from '../../shared/time/duration.ts'

/** Number of recent frames that determine the pace: costs vary along a camera path. */
const RECENT = 8
/**
 * Until so many have arrived, the pace is that since the film began: frames that are in progress together may arrive together, and then say
 * nothing about the next.
 */
const FEW = 4
/** Less of a frame's work says too little of the rest. */
const TELLING = 0.02
/** Bounds that are closer than this, as a ratio, are said as one. */
const CLOSE = 1.25

export class FilmToGo {
  readonly #total: number
  #done = 0
  /** Arrival times of the last frames, ms; at first also when the film began. */
  readonly #recent: number[] = []
  /** Of the frames in progress, the newest of each. */
  readonly #begun = new Map<number, FrameProgress>()

  constructor(total: number) {
    this.#total = total
  }

  /** Complete frames. */
  get done(): number {
    return this.#done
  }

  /** Work that is done of frames in progress, in frames. */
  get begun(): number {
    let sum = 0
    for (const { least } of this.#begun.values()) sum += least
    return Math.min(sum, this.#total - this.#done)
  }

  within(progress: FrameProgress): void {
    this.#begun.set(progress.frame, progress)
  }

  /** A frame is complete. Its duration says that the film began so long before its first frame. */
  frame(now: number, { frame, frameMs }: Pick<FrameReport, 'frame' | 'frameMs'>): void {
    this.#begun.delete(frame)
    this.#done++
    if (this.#done === 1) this.#recent.push(now - frameMs)
    this.#recent.push(now)
    if (this.#done === FEW + 1 || this.#recent.length > RECENT) this.#recent.shift()
  }

  /**
   * For example `12 s left`, or `1 to 8 min left` where it depends on noise; empty after the last frame, as long as nothing is known, and when all is
   * traced: how long checks and files take is not known.
   */
  get left(): string {
    const toGo = this.toGoMs
    return toGo ? `${range(toGo.least, toGo.most)} left` : ''
  }

  /** The same in numbers; undefined where `left` is empty. */
  get toGoMs(): { readonly least: number; readonly most: number } | undefined {
    const frames = this.#total - this.#done
    const toTrace = frames - this.begun
    if (toTrace <= 0) return undefined
    if (this.#done > 0) {
      const each = (this.#recent.at(-1)! - this.#recent[0]!) / (this.#recent.length - 1)
      return { least: toTrace * each, most: toTrace * each }
    }
    const [first] = this.#begun.values()
    if (!first || first.least < TELLING) return undefined
    const { elapsedMs, least, most } = first
    const inAll = (share: number) => (elapsedMs / share) * frames - elapsedMs
    return { least: inAll(most), most: inAll(least) }
  }
}

/** For example `12 s`, `8 to 40 s`, `50 s to 3 min`. */
function range(from: number, to: number): string {
  const [low, high] = [inWords(from), inWords(to)]
  if (to <= from * CLOSE || low === high) return high
  const [number, unit] = low.split(' ')
  return `${high.endsWith(` ${unit}`) ? number : low} to ${high}`
}
