/**
 * The cluster: which workers are connected and which scenes they hold; the single point of contact between sessions and workers. What
 * areas are doing is in its roster. An answer goes to the holder of its lease, changes of state and scenes go to all listeners.
 */
import type { WithdrawnArea, WorkerInfo } from '../../shared/frame/frame-report.ts'
import type { AreaId, LeaseId } from '../../shared/ids.ts'
import { type Channel, CLOSE_CODES, type Traffic } from '../../shared/protocol/channel.ts'
import { type Encoding, MAX_REASON, type WorkerHello } from '../../shared/protocol/messages.ts'
import type { NamedScene } from '../../shared/scene/held-scene.ts'
import { type Engines, isAmong } from '../../shared/session/engines.ts'
import type { Log } from '../../shared/text/log.ts'
import { shortened } from '../../shared/text/printable.ts'
import type { Identity } from '../scheduling/blame.ts'
import type { QuarantineCause } from '../scheduling/events.ts'
import type { Tracer } from '../verification/frame-checks.ts'
import { type AreaHealth, healthOf, withdrawnAreas } from './area-health.ts'
import { ExpelledError } from './expelled-error.ts'
import { Identities } from './identities.ts'
import { checkKernel, type ExpectedKernels } from './kernel-check.ts'
import type { LeaseHolder, TileRequest } from './open-leases.ts'
import { type OwnWorkers, ownWorkers } from './own-workers.ts'
import { Quarantines } from './quarantines.ts'
import type { ReliabilityLimits } from './reliability.ts'
import { isAtWork, Roster, type Transition } from './roster.ts'
import type { SceneArrival, SceneRefusal } from './scene-delivery.ts'
import { sumOf } from './traffic.ts'
import { type Area, type LinkListener, type LinkPorts, WorkerLink } from './worker-link.ts'

/** Hears of what concerns more than one lease. */
export interface ClusterListener {
  /** An area changed its state. */
  moved?(change: Transition): void
  /** An area's worker holds a scene in use and can be given tiles of it. */
  ready?(area: AreaId, scene: string): void
  /** A worker cannot use a scene, at least now. */
  refused?(worker: string, scene: string, reason: string): void
  /** A worker, by its key, is not believed any more, connected or not. Told before its connections end. */
  expelled?(key: string): void
}

/** How long a worker may make no progress with a scene before it is no longer expected to have it, ms. */
const BUILD_PATIENCE_MS = 120_000
/** A worker that leaves needs less than a second; after so long it is dropped, ms. */
const LEAVE_PATIENCE_MS = 3000

export interface ClusterPorts extends LinkPorts {
  readonly log: Log
  /** Kernels that workers may render with. @default any */
  readonly kernels?: ExpectedKernels | undefined
  /** Calls `wake` after `inMs`. @default workers that leave are waited for without end */
  readonly alarm?: (wake: () => void, inMs: number) => unknown
  /** Names of the workers that were started with this master, and have not ended. @default workers come from elsewhere */
  readonly ownNames?: (() => readonly string[]) | undefined
  /** How long a worker may make no progress with a scene before `expectedWorkers` stops counting it, ms. @default 120,000 */
  readonly buildPatienceMs?: number | undefined
  /** When areas are quarantined, and for how long. @default DEFAULT_RELIABILITY */
  readonly reliability?: ReliabilityLimits | undefined
  /** So many workers of one address may be expelled before it gets no new ones in. @default MOST_EXPELLED_PER_ADDRESS */
  readonly mostExpelledPerAddress?: number | undefined
}

/** What a worker said when it could not use a scene. */
export interface Refusal extends SceneRefusal {
  readonly name: string
}

export class Cluster implements LinkListener {
  readonly #log: Log
  readonly #linkPorts: LinkPorts
  readonly #kernels: ExpectedKernels | undefined
  readonly #buildPatienceMs: number
  readonly #ownNames: (() => readonly string[]) | undefined
  readonly #alarm: (wake: () => void, inMs: number) => unknown
  readonly #links = new Set<WorkerLink>()
  readonly #roster: Roster
  readonly #quarantines: Quarantines
  readonly #listeners = new Set<ClusterListener>()
  /** Scenes in use, with their number of uses. */
  readonly #scenes = new Map<string, { readonly scene: NamedScene; readonly passing: boolean; uses: number }>()
  readonly #identities: Identities
  #joined = 0
  #works = 0
  #lateAnswers = 0
  /** Traffic of workers that are gone. */
  #past: Traffic = { messages: 0, bytes: 0 }

  constructor({ log, clock, kernels, alarm = () => {}, unpack, ownNames, ...limits }: ClusterPorts) {
    const { buildPatienceMs, reliability, mostExpelledPerAddress } = limits
    this.#alarm = alarm
    this.#log = log
    this.#linkPorts = { clock, unpack }
    this.#kernels = kernels
    this.#ownNames = ownNames
    this.#buildPatienceMs = buildPatienceMs ?? BUILD_PATIENCE_MS
    this.#roster = new Roster(clock)
    this.#identities = new Identities(mostExpelledPerAddress)
    this.#quarantines = new Quarantines({ roster: this.#roster, clock, alarm }, reliability)
    this.#roster.subscribe(change => {
      this.#say(change)
      this.#tell(listener => listener.moved?.(change))
    })
  }

  /** Fingerprint of the workers with an engine, when there is one. Rejects with the signal's reason. */
  kernelOf(engine: string, signal: AbortSignal): Promise<string> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = this.#present().find(area => area.engine === engine)
        if (found) settle(() => resolve(found.kernel))
        else if (signal.aborted) settle(() => reject(signal.reason))
      }
      const stop = this.subscribe({ moved: look })
      signal.addEventListener('abort', look)
      const settle = (end: () => void) => {
        stop()
        signal.removeEventListener('abort', look)
        end()
      }
      look()
    })
  }

  #present(): { engine: string; kernel: string }[] {
    return [...this.#links].flatMap(({ areas }) => areas.map(({ kernel, info }) => ({ engine: info.engine, kernel })))
  }

  /**
   * Admits a worker after its hello, and the proof of its identity if it names one; the caller must pass its channel's messages to the link.
   * @param address where it is
   * @param isTab whether it is in a tab of a browser, to which somebody gave a link
   * @throws KernelMismatchError, ExpelledError
   */
  admit(channel: Channel, hello: WorkerHello, encoding: Encoding, address = '', isTab = false): WorkerLink {
    for (const { engine, kernel } of this.#kernels ? hello.areas : [])
      checkKernel({ name: hello.name, engine, kernel }, this.#kernels!, this.#present())
    const identity = this.#identities.enter(address, hello.name, { own: hello.key, identity: hello.identity })
    if (this.isExpelled(identity.key)) {
      identity.leave()
      throw new ExpelledError(hello.name, 'it returned wrong pixels before, or cannot be told from one that did')
    }
    const link = new WorkerLink(
      `w${++this.#joined}`,
      identity,
      hello,
      encoding,
      channel,
      { ...this.#linkPorts, isTab },
      this,
    )
    this.#links.add(link)
    this.#roster.add(link.areas)
    const devices = link.areas.map(
      ({ info }) =>
        `${info.device ? `${info.device}: ` : ''}${info.engine}, ${info.threads} ${info.threads === 1 ? 'thread' : 'threads'}`,
    )
    this.#log.info(
      `worker ${link.name} joined as ${link.areas[0]!.id} (${devices.join('; ')}), ${this.#links.size} in the cluster`,
    )
    for (const area of link.areas) this.#quarantines.admit(area)
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
   * Number of workers that are ready to trace a scene, or all of several, with one of the engines, or on their way to that.
   * @param having counts only those that are ready to trace this one, too
   */
  expectedWorkers(engines: Engines, wanted: string | readonly string[], having?: string): number {
    const links = this.#roster
      .expected(this.#withScenes(engines, [wanted].flat()))
      .map(({ link }) => link)
      .filter(({ scenes }) => having === undefined || scenes.isReady(having))
    return new Set(links).size
  }

  /** How far the workers that were started with this master are with scenes; undefined if workers come from elsewhere. */
  own(scenes: readonly string[]): OwnWorkers | undefined {
    if (!this.#ownNames) return undefined
    const told = [...this.#links].filter(link => scenes.every(scene => link.scenes.isUsed(scene)))
    return ownWorkers(this.#ownNames(), told, this.#roster)
  }

  /** All areas, by name, so that a returning worker gets its old neighbours and its old part of the screen. */
  workers(): WorkerInfo[] {
    return this.#roster.areas().map(({ info }) => info)
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

  /** Every area that can be given tiles of a scene, or of all of several, by one of the engines, by name. */
  readyWorkers(engines: Engines, wanted: string | readonly string[]): WorkerInfo[] {
    const all = [wanted].flat()
    return this.#roster
      .able(this.#withScenes(engines, all))
      .filter(({ link }) => all.every(scene => link.scenes.isReady(scene)))
      .map(({ info }) => info)
  }

  /** What it took until they had a scene, of all workers that have it. */
  arrivals(scene: string): SceneArrival[] {
    return [...this.#links].flatMap(({ scenes }) => scenes.arrivalOf(scene) ?? [])
  }

  /** An area that can be given tiles of all of several scenes by one of the engines; undefined if it cannot. */
  readyArea(id: AreaId, engines: Engines, wanted: readonly string[]): WorkerInfo | undefined {
    const area = this.#roster.find(id)
    if (!area || !isAtWork(this.#roster.stateOf(id)) || area.info.speed <= 0) return undefined
    if (!isAmong(area.info.engine, engines)) return undefined
    return wanted.every(scene => area.link.scenes.isReady(scene)) ? area.info : undefined
  }

  /** Workers of an engine that cannot use one of several scenes, and what they said. */
  refusals(engines: Engines, wanted: readonly string[]): Refusal[] {
    return [...this.#links]
      .filter(({ areas }) => areas.some(({ info }) => isAmong(info.engine, engines)))
      .flatMap(({ name, scenes }) => {
        const [first] = wanted.flatMap(scene => scenes.refusalOf(scene) ?? [])
        return first ? [{ name, ...first }] : []
      })
  }

  /** All areas by name, and what each is doing. */
  health(): AreaHealth[] {
    return healthOf(this.#roster, this.#linkPorts.clock.now())
  }

  /** Areas that their workers have withdrawn, with the reasons. */
  withdrawn(): WithdrawnArea[] {
    return withdrawnAreas(this.#roster)
  }

  /** Areas of which nothing has been heard for a moment. A live view. */
  get quiet(): ReadonlySet<AreaId> {
    return this.#roster.quiet
  }

  /** Others traced what an area, by its identity, failed. One that does that again and again is quarantined. */
  blame(key: string, reason: string): void {
    this.#quarantines.failed(key, `it failed tiles that others traced, most recently: ${reason}`)
  }

  /** Gives an area no work for a while, and longer the next time. */
  quarantine(id: AreaId, reason: string, cause: QuarantineCause): void {
    const area = this.#roster.find(id)
    if (area) this.#quarantines.begin(area, reason, cause)
  }

  /** An area that was quarantined for its silence has answered: it is slow, and may have tiles again. */
  liftQuarantine(id: AreaId): void {
    const area = this.#roster.find(id)
    if (area) this.#quarantines.lift(area)
  }

  /** An operator gives the areas of a worker no work for a while, or work again. @returns whether there is one of that name */
  setQuarantine(worker: string, isQuarantined: boolean): boolean {
    const areas = this.linksOf(worker).flatMap(link => link.areas)
    for (const area of areas) {
      if (isQuarantined) this.#quarantines.begin(area, 'an operator asked for it', 'operator')
      else this.#quarantines.release(area)
    }
    return areas.length > 0
  }

  /** Who a connected area is, whatever its id. */
  identify(area: AreaId): Identity {
    const found = this.#roster.find(area)
    return found ? { area: found.key, worker: found.link.identity.key } : { area, worker: area }
  }

  /** Who an area is, to those that compare pixels; undefined if it is gone. */
  tracerOf(area: AreaId): Tracer | undefined {
    const found = this.#roster.find(area)
    if (!found) return undefined
    const { kernel, link } = found
    return { area, name: link.name, key: link.identity.key, kernel, ...(link.isTab ? { isStranger: true } : {}) }
  }

  /** Ends all connections of a worker that returned wrong pixels, and lets it in again only when this master is restarted. */
  expel({ name, key }: Pick<Tracer, 'name' | 'key'>, what: string): void {
    const error = new ExpelledError(name, what)
    this.#log.warn(error.message)
    this.#identities.expel(key)
    // First: a frame that heard only that areas are gone could be complete with its pixels.
    this.#tell(listener => listener.expelled?.(key))
    // The connection over which it lied may have ended since, and another one begun.
    for (const link of [...this.#links].filter(({ identity }) => identity.key === key)) {
      link.channel.send({ type: 'goodbye', code: error.code, reason: shortened(error.message, MAX_REASON) })
      link.channel.close(CLOSE_CODES.refused, 'expelled')
      link.closed('expelled')
    }
  }

  /** Whether a worker, by its key, was expelled. */
  isExpelled(key: string): boolean {
    return this.#identities.isExpelled(key)
  }

  /** Whether an area has traced a scene since it built it: engines are slow before that. */
  isWarm(area: AreaId, scene: string): boolean {
    return this.#roster.find(area)?.warmth.get(scene) === 'warm'
  }

  /** Says whether an area traces its first picture of a scene, or has traced one; undefined: neither. */
  setWarmth(area: AreaId, scene: string, warmth: 'warming' | 'warm' | undefined): void {
    const found = this.#roster.find(area)
    if (warmth) found?.warmth.set(scene, warmth)
    else found?.warmth.delete(scene)
  }

  /** Messages and bytes exchanged with all workers, past and present. */
  traffic(): Traffic {
    return [...this.#links].reduce((sum, link) => sumOf(sum, link.channel.traffic), this.#past)
  }

  /** Bytes of answers received so far from an area's worker, complete or not. */
  received(area: AreaId): number {
    return this.#roster.find(area)?.link.channel.received ?? 0
  }

  /** Late answers of all workers, past and present: no longer awaited, and not decoded. */
  get lateAnswers(): number {
    return [...this.#links].reduce((sum, link) => sum + link.lateAnswers, this.#lateAnswers)
  }

  /** A number for a frame in progress, or a moment of one, unique for this cluster's lifetime. */
  nextWork(): number {
    return this.#works++
  }

  /** Has an area trace a tile; `holder` hears of the answers. */
  trace(area: AreaId, request: TileRequest, holder: LeaseHolder): void {
    const found = this.#roster.find(area)
    found?.link.trace(found.index, request, holder)
  }

  trim(area: AreaId, lease: LeaseId, rows: number): void {
    this.#roster.find(area)?.link.trim(lease, rows)
  }

  cancel(area: AreaId, lease: LeaseId): void {
    this.#roster.find(area)?.link.cancel(lease)
  }

  /** Gives up all tiles of a work on all workers; no more will be requested. */
  cancelWork(work: number): void {
    for (const link of this.#links) link.cancelWork(work)
  }

  /** Starts notifying `listener`; the returned function stops it. */
  subscribe(listener: ClusterListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  ready(link: WorkerLink, scene: string, buildMs?: number): void {
    if (this.#scenes.get(scene)?.passing) return this.#tellReady(link, scene)
    this.#log.info(`worker ${link.name} holds the scene${this.#titleOf(scene)} (${builtWords(buildMs)})`)
    this.#tellReady(link, scene)
  }

  #titleOf(scene: string): string {
    const title = this.#scenes.get(scene)?.scene.title
    return title === undefined ? '' : ` ${title}`
  }

  #tellReady(link: WorkerLink, scene: string): void {
    for (const { id } of link.areas) this.#tell(listener => listener.ready?.(id, scene))
  }

  refused(link: WorkerLink, scene: string, reason: string): void {
    this.#log.warn(`worker ${link.name} cannot use the scene${this.#titleOf(scene)}: ${reason}`)
    this.#tell(listener => listener.refused?.(link.name, scene, reason))
  }

  tileFailed({ info }: Area, reason: string): void {
    this.#log.warn(`worker ${info.name} failed a tile: ${reason}`)
  }

  areaState(area: Area, reason: string | undefined): void {
    if (reason === undefined) {
      this.#log.info(`${area.info.name} is back`)
      if (this.#roster.stateOf(area.id) === 'withdrawn') this.#quarantines.admit(area)
    } else if (this.#roster.stateOf(area.id) !== 'leaving')
      this.#roster.move(area, 'withdrawn', { reason, keeps: area.link.heldBy(area) })
  }

  /** Called with every heartbeat. @param isQuiet whether nothing is heard of a connection */
  lookForQuiet(isQuiet: (channel: Channel) => boolean): void {
    for (const link of this.#links) {
      const quiet = isQuiet(link.channel)
      for (const area of link.areas) {
        const state = this.#roster.stateOf(area.id)
        if (quiet && state === 'serving') this.#roster.move(area, 'quiet')
        if (!quiet && state === 'quiet') this.#roster.move(area, 'serving')
      }
      link.scenes.tryAgain()
    }
  }

  leaving(link: WorkerLink, reason: string, keeps: ReadonlyMap<LeaseId, number>): void {
    const last =
      keeps.size === 0
        ? ''
        : `, and finishes what it has begun of ${keeps.size === 1 ? 'its tile' : `${keeps.size} of its tiles`}`
    this.#log.info(`worker ${link.name} leaves (${reason})${last}`)
    for (const area of link.areas) this.#roster.move(area, 'leaving', { reason, keeps })
    this.#alarm(() => {
      if (this.#links.has(link)) link.channel.terminate('it said that it leaves, and stayed')
    }, LEAVE_PATIENCE_MS)
  }

  left(link: WorkerLink, reason: string, failure: string | undefined): void {
    if (!this.#links.delete(link)) return
    link.identity.leave()
    this.#past = sumOf(this.#past, link.channel.traffic)
    this.#lateAnswers += link.lateAnswers
    this.#log.info(`worker ${link.name} left (${reason}), ${this.#links.size} in the cluster`)
    for (const area of link.areas) this.#roster.move(area, 'gone', { reason })
    if (failure !== undefined) for (const area of link.areas) this.#quarantines.failed(area.key, failure)
  }

  #say({ area: { info }, from, to, reason, pause, at }: Transition): void {
    if (to === 'quarantined' && pause)
      this.#log.warn(
        `worker ${info.name} is quarantined for ${Math.ceil((pause.until - at) / 100) / 10} s: ${pause.reason}`,
      )
    else if (to === 'withdrawn') this.#log.warn(`${info.name} was withdrawn by its worker: ${reason}`)
    else if (from === 'quarantined' && to === 'serving') this.#log.info(`worker ${info.name} may have tiles again`)
  }

  /** Areas whose workers hold scenes, or are on their way to that. */
  #withScenes(engines: Engines, scenes: readonly string[]): Area[] {
    return this.#usable(engines).filter(({ link }) =>
      scenes.every(scene => link.scenes.isExpected(scene, this.#buildPatienceMs)),
    )
  }

  /** Areas that could be given tiles by one of the engines, if their workers held the scene, and now or after a pause. */
  #usable(engines: Engines): Area[] {
    return this.#roster.areas().filter(({ id, info }) => {
      if (info.speed <= 0 || !isAmong(info.engine, engines)) return false
      const state = this.#roster.stateOf(id)
      return isAtWork(state) || state === 'quarantined'
    })
  }

  #tell(what: (listener: ClusterListener) => void): void {
    for (const listener of [...this.#listeners]) what(listener)
  }
}

/** @param buildMs undefined: it had the scene before; 0: another process had built it */
function builtWords(buildMs: number | undefined): string {
  if (buildMs === undefined) return 'already built'
  return buildMs === 0 ? 'structure from the cache' : `structure built in ${buildMs.toFixed(0)} ms`
}
