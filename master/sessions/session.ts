/**
 * A session: a scene on the cluster, frames pulled from a source, a planner with its history, and warm areas. Makes frames one
 * after another, or begins the next while areas are still working on the previous one; delivers complete frames in order.
 */
import { setMaxListeners } from 'node:events'
import { CancelledError } from '../../shared/errors.ts'
import type { FrameProgress } from '../../shared/frame/frame-progress.ts'
import type { WorkerInfo } from '../../shared/frame/frame-report.ts'
import type { View } from '../../shared/frame/view.ts'
import { type AreaId, areaId } from '../../shared/ids.ts'
import type { Traffic } from '../../shared/protocol/channel.ts'
import { isDoubling, orderFor, type SessionOrder } from '../../shared/protocol/session-order.ts'
import type { NamedScene } from '../../shared/scene/held-scene.ts'
import { enginesOf } from '../../shared/session/engines.ts'
import type { FrameSource, SessionSink, WantedFrame } from '../../shared/session/session.ts'
import { untilAborted } from '../../shared/time/until-aborted.ts'
import { isSlowToDenoise } from '../assembly/denoising.ts'
import { difference } from '../cluster/traffic.ts'
import type { FramePlanner, PlannerSettings } from '../frames/frame-planner.ts'
import type { LeaseRecord } from '../frames/lease-record.ts'
import { roundTripMs } from '../frames/round-trip.ts'
import { sharesOf } from '../frames/shares.ts'
import { workMs } from '../frames/work-ms.ts'
import { type FinishedFrame, finishedFrame } from '../live-frames/finished-frame.ts'
import { FrameAttempt } from '../live-frames/frame-attempt.ts'
import { Verification } from '../live-frames/verification.ts'
import { plannedSamples, thumbnailView } from '../live-frames/view-of.ts'
import type { SchedulerLimits } from '../scheduling/limits.ts'
import { strategyByName } from '../strategies/index.ts'
import type { AreaShare, Strategy } from '../strategies/strategy.ts'
import { hooked } from './aborting.ts'
import { areasThatPay, speedOf } from './areas-that-pay.ts'
import { FrameEvents } from './frame-events.ts'
import { FrameScenes, type NextFrame, type SceneUse } from './frame-scenes.ts'
import { FrameSizes } from './frame-sizes.ts'
import { reportMembership } from './membership.ts'
import type { Methods } from './methods.ts'
import { Previews } from './previews.ts'
import { areasReady } from './ready-areas.ts'
import type { SessionPorts } from './session-ports.ts'
import type { SessionScene } from './session-scene.ts'
import type { SharingSession, Turn } from './turns.ts'
import { type WarmUp, warmUp } from './warm-up.ts'

/** Rejects with NoWorkersError, FrameFailedError, CancelledError, or whatever the sink or the source threw. */
export async function runSession(
  order: SessionOrder,
  methods: Methods,
  scene: NamedScene,
  ports: SessionPorts,
  source: FrameSource,
  sink: SessionSink,
  signal: AbortSignal,
): Promise<void> {
  // It may fail, for want of memory, and then nobody has come.
  const session = new Session(order, methods, scene, ports, source, sink)
  const leave = ports.turns.join(session.sharing)
  ports.cluster.provide(session.scene)
  try {
    await session.run(signal)
  } finally {
    leave()
    ports.cluster.release(scene.hash)
  }
}

/** A frame without any area lets others go on after this, ms: workers load a moving scene in every frame. */
const STRANDED_MS = 250

const idsOf = (areas: readonly WorkerInfo[]): AreaId[] => areas.map(({ id }) => areaId(id))

/** A frame whose pixels are all there. */
interface Complete {
  readonly request: WantedFrame
  /** Called once. */
  finish(): Promise<FinishedFrame>
  /** It is finished, or will not be. */
  end(): void
}

class Session {
  readonly sharing: SharingSession
  readonly #order: SessionOrder
  readonly #scenes: FrameScenes
  readonly #ports: SessionPorts
  readonly #source: FrameSource
  readonly #sink: SessionSink
  readonly #settings: PlannerSettings
  readonly #sizes: FrameSizes
  readonly #previews: Previews | undefined
  readonly #events: FrameEvents
  /** Aborts when the session is over for any reason. */
  readonly #over = new AbortController()
  #limits: SchedulerLimits
  readonly #verification: Verification | undefined
  /** Of frames that strangers have a part in, where nothing else was asked for. */
  readonly #ofStrangers: Verification
  /** The areas of the newest frame, and what a worker of speed 1 would have taken for a pass of it, ms. */
  #newest: { readonly areas: ReadonlySet<string>; readonly workMs: number } | undefined
  #failure: { readonly error: unknown } | undefined
  /** Whether a frame has said that no worker is left, and none came since: the next frames need not say so. */
  #isAlone = false
  /** The cluster's traffic when the first frame began or the last one was completed. */
  #traffic: Traffic | undefined

  constructor(
    order: SessionOrder,
    methods: Methods,
    scene: NamedScene,
    ports: SessionPorts,
    source: FrameSource,
    sink: SessionSink,
  ) {
    const { kind, inFlight, size, options, clock, record } = order
    // Everything that waits listens to it, sometimes for each of a thousand areas.
    setMaxListeners(0, this.#over.signal)
    this.#order = order
    this.#scenes = new FrameScenes(scene, order, ports, error => this.#fail(error))
    const areas = () => idsOf(this.#scenes.own.areas.ready())
    this.sharing = { kind, inFlight, pool: { key: `${enginesOf(order)} ${scene.hash}`, areas } }
    this.#ports = ports
    this.#source = source
    this.#sink = sink
    this.#limits = ports.limits
    if ((order.progressive || kind === 'viewer') && sink.preview)
      this.#previews = new Previews(
        preview => sink.preview?.(preview),
        error => this.#fail(error),
      )
    this.#settings = { ...methods, options, size, clock, record }
    this.#sizes = new FrameSizes(this.#settings)
    this.#events = new FrameEvents(() => ports.clock.now())
    const checking = { ...ports, status: (text: string) => sink.status(text, true) }
    if (order.verify) this.#verification = new Verification(order.verify, checking)
    this.#ofStrangers = new Verification(undefined, checking)
  }

  /** Of frames of the session's own size. */
  get #planner(): FramePlanner {
    return this.#sizes.of(this.#order.size).planner
  }

  get scene(): SessionScene {
    return this.#scenes.own.scene
  }

  async run(signal: AbortSignal): Promise<void> {
    const stop = () => this.#end()
    const { closing } = this.#ports.turns
    // Nothing is in progress yet that would be worth finishing.
    const close = () => this.#fail(closing.reason)
    for (const [when, act] of [
      [signal, stop],
      [closing, close],
    ] as const) {
      when.addEventListener('abort', act)
      if (when.aborted) act()
    }
    let stopNews = () => {}
    try {
      const [present] = await Promise.all([this.#present(), this.#rehearse()])
      const first = await this.#first()
      if (first) await this.#warmUp(first, present)
      this.#sink.started(present)
      const { cluster } = this.#ports
      const stopReporting = reportMembership(cluster, enginesOf(this.#order), this.scene.hash, present, this.#sink)
      const stopHearing = cluster.subscribe({ moved: change => this.#events.moved(change) })
      stopNews = () => {
        stopReporting()
        stopHearing()
      }
      closing.removeEventListener('abort', close)
      await this.#makeAll(first)
    } catch (error) {
      this.#fail(error)
    } finally {
      stopNews()
      signal.removeEventListener('abort', stop)
      closing.removeEventListener('abort', close)
      this.#end()
    }
    if (this.#failure) throw this.#failure.error
  }

  /** Ends the session; the first error is the reason. */
  #fail(error: unknown): void {
    this.#failure ??= { error }
    this.#end()
  }

  #end(): void {
    this.#over.abort(new CancelledError())
  }

  /** Waits for the areas that the first frame needs. */
  async #present(): Promise<WorkerInfo[]> {
    const { minWorkers, waitMs, verify } = this.#order
    const least = verify ? 2 : 1
    const say = (text: string) => this.#sink.status(text)
    return areasReady(
      { count: Math.max(minWorkers, least), least, engines: enginesOf(this.#order), waitMs, say },
      this.#scenes.own.areas,
      this.#over.signal,
    )
  }

  /** Whether a worker is there whose pixels are checked in any case. */
  #hasStrangers(): boolean {
    const { cluster } = this.#ports
    return this.#scenes.own.areas.ready().some(({ id }) => cluster.tracerOf(areaId(id))?.isStranger === true)
  }

  #rehearse(): Promise<void> {
    const areas = Math.max(this.#scenes.own.areas.expectedWorkers(), this.#order.minWorkers)
    if (areas < 2) return Promise.resolve()
    return this.#ports.rehearsals.of(this.#settings, areas, this.#over.signal)
  }

  /** The first request of the source; undefined if it has none. */
  async #first(): Promise<WantedFrame | undefined> {
    return (await untilAborted(this.#over.signal, this.#source.ready())) ? this.#source.take() : undefined
  }

  async #warmUp(first: WantedFrame, present: readonly WorkerInfo[]): Promise<void> {
    const { thumbnails } = this.#ports
    const scene = this.scene.hash
    const view = thumbnailView(this.#order, first)
    // A single area's times are not compared with any other's.
    if (present.length > 1) await this.#warm(this.#shares(present, this.#order), view)
    const thumbnail = thumbnails.of(scene, view)
    const more = plannedSamples(this.#order) / view.quality.samples
    if (thumbnail) this.#planner.prime(first.camera, thumbnail.times(more))
  }

  /** Has areas that have not traced the scene yet trace a small picture of the first view. */
  async #warm(present: readonly AreaShare[], view: View): Promise<void> {
    const { cluster, turns, clock, numbers, thumbnails } = this.#ports
    const scene = this.scene.hash
    const coldOnes = () => present.filter(({ id }) => !cluster.isWarm(id, scene))
    if (coldOnes().length === 0) return
    this.#sink.status('workers warm up on a small picture')
    const turn = await turns.enter(this.sharing, this.#over.signal)
    try {
      // Sessions of the same scene that began at the same time may have had their turns before.
      const cold = coldOnes()
      if (cold.length === 0) return
      for (const { id } of cold) cluster.setWarmth(id, scene, 'warming')
      // Those that are warm are free for others.
      turn.claim(
        cold.map(({ id }) => id),
        cold.length / present.length,
      )
      const order: WarmUp = {
        scene,
        view,
        areas: cold,
        warm: present.length - cold.length,
        costs: this.#planner.cellFor(cold) > 0,
        numbers,
        silentAfterMs: this.#limits.silentAfterMs,
        urgent: this.#order.kind === 'viewer',
      }
      const warm = new Set<AreaId>()
      try {
        const { records, thumbnail } = await warmUp(order, this.#scenes.own.tracing, this.#over.signal)
        this.#learnTimes(records, 0)
        if (thumbnail) thumbnails.keep(scene, view, thumbnail)
        for (const { worker } of records) warm.add(worker)
      } finally {
        for (const { id } of cold) cluster.setWarmth(id, scene, warm.has(id) ? 'warm' : undefined)
      }
    } finally {
      turn.leave(clock.now())
    }
  }

  /** Makes frames until there are no more. */
  async #makeAll(first: WantedFrame | undefined): Promise<void> {
    const { turns } = this.#ports
    const { kind, inFlight } = this.#order
    const { signal } = this.#over
    /** Newest last; each resolves when its frame and all earlier ones have been taken. */
    const taken: Promise<void>[] = []
    let request = first
    let next: NextFrame | undefined
    try {
      while (request || (await this.#isReady(taken))) {
        // If a session's frames are not taken, no more are made, which leaves the cluster to the others.
        if (taken.length > inFlight) {
          await untilAborted(signal, taken[0]!)
          taken.shift()
        }
        // Workers prepare a film's next scene while they trace the frame before; a viewer may want another view when its turn comes.
        if (kind === 'film') request ??= this.#source.take()
        if (request) {
          await untilAborted(signal, this.#scenes.room(request))
          next = this.#scenes.prepare(request)
        }
        request = undefined
        const turn = await this.#orDeliver(taken, turns.enter(this.sharing, signal))
        const made = this.#make(next, turn)
        next = undefined
        taken.push(this.#deliver(made, taken.at(-1)))
      }
      await Promise.all(taken)
    } catch (error) {
      // Before the frames in progress are abandoned because of it.
      this.#fail(error)
      throw error
    } finally {
      next?.release()
      this.#end()
      // However the session ended, the delivery of complete frames is finished.
      await Promise.allSettled(taken)
    }
  }

  /** Whether there is another frame, which may begin. */
  #isReady(taken: readonly Promise<void>[]): Promise<boolean> {
    const { signal } = this.#over
    return this.#orDeliver(taken, untilAborted([signal, this.#ports.turns.closing], this.#source.ready()))
  }

  /** If the source fails, or no more frames may begin, the frames before it are delivered first. */
  async #orDeliver<T>(taken: readonly Promise<void>[], next: Promise<T>): Promise<T> {
    try {
      return await next
    } catch (error) {
      await Promise.allSettled(taken)
      throw error
    }
  }

  /** Makes a prepared frame, or the source's next; undefined if it was abandoned because it is no longer wanted. */
  async #make(prepared: NextFrame | undefined, turn: Turn): Promise<Complete | undefined> {
    const { cluster, clock } = this.#ports
    const stop = new AbortController()
    const unhook = [hooked(this.#over.signal, stop), this.#source.onAbandon?.(() => stop.abort())]
    let attempt: FrameAttempt | undefined
    let endedAt: number | undefined
    let next = prepared
    try {
      next ??= this.#scenes.prepare(this.#source.take())
      const { request, at } = next
      const order = this.#orderOf(request)
      const { planner, owners } = this.#sizes.of(order.size, this.#strategyOf(request))
      planner.record = order.record
      const turnAt = clock.now()
      const bodies = await next.bodies()
      const say = (text: string, isEvent?: boolean) => this.#sink.status(text, isEvent)
      const progress = (progress: FrameProgress) => this.#sink.progress?.(progress)
      const areasNow = (signal: AbortSignal) => this.#areasNow(at, turn, signal)
      const present = this.#claim(await areasNow(stop.signal), turn)
      const change = next.change(clock.now() - turnAt)
      if (planner.wouldWantCoverage(request.camera, this.#shares(present, order), bodies)) await at.scene.content()
      const beganAt = turn.since ?? clock.now()
      this.#traffic ??= cluster.traffic()
      const frame = { request, at, bodies, scene: this.scene.hash, present, beganAt, limits: this.#limits }
      const shares = (workers: readonly WorkerInfo[]) => this.#shares(workers, order)
      const { keeper } = this.#sink
      const own = { session: this.#ports, planner, previews: order.progressive ? this.#previews : undefined }
      const kept = keeper && { mostTileSamples: keeper.mostTileSamples, passDone: () => keeper.passDone(request.frame) }
      const onRetry = (listen: () => void) =>
        this.#source.onRetry?.(request.frame, () => {
          this.#events.happened('retried', `frame ${request.frame} is traced again from its start`)
          listen()
        })
      const alone = () => {
        this.#isAlone = true
      }
      const ports = { ...own, ...kept, turn, shares, areasNow, alone, say, progress, onRetry }
      const making = new FrameAttempt(order, frame, ports)
      attempt = making
      keeper?.begun(request.frame, () => making.state())
      const { made, verification } = await attempt.make(
        this.#verification ?? (this.#hasStrangers() ? this.#ofStrangers : undefined),
        stop.signal,
      )
      const { facts: known, workers } = made
      endedAt = verification ? clock.now() : known.endedAt
      this.#learnTimes(known.records, known.dispatchAt - beganAt)
      this.#newest = { areas: new Set(present.map(({ id }) => id)), workMs: workMs(known, workers) }
      const traffic = difference(cluster.traffic(), this.#traffic)
      this.#traffic = cluster.traffic()
      const withdrawn = cluster.withdrawn()
      const more = {
        ...(change ? { sceneChange: change } : {}),
        ...(verification ? { verification } : {}),
        ...(withdrawn.length > 0 ? { withdrawn } : {}),
      }
      const beside = { workers, traffic, owners, isHashed: request.hash !== false, ...more }
      const finish = () => {
        if (isSlowToDenoise(order)) say(`denoising frame ${request.frame}`)
        return finishedFrame(made, order, beside)
      }
      return { request, finish, end: () => made.assembly.end() }
    } catch (error) {
      const isUnwanted = error instanceof CancelledError && !this.#over.signal.aborted
      if (!isUnwanted) this.#fail(error)
      // Its keeper may be far away: others do not wait for it.
      turn.leave(endedAt ?? clock.now())
      if (attempt && next) await this.#sink.keeper?.givenUp(next.request.frame)
      attempt?.end()
      if (isUnwanted) return undefined
      throw error
    } finally {
      for (const end of unhook) end?.()
      next?.release()
      turn.leave(endedAt ?? clock.now())
    }
  }

  #orderOf(request: WantedFrame): SessionOrder {
    const order = orderFor(this.#order, request)
    const { name: strategy } = this.#strategyOf(request)
    return { ...order, strategy, record: request.record ?? order.record }
  }

  #strategyOf({ strategy }: WantedFrame): Strategy {
    const own = this.#settings.strategy
    return strategy === undefined || strategy === own.name ? own : strategyByName(strategy)
  }

  /** Areas that are ready, at least one. While there is none, other sessions' frames are made. */
  async #areasNow(at: SceneUse, turn: Turn, signal: AbortSignal): Promise<WorkerInfo[]> {
    const say = (text: string, what: 'loading' | 'waiting') => {
      if (what === 'loading' || !this.#isAlone) this.#sink.status(text)
    }
    const areas = async () => {
      const found = await this.#scenes.areasFor(at, say, signal)
      this.#isAlone = false
      return found
    }
    if (at.areas.ready().length > 0) return areas()
    const disarm = this.#ports.alarm(() => turn.strand(true), STRANDED_MS)
    try {
      return await areas()
    } finally {
      disarm()
      turn.strand(false)
    }
  }

  /** The areas for a frame: those that pay for it, if other sessions could use the rest. */
  #claim(present: readonly WorkerInfo[], turn: Turn): readonly WorkerInfo[] {
    const { turns } = this.#ports
    // A check needs workers that had no part in a tile.
    const rivals = turns.rivals(this.sharing)
    if (!this.#newest || this.#verification || rivals < 2) return present
    const { areas: before, workMs } = this.#newest
    const frame = { ...this.#limits, workMs, leastShare: 1 / rivals, claims: turns.claims, before }
    const areas = areasThatPay(present, frame)
    if (areas.length < present.length) turn.claim(idsOf(areas), speedOf(areas) / speedOf(present))
    return areas
  }

  /** Delivers a frame after all earlier ones. Hashing waits until the next frame's tiles are on their way. */
  async #deliver(made: Promise<Complete | undefined>, before: Promise<void> | undefined): Promise<void> {
    let complete: Complete | undefined
    try {
      complete = await made
      await before
      if (!complete) return
      await new Promise(resolve => setImmediate(resolve))
      const { report, pixels, planes, depths } = await complete.finish()
      const events = this.#events.take(report, complete.request.camera, this.#order.kind === 'film')
      // If it is not taken, it is kept as it was before it was finished.
      if (!this.#sink.keeper) complete.end()
      else await this.#sink.keeper.complete(report.frame)
      this.#previews?.drop(report.frame)
      if (depths) this.#sink.depths?.(report.frame, depths)
      await this.#sink.frame(events.length > 0 ? { ...report, events } : report, pixels, planes)
    } catch (error) {
      this.#fail(error)
      if (complete) await this.#sink.keeper?.givenUp(complete.request.frame)
      throw error
    } finally {
      complete?.end()
    }
  }

  /** The areas as seen by a pass of a frame with this order. */
  #shares(workers: readonly WorkerInfo[], order: SessionOrder): AreaShare[] {
    const { quality, passes } = order
    const samples = isDoubling(order) ? plannedSamples(order) : Math.ceil(quality.samples / passes)
    return sharesOf(workers, { ...quality, samples })
  }

  /** Learns times for the next frames: the round trip, and a frame's preparation, ms. */
  #learnTimes(records: readonly LeaseRecord[], preparationMs: number): void {
    this.#limits = {
      ...this.#limits,
      roundTripMs: roundTripMs(records) ?? this.#limits.roundTripMs,
      ...(this.#order.inFlight > 1 ? { nextFrameMs: preparationMs } : {}),
    }
  }
}
