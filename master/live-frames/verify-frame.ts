/**
 * Has rows of a frame traced again by other workers, while areas are idle and when the frame is complete, and expels workers that
 * returned other pixels than two others. All pixels of a liar are traced again by the others, or, where that is not possible, the frame.
 */
import { CancelledError, SortfirstError } from '../../shared/errors.ts'
import type { FrameReport } from '../../shared/frame/frame-report.ts'
import { type PixelSet, pixelCount } from '../../shared/frame/pixel-set.ts'
import { type AreaId, areaId, type LeaseId } from '../../shared/ids.ts'
import { workerCount } from '../../shared/session/worker-count.ts'
import type { ArrivedTile, LeaseHolder } from '../cluster/open-leases.ts'
import type { Transition } from '../cluster/roster.ts'
import { hooked } from '../sessions/aborting.ts'
import { FrameFailedError } from '../sessions/errors.ts'
import { pixelsOf } from '../verification/bands.ts'
import { type Check, FrameChecks } from '../verification/frame-checks.ts'
import type { Damage } from './repair-frame.ts'
import type { Checking, RowsOrder } from './trace-frame.ts'
import type { TracePorts } from './tracers.ts'
import type { Verification } from './verification.ts'

/** Workers disagree about pixels, and there is no third worker to decide. */
export class WorkersDisagreeError extends SortfirstError {
  readonly code = 'WORKERS_DISAGREE'
  constructor(frame: number, rows: string, names: readonly string[]) {
    super(
      `frame ${frame}: ${names.join(' and ')} returned different pixels for ${rows}, expected equal ones; ` +
        'one more worker is needed to tell which is wrong: start one, or leave out one of these',
    )
  }
}

export type Verified = NonNullable<FrameReport['verification']>

/** Checks that an area has at a time: the second travels while the first is traced. */
const MOST_ASKED = 2

/** The verification of one attempt at a frame. */
export class FrameVerification implements Checking, LeaseHolder {
  readonly #frame: number
  readonly #session: Verification
  readonly #tracing: TracePorts
  readonly #silentAfterMs: number
  readonly #taint: (() => void) | undefined
  readonly #checks: FrameChecks<RowsOrder>
  /** Orders in flight, and when something was last heard of each. */
  readonly #asked = new Map<LeaseId, { readonly area: AreaId; readonly check: Check<RowsOrder>; signAt: number }>()
  /** How many of them each area has. */
  readonly #load = new Map<AreaId, number>()
  /** What each worker has in the frame, by its key. */
  readonly #parts = new Map<string, { sets: PixelSet[]; areas: Set<AreaId> }>()
  /** What liars have had in it, and how many pixels that were in all. */
  #damage: { sets: PixelSet[]; areas: Set<AreaId> } = { sets: [], areas: new Set() }
  #retracedPx = 0
  /** CPU time of tracing, and of checking, ms. */
  #tracedMs = 0
  #checkedMs = 0
  /** Set once the frame is complete: everybody checks then. */
  #settled: { readonly resolve: () => void; readonly reject: (error: unknown) => void } | undefined
  #aloneSince: number | undefined
  #isTainted = false
  readonly #stop: () => void

  /** @param taint called once if the frame has pixels of a liar; absent if they can be replaced */
  constructor(frame: number, session: Verification, tracing: TracePorts, silentAfterMs: number, taint?: () => void) {
    this.#frame = frame
    this.#session = session
    this.#tracing = tracing
    this.#silentAfterMs = silentAfterMs
    this.#taint = taint
    this.#checks = new FrameChecks(session.share, session.ports.random)
    const stopHearing = tracing.tracers.subscribe({
      ready: () => this.#advance(),
      moved: change => this.#moved(change),
      // Because of this frame or of another one, and whether it is still connected or not.
      expelled: key => this.#expelled(key),
    })
    const stopTicking = tracing.ticker(() => this.#tick())
    this.#stop = () => {
      stopHearing()
      stopTicking()
    }
  }

  get isTainted(): boolean {
    return this.#isTainted
  }

  /** Keys of the workers whose pixels the frame has. */
  get workers(): Iterable<string> {
    return this.#parts.keys()
  }

  /** Accepted pixels are in the frame. */
  placed(area: AreaId, set: PixelSet, order: RowsOrder, pixels: Uint8Array, cpuMs: number): void {
    const tracer = this.#session.ports.cluster.tracerOf(area)
    // An area that is gone by now has returned them before.
    if (!tracer) return
    const part = this.#parts.get(tracer.key) ?? { sets: [], areas: new Set() }
    this.#parts.set(tracer.key, part)
    part.sets.push(set)
    part.areas.add(area)
    this.#tracedMs += cpuMs
    if (this.#session.onlyStrangers && !tracer.isStranger) return
    const { channels = ['rgb'] } = order
    this.#checks.traced(tracer, set, order, band => pixelsOf(band, set, channels, pixels))
  }

  get isWaiting(): boolean {
    return this.#checks.isWaiting
  }

  /** These areas have nothing to do. */
  fill(idle: Iterable<AreaId>): void {
    const areas = [...idle]
    for (let depth = 1; depth <= MOST_ASKED; depth++)
      for (const area of areas) {
        if (!this.#checks.isWaiting) return
        if ((this.#load.get(area) ?? 0) < depth) this.#ask(area)
      }
  }

  /** The frame is complete: resolves with nothing when all checks are settled, or with pixels that have to be replaced before that. */
  async done(signal: AbortSignal): Promise<Damage | undefined> {
    await new Promise<void>((resolve, reject) => {
      if (signal.aborted) return reject(new CancelledError())
      signal.addEventListener('abort', () => reject(new CancelledError()), { once: true })
      this.#settled = { resolve, reject }
      this.#advance()
    })
    this.#settled = undefined
    const damage = this.#damage
    if (damage.sets.length === 0) return undefined
    this.#damage = { sets: [], areas: new Set() }
    return damage
  }

  /** Ends it, whether done or not. */
  stop(): void {
    this.#stop()
    for (const [lease, { area }] of this.#asked) this.#tracing.tracers.cancel(area, lease)
    this.#asked.clear()
    this.#load.clear()
  }

  /** @param waitMs how long the complete frame waited @param repeats how often it was made before */
  report(waitMs: number, repeats: number): Verified {
    const { rows, unchecked, mismatches } = this.#checks
    const all = this.#tracedMs + this.#checkedMs
    return {
      rows,
      mismatches,
      cpuMs: this.#checkedMs,
      cpuShare: all > 0 ? this.#checkedMs / all : 0,
      waitMs,
      repeats,
      ...(unchecked > 0 ? { unchecked } : {}),
      ...(this.#retracedPx > 0 ? { retracedPx: this.#retracedPx } : {}),
    }
  }

  tileDone(area: AreaId, { lease, rect, pixels, times }: ArrivedTile): void {
    this.#heard(area)
    const asked = this.#asked.get(lease)
    if (!asked || times.more) return
    // A worker that leaves answers only the rows that it has begun: that says nothing about the check.
    if (rect.h < asked.check.tile.rect.h) return this.#returned(lease)
    this.#forget(lease)
    this.#checkedMs += times.cpuMs
    const finding = this.#checks.answered(asked.check, pixels)
    if (finding.type === 'liars') {
      const names = finding.agreeing.map(({ name }) => name).join(' and ')
      const what = `its pixels of ${rowsText(asked.check)} of frame ${this.#frame} differ from those of ${names}`
      for (const liar of finding.liars) this.#session.expel(liar, what)
    }
    this.#advance(area)
  }

  /** An area that fails a check fails what another has traced. */
  tileFailed(area: AreaId, lease: LeaseId, reason: string): void {
    if (!this.#asked.has(lease)) return
    const { tracers } = this.#tracing
    this.#returned(lease, reason)
    tracers.blame(tracers.identify(area).area, reason)
  }

  tileLost(_: AreaId, lease: LeaseId): void {
    this.#returned(lease)
  }

  tileProgress(area: AreaId): void {
    this.#heard(area)
  }

  #ask(area: AreaId): void {
    const tracer = this.#session.ports.cluster.tracerOf(area)
    const check = tracer && this.#checks.next(tracer)
    if (!check) return
    const lease = this.#session.ports.numbers()
    this.#asked.set(lease, { area, check, signAt: this.#tracing.clock.now() })
    this.#load.set(area, (this.#load.get(area) ?? 0) + 1)
    this.#tracing.tracers.trace(area, { lease, ...check.order, ...check.tile }, this)
  }

  /** An order is answered, or given up. */
  #forget(lease: LeaseId): void {
    const asked = this.#asked.get(lease)
    if (!asked) return
    this.#asked.delete(lease)
    const load = this.#load.get(asked.area)! - 1
    if (load > 0) this.#load.set(asked.area, load)
    else this.#load.delete(asked.area)
  }

  #returned(lease: LeaseId, failed?: string): void {
    const asked = this.#asked.get(lease)
    if (!asked) return
    this.#forget(lease)
    this.#checks.returned(asked.check, failed)
    this.#advance()
  }

  #moved({ area: { id }, to, keeps }: Transition): void {
    const isGone = to === 'gone' || to === 'quarantined'
    if (isGone || to === 'leaving' || to === 'withdrawn')
      for (const [lease, { area }] of [...this.#asked]) {
        if (area !== id || (!isGone && keeps?.has(lease))) continue
        if (to === 'quarantined') this.#tracing.tracers.cancel(area, lease)
        this.#returned(lease)
      }
    this.#advance()
  }

  /** A worker is not believed any more: a frame that has pixels of it is repaired, or made again. */
  #expelled(key: string): void {
    if (this.#isTainted) return
    const part = this.#parts.get(key)
    if (part && this.#taint) {
      this.#isTainted = true
      // After everybody has heard of it.
      queueMicrotask(this.#taint)
      return
    }
    if (part) this.#replace(key, part)
    this.#discredit(key)
    this.#advance()
  }

  /** The pixels of a liar are to be replaced. */
  #replace(key: string, { sets, areas }: Damage): void {
    this.#parts.delete(key)
    this.#damage.sets.push(...sets)
    for (const area of areas) this.#damage.areas.add(area)
    this.#retracedPx += sets.reduce((sum, set) => sum + pixelCount(set), 0)
  }

  /** Nothing of what a liar has said counts. */
  #discredit(key: string): void {
    const dropped = new Set(this.#checks.discredit(key))
    for (const [lease, { area, check }] of [...this.#asked]) {
      if (!dropped.has(check)) continue
      this.#forget(lease)
      this.#tracing.tracers.cancel(area, lease)
    }
  }

  #heard(area: AreaId): void {
    const now = this.#tracing.clock.now()
    for (const asked of this.#asked.values()) if (asked.area === area) asked.signAt = now
  }

  #tick(): void {
    const { tracers, clock } = this.#tracing
    for (const [lease, { area, signAt }] of [...this.#asked]) {
      if (clock.now() - signAt <= this.#silentAfterMs) continue
      tracers.cancel(area, lease)
      tracers.quarantine(area, `it reported no progress on its tile for ${this.#silentAfterMs / 1000} s`, 'silence')
      this.#returned(lease, 'no answer')
    }
    this.#advance()
  }

  /** Once the frame is complete, asks all areas, and looks whether anything is left. @param freed the only area that has become idle */
  #advance(freed?: AreaId): void {
    if (!this.#settled || this.#isTainted) return
    if (this.#damage.sets.length > 0) return this.#settled.resolve()
    if (freed !== undefined && this.#checks.isWaiting) {
      this.fill([freed])
      // What still waits, waits for others, of which some are at work.
      if (this.#asked.size > 0) return
    }
    if (!this.#checks.isWaiting && this.#asked.size > 0) return
    const { tracers } = this.#tracing
    const workers = tracers.ready()
    const ready = workers.map(({ id }) => areaId(id))
    this.fill(ready)
    const present = ready.flatMap(area => this.#session.ports.cluster.tracerOf(area) ?? [])
    try {
      for (;;) {
        const stuck = this.#checks.stuck(present)
        if (!stuck) break
        const { check, why } = stuck
        if (why === 'incomparable') this.#checks.skip(check)
        // Where nobody asked for it, a tab that is alone works all the same.
        else if (why === 'alone' && this.#session.onlyStrangers) this.#checks.skip(check)
        else if (why === 'failed') throw this.#uncheckable(check)
        else if (tracers.expectedWorkers() > workerCount(workers)) return
        else if (why === 'undecided') return this.#settle(check)
        else return this.#waitForOthers()
      }
      this.#aloneSince = undefined
      if (this.#checks.open === 0) this.#settled.resolve()
    } catch (error) {
      this.#settled.reject(error)
    }
  }

  /**
   * Nobody else can decide. Where nobody asked for verification, a tab that contradicts a worker is not believed: it may be anybody's, and a film
   * does not fail because of it. @throws WorkersDisagreeError
   */
  #settle(check: Check<RowsOrder>): void {
    const tracers = check.votes.map(({ tracer }) => tracer)
    const strangers = tracers.filter(({ isStranger }) => isStranger)
    const [worker, ...others] = tracers.filter(({ isStranger }) => !isStranger)
    if (!this.#session.onlyStrangers || !worker || others.length > 0) throw this.#undecided(check)
    for (const stranger of strangers)
      this.#session.expel(
        stranger,
        `in frame ${this.#frame} it returned other pixels for ${rowsText(check)} than ${worker.name}, and a tab counts for less`,
      )
  }

  /** There is no worker to check: another one may come. @throws NoWorkersError */
  #waitForOthers(): void {
    const { clock, waitMs, tracers } = this.#tracing
    this.#aloneSince ??= clock.now()
    if (tracers.isDeserted?.(2)) throw tracers.tooFew(2, undefined)
    if (clock.now() - this.#aloneSince >= waitMs) throw tracers.tooFew(2, waitMs)
  }

  #uncheckable(check: Check<RowsOrder>): FrameFailedError {
    const reasons = [...check.failed.values()].map(({ name, reason }) => `${name}: ${reason}`).join('; ')
    return new FrameFailedError(this.#frame, `${rowsText(check)} could not be checked: ${reasons}`)
  }

  #undecided(check: Check<RowsOrder>): WorkersDisagreeError {
    const names = check.votes.map(({ tracer }) => tracer.name)
    return new WorkersDisagreeError(this.#frame, rowsText(check), names)
  }
}

const rowsText = ({ tile: { rect } }: Check<unknown>): string =>
  rect.h === 1 ? `row ${rect.y}` : `rows ${rect.y} to ${rect.y + rect.h - 1}`

/** What an attempt at a frame has. */
export interface Attempt<Made> {
  /** Traces the frame. */
  trace(verification: FrameVerification | undefined, signal: AbortSignal): Promise<Made>
  readonly frame: number
  readonly tracing: TracePorts
  readonly silentAfterMs: number
  /** Replaces pixels of the frame. Absent: it is made again. */
  readonly repair?: (made: Made, damage: Damage, verification: FrameVerification, signal: AbortSignal) => Promise<Made>
}

/** Makes a frame until no liar has a part in it. */
export async function verified<Made>(
  { trace, frame, tracing, silentAfterMs, repair }: Attempt<Made>,
  session: Verification | undefined,
  signal: AbortSignal,
): Promise<{ readonly made: Made; readonly verification?: Verified }> {
  if (!session) return { made: await trace(undefined, signal) }
  for (let repeats = 0, mismatches = 0; ; repeats++) {
    const attempt = new AbortController()
    const unhook = hooked(signal, attempt)
    const taint = repair ? undefined : () => attempt.abort()
    const checks = new FrameVerification(frame, session, tracing, silentAfterMs, taint)
    try {
      let made = await trace(checks, attempt.signal)
      const endedAt = tracing.clock.now()
      for (let damage = await checks.done(attempt.signal); damage; damage = await checks.done(attempt.signal))
        made = await repair!(made, damage, checks, attempt.signal)
      session.made(frame, checks.workers)
      const found = checks.report(tracing.clock.now() - endedAt, repeats)
      return { made, verification: { ...found, mismatches: mismatches + found.mismatches } }
    } catch (error) {
      if (!checks.isTainted || signal.aborted) throw error
      mismatches += checks.report(0, repeats).mismatches
    } finally {
      unhook()
      checks.stop()
    }
  }
}
