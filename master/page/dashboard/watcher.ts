/**
 * The dashboard of one page: what it is sent, and when. Frames come faster than anybody reads, so a page is sent the newest, and what it asks for,
 * within so many bytes a second; while it is not looked at, nothing is sent, or even made.
 */
import type {
  DashboardAct,
  DashboardEvent,
  DashboardRun,
  DashboardState,
  FramePoint,
  ToDashboard,
} from '../../../shared/dashboard/dashboard-messages.ts'
import { shownFirst } from '../../../shared/dashboard/shown-first.ts'
import type { Guess } from '../../../shared/dashboard/what-if.ts'
import { messageOf } from '../../../shared/errors.ts'
import type { FromPage } from '../../../shared/page/from-page.ts'
import type { PageRight } from '../../../shared/page/page-messages.ts'
import type { Alarm } from '../../live-frames/tracers.ts'

type Asked = Extract<FromPage, { type: 'dashboard' }>['ask']

/** A run as it is kept. */
export interface WatchedRun {
  readonly run: number
  readonly state: DashboardRun['state']
  readonly ring: { readonly from: number; readonly to: number; get(place: number): string | undefined }
  readonly events: readonly DashboardEvent[]
  readonly points: readonly FramePoint[]
  readonly guesses: readonly Guess[]
  readonly doubts: readonly string[]
  readonly guessed: number
  /** Names and places of areas, as fields in JSON. */
  roster(number: number): string | undefined
}

export interface WatcherPorts {
  /** That the page may see, oldest first. */
  runs(): readonly WatchedRun[]
  state(): Omit<DashboardState, 'mayAct' | 'maySteer'>
  /** The page has chosen a run, or none any more. */
  chosen(): void
  /** Resolves with what has been done, for people. */
  act(act: DashboardAct, on: string): Promise<string>
  /** Balances a run by another strategy from its next frame on. @returns what has been done, for people */
  switchTo(run: number, strategy: string): string
  /** The page wants to know what other strategies would have taken for frames of a run; undefined: of none any more. */
  wantGuesses(run: number | undefined): void
  /** Names of strategies, in the order of their times. */
  readonly strategies: readonly string[]
  /** JSON. */
  send(text: string): void
  now(): number
  alarm: Alarm
}

/** Bytes a second, and at once after a pause. */
export const BYTES_PER_S = 5000
const AT_ONCE = 5000
/** How often it is looked what has changed beside frames, and for new frames at most, ms. */
const LOOK_MS = 1000
const LEAST_MS = 150

export class Watcher {
  readonly #rights: readonly PageRight[]
  readonly #ports: WatcherPorts
  #isWatched = false
  #room = AT_ONCE
  #roomAt = 0
  #disarm: (() => void) | undefined
  #lookedAt = Number.NEGATIVE_INFINITY
  #state = ''
  #wanted: { readonly run: number; readonly place: number } | undefined
  #wantedLine: { readonly run: number; readonly from: number } | undefined
  /** The run that the page has chosen; undefined: that which is shown first. */
  #chosen: number | undefined
  /** The run whose frames it wants to be simulated. */
  #guessed: number | undefined
  /** What the page has of each run. */
  readonly #has = new Map<
    number,
    { frame: number; point: number; lineAt: number; event: string; guessed: number; rosters: Map<number, string> }
  >()
  readonly #answers: ToDashboard[] = []
  /** Bytes that were sent. */
  sent = 0

  constructor(rights: readonly PageRight[], ports: WatcherPorts) {
    this.#rights = rights
    this.#ports = ports
    this.#roomAt = ports.now()
  }

  /** The run that the page looks at. */
  get shown(): WatchedRun | undefined {
    const runs = this.#ports.runs()
    return runs.find(({ run }) => run === this.#chosen) ?? shownFirst(runs)
  }

  hear(ask: Asked): void {
    switch (ask.for) {
      case 'news':
        this.#isWatched = ask.isWatched
        // A page that is hidden, and shown again, wants what it wanted.
        this.#ports.wantGuesses(ask.isWatched ? this.#guessed : undefined)
        // It may have been reloaded in between.
        if (ask.isWatched) this.#forget()
        return this.#go()
      case 'frame':
        this.#wanted = ask
        return this.#go()
      case 'run':
        this.#chosen = ask.run
        this.#ports.chosen()
        return this.#go()
      case 'line':
        this.#wantedLine = ask
        return this.#go()
      case 'what-if':
        this.#guessed = ask.run
        if (this.#isWatched) this.#ports.wantGuesses(ask.run)
        return this.#go()
      case 'strategy':
        return void this.#do(async () => this.#ports.switchTo(ask.run, ask.strategy))
      case 'act':
        return void this.#do(() => this.#act(ask.act, ask.on))
    }
  }

  /** Something happened: a frame is made, a worker came. */
  changed(): void {
    if (!this.#isWatched || this.#room <= 0) return
    const wait = this.#roomAt + LEAST_MS - this.#ports.now()
    if (wait <= 0) return this.#go()
    this.#disarm?.()
    this.#disarm = this.#ports.alarm(() => this.#go(), wait)
  }

  close(): void {
    this.#isWatched = false
    this.#ports.wantGuesses(undefined)
    this.#disarm?.()
    this.#disarm = undefined
  }

  #forget(): void {
    this.#has.clear()
    this.#state = ''
    this.#lookedAt = Number.NEGATIVE_INFINITY
  }

  #act(act: DashboardAct, on: string): Promise<string> {
    if (!this.#rights.includes('operate')) throw new Error('this link may not do that: it needs the right operate')
    return this.#ports.act(act, on)
  }

  async #do(what: () => Promise<string>): Promise<void> {
    let answer: ToDashboard
    try {
      answer = { is: 'answer', text: await what(), isError: false }
    } catch (error) {
      answer = { is: 'answer', text: messageOf(error), isError: true }
    }
    this.#answers.push(answer)
    if (this.#answers.length > MOST_ANSWERS) this.#answers.shift()
    this.#lookedAt = Number.NEGATIVE_INFINITY
    this.#go()
  }

  /** Sends as much as there is room for, the most urgent first, and comes back. */
  #go(): void {
    this.#disarm?.()
    this.#disarm = undefined
    const { now, alarm } = this.#ports
    const at = now()
    this.#room = Math.min(AT_ONCE, this.#room + ((at - this.#roomAt) * BYTES_PER_S) / 1000)
    this.#roomAt = at
    while (this.#room > 0 && this.#sendNext()) {
      // Each makes the room smaller.
    }
    if (!this.#isWatched) return
    const wait = this.#room > 0 ? LOOK_MS : Math.max(20, (-this.#room / BYTES_PER_S) * 1000 + 1)
    this.#disarm = alarm(() => this.#go(), wait)
  }

  /** @returns whether there was anything to say */
  #sendNext(): boolean {
    const answer = this.#answers.shift()
    if (answer) return this.#send(answer)
    if (!this.#isWatched) return false
    return this.#sendState() || this.#sendWanted() || this.#sendLines() || this.#sendShown()
  }

  #sendState(): boolean {
    const at = this.#ports.now()
    if (at - this.#lookedAt < LOOK_MS) return false
    this.#lookedAt = at
    const [mayAct, maySteer] = [this.#rights.includes('operate'), this.#rights.includes('steer')]
    const state = { ...this.#ports.state(), mayAct, maySteer }
    const text = JSON.stringify(state)
    if (text === this.#state) return false
    this.#state = text
    return this.#send({ is: 'state', state })
  }

  #sendWanted(): boolean {
    const [wanted, line] = [this.#wanted, this.#wantedLine]
    this.#wanted = undefined
    if (!wanted) this.#wantedLine = undefined
    const asked = wanted ?? line
    const run = asked && this.#ports.runs().find(each => each.run === asked.run)
    if (!run) return false
    if (!wanted) return this.#sendLine(run, line!.from, MOST_SENT_POINTS)
    // One that is not kept any more is the oldest that is.
    const place = Math.max(run.ring.from, Math.min(wanted.place, run.ring.to - 1))
    return this.#sendFrame(run, place)
  }

  /** What is new in the lines of runs. Those that wait longest come first: a run whose frames come fast does not keep the others waiting. */
  #sendLines(): boolean {
    const { shown } = this
    const now = this.#ports.now()
    return this.#ports
      .runs()
      .map(run => ({ run, has: this.#hasOf(run) }))
      .sort((a, b) => a.has.lineAt - b.has.lineAt)
      .some(({ run, has }) => (run === shown || now - has.lineAt >= LOOK_MS) && this.#sendNews(run, now))
  }

  #sendNews(run: WatchedRun, now: number): boolean {
    const has = this.#hasOf(run)
    const last = run.events.at(-1)
    const newest = last ? `${last.before} ${last.at} ${last.text}` : ''
    if (has.event !== newest) {
      has.event = newest
      return this.#send({ is: 'events', run: run.run, events: run.events.slice(-MOST_SENT_EVENTS) })
    }
    const { to } = run.ring
    if (has.point >= to) return false
    // If more are missing, the page asks for those that it shows.
    const from = Math.max(has.point, to - MOST_SENT_POINTS)
    has.point = to
    has.lineAt = now
    return this.#sendLine(run, from, to - from)
  }

  #sendLine({ run, ring, points }: WatchedRun, from: number, count: number): boolean {
    const since = ring.to - points.length
    const first = Math.max(from, since)
    const sent = points.slice(first - since, first - since + count)
    return sent.length > 0 && this.#send({ is: 'line', run, from: first, points: sent })
  }

  /** Of the run that the page looks at, what strategies would have taken, and the newest frame. */
  #sendShown(): boolean {
    const { shown: run } = this
    const guessed = this.#ports.runs().find(each => each.run === this.#guessed)
    if (guessed && this.#hasOf(guessed).guessed < guessed.guessed) return this.#sendGuesses(guessed)
    if (!run) return false
    const newest = run.ring.to - 1
    return this.#hasOf(run).frame < newest && this.#sendFrame(run, newest)
  }

  #sendGuesses({ run, guesses, guessed, doubts }: WatchedRun): boolean {
    const has = this.#hasOf({ run })
    const unsent = guesses.slice(-Math.min(MOST_SENT_GUESSES, guessed - has.guessed))
    has.guessed = guessed
    return this.#send({ is: 'what-if', run, names: this.#ports.strategies, guesses: unsent, doubts })
  }

  #hasOf({ run }: Pick<WatchedRun, 'run'>) {
    const known = this.#has.get(run)
    if (known) return known
    const has = {
      frame: -1,
      point: 0,
      lineAt: Number.NEGATIVE_INFINITY,
      event: '',
      guessed: 0,
      rosters: new Map<number, string>(),
    }
    this.#has.set(run, has)
    return has
  }

  #sendFrame(run: WatchedRun, place: number): boolean {
    const frame = run.ring.get(place)
    if (frame === undefined) return false
    const has = this.#hasOf(run)
    has.frame = Math.max(has.frame, place)
    const roster = Number(/"roster":(\d+)/.exec(frame)?.[1] ?? 0)
    const areas = run.roster(roster) ?? '"names":[]'
    if (has.rosters.get(roster) !== areas) {
      has.rosters.set(roster, areas)
      this.#sendText(`{"is":"roster","run":${run.run},"roster":${roster},${areas}}`)
    }
    return this.#sendText(`{"is":"frame","run":${run.run},"place":${place},"frame":${frame}}`)
  }

  #send(said: ToDashboard): boolean {
    return this.#sendText(JSON.stringify(said))
  }

  #sendText(said: string): boolean {
    const text = `{"type":"dashboard","said":${said}}`
    this.#room -= text.length
    this.sent += text.length
    this.#ports.send(text)
    return true
  }
}

const MOST_SENT_EVENTS = 40
/** As many as a line of frames shows. */
const MOST_SENT_POINTS = 240
/** Of a page that comes late: more would take its time for a second. */
const MOST_SENT_GUESSES = 30
/** Answers that wait to be sent: of a page that asks for more at once, the oldest are dropped. */
const MOST_ANSWERS = 16
