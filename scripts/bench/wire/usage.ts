/** What a process has used up to a moment, and how late its timers have been since the moment before. */
import { threadCpuClock } from '../../../worker/node/thread-cpu-clock.ts'

export interface Moment {
  /** ms since 1970, with fractions: comparable between processes of a machine. */
  readonly at: number
  /** CPU time of all threads, ms. */
  readonly userMs: number
  readonly systemMs: number
  /** How late a timer was at worst since the last moment, as a heartbeat would have been, ms. */
  readonly lateMs: number
  /** How much CPU time this thread used at most between two looks at its timers, ms: so late they are on an idle machine. */
  readonly heldMs: number
}

const TICK_MS = 5

/** Watches this process; the returned function says where it is. */
export function watchUsage(): () => Moment {
  const cpu = threadCpuClock()
  let last = { at: performance.now(), cpu: cpu.now() }
  let [lateMs, heldMs] = [0, 0]
  const look = () => {
    const now = { at: performance.now(), cpu: cpu.now() }
    const late = Math.max(0, now.at - last.at - TICK_MS)
    lateMs = Math.max(lateMs, late)
    heldMs = Math.max(heldMs, Math.min(late, now.cpu - last.cpu))
    last = now
  }
  setInterval(look, TICK_MS).unref()
  return () => {
    look()
    const late = { lateMs, heldMs }
    lateMs = 0
    heldMs = 0
    const { user, system } = process.cpuUsage()
    const at = performance.timeOrigin + performance.now()
    return { at, userMs: user / 1000, systemMs: system / 1000, ...late }
  }
}

/** What happened between two moments. */
export interface Phase {
  readonly ms: number
  readonly userMs: number
  readonly systemMs: number
  readonly lateMs: number
  readonly heldMs: number
}

/** @param moments the first of which is the beginning, and the last the end */
export function phaseOf(moments: readonly Moment[]): Phase {
  const [from, to] = [moments[0]!, moments.at(-1)!]
  return {
    ms: round(to.at - from.at),
    userMs: round(to.userMs - from.userMs),
    systemMs: round(to.systemMs - from.systemMs),
    lateMs: round(Math.max(0, ...moments.slice(1).map(({ lateMs }) => lateMs))),
    heldMs: round(Math.max(0, ...moments.slice(1).map(({ heldMs }) => heldMs))),
  }
}

const round = (value: number): number => Math.round(10 * value) / 10
