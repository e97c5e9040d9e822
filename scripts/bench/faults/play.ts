/** Plays a scenario: a film undisturbed, and the same film with its faults; compares bytes and times. */
import { messageOf } from '../../../shared/errors.ts'
import type { HeldScene } from '../../../shared/scene/held-scene.ts'
import { film } from '../../../shared/session/session.ts'
import { frames, hills, orderOf } from './hills.ts'
import type { Lane, StruckWorker } from './lane.ts'
import { FRAMES, noticeOf, type Phase, type Scenario, type Strike, strikeText, WORKERS } from './scenario.ts'
import { strikeWorker } from './strike.ts'

/** What happened to one worker. */
export interface Struck {
  readonly strike: Strike
  /** Whether its phase came at all. */
  readonly fired: boolean
  /** From the fault until the master had dropped the worker, ms; absent if it need not, or had not yet let it in. */
  readonly noticedMs?: number
}

export type FailureKind = 'wrong' | 'lost' | 'hang' | 'unnoticed'

export interface Played {
  readonly scenario: Scenario
  readonly struck: readonly Struck[]
  /** From the start of the film, or the request for one of a fresh scene, to its last frame, ms, and without faults. */
  readonly tookMs: number
  readonly undisturbedMs: number
  readonly failures: readonly { readonly kind: FailureKind; readonly what: string }[]
}

/** The bytes of the frames, the same in all scenarios. */
export class Reference {
  #frames: readonly Uint8Array[] | undefined

  /** The first frame that is different; undefined: none. */
  differs(made: readonly Uint8Array[]): number | undefined {
    this.#frames ??= made
    const wrong = this.#frames.findIndex((bytes, i) => !made[i] || Buffer.compare(bytes, made[i]) !== 0)
    return wrong < 0 ? undefined : wrong
  }
}

/** A film that has not come by then hangs, ms: longer than anything that the cluster waits for. */
const HANG_MS = 30_000
/** A worker that has not been dropped by then was not noticed, ms. */
const NOTICE_MS = 6000

const EARLY: readonly Phase[] = ['hello', 'transfer', 'build']
const BASE = 0

export async function play(
  scenario: Scenario,
  lane: Lane,
  reference: Reference,
  seed: number,
  signal: AbortSignal,
): Promise<Played> {
  const { strikes, fresh, number } = scenario
  const minWorkers = WORKERS - strikes.filter(({ phase }) => EARLY.includes(phase)).length
  const variant = (run: number) => (fresh ? hills(1 + 2 * number + run) : hills(BASE))
  const failures: { kind: FailureKind; what: string }[] = []
  await lane.complete(signal)
  if (!lane.rehearsed.has(scenario.strategy)) {
    await makeFilm(scenario, hills(BASE), WORKERS, lane, new NoStage(), signal)
    lane.rehearsed.add(scenario.strategy)
  }
  const undisturbed = await makeFilm(scenario, variant(0), minWorkers, lane, new NoStage(), signal)
  if (undisturbed.failure) failures.push({ ...undisturbed.failure, what: `undisturbed: ${undisturbed.failure.what}` })
  const wrongBefore = undisturbed.failure ? undefined : reference.differs(undisturbed.frames)
  if (wrongBefore !== undefined)
    failures.push({ kind: 'wrong', what: `frame ${wrongBefore} has other bytes, undisturbed` })

  const stage = new Stage(strikes, lane, seed)
  try {
    const made = await makeFilm(scenario, variant(1), minWorkers, lane, stage, signal)
    if (made.failure) failures.push(made.failure)
    else {
      const wrong = reference.differs(made.frames)
      if (wrong !== undefined) failures.push({ kind: 'wrong', what: `frame ${wrong} has other bytes` })
    }
    await stage.noticed(NOTICE_MS)
    const struck = stage.struck()
    for (const { strike, fired, noticedMs } of struck)
      if (fired && noticedMs === Infinity)
        failures.push({ kind: 'unnoticed', what: `${strikeText(strike)}: not dropped within ${NOTICE_MS / 1000} s` })
    return { scenario, struck, tookMs: made.tookMs, undisturbedMs: undisturbed.tookMs, failures }
  } finally {
    stage.clear()
  }
}

interface Made {
  readonly frames: readonly Uint8Array[]
  readonly tookMs: number
  readonly failure?: { readonly kind: FailureKind; readonly what: string }
}

async function makeFilm(
  scenario: Scenario,
  scene: HeldScene,
  minWorkers: number,
  lane: Lane,
  stage: NoStage,
  signal: AbortSignal,
): Promise<Made> {
  const made: Uint8Array[] = []
  const patience = AbortSignal.timeout(HANG_MS)
  const began = performance.now()
  let since = began
  let endedAt = began
  const sink = {
    started: () => {
      // Before it, workers that are new to the scene trace a thumbnail: not in the second film of a scene.
      if (!scenario.fresh) since = performance.now()
      stage.reached('plan', 0)
    },
    status: () => {},
    frame: (_: unknown, pixels: Uint8Array) => {
      endedAt = performance.now()
      stage.reached('delivery', made.length)
      made.push(pixels)
      stage.reached('plan', made.length)
    },
  }
  stage.begin()
  let failure: Made['failure']
  try {
    const order = orderOf(scenario, scene, minWorkers)
    await lane.client.run(order, scene, film(frames()), sink, AbortSignal.any([signal, patience]))
  } catch (error) {
    signal.throwIfAborted()
    failure = patience.aborted
      ? { kind: 'hang', what: `${made.length} of ${FRAMES} frames within ${HANG_MS / 1000} s` }
      : { kind: 'lost', what: messageOf(error) }
  } finally {
    stage.end()
  }
  return { frames: made, tookMs: endedAt - since, ...(failure ? { failure } : {}) }
}

/** Where nothing happens. */
class NoStage {
  begin(): void {}
  reached(_phase: Phase, _frame: number): void {}
  end(): void {}
}

interface Act {
  readonly strike: Strike
  worker?: StruckWorker
  firedAt?: number
  /** Whether the master is to drop the worker. */
  awaited: boolean
  noticedAt?: number
  heal?: () => void
}

/** Has the strikes of a scenario happen when their phases come. */
class Stage extends NoStage {
  readonly #acts: readonly Act[]
  readonly #lane: Lane
  readonly #seed: number
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #stopListening: () => void
  #look = () => {}

  constructor(strikes: readonly Strike[], lane: Lane, seed: number) {
    super()
    this.#acts = strikes.map(strike => ({ strike, awaited: false }))
    this.#lane = lane
    this.#seed = seed
    this.#stopListening = lane.onDeparture((name, at) => {
      for (const act of this.#acts) if (act.firedAt !== undefined && act.worker?.name === name) act.noticedAt ??= at
      this.#look()
    })
  }

  override begin(): void {
    this.#lane.heard = (worker, { phase, frame }) => {
      this.#came(phase, frame, worker)
      if (phase !== 'answer') return
      const busy = this.#lane.workers.filter(({ progress }) => progress.open.size > 0)
      if (busy.length === 1) this.#came('last-tile', frame, busy[0]!)
    }
    // To say hello, a worker has to come again.
    for (const { strike } of this.#acts) if (strike.phase === 'hello') this.#lane.workers[strike.who]!.line.cut('reset')
  }

  override reached(phase: Phase, frame: number): void {
    for (const worker of this.#lane.workers) this.#came(phase, frame, worker)
  }

  /** What has not happened yet does not happen any more. */
  override end(): void {
    this.#lane.heard = () => {}
    for (const timer of this.#timers) clearTimeout(timer)
  }

  /** Resolves when the master has dropped all whom it has to, or after `withinMs`. */
  async noticed(withinMs: number): Promise<void> {
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, withinMs)
      this.#look = () => {
        if (this.#acts.some(({ awaited, noticedAt }) => awaited && noticedAt === undefined)) return
        clearTimeout(timer)
        resolve()
      }
      this.#look()
    })
  }

  struck(): Struck[] {
    return this.#acts.map(({ strike, firedAt, noticedAt = Infinity, awaited }) => ({
      strike,
      fired: firedAt !== undefined,
      ...(awaited && firedAt !== undefined ? { noticedMs: noticedAt - firedAt } : {}),
    }))
  }

  clear(): void {
    this.#stopListening()
    for (const { heal } of this.#acts) heal?.()
  }

  #came(phase: Phase, frame: number, worker: StruckWorker): void {
    for (const act of this.#acts) {
      const { strike } = act
      if (act.worker || strike.phase !== phase || strike.frame !== frame) continue
      const isOthers = this.#acts.some(other => other !== act && isVictim(other, worker, this.#lane))
      if (phase === 'last-tile' ? isOthers : worker !== this.#lane.workers[strike.who]) continue
      act.worker = worker
      if (strike.afterMs === 0) this.#fire(act, worker)
      else this.#timers.add(setTimeout(() => this.#fire(act, worker), strike.afterMs))
    }
  }

  #fire(act: Act, worker: StruckWorker): void {
    act.awaited = noticeOf(act.strike.fault) !== 'none' && this.#lane.has(worker.name)
    act.firedAt = performance.now()
    act.heal = strikeWorker(act.strike, worker, this.#seed)
  }
}

const isVictim = ({ strike, worker }: Act, candidate: StruckWorker, { workers }: Lane): boolean =>
  worker ? worker === candidate : strike.phase !== 'last-tile' && workers[strike.who] === candidate
