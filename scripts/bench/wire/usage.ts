/** What a process has used up to a moment, and how late its timers have been since the moment before. */

export interface Moment {
  /** ms since 1970, with fractions: comparable between processes of a machine. */
  readonly at: number
  /** CPU time of all threads, ms. */
  readonly userMs: number
  readonly systemMs: number
  /** How late a timer was at worst since the last moment, as a heartbeat would have been, ms. */
  readonly lateMs: number
}

const TICK_MS = 5

/** Watches this process; the returned function says where it is. */
export function watchUsage(): () => Moment {
  let last = performance.now()
  let worst = 0
  const look = () => {
    const now = performance.now()
    worst = Math.max(worst, now - last - TICK_MS)
    last = now
  }
  setInterval(look, TICK_MS).unref()
  return () => {
    look()
    const lateMs = worst
    worst = 0
    const { user, system } = process.cpuUsage()
    return { at: performance.timeOrigin + performance.now(), userMs: user / 1000, systemMs: system / 1000, lateMs }
  }
}

/** What happened between two moments. */
export interface Phase {
  readonly ms: number
  readonly userMs: number
  readonly systemMs: number
  readonly lateMs: number
}

/** @param moments the first of which is the beginning, and the last the end */
export function phaseOf(moments: readonly Moment[]): Phase {
  const [from, to] = [moments[0]!, moments.at(-1)!]
  return {
    ms: round(to.at - from.at),
    userMs: round(to.userMs - from.userMs),
    systemMs: round(to.systemMs - from.systemMs),
    lateMs: round(Math.max(0, ...moments.slice(1).map(({ lateMs }) => lateMs))),
  }
}

const round = (value: number): number => Math.round(10 * value) / 10
