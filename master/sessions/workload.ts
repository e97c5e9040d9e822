/** The work in hand: what the sessions have yet to do, as far as their frames so far say, and how many workers that is worth. */
import type { FrameProgress } from '../../shared/frame/frame-progress.ts'
import type { FrameReport, WorkerInfo } from '../../shared/frame/frame-report.ts'
import type { SessionOrder } from '../../shared/protocol/session-order.ts'
import type { Clock } from '../../shared/time/clock.ts'
import { type Demand, NONE_WANTED, type Wanted, type WorkTargets, wantedNext, workersWorth } from './workers-worth.ts'

type Area = Pick<WorkerInfo, 'id' | 'speed' | 'workerId'>

interface WorkloadPorts {
  readonly clock: Clock
  /** Areas of all workers that are connected. */
  readonly areas: () => readonly Area[]
  readonly targets: WorkTargets
}

/** Less of a frame says nothing of the rest. */
const LEAST_SEEN = 0.02

/** A session, as far as its demand goes. */
export interface WorkOfSession {
  /** A frame is complete. */
  frame(report: Pick<FrameReport, 'tiles' | 'workers'>): void
  /** How far one has come that takes long. */
  progress(progress: Pick<FrameProgress, 'frame' | 'least' | 'elapsedMs'>): void
  /** It is over. */
  leave(): void
}

export class Workload {
  readonly #ports: WorkloadPorts
  readonly #sessions = new Set<SessionWork>()
  /** Of the workers that were connected most recently. */
  #workerSpeed = 1
  #wanted: Wanted = NONE_WANTED

  constructor(ports: WorkloadPorts) {
    this.#ports = ports
  }

  join(order: Pick<SessionOrder, 'kind' | 'frameCount' | 'minWorkers'>): WorkOfSession {
    const { clock, areas } = this.#ports
    const work = new SessionWork(order, clock.now(), () => speedOf(areas()))
    this.#sessions.add(work)
    return {
      frame: report => {
        work.frame(report)
        this.wanted()
      },
      progress: progress => {
        work.progress(progress)
        this.wanted()
      },
      leave: () => this.#sessions.delete(work),
    }
  }

  /** How many workers are wanted now. Not only what it is when somebody asks counts: work that is done in between was there. */
  wanted(): number {
    const { clock, areas, targets } = this.#ports
    const now = clock.now()
    const present = areas()
    const workers = new Set(present.map(({ id, workerId = id }) => workerId)).size
    const speed = speedOf(present)
    if (speed > 0) this.#workerSpeed = speed / workers
    const demands = [...this.#sessions].map(work => work.demand(now))
    this.#wanted = wantedNext(this.#wanted, workersWorth(demands, targets, this.#workerSpeed), now)
    return this.#wanted.workers
  }
}

const speedOf = (areas: readonly Area[]): number => areas.reduce((sum, { speed }) => sum + speed, 0)

class SessionWork {
  readonly #order: Pick<SessionOrder, 'kind' | 'frameCount' | 'minWorkers'>
  readonly #beganAt: number
  readonly #speed: () => number
  #complete = 0
  /** Of the newest complete frame. */
  #frameWorkMs: number | undefined
  /** The frame in progress that takes longest: its share that is done, and what that took a worker of speed 1, ms. */
  #seen: { readonly frame: number; elapsedMs: number; workMs: number; share: number } | undefined

  /** @param speed of all workers now */
  constructor(order: Pick<SessionOrder, 'kind' | 'frameCount' | 'minWorkers'>, beganAt: number, speed: () => number) {
    this.#order = order
    this.#beganAt = beganAt
    this.#speed = speed
  }

  frame({ tiles, workers }: Pick<FrameReport, 'tiles' | 'workers'>): void {
    const speeds = new Map(workers.map(({ id, speed }) => [id, speed]))
    this.#complete++
    this.#frameWorkMs = tiles.reduce((sum, { worker, wallMs }) => sum + wallMs * (speeds.get(worker) ?? 1), 0)
    this.#seen = undefined
  }

  progress({ frame, least, elapsedMs }: Pick<FrameProgress, 'frame' | 'least' | 'elapsedMs'>): void {
    if (this.#seen?.frame !== frame) this.#seen = { frame, elapsedMs: 0, workMs: 0, share: 0 }
    const seen = this.#seen
    // Workers may have come and gone since.
    seen.workMs += Math.max(0, elapsedMs - seen.elapsedMs) * this.#speed()
    seen.elapsedMs = elapsedMs
    seen.share = least
  }

  demand(now: number): Demand {
    const { kind, frameCount = 0, minWorkers } = this.#order
    const { share = 0, workMs = 0 } = this.#seen ?? {}
    return {
      kind,
      frameWorkMs: this.#frameWorkMs ?? (share >= LEAST_SEEN ? workMs / share : undefined),
      // A film of which that is not known has at least the one that it makes.
      framesLeft: Math.max(1, frameCount - this.#complete) - share,
      ageMs: now - this.#beganAt,
      leastWorkers: minWorkers,
    }
  }
}
