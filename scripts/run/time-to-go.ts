/** Estimates the remaining time of a series of frames from the pace of the last few. Pure: the caller passes the time. */
import { inWords } from '../../shared/duration.ts'

/** Number of recent frames that determine the pace: costs vary along a camera path. */
const RECENT = 8

export class TimeToGo {
  readonly #total: number
  #done = 0
  /** Arrival times of the last frames, ms. */
  readonly #recent: number[] = []

  constructor(total: number) {
    this.#total = total
  }

  /**
   * Records a frame.
   * @param frameMs its own duration, the only basis for an estimate after the first frame
   * @returns for example `12 s left`; empty after the last frame
   */
  frame(now: number, frameMs: number): string {
    this.#done++
    this.#recent.push(now)
    if (this.#recent.length > RECENT) this.#recent.shift()
    const left = this.#total - this.#done
    if (left <= 0) return ''
    const intervals = this.#recent.length - 1
    const each = intervals > 0 ? (now - this.#recent[0]!) / intervals : frameMs
    return `${inWords(left * each)} left`
  }
}
