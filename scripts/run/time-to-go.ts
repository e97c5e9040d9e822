/** How long a series of frames will take yet, from how fast the last few came. Pure: whoever asks brings the clock. */
import { inWords } from '../../shared/duration.ts'

/** Frames that the pace is taken from: scenes grow easier and harder along a path. */
const RECENT = 8

export class TimeToGo {
  readonly #total: number
  #done = 0
  /** When the last frames came, ms. */
  readonly #recent: number[] = []

  constructor(total: number) {
    this.#total = total
  }

  /**
   * A frame came.
   * @param frameMs how long it took by itself, all there is to go by after the first one
   * @returns such as `12 s left`; nothing behind the last frame
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
