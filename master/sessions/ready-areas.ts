/** Waits for areas that can be given tiles of a scene. */

import { CancelledError } from '../../shared/errors.ts'
import type { WorkerInfo } from '../../shared/frame/frame-report.ts'
import { NotTracedError } from '../../shared/scene/not-traced.ts'
import { type Engines, isAmong } from '../../shared/session/engines.ts'
import { workerCount } from '../../shared/session/worker-count.ts'
import { MAX_QUOTED, shortened } from '../../shared/text/printable.ts'
import type { Clock } from '../../shared/time/clock.ts'
import { forUpTo } from '../../shared/time/duration.ts'
import type { ClusterListener, Refusal } from '../cluster/cluster.ts'
import { isDeserted, mostOf, type OwnWorkers } from '../cluster/own-workers.ts'
import type { Alarm, Ticker } from '../live-frames/tracers.ts'
import { NoWorkersError } from './errors.ts'

/** The code of that error, of a worker. */
const NOT_TRACED: NotTracedError['code'] = 'NOT_TRACED'

/** Whether the scene is beyond the worker's engine, and always will be. */
const isBeyond = ({ code }: Refusal): boolean => code === NOT_TRACED

/** After a look at all areas, events are not looked at for so many times as long. */
const REST_FACTOR = 20

/** Areas of one scene, and of the engines that may trace it. */
export interface AreasPorts {
  ready(): WorkerInfo[]
  /** Number of areas that are ready for the scene or on their way to it. */
  expectedWorkers(): number
  /** Of the workers that were started with their master: only those are waited for, and as long as they live. @default they come from elsewhere */
  own?(): OwnWorkers | undefined
  /** All connected areas, usable or not. */
  connected(): WorkerInfo[]
  /** Why workers cannot use the scene. */
  refusals(): readonly Refusal[]
  subscribe(listener: ClusterListener): () => void
  readonly clock: Clock
  readonly ticker: Ticker
  readonly alarm: Alarm
}

export interface Wanted {
  /** How many; a function's answer may change. */
  readonly count: number | (() => number)
  /** Fewer are of no use, even if no more can come. @default 1 */
  readonly least?: number
  readonly engines: Engines
  /** How long to wait, ms; a function's answer may change. */
  readonly waitMs: number | (() => number)
  /**
   * Once half of them are ready, the others are waited for as long again, and at least for so long, ms: one that is stuck must not hold
   * up the rest. @default until all are ready
   */
  readonly graceMs?: number
  /** Reports what is being waited for, whenever that changes: workers that are there, or others. */
  say(text: string, what: 'loading' | 'waiting'): void
}

/**
 * Resolves with the ready areas once there are as many as wanted, or as many as there will be without those whose engines do not trace such a
 * scene. Rejects with NoWorkersError if fewer than that are
 * ready or on their way for as long as the session may wait, and with CancelledError. Of workers that were started with their master, one is on its way
 * for as long as it lives, and one that has ended, or cannot use the scene while others are ready, is not wanted.
 */
export function areasReady(
  { count: wanted, least = 1, engines, waitMs: wait, graceMs, say }: Wanted,
  ports: AreasPorts,
  signal: AbortSignal,
): Promise<WorkerInfo[]> {
  const { ready, expectedWorkers, connected, refusals, subscribe, clock, ticker, alarm } = ports
  const own = () => ports.own?.()
  const count = (): number => {
    const asked = typeof wanted === 'number' ? wanted : wanted()
    const staff = own()
    return Math.max(least, staff ? Math.min(asked, mostOf(staff)) : asked)
  }
  const patience = typeof wait === 'number' ? () => wait : wait
  if (workerCount(ready()) >= count() && !signal.aborted) return Promise.resolve(ready())
  const beganAt = clock.now()
  /** Since when there have been too few. Areas that are building the structure of a large scene may take their time. */
  let shortSince: number | undefined
  /** When half of those that are wanted were ready. */
  let halfAt: number | undefined
  let said: string | undefined
  const sayOnce = (text: string, what: 'loading' | 'waiting') => {
    if (text !== said) say(text, what)
    said = text
  }
  return new Promise((resolve, reject) => {
    const look = (): void => {
      if (signal.aborted) return settle(() => reject(new CancelledError()))
      const areas = ready()
      const have = workerCount(areas)
      const needed = count()
      if (have >= needed || isEnough(have, needed)) return settle(() => resolve(areas))
      const refused = refusals()
      const [first] = refused
      const sayWhy = (): void => {
        if (first) sayOnce(`worker ${first.name} cannot use the scene: ${first.reason}`, 'waiting')
      }
      // Of mixed engines, a device may not trace what CPUs do: who asked for both has those that can. Nobody comes in place of a worker
      // that was started with its master, and cannot use the scene; if it has room for it later, it helps from then on.
      const staff = own()
      const left = refused.filter(refusal => (staff ? staff.here.has(refusal.name) : isBeyond(refusal)))
      if (have >= least && have + left.length >= needed) {
        sayWhy()
        return settle(() => resolve(areas))
      }
      const coming = own()?.coming ?? 0
      const expected = expectedWorkers()
      if (expected + coming >= needed) {
        shortSince = undefined
        if (expected < needed) return sayOnce(waitingFor(needed - expected, needed), 'waiting')
        return sayOnce('workers load the scene and build its structure', 'loading')
      }
      const waitMs = patience()
      if (first) sayWhy()
      else sayOnce(`${waitingFor(needed - expected, needed)}${forUpTo(waitMs)}`, 'waiting')
      shortSince ??= clock.now()
      // None is on the way, and none of those that are here will ever use it.
      const isHopeless =
        expected === 0 &&
        refused.length > 0 &&
        refused.every(({ isForRoom }) => !isForRoom) &&
        refused.length === ownEngines(ports, engines)
      if (isHopeless && refused.every(isBeyond))
        return settle(() =>
          reject(
            new NotTracedError(`worker ${first!.name} cannot use the scene: ${shortened(first!.reason, MAX_QUOTED)}`),
          ),
        )
      const isVain = isHopeless || isDeserted(own(), workerCount(connected()), least)
      if (isVain || clock.now() - shortSince >= waitMs)
        settle(() => reject(tooFewWorkers(needed, engines, ports, isVain ? undefined : waitMs)))
    }
    /** Of many events at once not each is looked at: looking takes time in proportion to the cluster. */
    let restUntil = Number.NEGATIVE_INFINITY
    let awakened: (() => void) | undefined
    const heard = (): void => {
      if (awakened) return
      const began = clock.now()
      if (began < restUntil) {
        awakened = alarm(() => {
          awakened = undefined
          heard()
        }, restUntil - began)
        return
      }
      look()
      const now = clock.now()
      restUntil = now + REST_FACTOR * (now - began)
    }
    const isEnough = (have: number, needed: number): boolean => {
      if (graceMs === undefined || have === 0 || 2 * have < needed) return false
      const now = clock.now()
      halfAt ??= now
      return now - halfAt >= Math.max(graceMs, halfAt - beganAt)
    }
    const stopHearing = subscribe({ ready: heard, moved: heard, refused: heard })
    const stopTicking = ticker(look)
    signal.addEventListener('abort', look)
    const settle = (end: () => void): void => {
      stopHearing()
      stopTicking()
      awakened?.()
      signal.removeEventListener('abort', look)
      end()
    }
    look()
  })
}

/** Workers of the engines that are connected. */
const ownEngines = ({ connected }: Pick<AreasPorts, 'connected'>, engines: Engines): number =>
  workerCount(connected().filter(({ engine }) => isAmong(engine, engines)))

/** What there is instead of so many workers. @param waitMs how long they were waited for; undefined: waiting would not help */
export function tooFewWorkers(
  wanted: number,
  engines: Engines,
  ports: Pick<AreasPorts, 'ready' | 'connected' | 'refusals' | 'own'>,
  waitMs: number | undefined,
): NoWorkersError {
  const all = ports.connected()
  const others = workerCount(all.filter(({ engine }) => !isAmong(engine, engines)))
  const counts = {
    ...{ ready: workerCount(ports.ready()), connected: workerCount(all), others, refusals: ports.refusals() },
    isStaff: ports.own?.() !== undefined,
  }
  return new NoWorkersError(wanted, counts, waitMs)
}

function waitingFor(missing: number, all: number): string {
  if (missing < all) return `waiting for ${missing} of ${all} workers`
  return `waiting for ${all} ${all === 1 ? 'worker' : 'workers'}`
}
