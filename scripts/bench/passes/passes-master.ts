/** A master that says, for any stretch of time, how late its timers were: as late as its heartbeats would have been. */
import { Session } from 'node:inspector/promises'
import { createInterface } from 'node:readline'
import { startMaster } from '../../../master/main.ts'
import type { Encoding } from '../../../shared/protocol/messages.ts'
import { threadCpuClock } from '../../../worker/node/thread-cpu-clock.ts'
import { say } from '../wire/child.ts'
import { sharesOf } from '../wire/shares.ts'

/** What it says: `listens` and its address, `joined` and a line of its log, or the answer to a line of input. */
export interface MasterSaid {
  readonly what: string
  /** With the answer to `end`. */
  readonly lateness?: Lateness
  /** What its event loop was busy with, as shares: with the answer to `end` after `profile`. */
  readonly shares?: Readonly<Record<string, number>>
}

/** How late a timer was, ms. */
export interface Lateness {
  readonly p99: number
  readonly max: number
  /** How much CPU time the event loop's thread used at most between two looks at its timers: so late they are on an idle machine. */
  readonly held: number
  /** Largest resident size at any of the timers, MiB. */
  readonly rssMiB: number
}

/** Workers draw where they ought to answer heartbeats, all processes may share two cores, and how late a master is is to be seen. */
export const PATIENT = { intervalMs: 2000, patience: 60, longPatience: 60 } as const

const TICK_MS = 10
/** How often the resident size is looked at, in ticks. */
const RSS_TICKS = 10

/** Ends with its standard input. @param encoding of pixels */
export async function runPassesMaster(encoding: Encoding): Promise<void> {
  const watch = new TimerWatch()
  const log = (what: string) => say({ what } satisfies MasterSaid)
  const master = await startMaster({ listen: '127.0.0.1:0', encoding, heartbeat: PATIENT }, { info: log, warn: log })
  const inspector = new Session()
  inspector.connect()
  let isProfiling = false
  say({ what: `listens ${master.url}` } satisfies MasterSaid)
  const lines = createInterface({ input: process.stdin })
  lines.on('line', async line => {
    if (line === 'profile') {
      await inspector.post('Profiler.enable')
      await inspector.post('Profiler.start')
      isProfiling = true
    }
    if (line === 'begin') watch.begin()
    const lateness = line === 'end' ? { lateness: watch.end() } : {}
    const shares = isProfiling && line === 'end' ? sharesOf((await inspector.post('Profiler.stop')).profile) : undefined
    say({ what: line, ...lateness, ...(shares ? { shares } : {}) } satisfies MasterSaid)
  })
  lines.on('close', async () => {
    await master.close()
    process.exit()
  })
}

class TimerWatch {
  readonly #cpu = threadCpuClock()
  #late: number[] = []
  #held = 0
  #rss = 0
  #last = { at: 0, cpu: 0 }
  #timer: NodeJS.Timeout | undefined

  begin(): void {
    this.#late = []
    this.#held = 0
    this.#rss = 0
    this.#last = { at: performance.now(), cpu: this.#cpu.now() }
    this.#timer = setInterval(() => this.#look(), TICK_MS)
  }

  end(): Lateness {
    this.#look()
    clearInterval(this.#timer)
    const late = this.#late.sort((a, b) => a - b)
    const p99 = late[Math.min(late.length - 1, Math.ceil(0.99 * late.length))] ?? 0
    return { p99: round(p99), max: round(late.at(-1) ?? 0), held: round(this.#held), rssMiB: Math.round(this.#rss) }
  }

  #look(): void {
    const now = { at: performance.now(), cpu: this.#cpu.now() }
    const late = Math.max(0, now.at - this.#last.at - TICK_MS)
    this.#held = Math.max(this.#held, Math.min(late, now.cpu - this.#last.cpu))
    if (this.#late.push(late) % RSS_TICKS === 1) this.#rss = Math.max(this.#rss, process.memoryUsage.rss() / 2 ** 20)
    this.#last = now
  }
}

const round = (value: number): number => Math.round(10 * value) / 10
