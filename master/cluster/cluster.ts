/**
 * The roster: who is connected, who holds the scene, and the one place where a job meets the workers. Told by links what
 * happened, tells the observers.
 */
import { byName } from '../../shared/by-name.ts'
import type { WorkerInfo } from '../../shared/frame-report.ts'
import type { AreaId, LeaseId } from '../../shared/ids.ts'
import type { Log } from '../../shared/log.ts'
import type { Channel, Traffic } from '../../shared/protocol/channel.ts'
import type { Encoding, WorkerHello } from '../../shared/protocol/messages.ts'
import type { HeldScene } from '../../shared/protocol/scene-transfer.ts'
import { checkKernel, type ExpectedKernels } from './kernel-check.ts'
import type { TileRequest } from './open-leases.ts'
import { type Area, type ArrivedTile, type LinkListener, WorkerLink } from './worker-link.ts'

/** Hears what happens in the cluster while it observes. */
export interface ClusterObserver {
  /** A worker holds the scene and can be given tiles of it. */
  ready(worker: AreaId): void
  lost(worker: AreaId, reason: string): void
  tileDone(worker: AreaId, tile: ArrivedTile): void
  tileFailed(worker: AreaId, lease: LeaseId, reason: string): void
  /** It advances on a tile that takes long. */
  tileProgress?(worker: AreaId, lease: LeaseId): void
}

export class Cluster implements LinkListener {
  readonly #log: Log
  readonly #kernels: ExpectedKernels | undefined
  readonly #links = new Set<WorkerLink>()
  /** Of all links. */
  readonly #areas = new Map<AreaId, Area>()
  readonly #observers = new Set<ClusterObserver>()
  #scene: HeldScene | undefined
  #joined = 0
  #works = 0
  #lateAnswers = 0
  /** Traffic of workers that are gone. */
  #past: Traffic = { messages: 0, bytes: 0 }

  /** @param kernels those that workers may render with; absent: any */
  constructor(log: Log, kernels?: ExpectedKernels) {
    this.#log = log
    this.#kernels = kernels
  }

  /** Takes a greeted worker in; the link must be told what its channel hears. @throws KernelMismatchError */
  admit(channel: Channel, hello: WorkerHello, encoding: Encoding): WorkerLink {
    for (const { engine, kernel } of this.#kernels ? hello.areas : [])
      checkKernel({ name: hello.name, engine, kernel }, this.#kernels!)
    const link = new WorkerLink(`w${++this.#joined}`, hello, encoding, channel, this)
    this.#links.add(link)
    for (const area of link.areas) this.#areas.set(area.id, area)
    const devices = link.areas.map(
      ({ info }) => `${info.engine}, ${info.threads} ${info.threads === 1 ? 'thread' : 'threads'}`,
    )
    this.#log.info(
      `worker ${link.name} joined as ${link.areas[0]!.id} (${devices.join('; ')}), ${this.#links.size} in the cluster`,
    )
    if (this.#scene) link.provide(this.#scene)
    return link
  }

  /** Makes `scene` the one that every worker, present or to come, is given. */
  useScene(scene: HeldScene): void {
    this.#scene = scene
    for (const link of this.#links) link.provide(scene)
  }

  /** How many areas are ready to trace the current scene with `engine`, or on their way to it. */
  hopeful(engine: string): number {
    return this.#usable(engine).filter(({ link }) => !link.refusing).length
  }

  /** All areas, by name: a worker that comes back gets its old neighbours, and its old part of the screen. */
  workers(): WorkerInfo[] {
    return this.#byName().map(({ info }) => info)
  }

  /** Tells everyone to go. */
  dismiss(reason: string): void {
    for (const link of this.#links) link.channel.send({ type: 'goodbye', code: 'DONE', reason })
  }

  /** Every area that can be given tiles of the current scene for `engine`, by name. */
  readyWorkers(engine: string): WorkerInfo[] {
    const hash = this.#scene?.hash
    if (!hash) return []
    return this.#usable(engine)
      .filter(({ link }) => link.holds(hash))
      .map(({ info }) => info)
  }

  /** Messages and bytes exchanged with all workers there ever were. */
  traffic(): Traffic {
    return [...this.#links].reduce((sum, link) => add(sum, link.channel.traffic), this.#past)
  }

  /** Answers of all workers there ever were that came when nobody waited for them any more, and were not decoded. */
  get lateAnswers(): number {
    return [...this.#links].reduce((sum, link) => sum + link.lateAnswers, this.#lateAnswers)
  }

  /** A number for a frame in the making, unique for this cluster's life. */
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

  /** Gives up all tiles of a work, whoever has them; no other will be asked for. */
  cancelWork(work: number): void {
    for (const link of this.#links) link.cancelWork(work)
  }

  /** Starts telling `observer` what happens; the answer stops it. */
  observe(observer: ClusterObserver): () => void {
    this.#observers.add(observer)
    return () => this.#observers.delete(observer)
  }

  ready(link: WorkerLink, buildMs: number): void {
    this.#log.info(`worker ${link.name} holds the scene (structure built in ${buildMs.toFixed(0)} ms)`)
    for (const { id } of link.areas) this.#tell(observer => observer.ready(id))
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

  tileProgress({ id }: Area, lease: LeaseId): void {
    this.#tell(observer => observer.tileProgress?.(id, lease))
  }

  left(link: WorkerLink, reason: string): void {
    if (!this.#links.delete(link)) return
    for (const { id } of link.areas) this.#areas.delete(id)
    this.#past = add(this.#past, link.channel.traffic)
    this.#lateAnswers += link.lateAnswers
    this.#log.info(`worker ${link.name} left (${reason}), ${this.#links.size} in the cluster`)
    for (const { id } of link.areas) this.#tell(observer => observer.lost(id, reason))
  }

  /** Areas that could be given tiles for `engine`, if their workers held the scene. */
  #usable(engine: string): Area[] {
    return this.#byName().filter(({ info }) => info.engine === engine && info.speed > 0)
  }

  #byName(): Area[] {
    return [...this.#areas.values()].sort((a, b) => byName(a.info, b.info))
  }

  #tell(what: (observer: ClusterObserver) => void): void {
    for (const observer of [...this.#observers]) what(observer)
  }
}

const add = (a: Traffic, b: Traffic): Traffic => ({ messages: a.messages + b.messages, bytes: a.bytes + b.bytes })
