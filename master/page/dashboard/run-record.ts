/** What a dashboard can show of a run: its newest frames, what happened between them, and when it will be done. */
import { compactFrame } from '../../../shared/dashboard/compact-frame.ts'
import type {
  DashboardEvent,
  DashboardRun,
  FramePoint,
  GuessNews,
} from '../../../shared/dashboard/dashboard-messages.ts'
import { filmEta } from '../../../shared/dashboard/film-eta.ts'
import type { Guess } from '../../../shared/dashboard/what-if.ts'
import type { EventKind } from '../../../shared/frame/event-kinds.ts'
import type { FrameProgress } from '../../../shared/frame/frame-progress.ts'
import type { FrameReport } from '../../../shared/frame/frame-report.ts'
import type { SessionOrder } from '../../../shared/protocol/session-order.ts'
import { shortened } from '../../../shared/text/printable.ts'
import type { FilmFrame } from './film-pictures.ts'
import { FrameRing } from './frame-ring.ts'
import { WorkerPlaces } from './worker-places.ts'

/** Events, times for a forecast, and lists of areas that are kept. */
const MOST_EVENTS = 200
const MOST_TIMES = 400
/** Points of frames that are not kept any more. */
const MOST_GONE = 256
const MOST_ROSTERS = 64
const MOST_GUESSES = 120
const MOST_TEXT = 160

export class RunRecord {
  readonly run: number
  /** Name of the view that it is of; undefined: of a client. */
  readonly view: string | undefined
  readonly ring = new FrameRing()
  readonly events: DashboardEvent[] = []
  /** Of the frames that are kept. */
  readonly points: FramePoint[] = []
  /** What other strategies would have taken for its newest frames, while somebody wants to know; and how often that became known. */
  readonly guesses: Guess[] = []
  doubts: readonly string[] = []
  guessed = 0
  /** The strategy of its frames from now on. */
  strategy: string
  /** The newest frame of a film, for pages that come later; of runs that are over, the last one alone has it. */
  picture: FilmFrame | undefined
  readonly #order: SessionOrder
  readonly #beganAt: number
  readonly #times: number[] = []
  /** Names and places of areas as JSON, and the place of the first frame that has them, by number. */
  readonly #rosters: { readonly text: string; readonly since: number }[] = []
  readonly #places = new WorkerPlaces()
  #lastAt: number
  #share: number | undefined
  /** When something last happened, ms. */
  movedAt: number
  state: DashboardRun['state'] = 'running'
  problem: string | undefined

  /** @param now ms on the clock of reports */
  constructor(run: number, order: SessionOrder, view: string | undefined, now: number) {
    this.run = run
    this.view = view
    this.#order = order
    this.strategy = order.strategy
    this.#beganAt = this.#lastAt = this.movedAt = now
  }

  frame(report: FrameReport): void {
    const { beganAt = this.#lastAt, endedAt = beganAt + report.frameMs } = report
    const roster = this.#rosterOf(report)
    const compact = compactFrame(report, roster, beganAt - this.#beganAt)
    this.ring.add(JSON.stringify(compact))
    this.points.push([tenths(report.frameMs), tenths(compact.shareMs)])
    // One by one, each would move all of them.
    const kept = this.ring.to - this.ring.from
    if (this.points.length > kept + MOST_GONE) this.points.splice(0, this.points.length - kept)
    // Frames may overlap, and what one waits for is part of when the film is done.
    this.#times.push(Math.max(0, endedAt - this.#lastAt))
    if (this.#times.length > MOST_TIMES) this.#times.shift()
    this.#lastAt = Math.max(this.#lastAt, endedAt)
    this.#share = undefined
    this.movedAt = endedAt
  }

  /** It goes on after a pause, which is no time of a frame. */
  resume(now: number): void {
    if (this.state !== 'paused') return
    this.state = 'running'
    this.#lastAt = Math.max(this.#lastAt, now)
  }

  event(kind: EventKind, text: string, now: number): void {
    this.events.push({
      before: this.ring.to,
      at: Math.round(now - this.#beganAt),
      kind,
      text: shortened(text, MOST_TEXT),
    })
    if (this.events.length > MOST_EVENTS) this.events.shift()
  }

  guess({ guesses, doubts }: GuessNews): void {
    this.guesses.push(...guesses)
    this.guesses.splice(0, this.guesses.length - MOST_GUESSES)
    this.doubts = doubts
    this.guessed++
  }

  progress({ least, most }: FrameProgress, now: number): void {
    const share = Math.round(((least + most) / 2) * 100) / 100
    if (share !== this.#share) this.movedAt = now
    this.#share = share
  }

  /** Names and places of areas, as fields in JSON; undefined if no frame that is kept has them. */
  roster(number: number): string | undefined {
    return this.#rosters[number]?.text
  }

  /** What frames usually take, ms; undefined before the first. */
  get usualMs(): number | undefined {
    const recent = this.#times.slice(-12).sort((a, b) => a - b)
    return recent[recent.length >> 1]
  }

  get said(): DashboardRun {
    const { sceneName: name, kind, frameCount } = this.#order
    const { strategy } = this
    const { from, to } = this.ring
    const left = frameCount === undefined ? undefined : Math.max(0, frameCount - to)
    const eta = this.state === 'running' && left !== undefined && left > 0 ? filmEta(this.#times, left) : undefined
    return {
      ...{ run: this.run, name, kind, strategy, made: to, from, to, state: this.state },
      ...(frameCount === undefined ? {} : { frameCount }),
      ...(this.problem === undefined ? {} : { problem: shortened(this.problem, MOST_TEXT) }),
      ...(this.#share === undefined || this.state === 'ended' ? {} : { share: this.#share }),
      ...(eta ? { eta: { ms: seconds(eta.ms), leastMs: seconds(eta.leastMs), mostMs: seconds(eta.mostMs) } } : {}),
    }
  }

  #rosterOf({ workers }: FrameReport): number {
    const names = JSON.stringify(workers.map(({ name, device }) => (device === undefined ? name : `${name} ${device}`)))
    const places = this.#places.of(workers)
    // Most often they are their numbers, which goes without saying.
    const isMoved = places.some((place, number) => place !== number)
    const text = `"names":${names}${isMoved ? `,"places":${JSON.stringify(places)}` : ''}`
    const last = this.#rosters.length - 1
    if (this.#rosters[last]?.text === text) return last
    this.#rosters.push({ text, since: this.ring.to })
    // Frames whose areas have no names any more would say little.
    const kept = last + 1 - MOST_ROSTERS
    if (kept >= 0) {
      this.ring.forgetBefore(this.#rosters[kept + 1]!.since)
      this.#rosters[kept] = NO_ROSTER
    }
    return last + 1
  }
}

const NO_ROSTER = { text: '"names":[]', since: 0 } as const
const tenths = (ms: number): number => Math.round(ms * 10) / 10
/** A forecast that is said anew for each millisecond would only be traffic. */
const seconds = (ms: number): number => Math.round(ms / 1000) * 1000
