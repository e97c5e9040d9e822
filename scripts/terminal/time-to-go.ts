/** Estimates the remaining time of a series of frames from the pace of the last few. Pure: the caller passes the time. */
import { inWords } from '../../shared/time/duration.ts'

/** Number of recent frames that determine the pace: costs vary along a camera path. */
const RECENT = 8
/**
 * Until so many have arrived, the pace is that since the film began: frames that are in progress together may arrive together, and then say
 * nothing about the next.
 */
const FEW = 4

export class TimeToGo {
  readonly #total: number
  #done = 0
  /** Arrival times of the last frames, ms; at first also when the film began. */
  readonly #recent: number[] = []

  constructor(total: number) {
    this.#total = total
  }

  /**
   * Records a frame.
   * @param frameMs its own duration: the film began so long before its first frame
   * @returns for example `12 s left`; empty after the last frame
   */
  frame(now: number, frameMs: number): string {
    this.#done++
    if (this.#done === 1) this.#recent.push(now - frameMs)
    this.#recent.push(now)
    if (this.#done === FEW + 1 || this.#recent.length > RECENT) this.#recent.shift()
    const left = this.#total - this.#done
    if (left <= 0) return ''
    const each = (now - this.#recent[0]!) / (this.#recent.length - 1)
    return `${inWords(left * each)} left`
  }
}
