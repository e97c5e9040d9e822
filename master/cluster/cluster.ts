/**
 * The roster: which workers are connected, which hold the scene, and the single point of contact between sessions and
 * workers. Links report events to it; it forwards them to the observers.
 */
import { byName } from '../../shared/by-name.ts'
import type { Clock } from '../../shared/clock.ts'
import type { WorkerInfo } from '../../shared/frame-report.ts'
import type { AreaId, LeaseId } from '../../shared/ids.ts'
import type { Log } from '../../shared/log.ts'
import { type Channel, CLOSE_CODES, type Traffic } from '../../shared/protocol/channel.ts'
import type { Encoding, WorkerHello } from '../../shared/protocol/messages.ts'
import type { NamedScene } from '../../shared/scene/held-scene.ts'
import type { Identity } from '../scheduling/blame.ts'
import type { AsideCause } from '../scheduling/events.ts'
import type { Tracer } from '../verification/frame-checks.ts'
import { type Aside, AsideAreas } from './aside-areas.ts'
import { ExpelledError, Expulsions } from './expulsions.ts'
import { checkKernel, type ExpectedKernels } from './kernel-check.ts'
import type { TileRequest } from './open-leases.ts'
import { peerKey } from './peer-key.ts'
import type { Pause, ReliabilityLimits } from './reliability.ts'
import type { SceneArrival } from './scene-delivery.ts'
import { sumOf } from './traffic.ts'
import { type Area, type ArrivedTile, type LinkListener, WorkerLink } from './worker-link.ts'

/** Receives the cluster's events while it is observing. */
export interface ClusterObserver {
  /** A worker holds a scene in use and can be given tiles of it. */
  ready(worker: AreaId, scene: string): void
  lost(worker: AreaId, reason: string): void
  tileDone(worker: AreaId, tile: ArrivedTile): void
  tileFailed(worker: AreaId, lease: LeaseId, reason: string): void
  /** It takes nothing more. Of its leases only these will be answered, up to a row each, px of the frame; then it is lost. */
  leaving?(worker: AreaId, keeps: ReadonlyMap<LeaseId, number>): void
  /** These have not been heard of for a moment. Told at once and again while there are any, and once after. */
  quiet?(areas: ReadonlySet<AreaId>): void
  /** It makes progress on a tile that takes long. */
  tileProgress?(worker: AreaId, lease: LeaseId): void
  /** It is given no tiles for a while; without a pause: it may have some again. */
  aside?(worker: AreaId, pause: { readonly reason: string; readonly ms: number } | undefined): void
}

/** How long a worker may make no progress with a scene before it is no longer expected to have it, ms. */
const BUILD_PATIENCE_MS = 120_000
/** A worker that leaves needs less than a second; after so long it is dropped, ms. */
const LEAVE_PATIENCE_MS = 3000

export interface ClusterPorts {
  readonly log: Log
  readonly clock: Clock
  /** Kernels that workers may render with. @default any */
  readonly kernels?: ExpectedKernels | undefined
  /** Calls `wake` after `inMs`. @default workers that leave are waited for without end */
  readonly alarm?: (wake: () => void, inMs: number) => unknown
  /** How long a worker may make no progress with a scene before `expectedWorkers` stops counting it, ms. @default 120,000 */
  readonly buildPatienceMs?: number | undefined
  /** When workers are set aside, and for how long. @default DEFAULT_RELIABILITY */
  readonly reliability?: ReliabilityLimits | undefined
}

export class Cluster implements LinkListener {
  readonly #log: Log
  readonly #clock: Clock
  readonly #kernels: ExpectedKernels | undefined
  readonly #buildPatienceMs: number
  readonly #alarm: (wake: () => void, inMs: number) => unknown
  readonly #links = new Set<WorkerLink>()
  /** Areas of all links. */
  readonly #areas = new Map<AreaId, Area>()
  /** The same by name. Every session asks for them whenever one becomes ready: sorting hundreds each time would hold up the master. */
  #sorted: readonly Area[] | undefined
  readonly #observers = new Set<ClusterObserver>()
  /** Scenes in use, with their number of uses. */
  readonly #scenes = new Map<string, { readonly scene: NamedScene; readonly passing: boolean; uses: number }>()
  readonly #aside: AsideAreas
  /** Areas that their workers have set aside, with the reasons. What these still hold is answered. */
  readonly #down = new Map<AreaId, string>()
  /** Ids of workers that returned wrong pixels. */
  readonly #expelled = new Set<string>()
  readonly #expulsions = new Expulsions()
  #quiet: ReadonlySet<AreaId> = new Set()
  #joined = 0
  #works = 0
  #lateAnswers = 0
  /** Traffic of workers that are gone. */
  #past: Traffic = { messages: 0, bytes: 0 }

  constructor({ log, clock, kernels, alarm = () => {}, buildPatienceMs, reliability }: ClusterPorts) {
    this.#alarm = alarm
    this.#log = log
    this.#clock = clock
    this.#kernels = kernels
    this.#buildPatienceMs = buildPatienceMs ?? BUILD_PATIENCE_MS
    const areas = () => this.#areas.values()
    const changed = ({ id }: Area, pause?: Pause) => this.#tell(observer => observer.aside?.(id, pause))
    this.#aside = new AsideAreas({ log, clock, alarm, areas, changed }, reliability)
  }

  /**
   * Admits a worker after its hello; the caller must pass its channel's messages to the link.
   * @param address where it is
   * @throws KernelMismatchError, ExpelledError
   */
  admit(channel: Channel, hello: WorkerHello, encoding: Encoding, address = ''): WorkerLink {
    this.#expulsions.check(address, hello.name)
    for (const { engine, kernel } of this.#kernels ? hello.areas : [])
      checkKernel({ name: hello.name, engine, kernel }, this.#kernels!)
    const link = new WorkerLink(`w${++this.#joined}`, hello, encoding, channel, this.#clock, this, address)
    this.#links.add(link)
    for (const area of link.areas) this.#areas.set(area.id, area)
    this.#sorted = undefined
    const devices = link.areas.map(
      ({ info }) =>
        `${info.device ? `${info.device}: ` : ''}${info.engine}, ${info.threads} ${info.threads === 1 ? 'thread' : 'threads'}`,
    )
    this.#log.info(
      `worker ${link.name} joined as ${link.areas[0]!.id} (${devices.join('; ')}), ${this.#links.size} in the cluster`,
    )
    for (const area of link.areas) this.#aside.joined(area)
    for (const { scene, passing } of this.#scenes.values()) link.provide(scene, passing)
    return link
  }

  /**
   * Has every present and future worker prepare a scene until it has been released as often as it was provided.
   * @param passing whether it is of a single frame: workers drop it once it is released
   */
  provide(scene: NamedScene, passing = false): void {
    const used = this.#scenes.get(scene.hash)
    if (used) {
      used.uses++
      return
    }
    this.#scenes.set(scene.hash, { scene, passing, uses: 1 })
    for (const link of this.#links) link.provide(scene, passing)
  }

  /** Removes one use of a scene; without any, workers keep it while they have room. */
  release(scene: string): void {
    const used = this.#scenes.get(scene)
    if (!used || --used.uses > 0) return
    this.#scenes.delete(scene)
    for (const link of this.#links) link.scenes.release(scene)
  }

  /**
   * Number of workers that are ready to trace a scene, or all of several, with `engine`, or on their way to that.
   * @param having counts only those that are ready to trace this one, too
   */
  expectedWorkers(engine: string, wanted: string | readonly string[], having?: string): number {
    const links = this.#aside
      .expected(this.#withScenes(engine, [wanted].flat()))
      .map(({ link }) => link)
      .filter(({ scenes }) => having === undefined || scenes.isReady(having))
    return new Set(links).size
  }

  /** All areas, by name, so that a returning worker gets its old neighbours and its old part of the screen. */
  workers(): WorkerInfo[] {
    return this.#byName().map(({ info }) => info)
  }

  /** Connected workers of a name. */
  linksOf(name: string): WorkerLink[] {
    return [...this.#links].filter(link => link.name === name)
  }

  /** Names of the connected workers, each once. */
  get names(): string[] {
    return [...new Set([...this.#links].map(({ name }) => name))].sort()
  }

  /** Says goodbye to all workers. */
  dismiss(reason: string): void {
    for (const link of this.#links) link.channel.send({ type: 'goodbye', code: 'DONE', reason })
  }

  /** Every area that can be given tiles of a scene, or of all of several, for `engine`, by name. */
  readyWorkers(engine: string, wanted: string | readonly string[]): WorkerInfo[] {
    const all = [wanted].flat()
    return this.#aside
      .serving(this.#withScenes(engine, all))
      .filter(({ link }) => all.every(scene => link.scenes.isReady(scene)))
      .map(({ info }) => info)
  }

  /** What it took until they had a scene, of all workers that have it. */
  arrivals(scene: string): SceneArrival[] {
    return [...this.#links].flatMap(({ scenes }) => scenes.arrivalOf(scene) ?? [])
  }

  /** Everybody by name, and who is set aside for how long. */
  roster(): (WorkerInfo & { readonly aside?: Aside })[] {
    return this.#byName().map(area => {
      const aside = this.#aside.of(area)
      return aside ? { ...area.info, aside } : area.info
    })
  }

  /** Others traced what an area, by its identity, failed. Whoever does that again and again is set aside. */
  blame(who: string, reason: string): void {
    this.#aside.failed(who, `it failed tiles that others traced, most recently: ${reason}`)
  }

  /** Gives an area no work for a while, and longer the next time. */
  setAside(area: AreaId, reason: string, cause: AsideCause): void {
    const found = this.#areas.get(area)
    if (found) this.#aside.setAside(found, reason, cause)
  }

  /** Who a connected area is, whatever its id. */
  identify(area: AreaId): Identity {
    const found = this.#areas.get(area)
    return found ? { area: found.key, worker: peerKey(found.link.address, found.link.name) } : { area, worker: area }
  }

  /** Who an area is, to those that compare pixels; undefined if it is gone. */
  tracerOf(area: AreaId): Tracer | undefined {
    const found = this.#areas.get(area)
    if (!found) return undefined
    const { info, kernel, link } = found
    return { area, worker: info.workerId ?? info.id, name: link.name, address: link.address, kernel }
  }

  /** Ends the connection of a worker that returned wrong pixels, and lets it in again only when this master is restarted. */
  expel({ area, worker, name, address }: Tracer, what: string): void {
    const error = new ExpelledError(name, what)
    this.#log.warn(error.message)
    this.#expelled.add(worker)
    this.#expulsions.add(address, name)
    const link = this.#areas.get(area)?.link
    if (!link) return
    link.channel.send({ type: 'goodbye', code: error.code, reason: error.message.slice(0, 2000) })
    link.channel.close(CLOSE_CODES.refused, 'expelled')
    link.closed('expelled')
  }

  /** Whether a worker, by its id, was expelled. */
  isExpelled(worker: string): boolean {
    return this.#expelled.has(worker)
  }

  /** Whether an area has traced a scene since it built it: engines are slow before that. */
  isWarm(area: AreaId, scene: string): boolean {
    return this.#areas.get(area)?.warm.has(scene) ?? false
  }

  warmed(area: AreaId, scene: string): void {
    this.#areas.get(area)?.warm.add(scene)
  }

  /** Messages and bytes exchanged with all workers, past and present. */
  traffic(): Traffic {
    return [...this.#links].reduce((sum, link) => sumOf(sum, link.channel.traffic), this.#past)
  }

  /** Bytes of answers received so far from an area's worker, complete or not. */
  received(area: AreaId): number {
    return this.#areas.get(area)?.link.channel.received ?? 0
  }

  /** Late answers of all workers, past and present: no longer awaited, and not decoded. */
  get lateAnswers(): number {
    return [...this.#links].reduce((sum, link) => sum + link.lateAnswers, this.#lateAnswers)
  }

  /** A number for a frame in progress, or a moment of one, unique for this cluster's lifetime. */
  nextWork(): number {
    return this.#works++
  }

  trace(area: AreaId, request: TileRequest): void {
    const found = this.#areas.get(area)
    found?.link.trace(found.index, request)
  }

  trim(area: AreaId, lease: LeaseId, rows: number): void {
    this.#areas.get(area)?.link.trim(lease, rows)
  }

  cancel(area: AreaId, lease: LeaseId): void {
    this.#areas.get(area)?.link.cancel(lease)
  }

  /** Gives up all tiles of a work on all workers; no more will be requested. */
  cancelWork(work: number): void {
    for (const link of this.#links) link.cancelWork(work)
  }

  /** Starts notifying `observer`; the returned function stops it. */
  observe(observer: ClusterObserver): () => void {
    this.#observers.add(observer)
    if (this.#quiet.size > 0) observer.quiet?.(this.#quiet)
    return () => this.#observers.delete(observer)
  }

  ready(link: WorkerLink, scene: string, buildMs?: number): void {
    if (this.#scenes.get(scene)?.passing) return this.#tellReady(link, scene)
    const how = buildMs === undefined ? 'already built' : `structure built in ${buildMs.toFixed(0)} ms`
    this.#log.info(`worker ${link.name} holds the scene (${how})`)
    this.#tellReady(link, scene)
  }

  #tellReady(link: WorkerLink, scene: string): void {
    for (const { id } of link.areas) this.#tell(observer => observer.ready(id, scene))
  }

  refused(link: WorkerLink, reason: string): void {
    this.#log.warn(`worker ${link.name} cannot use the scene: ${reason}`)
  }

  tileDone({ id }: Area, tile: ArrivedTile): void {
    this.#tell(observer => observer.tileDone(id, tile))
  }

  tileFailed({ id, info }: Area, lease: LeaseId, reason: string): void {
    this.#log.warn(`worker ${info.name} failed a tile: ${reason}`)
    this.#tell(observer => observer.tileFailed(id, lease, reason))
  }

  areaState({ id, info }: Area, reason: string | undefined): void {
    if (reason === undefined) {
      this.#down.delete(id)
      this.#log.info(`${info.name} is back`)
    } else {
      this.#down.set(id, reason)
      this.#log.warn(`${info.name} was set aside by its worker: ${reason}`)
    }
  }

  tileProgress({ id }: Area, lease: LeaseId): void {
    this.#tell(observer => observer.tileProgress?.(id, lease))
  }

  /** Tells observers which areas are quiet. Called with every heartbeat. @param isQuiet whether nothing is heard of a connection */
  lookForQuiet(isQuiet: (channel: Channel) => boolean): void {
    const quiet = [...this.#links].filter(({ channel }) => isQuiet(channel))
    const before = this.#quiet
    this.#quiet = new Set(quiet.flatMap(link => link.areas.map(({ id }) => id)))
    if (before.size + this.#quiet.size > 0) this.#tell(observer => observer.quiet?.(this.#quiet))
  }

  leaving(link: WorkerLink, reason: string, keeps: ReadonlyMap<LeaseId, number>): void {
    this.#log.info(
      `worker ${link.name} leaves (${reason}), and finishes ${keeps.size} of its tiles as far as it has begun`,
    )
    for (const { id } of link.areas) this.#tell(observer => observer.leaving?.(id, keeps))
    this.#alarm(() => {
      if (this.#links.has(link)) link.channel.terminate('it said that it leaves, and stayed')
    }, LEAVE_PATIENCE_MS)
  }

  left(link: WorkerLink, reason: string, failure: string | undefined): void {
    if (!this.#links.delete(link)) return
    for (const { id } of link.areas) {
      this.#areas.delete(id)
      this.#down.delete(id)
    }
    this.#sorted = undefined
    this.#past = sumOf(this.#past, link.channel.traffic)
    this.#lateAnswers += link.lateAnswers
    this.#log.info(`worker ${link.name} left (${reason}), ${this.#links.size} in the cluster`)
    if (failure !== undefined) for (const area of link.areas) this.#aside.failed(area.key, failure)
    for (const { id } of link.areas) this.#tell(observer => observer.lost(id, reason))
  }

  /** Areas whose workers hold scenes, or are on their way to that. */
  #withScenes(engine: string, scenes: readonly string[]): Area[] {
    return this.#usable(engine).filter(({ link }) =>
      scenes.every(scene => link.scenes.isExpected(scene, this.#buildPatienceMs)),
    )
  }

  /** Areas that could be given tiles for `engine`, if their workers held the scene. */
  #usable(engine: string): Area[] {
    return this.#byName().filter(
      ({ id, info, link }) => info.engine === engine && info.speed > 0 && !link.isLeaving && !this.#down.has(id),
    )
  }

  #byName(): readonly Area[] {
    this.#sorted ??= [...this.#areas.values()].sort((a, b) => byName(a.info, b.info))
    return this.#sorted
  }

  #tell(what: (observer: ClusterObserver) => void): void {
    for (const observer of [...this.#observers]) what(observer)
  }
}
