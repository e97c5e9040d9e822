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
  rosterNames(number: number): string | undefined
}

export interface WatcherPorts {
  /** That the page may see, oldest first. */
  runs(): readonly WatchedRun[]
  state(): Omit<DashboardState, 'mayAct'>
  /** Resolves with what has been done, for people. */
  act(act: DashboardAct, on: string): Promise<string>
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
  readonly #mayAct: boolean
  readonly #ports: WatcherPorts
  #isWatched = false
  #room = AT_ONCE
  #roomAt = 0
  #disarm: (() => void) | undefined
  #lookedAt = Number.NEGATIVE_INFINITY
  #state = ''
  #wanted: { readonly run: number; readonly place: number } | undefined
  /** What the page has of each run. */
  readonly #has = new Map<number, { frame: number; point: number; event: string; rosters: Map<number, string> }>()
  readonly #answers: ToDashboard[] = []
  /** Bytes that were sent. */
  sent = 0

  constructor(rights: readonly PageRight[], ports: WatcherPorts) {
    this.#mayAct = rights.includes('operate')
    this.#ports = ports
    this.#roomAt = ports.now()
  }

  get isWatched(): boolean {
    return this.#isWatched
  }

  hear(ask: Asked): void {
    switch (ask.for) {
      case 'news':
        this.#isWatched = ask.isWatched
        // It may have been reloaded in between.
        if (ask.isWatched) this.#forget()
        return this.#go()
      case 'frame':
        this.#wanted = ask
        return this.#go()
      case 'act':
        return void this.#act(ask.act, ask.on)
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
    this.#disarm?.()
    this.#disarm = undefined
  }

  #forget(): void {
    this.#has.clear()
    this.#state = ''
    this.#lookedAt = Number.NEGATIVE_INFINITY
  }

  async #act(act: DashboardAct, on: string): Promise<void> {
    let answer: ToDashboard
    if (this.#mayAct) {
      const done = this.#ports.act(act, on)
      answer = await done.then(
        text => ({ is: 'answer', text, isError: false }) as const,
        (error: unknown) =>
          ({ is: 'answer', text: error instanceof Error ? error.message : `${error}`, isError: true }) as const,
      )
    } else answer = { is: 'answer', text: 'this link may not do that: it needs the right operate', isError: true }
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
    return (
      this.#sendState() ||
      this.#sendWanted() ||
      this.#ports
        .runs()
        .toReversed()
        .some(run => this.#sendRun(run))
    )
  }

  #sendState(): boolean {
    const at = this.#ports.now()
    if (at - this.#lookedAt < LOOK_MS) return false
    this.#lookedAt = at
    const state = { ...this.#ports.state(), mayAct: this.#mayAct }
    const text = JSON.stringify(state)
    if (text === this.#state) return false
    this.#state = text
    return this.#send({ is: 'state', state })
  }

  #sendWanted(): boolean {
    const wanted = this.#wanted
    this.#wanted = undefined
    const run = wanted && this.#ports.runs().find(each => each.run === wanted.run)
    if (!run) return false
    // One that is not kept any more is the oldest that is.
    const place = Math.max(run.ring.from, Math.min(wanted.place, run.ring.to - 1))
    return this.#sendFrame(run, place)
  }

  /** What is new of a run: a line, events, its newest frame. Of others than that which a page shows by itself only the line. */
  #sendRun(run: WatchedRun): boolean {
    const has = this.#hasOf(run)
    const { to } = run.ring
    const last = run.events.at(-1)
    const newest = last ? `${last.before} ${last.at} ${last.text}` : ''
    if (has.event !== newest) {
      has.event = newest
      return this.#send({ is: 'events', run: run.run, events: run.events.slice(-MOST_SENT_EVENTS) })
    }
    if (has.point < to) {
      const points = run.points.slice(-Math.min(to - has.point, run.points.length))
      has.point = to
      return this.#send({ is: 'line', run: run.run, from: to - points.length, points })
    }
    if (has.frame >= to - 1 || run.run !== shownFirst(this.#ports.runs())?.run) return false
    return this.#sendFrame(run, to - 1)
  }

  #hasOf({ run }: WatchedRun) {
    const known = this.#has.get(run)
    if (known) return known
    const has = { frame: -1, point: 0, event: '', rosters: new Map<number, string>() }
    this.#has.set(run, has)
    return has
  }

  #sendFrame(run: WatchedRun, place: number): boolean {
    const frame = run.ring.get(place)
    if (frame === undefined) return false
    const has = this.#hasOf(run)
    has.frame = Math.max(has.frame, place)
    const roster = Number(/"roster":(\d+)/.exec(frame)?.[1] ?? 0)
    const names = run.rosterNames(roster) ?? '[]'
    if (has.rosters.get(roster) !== names) {
      has.rosters.set(roster, names)
      this.#sendText(`{"is":"roster","run":${run.run},"roster":${roster},"names":${names}}`)
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
/** Answers that wait to be sent: of a page that asks for more at once, the oldest are dropped. */
const MOST_ANSWERS = 16
