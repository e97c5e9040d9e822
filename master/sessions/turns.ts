/**
 * Decides whose frame is next. Sessions share the cluster frame by frame, because two frames made side by side would both
 * be late: a viewer's frame goes before a film's, which gives way to it on its areas, and among equals the session that has used the cluster least goes
 * first. Time that a session did not ask for is not owed to it: after a pause it continues where the others are, as in
 * start-time fair queueing (Goyal, Vin and Cheng, SIGCOMM 1996). A session that may have several frames in flight begins its
 * next one as soon as an area has nothing left to do for those in progress. A frame for which some of the areas are enough claims
 * those, and others are made beside it. A frame holds up only those that could use the same areas: sessions of two engines, or of scenes
 * that different workers hold, do not wait for each other, and no frame waits for one that has no area at the moment.
 */
import { setMaxListeners } from 'node:events'
import { CancelledError } from '../../shared/errors.ts'
import type { AreaId } from '../../shared/ids.ts'
import { MasterClosingError } from './errors.ts'

/** The areas that a session could use: those of its engine that hold its scene. */
export interface AreaPool {
  /** Equal for sessions that can use the same ones. */
  readonly key: string
  /** Those that are ready now. */
  areas(): readonly AreaId[]
}

/** A session as seen by the others. */
export interface SharingSession {
  readonly kind: 'film' | 'viewer'
  /** Maximum number of its frames in progress at once. */
  readonly inFlight: number
  readonly pool: AreaPool
}

/** A frame's permission to use the cluster. */
export interface Turn {
  /** When the turn became available, ms on the clock of `leave`; undefined: immediately. */
  readonly since: number | undefined
  /** The frame is made by these areas, a share of what its session could use: the others may make another one meanwhile. @default by all */
  claim(areas: readonly AreaId[], share: number): void
  /** Whether the frame has no area at the moment: then it holds up no other, and its time does not count. @default it has */
  strand(isStranded: boolean): void
  /** An area has nothing left to do for the frame. */
  spare(): void
  /** Calls `listen` when another frame begins before this one is over. */
  onOvertaken(listen: () => void): void
  /** The frame is over, complete or not; `at` in ms. */
  leave(at: number): void
}

interface FrameInProgress {
  readonly session: SharingSession
  /** What its session had used when it began, ms. */
  readonly usedBefore: number
  /** How long it had areas before `since`; and since when it has some now, undefined if it has none; ms. */
  doneMs: number
  since: number | undefined
  /** Undefined: all areas of its session. */
  claimed: readonly AreaId[] | undefined
  /** Of these. */
  share: number
  spare: boolean
  overtaken: () => void
}

interface WaitingFrame {
  readonly session: SharingSession
  begin(since: number | undefined): void
}

/** Maximum number of frames in progress at once, over all sessions, of those that take all areas and in all. */
const MAX_WHOLE = 2
const MAX_MAKING = 16

export class Turns {
  readonly #now: () => number
  readonly #closing = new AbortController()
  readonly #inProgress = new Set<FrameInProgress>()
  readonly #waiting: WaitingFrame[] = []
  /** Time used by each session in frames that are over, ms. */
  readonly #used = new Map<SharingSession, number>()
  /**
   * How far the sessions of each kind have got, ms: what that of the oldest frame in progress had used when the frame began. Sessions
   * with frames waiting or in progress are at most a few frames ahead of it, and a session that had none resumes there.
   */
  readonly #reached = { film: 0, viewer: 0 }

  /** @param now the clock of `leave`, ms */
  constructor(now: () => number) {
    this.#now = now
    // Every session listens.
    setMaxListeners(0, this.#closing.signal)
  }

  /** Aborts when no more frames may begin. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  /** No more frames begin: sessions that wait, or come later, are told so; those in progress go on. */
  close(): void {
    this.#closing.abort(new MasterClosingError())
  }

  /** Number of current sessions. */
  get sessions(): number {
    return this.#used.size
  }

  /** Frames of all sessions that are made now, and that wait for their turn. */
  get queues(): { readonly making: number; readonly waiting: number } {
    return { making: this.#inProgress.size, waiting: this.#waiting.length }
  }

  /** Number of sessions that have a frame waiting or in progress, do not give way, and could use an area of a session's, with itself, as far as these can be made at once. */
  rivals(session: SharingSession): number {
    const pools = new Pools()
    const others = [...this.#inProgress, ...this.#waiting].map(other => other.session)
    const busy = new Set(others.filter(other => !givesWay(other, session)))
    return Math.min(MAX_MAKING, [...busy].filter(other => pools.meet(other, session)).length)
  }

  /** By how many frames in progress each area is claimed. */
  get claims(): ReadonlyMap<AreaId, number> {
    const claims = new Map<AreaId, number>()
    for (const { claimed = [] } of this.#inProgress)
      for (const area of claimed) claims.set(area, (claims.get(area) ?? 0) + 1)
    return claims
  }

  /** Adds a session; the returned function removes it. */
  join(session: SharingSession): () => void {
    this.#used.set(session, this.#reached[session.kind])
    return () => this.#used.delete(session)
  }

  /** Resolves when the session may begin a frame. Rejects with CancelledError, or MasterClosingError. */
  enter(session: SharingSession, signal: AbortSignal): Promise<Turn> {
    const { closing } = this
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(new CancelledError())
      if (closing.aborted) return reject(closing.reason)
      const giveUp = (error: unknown) => {
        signal.removeEventListener('abort', cancel)
        closing.removeEventListener('abort', close)
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        reject(error)
      }
      const cancel = () => giveUp(new CancelledError())
      const close = () => giveUp(closing.reason)
      const waiting: WaitingFrame = {
        session,
        begin: since => {
          signal.removeEventListener('abort', cancel)
          closing.removeEventListener('abort', close)
          resolve(this.#begin(session, since))
        },
      }
      signal.addEventListener('abort', cancel, { once: true })
      closing.addEventListener('abort', close, { once: true })
      this.#resume(session)
      this.#waiting.push(waiting)
      this.#admit(undefined)
    })
  }

  /** Forgets the time that a session had no use for. */
  #resume(session: SharingSession): void {
    const used = this.#used.get(session)
    const isBusy = [...this.#inProgress, ...this.#waiting].some(other => other.session === session)
    if (used === undefined || isBusy) return
    this.#advance(session.kind)
    this.#used.set(session, Math.max(used, this.#reached[session.kind]))
  }

  #advance(kind: SharingSession['kind']): void {
    const frames = [...this.#inProgress].filter(({ session }) => session.kind === kind)
    if (frames.length === 0) return
    const oldest = Math.min(...frames.map(({ usedBefore }) => usedBefore))
    this.#reached[kind] = Math.max(this.#reached[kind], oldest)
  }

  /** Including frames in progress, ms. */
  #usedBy(session: SharingSession): number {
    const own = [...this.#inProgress].filter(frame => frame.session === session)
    return own.reduce((sum, frame) => sum + usedIn(frame, this.#now()), this.#used.get(session) ?? 0)
  }

  #begin(session: SharingSession, since: number | undefined): Turn {
    for (const { spare, overtaken } of this.#inProgress) if (spare) overtaken()
    const frame: FrameInProgress = {
      session,
      usedBefore: this.#usedBy(session),
      doneMs: 0,
      since: this.#now(),
      claimed: undefined,
      share: 1,
      spare: false,
      overtaken: () => {},
    }
    this.#inProgress.add(frame)
    return {
      since,
      claim: (areas, share) => {
        frame.claimed = areas
        frame.share = share
        this.#admit(undefined)
      },
      strand: isStranded => {
        if (isStranded === (frame.since === undefined)) return
        const now = this.#now()
        if (frame.since !== undefined) frame.doneMs += now - frame.since
        frame.since = isStranded ? undefined : now
        if (isStranded) this.#admit(undefined)
      },
      spare: () => {
        frame.spare = true
        this.#admit(undefined)
      },
      onOvertaken: listen => {
        frame.overtaken = listen
      },
      leave: at => {
        if (!this.#inProgress.has(frame)) return
        this.#advance(session.kind)
        this.#inProgress.delete(frame)
        const used = this.#used.get(session)
        if (used !== undefined) this.#used.set(session, used + usedIn(frame, at))
        this.#admit(at)
      },
    }
  }

  /** Admits the next session that may begin a frame now, if any. */
  #admit(since: number | undefined): void {
    if (this.#waiting.length === 0) return
    const pools = new Pools()
    const frames = [...this.#inProgress].filter(({ since }) => since !== undefined)
    const busyWith = (rivals: readonly FrameInProgress[]): ReadonlySet<AreaId> => {
      const busy = new Set<AreaId>()
      for (const { session, claimed, spare } of rivals)
        if (!spare) for (const area of claimed ?? pools.of(session)) busy.add(area)
      return busy
    }
    const mayBegin = ({ session }: WaitingFrame): boolean => {
      const rivals = frames.filter(other => !givesWay(other.session, session))
      if (rivals.length >= MAX_MAKING || this.#inFlight(session) >= session.inFlight) return false
      const own = pools.of(session)
      // It will hold up no other.
      if (own.size === 0) return true
      const whole = rivals.filter(other => other.claimed === undefined && pools.meet(other.session, session))
      return whole.length < MAX_WHOLE && hasOther(own, busyWith(rivals))
    }
    const next = this.#waiting.filter(mayBegin).sort((a, b) => this.#rank(a, b))[0]
    if (!next) return
    this.#waiting.splice(this.#waiting.indexOf(next), 1)
    next.begin(since)
  }

  #inFlight(session: SharingSession): number {
    let count = 0
    for (const frame of this.#inProgress) if (frame.session === session) count++
    return count
  }

  #rank(a: WaitingFrame, b: WaitingFrame): number {
    if (a.session.kind !== b.session.kind) return a.session.kind === 'viewer' ? -1 : 1
    return this.#usedBy(a.session) - this.#usedBy(b.session)
  }
}

/** Whether a frame of `session` is made as if there were none of `other`, whose tiles wait for its own. */
const givesWay = (other: SharingSession, session: SharingSession): boolean =>
  other.kind === 'film' && session.kind === 'viewer'

/** Time of the cluster that a frame has used, ms. */
const usedIn = ({ doneMs, since, share }: FrameInProgress, now: number): number =>
  (doneMs + (since === undefined ? 0 : Math.max(0, now - since))) * share

/** The areas of several sessions at one moment; those of equal pools are looked up once. */
class Pools {
  readonly #known = new Map<string, ReadonlySet<AreaId>>()

  of({ pool }: SharingSession): ReadonlySet<AreaId> {
    const known = this.#known.get(pool.key)
    if (known) return known
    const areas = new Set(pool.areas())
    this.#known.set(pool.key, areas)
    return areas
  }

  /** Whether two sessions could use the same area. */
  meet(a: SharingSession, b: SharingSession): boolean {
    if (a.pool.key === b.pool.key) return true
    const others = this.of(b)
    return [...this.of(a)].some(area => others.has(area))
  }
}

/** Whether a set has one that is not in another. */
function hasOther(areas: ReadonlySet<AreaId>, others: ReadonlySet<AreaId>): boolean {
  for (const area of areas) if (!others.has(area)) return true
  return false
}
