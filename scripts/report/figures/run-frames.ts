/**
 * Frames of a run for the report's dashboard, each in few bytes. Of a long film there are as many as there is room for, in equal steps: whenever
 * the room is used up, every other frame is dropped. Pure.
 */
import {
  type CompactFrame,
  compactFrame,
  type WholeFrame,
  wholeFrame,
} from '../../../shared/dashboard/compact-frame.ts'
import type { Roster, RunFrames } from '../../../shared/dashboard/report-frames.ts'
import type { FrameEvent, FrameReport } from '../../../shared/frame/frame-report.ts'

/** For all runs of a report, which is sent by mail. */
const MOST_BYTES = 3 * 2 ** 20

/** Events of a run: the newest. */
const MOST_RUN_EVENTS = 200

/** For each of so many runs. */
export const bytesFor = (runs: number): number => Math.floor(MOST_BYTES / Math.max(1, runs))

interface Kept {
  readonly index: number
  readonly compact: CompactFrame
  readonly bytes: number
}

export class FramesToShow {
  readonly #name: string
  readonly #mostBytes: number
  #kept: Kept[] = []
  readonly #rosters: { readonly roster: Roster; readonly text: string }[] = []
  /** With the frames that came next. */
  readonly #events: (FrameEvent & { readonly index: number })[] = []
  #count = 0
  #step = 1
  #beganAt: number | undefined

  /** @param name of the run */
  constructor(name: string, mostBytes: number) {
    this.#name = name
    this.#mostBytes = mostBytes
  }

  /** A frame without spans of workers has nothing to show. */
  add(report: FrameReport): void {
    for (const event of report.events ?? []) this.#events.push({ ...event, index: this.#count })
    this.#events.splice(0, this.#events.length - MOST_RUN_EVENTS)
    if (!report.spans.some(({ worker }) => worker !== undefined)) return
    const index = this.#count++
    if (index % this.#step > 0) return
    // The clock of spans: a simulated report does not say when it began.
    const beganAt = report.beganAt ?? report.spans.reduce((least, { start }) => Math.min(least, start), Infinity)
    this.#beganAt ??= beganAt
    const roster = this.#rosterOf(report)
    const compact = compactFrame({ ...report, beganAt }, roster, beganAt - this.#beganAt)
    this.#kept.push({ index, compact, bytes: JSON.stringify(compact).length })
    while (this.#bytes > this.#mostBytes && this.#kept.length > 1) {
      this.#step *= 2
      this.#kept = this.#kept.filter(each => each.index % this.#step === 0)
    }
  }

  /** Undefined if there is nothing to show. */
  get run(): RunFrames | undefined {
    if (this.#kept.length === 0) return undefined
    // Lists of areas that no frame has any more take no room.
    const events = this.#events.map(({ index, at, kind, text }) => ({
      before: Math.min(this.#kept.length, Math.ceil(index / this.#step)),
      at: Math.round(at - this.#beganAt!),
      ...{ kind, text },
    }))
    const used = [...new Set(this.#kept.map(({ compact }) => compact.roster))]
    return {
      ...{ name: this.#name, frameCount: this.#count, step: this.#step },
      rosters: used.map(number => this.#rosters[number]!.roster),
      events,
      frames: this.#kept.map(({ compact }) => ({ ...compact, roster: used.indexOf(compact.roster) })),
    }
  }

  get #bytes(): number {
    const used = new Set(this.#kept.map(({ compact }) => compact.roster))
    const texts = [...used].reduce((sum, number) => sum + this.#rosters[number]!.text.length, 0)
    return this.#kept.reduce((sum, { bytes }) => sum + bytes, texts)
  }

  #rosterOf({ workers }: FrameReport): number {
    const names = workers.map(({ name, device }) => (device === undefined ? name : `${name} ${device}`))
    const roster = { ids: workers.map(({ id }) => id), names }
    const text = JSON.stringify(roster)
    const known = this.#rosters.findIndex(each => each.text === text)
    return known >= 0 ? known : this.#rosters.push({ roster, text }) - 1
  }
}

/** A frame of a run, with the names and the ids of its areas. */
export interface ShownRunFrame {
  readonly run: string
  readonly frame: WholeFrame
  readonly roster: Roster
}

/** The frame of median time. */
export function medianFrame({ name, frames, rosters }: RunFrames): ShownRunFrame {
  const ranked = frames.toSorted((a, b) => a.figures.frameMs - b.figures.frameMs || a.frame - b.frame)
  const median = ranked[(ranked.length - 1) >> 1]!
  return { run: name, frame: wholeFrame(median), roster: rosters[median.roster]! }
}
