/** Numbers of frames, as runs: a film of any length takes a bounded amount of memory, and of words. */

/** Runs that are kept. */
export const MOST_RUNS = 32

interface Run {
  readonly from: number
  readonly to: number
}

export class FrameRuns {
  /** Disjoint and not adjacent; the one that grew last is the last. */
  #runs: readonly Run[] = []
  /** Frames of runs that are not kept any more. */
  #others = 0

  /** Number of frames. */
  get count(): number {
    return this.#runs.reduce((sum, run) => sum + lengthOf(run), this.#others)
  }

  add(frame: number): void {
    const touches = ({ from, to }: Run) => from - 1 <= frame && frame <= to + 1
    const grown = this.#runs.filter(touches)
    const from = Math.min(frame, ...grown.map(run => run.from))
    const to = Math.max(frame, ...grown.map(run => run.to))
    const runs = [...this.#runs.filter(run => !touches(run)), { from, to }]
    if (runs.length > MOST_RUNS) this.#others += lengthOf(runs.shift()!)
    this.#runs = runs
  }

  /** `frame 3`, `frames 0 to 2, 5 and 7 others`; of at least one frame. */
  inWords(): string {
    const runs = this.#runs.toSorted((a, b) => a.from - b.from)
    const words = runs.map(({ from, to }) => (from === to ? `${from}` : `${from} to ${to}`)).join(', ')
    const others = this.#others === 0 ? '' : ` and ${this.#others} ${this.#others === 1 ? 'other' : 'others'}`
    return `${this.count === 1 ? 'frame' : 'frames'} ${words}${others}`
  }
}

const lengthOf = ({ from, to }: Run): number => to - from + 1
