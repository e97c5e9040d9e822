/**
 * What a master's dashboards show: the runs that a page may see, and what workers do. Runs that no page can see are not recorded: a run
 * of a view is, because it exists for its page alone, and those of clients are once somebody has a link to all of them.
 */

import type {
  DashboardAct,
  DashboardState,
  DashboardWorker,
  GuessNews,
} from '../../../shared/dashboard/dashboard-messages.ts'
import { messageOf, SortfirstError } from '../../../shared/errors.ts'
import type { EventKind } from '../../../shared/frame/event-kinds.ts'
import type { FrameReport } from '../../../shared/frame/frame-report.ts'
import { samplesOf } from '../../../shared/frame/samples-taken.ts'
import type { PageRight } from '../../../shared/page/page-messages.ts'
import type { SessionOrder } from '../../../shared/protocol/session-order.ts'
import type { FrameSource, SessionRunner } from '../../../shared/session/session.ts'
import type { AreaHealth } from '../../cluster/area-health.ts'
import type { Alarm } from '../../live-frames/tracers.ts'
import { type Move, moveEvent } from '../../sessions/frame-events.ts'
import { strategyNames } from '../../strategies/index.ts'
import { type StartGuesses, WhatIfDesk } from '../what-if/desk.ts'
import { guessJob, isTiny, unknownOf } from '../what-if/guess-job.ts'
import { type FilmPictures, keptPixels } from './film-pictures.ts'
import { Gate } from './gate.ts'
import { RunRecord } from './run-record.ts'
import { stuckOf } from './stuck.ts'
import { TakenFrames } from './taken-frames.ts'
import { Watcher } from './watcher.ts'

/** An operator has ended a run. */
export class CancelledByOperatorError extends SortfirstError {
  readonly code = 'CANCELLED'
  constructor() {
    super('an operator cancelled it')
  }
}

export interface HubPorts {
  now(): number
  alarm: Alarm
  workers(): readonly AreaHealth[]
  /** Resolves when workers of a name have left, with how many. */
  drain(worker: string): Promise<number>
  /** @returns whether there is one of that name */
  setQuarantine(worker: string, isQuarantined: boolean): boolean
  /** @throws UnknownNameError, or OptionError for one with which a session would cost too much */
  checkStrategy(order: SessionOrder, strategy: string): void
  readonly startGuesses: StartGuesses
}

/** Runs that are over and can still be looked at, and all that are remembered. */
const MOST_ENDED = 4
/** Messages of workers are cut: those of a thousand would take a page's time for more than a minute. */
const MOST_WORKERS = 64
const MOST_RUNS = 16

/** Who looks, at which runs. */
interface Page {
  sees(record: RunRecord): boolean
  readonly pictures: FilmPictures | undefined
  /** Number of the run of which it was shown a picture last. */
  pictured: number | undefined
}

interface Live {
  readonly record: RunRecord
  readonly order: SessionOrder
  readonly taken: TakenFrames
  /** The newest frame that was reported. */
  last: { readonly areas: number } | undefined
  readonly gate: Gate
  /** Frames in the making, oldest first, and what has them traced again from their start. */
  readonly making: Set<{ readonly frame: number; readonly again: () => void }>
  readonly stop: AbortController
  /** Its frames have another strategy from now on. */
  readonly switched: (() => void) | undefined
}

export class DashboardHub {
  readonly #ports: HubPorts
  readonly #live = new Map<number, Live>()
  /** With those that are over, oldest first. */
  readonly #records: RunRecord[] = []
  readonly #pages = new Map<Watcher, Page>()
  readonly #desk: WhatIfDesk
  #count = 0
  /** Whether somebody has a link to all runs. */
  isOpen = false

  constructor(ports: HubPorts) {
    this.#ports = ports
    const told = (run: number, news: GuessNews) => {
      this.#live.get(run)?.record.guess(news)
      this.#changed()
    }
    this.#desk = new WhatIfDesk({
      start: ports.startGuesses,
      told: ({ run, guess, doubts }) => told(run, { guesses: [guess], doubts }),
      failed: (run, reason) => told(run, { guesses: [], doubts: [`The simulator failed: ${reason}.`] }),
    })
  }

  /**
   * Records what is run.
   * @param view whose run it is; undefined: a client's, which is recorded if there is a link to all runs
   * @param switched called when somebody has chosen another strategy for it
   */
  recorded(run: SessionRunner['run'], view?: string, switched?: () => void): SessionRunner['run'] {
    return async (order, scene, source, sink, signal) => {
      if (view === undefined && !this.isOpen) return run(order, scene, source, sink, signal)
      const { now } = this.#ports
      const record = new RunRecord(++this.#count, order, view, now())
      const gate = new Gate()
      const stop = new AbortController()
      const abort = () => stop.abort()
      signal.addEventListener('abort', abort)
      if (signal.aborted) abort()
      const live: Live = {
        ...{ record, order, gate, stop, switched },
        ...{ making: new Set(), taken: new TakenFrames(), last: undefined },
      }
      this.#begun(live)
      try {
        await run(
          { ...order, spans: true },
          scene,
          this.#gated(source, live),
          {
            ...sink,
            status: (text, isEvent) => {
              if (isEvent) this.#happened(record, 'other', text)
              sink.status(text, isEvent)
            },
            progress: progress => {
              record.progress(progress, now())
              sink.progress?.(progress)
            },
            frame: ({ recorded, ...others }, ...channels) => {
              const report = order.record && recorded ? { ...others, recorded } : others
              this.#reported(live, recorded ? { ...others, recorded } : others)
              if (order.kind === 'film') this.#showPicture(live, report, channels[0])
              this.#changed()
              return sink.frame(order.spans ? report : { ...report, spans: [] }, ...channels)
            },
          },
          stop.signal,
        )
      } catch (error) {
        if (stop.signal.aborted && !signal.aborted) {
          record.problem = 'an operator cancelled it'
          throw new CancelledByOperatorError()
        }
        if (!signal.aborted) record.problem = messageOf(error)
        throw error
      } finally {
        signal.removeEventListener('abort', abort)
        record.state = 'ended'
        this.#live.delete(record.run)
        this.#forget()
        this.#changed()
      }
    }
  }

  /**
   * A page has a dashboard.
   * @param view whose runs it may see; undefined: all
   * @param pictures of films, for a page that has none of its own
   */
  watch(
    view: string | undefined,
    rights: readonly PageRight[],
    send: (text: string) => void,
    pictures?: FilmPictures,
  ): Watcher {
    const { now, alarm } = this.#ports
    const sees = (record: RunRecord) => view === undefined || record.view === view
    const runs = () => this.#records.filter(sees)
    const watcher: Watcher = new Watcher(rights, {
      ...{ runs, send, now, alarm },
      chosen: () => this.#showNewest(watcher),
      state: () => this.#stateOf(runs()),
      act: (act, on) => this.#act(act, on, runs()),
      switchTo: (run, strategy) => this.#switchTo(run, strategy, rights, runs()),
      wantGuesses: run =>
        this.#wantGuesses(
          watcher,
          runs().find(each => each.run === run),
        ),
      strategies: strategyNames,
    })
    this.#pages.set(watcher, { sees, pictures, pictured: undefined })
    this.#showNewest(watcher)
    return watcher
  }

  unwatch(watcher: Watcher): void {
    watcher.close()
    this.#pages.delete(watcher)
  }

  /** An area changed its state. */
  moved(move: Move): void {
    const event = moveEvent(move)
    if (event) for (const { record } of this.#live.values()) this.#happened(record, event.kind, event.text)
    this.#changed()
  }

  /** No frame begins while it is paused; and frames are as was asked for since the run began. */
  #gated(source: FrameSource, live: Live): FrameSource {
    const { gate, making, order, record, taken } = live
    return {
      async ready() {
        const isReady = await source.ready()
        if (isReady) await gate.opened()
        return isReady
      },
      take: () => {
        const frame = source.take()
        taken.taken(frame)
        const { strategy } = record
        const isWanted = this.#desk.wants(record.run) && live.last?.areas !== 1 && !unknownOf(order, frame)
        return {
          ...frame,
          ...(strategy === order.strategy ? {} : { strategy }),
          ...(isWanted ? { record: true } : {}),
        }
      },
      onAbandon: listen => source.onAbandon?.(listen) ?? (() => {}),
      onRetry: (frame, again) => {
        const entry = { frame, again }
        making.add(entry)
        return () => void making.delete(entry)
      },
    }
  }

  #reported(live: Live, report: FrameReport): void {
    const { record, taken, order } = live
    const request = taken.reported(report.frame)
    const { workers, events = [] } = report
    // Of all others, it has heard at once.
    for (const { kind, text } of events) if (kind === 'cut') this.#happened(record, kind, text)
    record.frame(report)
    if (!request) return
    live.last = { areas: workers.length }
    if (!this.#desk.wants(record.run) || isTiny(report)) return
    const unknown = workers.length === 1 ? ALONE : unknownOf(order, request)
    if (unknown !== undefined) {
      if (record.doubts[0] !== unknown) record.guess({ guesses: [], doubts: [unknown] })
      return
    }
    const job = guessJob(record.run, record.ring.to - 1, order, request, report)
    if (job) this.#desk.take(job)
  }

  /** To all pages that look at the run, also where the dashboard is closed. @param pixels borrowed */
  #showPicture({ record, order: { size, quality } }: Live, report: FrameReport, pixels: Uint8Array): void {
    const workers = report.workers.map(({ name }) => name)
    record.picture = { ...keptPixels(pixels, size), workers, ...samplesOf(report, quality.samples) }
    for (const [watcher, page] of this.#pages) {
      if (watcher.shown !== record) continue
      page.pictured = record.run
      page.pictures?.take(record.picture)
    }
  }

  /** A page that looks at another run than before, or at its first, is shown the newest frame that is there. */
  #showNewest(watcher: Watcher): void {
    const page = this.#pages.get(watcher)
    const record = this.#records.find(each => each === watcher.shown)
    if (!page?.pictures || !record?.picture || page.pictured === record.run) return
    page.pictured = record.run
    page.pictures.take(record.picture)
  }

  #wantGuesses(watcher: Watcher, record: RunRecord | undefined): void {
    this.#desk.want(watcher, record?.state === 'ended' ? undefined : record?.run)
  }

  #switchTo(run: number, strategy: string, rights: readonly PageRight[], records: readonly RunRecord[]): string {
    const live = this.#live.get(run)
    if (!live || !records.includes(live.record)) throw new Error(`run ${run} is over`)
    const { record, order } = live
    const needed = order.kind === 'viewer' ? 'steer' : 'operate'
    if (!rights.includes(needed)) throw new Error(`this link may not do that: it needs the right ${needed}`)
    if (strategy !== order.strategy) this.#ports.checkStrategy(order, strategy)
    const before = record.strategy
    if (strategy === before) return `it is balanced by ${strategy} already`
    record.strategy = strategy
    this.#happened(record, 'strategy', `${strategy} instead of ${before}`)
    live.switched?.()
    return `it is balanced by ${strategy} from the next frame on`
  }

  /** The frame that others are delivered after is traced again, by who is there now. */
  #retry({ record, making }: Live): string {
    const [oldest] = making
    if (!oldest) throw new Error('no frame of it is being traced')
    const said = `frame ${oldest.frame} is traced again from its start`
    record.movedAt = this.#ports.now()
    this.#happened(record, 'retried', said)
    oldest.again()
    return said
  }

  #begun(live: Live): void {
    this.#live.set(live.record.run, live)
    this.#records.push(live.record)
    this.#changed()
  }

  #happened(record: RunRecord, kind: EventKind, text: string): void {
    record.event(kind, text, this.#ports.now())
    this.#changed()
  }

  #changed(): void {
    for (const watcher of this.#pages.keys()) {
      watcher.changed()
      this.#showNewest(watcher)
    }
  }

  /** Of the runs that are over, the last ones are kept. */
  #forget(): void {
    const ended = this.#records.filter(({ state }) => state === 'ended')
    for (const record of ended.slice(0, Math.max(0, ended.length - MOST_ENDED)))
      this.#records.splice(this.#records.indexOf(record), 1)
    for (const record of ended.slice(0, -1)) record.picture = undefined
  }

  #stateOf(records: readonly RunRecord[]): Omit<DashboardState, 'mayAct' | 'maySteer'> {
    const workers = workersOf(this.#ports.workers())
    const at = this.#ports.now()
    const all = records.map(record => ({
      said: record.said,
      stillMs: at - record.movedAt,
      usualMs: record.usualMs,
    }))
    return {
      workers: workers.slice(0, MOST_WORKERS),
      runs: all.slice(-MOST_RUNS).map(({ said }) => said),
      stuck: stuckOf(all, workers).slice(0, MOST_RUNS),
    }
  }

  async #act(act: DashboardAct, on: string, records: readonly RunRecord[]): Promise<string> {
    const { drain, setQuarantine } = this.#ports
    if (act === 'drain') {
      const left = await drain(on)
      if (left === 0) throw new Error(`there is no worker ${on}`)
      return `${on} has left`
    }
    if (act === 'quarantine' || act === 'release') {
      if (!setQuarantine(on, act === 'quarantine')) throw new Error(`there is no worker ${on}`)
      return act === 'quarantine'
        ? `${on} is given nothing more for an hour, or until it is released`
        : `${on} is released`
    }
    const live = this.#live.get(Number(on))
    if (!live || !records.includes(live.record)) throw new Error(`run ${on} is over`)
    const { record, gate, stop } = live
    if (act === 'retry') return this.#retry(live)
    if (act === 'cancel') stop.abort()
    else {
      gate.set(act === 'resume')
      if (act === 'resume') record.resume(this.#ports.now())
      else record.state = 'paused'
      record.movedAt = this.#ports.now()
    }
    return { cancel: 'it is cancelled', pause: 'it pauses after the frames in progress', resume: 'it goes on' }[act]
  }
}

/** Why there is nothing to choose. */
const ALONE = 'One worker traces these frames alone: strategies differ only where there are several.'

/** Areas of a worker are one row, with the state of the least able. */
function workersOf(areas: readonly AreaHealth[]): DashboardWorker[] {
  const workers = new Map<string, DashboardWorker>()
  for (const { name, state, quarantine, reason = quarantine?.reason } of areas) {
    const before = workers.get(name)
    const isWorse = !before || rankOf(state) > rankOf(before.state)
    const why = {
      ...(reason === undefined ? {} : { reason }),
      // A countdown by the second would be traffic without end.
      ...(quarantine ? { forMs: Math.ceil(quarantine.forMs / 10_000) * 10_000 } : {}),
    }
    workers.set(name, { ...(isWorse ? { name, state, ...why } : before), areas: (before?.areas ?? 0) + 1 })
  }
  return [...workers.values()].sort((a, b) => rankOf(b.state) - rankOf(a.state))
}

const RANKS = ['ready', 'warming', 'building', 'loading', 'joining', 'quiet', 'leaving', 'withdrawn', 'quarantined']
const rankOf = (state: string): number => RANKS.indexOf(state)
