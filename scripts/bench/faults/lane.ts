/** A master, a client and worker processes, each behind a line of its own, for one scenario after the other. */
import { type Master, startMaster } from '../../../master/main.ts'
import type { SessionRunner } from '../../../shared/session/session.ts'
import type { Log } from '../../../shared/text/log.ts'
import { connectToCluster } from '../../library/remote-cluster.ts'
import { startWorkerProcess, type WorkerProcess } from '../../library/worker-process.ts'
import { FaultLine, type Way } from './fault-line.ts'
import { SIZE } from './hills.ts'
import { WORKERS } from './scenario.ts'
import type { Passing } from './socket-messages.ts'
import { isTileDone, type Progress, WorkerProgress } from './worker-progress.ts'

/** Of a core, each: many workers share a machine, and a frame takes as long on a busy one. */
const CORES = 0.15
/** As by default, in little: what a worker has done in one scenario is forgotten when the next one begins. */
const RELIABILITY = {
  failures: 3,
  withinMs: 2000,
  forgivenAfterMs: 500,
  pauses: { failures: { first: 50, most: 1000 }, silence: { first: 500, most: 1000 } },
}
/** From a start of a process until it has joined, ms. */
const JOIN_MS = 30_000

/** What passes instead of a message; undefined: the message itself. */
export type Forge = (message: Passing, way: Way) => readonly Uint8Array[] | undefined

export class StruckWorker {
  readonly name: string
  readonly line: FaultLine
  readonly progress = new WorkerProgress(SIZE)
  process: WorkerProcess
  /** Until the worker connects again. */
  forge: Forge | undefined
  /** How often it is still to be cut off as soon as it says hello. */
  flaps = 0
  /** Its newest answer on this connection. */
  lastAnswer: Uint8Array | undefined
  #isClosed = false

  constructor(name: string, line: FaultLine, heard: (worker: StruckWorker, progress: Progress) => void) {
    this.name = name
    this.line = line
    line.inspect = (way, message) => this.#inspect(way, message, heard)
    this.process = this.#start()
  }

  get pid(): number {
    return this.process.child.pid ?? 0
  }

  signal(name: NodeJS.Signals): void {
    this.process.child.kill(name)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    // Also a stopped process ends so.
    this.signal('SIGKILL')
    await Promise.all([this.process.ended, this.line.close()])
  }

  #inspect(way: Way, message: Passing, heard: (worker: StruckWorker, progress: Progress) => void) {
    if (way === 'to-master' && message.kind === 'head') {
      this.forge = undefined
      this.lastAnswer = undefined
    }
    const progress = this.progress.see(way, message)
    if (progress?.phase === 'hello' && this.flaps > 0) {
      this.flaps--
      setImmediate(() => this.line.cut('reset'))
    }
    if (progress) heard(this, progress)
    const passing = this.forge?.(message, way) ?? [message.bytes]
    if (way === 'to-master' && isTileDone(message)) this.lastAnswer = Uint8Array.from(message.bytes)
    return passing
  }

  /** A worker that was killed is started again, as a supervisor would. */
  #start(): WorkerProcess {
    const process = startWorkerProcess(this.name, [
      ...[this.line.url, '--threads', '1', '--engine', 'wasm', '--speed', '1', '--retry-for', '3600', '--no-cache'],
      ...['--threads-at-once', '--cores', `${CORES}`],
    ])
    void process.ended.then(() => {
      if (!this.#isClosed) this.process = this.#start()
    })
    return process
  }
}

type Departure = (name: string, at: number) => void

export class Lane {
  readonly #master: Master
  readonly client: SessionRunner
  readonly workers: readonly StruckWorker[]
  readonly #rosterChanged: Set<() => void>
  readonly #departures: Set<Departure>
  /** Strategies that its master has rehearsed: their first film takes longer. */
  readonly rehearsed = new Set<string>()
  /** Hears of every step of a worker. */
  heard: (worker: StruckWorker, progress: Progress) => void = () => {}

  private constructor(
    master: Master,
    client: SessionRunner,
    lines: readonly FaultLine[],
    rosterChanged: Set<() => void>,
    departures: Set<Departure>,
    index: number,
  ) {
    this.#master = master
    this.client = client
    this.#rosterChanged = rosterChanged
    this.#departures = departures
    this.workers = lines.map(
      (line, i) => new StruckWorker(`lane${index}-w${i + 1}`, line, (worker, progress) => this.heard(worker, progress)),
    )
  }

  /** @throws ListenError, WorkerStartError */
  static async open(index: number): Promise<Lane> {
    const rosterChanged = new Set<() => void>()
    const departures = new Set<Departure>()
    const hear = (line: string) => {
      const gone = /^worker (\S+) left/.exec(line)?.[1]
      if (gone) for (const each of [...departures]) each(gone, performance.now())
      // The roster changes in the same turn.
      setImmediate(() => {
        for (const each of [...rosterChanged]) each()
      })
    }
    const log: Log = { info: hear, warn: hear }
    const master = await startMaster({ listen: '127.0.0.1:0', reliability: RELIABILITY }, log)
    const client = await connectToCluster(master.url)
    const lines = await Promise.all(Array.from({ length: WORKERS }, () => FaultLine.open(master.url)))
    return new Lane(master, client, lines, rosterChanged, departures, index)
  }

  /** Whether the master has this worker. */
  has(name: string): boolean {
    return this.#master.workers().some(worker => worker.name === name)
  }

  /** Calls `departed` with every worker that the master drops, until the returned function is called. */
  onDeparture(departed: Departure): () => void {
    this.#departures.add(departed)
    return () => this.#departures.delete(departed)
  }

  /** Resolves when all workers have joined, each once, and none is quarantined. Rejects if they do not, or with the signal's reason. */
  async complete(signal: AbortSignal): Promise<void> {
    const expected = this.workers.map(({ name }) => name).join()
    const names = () =>
      this.#master
        .workers()
        .filter(({ state }) => state !== 'quarantined')
        .map(({ name }) => name)
        .sort()
        .join()
    await new Promise<void>((resolve, reject) => {
      const done = (act: () => void) => {
        clearTimeout(timer)
        this.#rosterChanged.delete(look)
        signal.removeEventListener('abort', abort)
        act()
      }
      const look = () => {
        if (names() === expected) done(resolve)
      }
      const abort = () => done(() => reject(signal.reason))
      const timer = setTimeout(
        () => done(() => reject(new Error(`after ${JOIN_MS / 1000} s there are the workers ${names()}`))),
        JOIN_MS,
      )
      this.#rosterChanged.add(look)
      signal.addEventListener('abort', abort)
      if (signal.aborted) abort()
      else look()
    })
  }

  async close(): Promise<void> {
    await Promise.all(this.workers.map(worker => worker.close()))
    await this.client.close()
    await this.#master.close()
  }
}
