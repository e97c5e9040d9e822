/**
 * Threads that do what large frames need of the master's CPU: unpack tiles, put them in place, add up, judge, tone map. They start with
 * the first frame that needs them, and end when none has needed them for a while; so does the memory of planes that is kept for the next
 * frame.
 */

import { CancelledError, SortfirstError } from '../../shared/errors.ts'
import type { ChannelName } from '../../shared/frame/channels.ts'
import type { EncodedTile } from '../../shared/protocol/encoded-tile.ts'
import type { Encoding } from '../../shared/protocol/messages.ts'
import { ProtocolError } from '../../shared/protocol/protocol-error.ts'
import type { PlaneJob, PlaneResult } from '../assembly/plane-job.ts'
import type { Batch, PlaneWork } from '../assembly/shared-assembly.ts'
import { PlaneMemory } from './plane-memory.ts'

/** A thread of the pool failed or ended: a bug, or too little memory. */
export class PlaneThreadError extends SortfirstError {
  readonly code = 'THREAD_FAILED'
  constructor(reason: string) {
    super(`a thread that assembles frames failed: ${reason}; expected it to work on, other frames do`)
  }
}

/** The pixels of a tile as they came. */
export interface PackedTile extends EncodedTile {
  readonly kind: 'unpack'
  readonly encoding: Encoding
  readonly channels: readonly ChannelName[]
  /** How many. */
  readonly pixels: number
}

export type ThreadJob = PlaneJob | PackedTile
type Result<J extends ThreadJob> = J extends PlaneJob ? PlaneResult<J> : Uint8Array<ArrayBuffer>

/** What a thread says of its job. */
export type ThreadAnswer =
  | { readonly result: PlaneResult | Uint8Array<ArrayBuffer> }
  | { readonly failed: string; readonly isMalformed: boolean }

export interface PlaneThread {
  /** Has a job done. @param transfer memory that is the thread's from now on */
  post(job: ThreadJob, transfer: readonly ArrayBuffer[]): void
  end(): void
}

/** Starts a thread. Every job is answered, in order, or the thread ends. */
export type StartPlaneThread = (events: {
  answered(answer: ThreadAnswer): void
  ended(reason: string): void
}) => PlaneThread

export interface PoolPorts {
  readonly start: StartPlaneThread
  /** The most threads. */
  readonly threads: number
  /** Calls `wake` after `inMs` unless the returned function is called. */
  readonly alarm: (wake: () => void, inMs: number) => () => void
}

/** How long threads and memory wait for another frame, ms. */
const IDLE_MS = 10_000

interface Waiting {
  readonly job: ThreadJob
  readonly batch: Batch
  resolve(result: unknown): void
  reject(error: unknown): void
}

interface Member {
  readonly thread: PlaneThread
  job: Waiting | undefined
}

/** Answers of workers hold up a pass as the sums of one do. */
const UNPACKING: Batch = { urgency: 2, isCancelled: false }

export class PlanePool implements PlaneWork {
  readonly #ports: PoolPorts
  readonly #members = new Set<Member>()
  readonly #memory = new PlaneMemory()
  /** First come first. */
  readonly #waiting: Waiting[] = []
  #stopAlarm: (() => void) | undefined
  #isClosed = false

  constructor(ports: PoolPorts) {
    this.#ports = ports
  }

  take(bytes: number): SharedArrayBuffer {
    this.#stopIdling()
    return this.#memory.take(bytes)
  }

  give(memory: readonly ArrayBufferLike[]): void {
    this.#memory.give(memory)
    this.#idle()
  }

  run<J extends PlaneJob>(job: J, batch: Batch): Promise<PlaneResult<J> | undefined> {
    return this.#do(job, batch) as Promise<PlaneResult<J> | undefined>
  }

  /** Unpacks a tile; its message is the thread's from now on. Rejects with ProtocolError if the bytes do not match. */
  unpack(tile: PackedTile): Promise<Uint8Array<ArrayBuffer>> {
    return this.#do(tile, UNPACKING) as Promise<Uint8Array<ArrayBuffer>>
  }

  /** Ends all threads; what they were doing is cancelled. */
  close(): void {
    this.#isClosed = true
    this.#end()
    for (const { reject } of this.#waiting.splice(0)) reject(new CancelledError())
  }

  #do<J extends ThreadJob>(job: J, batch: Batch): Promise<Result<J> | undefined> {
    if (this.#isClosed) return Promise.reject(new CancelledError())
    this.#stopIdling()
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, batch, resolve: resolve as (result: unknown) => void, reject })
      this.#next()
    })
  }

  /** Gives jobs to threads that have none. */
  #next(): void {
    for (;;) {
      const waiting = this.#pick()
      if (!waiting) return this.#idle()
      const member = this.#free()
      if (!member) return
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
      member.job = waiting
      const { job, transfer } = handOver(waiting.job)
      member.thread.post(job, transfer)
    }
  }

  /** The first of the most urgent. */
  #pick(): Waiting | undefined {
    let picked: Waiting | undefined
    for (const waiting of [...this.#waiting]) {
      const { batch } = waiting
      if (batch.isCancelled) {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        waiting.resolve(undefined)
      } else if (!picked || batch.urgency > picked.batch.urgency) picked = waiting
    }
    return picked
  }

  #free(): Member | undefined {
    for (const member of this.#members) if (!member.job) return member
    return this.#members.size < this.#ports.threads ? this.#start() : undefined
  }

  #start(): Member {
    const member: Member = {
      thread: this.#ports.start({
        answered: answer => {
          const { job } = member
          member.job = undefined
          if (job) settle(job, answer)
          this.#next()
        },
        ended: reason => {
          this.#members.delete(member)
          const { job } = member
          member.job = undefined
          job?.reject(this.#isClosed ? new CancelledError() : new PlaneThreadError(reason))
          if (!this.#isClosed) this.#next()
        },
      }),
      job: undefined,
    }
    this.#members.add(member)
    return member
  }

  /** If nothing is to be done, and no frame has memory, threads and memory are kept for a while. */
  #idle(): void {
    const isBusy = this.#waiting.length > 0 || [...this.#members].some(({ job }) => job) || this.#memory.isUsed
    if (isBusy || this.#isClosed) return
    this.#stopAlarm ??= this.#ports.alarm(() => this.#end(), IDLE_MS)
  }

  #stopIdling(): void {
    this.#stopAlarm?.()
    this.#stopAlarm = undefined
  }

  #end(): void {
    this.#stopIdling()
    this.#memory.clear()
    for (const { thread } of this.#members) thread.end()
    if (!this.#isClosed) this.#members.clear()
  }
}

function settle({ resolve, reject }: Waiting, answer: ThreadAnswer): void {
  if ('result' in answer) resolve(answer.result)
  else reject(answer.isMalformed ? new ProtocolError(answer.failed) : new PlaneThreadError(answer.failed))
}

/** The job with memory that can be handed over: its bytes are its own, or copied. */
function handOver(job: ThreadJob): { readonly job: ThreadJob; readonly transfer: readonly ArrayBuffer[] } {
  switch (job.kind) {
    case 'unpack': {
      // A large message has a buffer of its own, with its header; small ones share theirs.
      const body = job.body.length >= LARGE_BYTES ? job.body : new Uint8Array(job.body)
      return { job: { ...job, body }, transfer: [body.buffer as ArrayBuffer] }
    }
    case 'place': {
      const tile = job.tile.length === job.tile.buffer.byteLength ? job.tile : new Uint8Array(job.tile)
      return { job: { ...job, tile }, transfer: [tile.buffer as ArrayBuffer] }
    }
    default:
      return { job, transfer: [] }
  }
}

/** Much more than what sockets and pools of Node.js share between messages. */
const LARGE_BYTES = 2 ** 20
