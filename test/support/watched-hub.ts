/** A hub of dashboards whose runs are made by hand, on a clock that is turned by hand, and a page that looks at it. */
import { expect } from 'vitest'
import { DashboardHub } from '../../master/page/dashboard/hub.ts'
import type { StartGuesses } from '../../master/page/what-if/desk.ts'
import type { GuessJob } from '../../master/page/what-if/guesser.ts'
import { strategyByName } from '../../master/strategies/index.ts'
import { madeReport } from '../../scripts/bench/view/made-report.ts'
import type { ToDashboard } from '../../shared/dashboard/dashboard-messages.ts'
import type { FrameReport } from '../../shared/frame/frame-report.ts'
import type { PageRight } from '../../shared/page/page-messages.ts'
import type { SessionOrder } from '../../shared/protocol/session-order.ts'
import type { SessionRunner, WantedFrame } from '../../shared/session/session.ts'
import { smallSession } from './session.ts'
import { smallCamera } from './small-scene.ts'

/** A clock that is turned by hand. */
export class Time {
  now = 0
  #alarms: { at: number; wake: () => void }[] = []
  readonly alarm = (wake: () => void, inMs: number) => {
    const alarm = { at: this.now + inMs, wake }
    this.#alarms.push(alarm)
    return () => {
      this.#alarms = this.#alarms.filter(each => each !== alarm)
    }
  }

  get alarms(): number {
    return this.#alarms.length
  }

  pass(ms: number): void {
    const end = this.now + ms
    for (;;) {
      const next = this.#alarms.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
      if (!next) break
      this.#alarms = this.#alarms.filter(each => each !== next)
      this.now = next.at
      next.wake()
    }
    this.now = end
  }
}

export type Sink = Parameters<SessionRunner['run']>[3]
export const { frames: _, ...smallOrder } = smallSession({})

/** A hub, a run under it, and a page that looks at it. */
export function watched(
  rights: readonly PageRight[] = ['watch'],
  areas = 8,
  view = 'v1',
  changes: Partial<SessionOrder> = {},
) {
  const time = new Time()
  const quarantined: [string, boolean][] = []
  const threads: { posted: GuessJob[]; isOver: boolean; events: Parameters<StartGuesses>[0] }[] = []
  const hub = new DashboardHub({
    now: () => time.now,
    alarm: time.alarm,
    workers: () => [{ id: 'a0', name: 'w0', engine: 'wasm', threads: 1, speed: 1, state: 'ready' }],
    drain: async name => (name === 'w0' ? 1 : 0),
    setQuarantine: (name, isQuarantined) => name === 'w0' && quarantined.push([name, isQuarantined]) > 0,
    checkStrategy(_order, name) {
      strategyByName(name)
    },
    startGuesses: events => {
      const thread = { posted: [] as GuessJob[], isOver: false, events }
      threads.push(thread)
      return {
        post: job => thread.posted.push(job),
        end() {
          thread.isOver = true
        },
      }
    },
  })
  const order = { ...smallOrder, kind: 'film' as const, frameCount: 30, sceneName: 'boat', spans: false, ...changes }
  const sinks: Sink[] = []
  let source: Parameters<SessionRunner['run']>[2] | undefined
  const passed: FrameReport[] = []
  /** Frames that the client asks for. */
  const wanted: WantedFrame[] = []
  const stop = new AbortController()
  const begin = (of: string | undefined = view) =>
    hub.recorded(async (given, _scene, frames, into, signal) => {
      expect(given.spans).toBe(true)
      sinks.push(into)
      source = frames
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('over'))))
    }, of)(
      order,
      {} as never,
      { ready: async () => true, take: () => wanted.shift() ?? ({ frame: 0, camera: smallCamera(0) } as WantedFrame) },
      { started() {}, status() {}, frame: report => void passed.push(report) },
      stop.signal,
    )
  const heard: ToDashboard[] = []
  let bytes = 0
  const look = (at: string | undefined = view) =>
    hub.watch(at, rights, text => {
      bytes += text.length
      heard.push(JSON.parse(text).said)
    })
  /** @param more of its report */
  const make = (frame: number, sink = sinks.at(-1), more: Partial<FrameReport> = {}) => {
    const report = madeReport({ areas, tiles: areas * 2, seed: frame + 1, frame })
    return sink!.frame(
      { ...report, beganAt: time.now, endedAt: time.now + report.frameMs, ...more },
      Uint8Array.of(frame),
      {} as never,
    )
  }
  return {
    time,
    hub,
    begin,
    look,
    make,
    sinks,
    heard,
    passed,
    wanted,
    threads,
    stop,
    quarantined,
    bytes: () => bytes,
    source: () => source!,
    frames: () => heard.filter(each => each.is === 'frame'),
  }
}
