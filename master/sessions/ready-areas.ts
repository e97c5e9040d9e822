/** Waits for areas that can be given tiles of a scene. */

import type { Clock } from '../../shared/clock.ts'
import { inWords } from '../../shared/duration.ts'
import { CancelledError } from '../../shared/errors.ts'
import type { WorkerInfo } from '../../shared/frame-report.ts'
import { workerCount } from '../../shared/worker-count.ts'
import type { ClusterObserver } from '../cluster/cluster.ts'
import { NoWorkersError } from './errors.ts'
import type { Ticker } from './trace-frame.ts'

/** Areas of one scene and engine. */
export interface AreasPorts {
  ready(): WorkerInfo[]
  /** Number of areas that are ready for the scene or on their way to it. */
  expectedWorkers(): number
  /** All connected areas, usable or not. */
  connected(): WorkerInfo[]
  observe(observer: ClusterObserver): () => void
  readonly clock: Clock
  readonly ticker: Ticker
}

export interface Wanted {
  /** How many; a function's answer may change. */
  readonly count: number | (() => number)
  readonly engine: string
  /** How long to wait, ms. */
  readonly waitMs: number
  /** Reports what is being waited for, whenever that changes: workers that are there, or others. */
  say(text: string, what: 'loading' | 'waiting'): void
}

/**
 * Resolves with the ready areas once there are as many as wanted. Rejects with NoWorkersError if fewer than that are
 * ready or on their way for as long as the session may wait, and with CancelledError.
 */
export function areasReady(
  { count: wanted, engine, waitMs, say }: Wanted,
  ports: AreasPorts,
  signal: AbortSignal,
): Promise<WorkerInfo[]> {
  const { ready, expectedWorkers, connected, observe, clock, ticker } = ports
  const count = typeof wanted === 'number' ? () => wanted : wanted
  if (workerCount(ready()) >= count() && !signal.aborted) return Promise.resolve(ready())
  const tooFew = () => {
    const all = connected()
    const others = workerCount(all.filter(area => area.engine !== engine))
    return new NoWorkersError(count(), workerCount(ready()), workerCount(all), waitMs, others)
  }
  /** Since when there have been too few. Areas that are building the structure of a large scene may take their time. */
  let shortSince: number | undefined
  let said: string | undefined
  const sayOnce = (text: string, what: 'loading' | 'waiting') => {
    if (text !== said) say(text, what)
    said = text
  }
  return new Promise((resolve, reject) => {
    const look = (): void => {
      if (signal.aborted) settle(() => reject(new CancelledError()))
      else if (workerCount(ready()) >= count()) settle(() => resolve(ready()))
      else if (expectedWorkers() >= count()) {
        shortSince = undefined
        sayOnce('workers load the scene and build its structure', 'loading')
      } else {
        sayOnce(`${waitingFor(count() - expectedWorkers(), count())}, for up to ${inWords(waitMs)}`, 'waiting')
        shortSince ??= clock.now()
        if (clock.now() - shortSince >= waitMs) settle(() => reject(tooFew()))
      }
    }
    const nothing = () => {}
    const stopObserving = observe({ ready: look, lost: look, tileDone: nothing, tileFailed: nothing })
    const stopTicking = ticker(look)
    signal.addEventListener('abort', look)
    const settle = (end: () => void): void => {
      stopObserving()
      stopTicking()
      signal.removeEventListener('abort', look)
      end()
    }
    look()
  })
}

function waitingFor(missing: number, all: number): string {
  if (missing < all) return `waiting for ${missing} of ${all} workers`
  return `waiting for ${all} ${all === 1 ? 'worker' : 'workers'}`
}
