/**
 * What a master's dashboards show: the runs that a page may see, and what workers do. Runs that no page can see are not recorded: a run
 * of a view is, because it exists for its page alone, and those of clients are once somebody has a link to all of them.
 */

import type {
  DashboardAct,
  DashboardState,
  DashboardWorker,
  EventKind,
} from '../../../shared/dashboard/dashboard-messages.ts'
import { messageOf, SortfirstError } from '../../../shared/errors.ts'
import type { PageRight } from '../../../shared/page/page-messages.ts'
import type { FrameSource, SessionRunner } from '../../../shared/session/session.ts'
import type { AreaHealth } from '../../cluster/area-health.ts'
import type { Alarm } from '../../live-frames/tracers.ts'
import type { FilmPictures } from './film-pictures.ts'
import { Gate } from './gate.ts'
import { RunRecord } from './run-record.ts'
import { stuckOf } from './stuck.ts'
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
}

/** An area as it changed its state. */
export interface Move {
  readonly area: { readonly info: { readonly name: string } }
  readonly from: string
  readonly to: string
  readonly reason?: string
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
}

interface Live {
  readonly record: RunRecord
  readonly gate: Gate
  readonly stop: AbortController
}

export class DashboardHub {
  readonly #ports: HubPorts
  readonly #live = new Map<number, Live>()
  /** With those that are over, oldest first. */
  readonly #records: RunRecord[] = []
  readonly #pages = new Map<Watcher, Page>()
  #count = 0
  /** Whether somebody has a link to all runs. */
  isOpen = false

  constructor(ports: HubPorts) {
    this.#ports = ports
  }

  /** Records what is run. @param view whose run it is; undefined: a client's, which is recorded if there is a link to all runs */
  recorded(run: SessionRunner['run'], view?: string): SessionRunner['run'] {
    return async (order, scene, source, sink, signal) => {
      if (view === undefined && !this.isOpen) return run(order, scene, source, sink, signal)
      const { now } = this.#ports
      const record = new RunRecord(++this.#count, order, view, now())
      const gate = new Gate()
      const stop = new AbortController()
      const abort = () => stop.abort()
      signal.addEventListener('abort', abort)
      if (signal.aborted) abort()
      this.#begun({ record, gate, stop })
      try {
        await run(
          { ...order, spans: true },
          scene,
          gated(source, gate),
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
            frame: (report, ...channels) => {
              record.frame(report)
              const workers = report.workers.map(({ name }) => name)
              const { size, quality } = order
              if (order.kind === 'film')
                for (const [page, { sees, pictures }] of this.#pages)
                  if (page.isWatched && sees(record))
                    void pictures?.take(channels[0], { size, samples: quality.samples, workers })
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
      state: () => this.#stateOf(runs()),
      act: (act, on) => this.#act(act, on, runs()),
    })
    this.#pages.set(watcher, { sees, pictures })
    return watcher
  }

  unwatch(watcher: Watcher): void {
    watcher.close()
    this.#pages.delete(watcher)
  }

  /** An area changed its state. */
  moved({ area, from, to, reason = '' }: Move): void {
    const { name } = area.info
    const kind = kindOf(from, to)
    if (kind)
      for (const { record } of this.#live.values())
        this.#happened(record, kind, `${name} ${SAID[kind]}${reason === '' || kind === 'joined' ? '' : `: ${reason}`}`)
    this.#changed()
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
    for (const watcher of this.#pages.keys()) watcher.changed()
  }

  /** Of the runs that are over, the last ones are kept. */
  #forget(): void {
    const ended = this.#records.filter(({ state }) => state === 'ended')
    for (const record of ended.slice(0, Math.max(0, ended.length - MOST_ENDED)))
      this.#records.splice(this.#records.indexOf(record), 1)
  }

  #stateOf(records: readonly RunRecord[]): Omit<DashboardState, 'mayAct'> {
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

/** No frame of the source begins while the gate is closed. */
const gated = (source: FrameSource, gate: Gate): FrameSource => ({
  async ready() {
    const isReady = await source.ready()
    if (isReady) await gate.opened()
    return isReady
  },
  take: () => source.take(),
  onAbandon: listen => source.onAbandon?.(listen) ?? (() => {}),
})

function kindOf(from: string, to: string): EventKind | undefined {
  if (to === 'gone') return from === 'leaving' ? 'left' : 'lost'
  if (to === 'quarantined') return 'quarantined'
  if (from === 'quarantined' && to === 'serving') return 'released'
  return from === 'joining' && to === 'serving' ? 'joined' : undefined
}

const SAID: Readonly<Record<EventKind, string>> = {
  ...{ joined: 'joined', left: 'left', lost: 'was lost', quarantined: 'is quarantined', released: 'may work again' },
  ...{ cut: '', strategy: '', other: '' },
}

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
