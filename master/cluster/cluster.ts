/**
 * The roster: who is connected, who holds the scene, and the one place where a job meets the workers. Told by links what
 * happened, tells the observers.
 */
import { byName } from '../../shared/by-name.ts'
import type { WorkerInfo } from '../../shared/frame-report.ts'
import type { AreaId, LeaseId } from '../../shared/ids.ts'
import { areaId } from '../../shared/ids.ts'
import type { Log } from '../../shared/log.ts'
import type { Channel, Traffic } from '../../shared/protocol/channel.ts'
import type { Encoding, TraceTile, WorkerHello } from '../../shared/protocol/messages.ts'
import type { HeldScene } from '../../shared/protocol/scene-transfer.ts'
import { checkKernel, type ExpectedKernels } from './kernel-check.ts'
import { type ArrivedTile, type LinkListener, WorkerLink } from './worker-link.ts'

/** Hears what happens in the cluster while it observes. */
export interface ClusterObserver {
  /** A worker holds the scene and can be given tiles of it. */
  ready(worker: AreaId): void
  lost(worker: AreaId, reason: string): void
  tileDone(worker: AreaId, tile: ArrivedTile): void
  tileFailed(worker: AreaId, lease: LeaseId, reason: string): void
}

export class Cluster implements LinkListener {
  readonly #log: Log
  readonly #kernels: ExpectedKernels | undefined
  readonly #links = new Map<AreaId, WorkerLink>()
  readonly #observers = new Set<ClusterObserver>()
  #scene: HeldScene | undefined
  #joined = 0
  /** Traffic of workers that are gone. */
  #past: Traffic = { messages: 0, bytes: 0 }

  /** @param kernels those that workers may render with; absent: any */
  constructor(log: Log, kernels?: ExpectedKernels) {
    this.#log = log
    this.#kernels = kernels
  }

  /** Takes a greeted worker in; the link must be told what its channel hears. @throws KernelMismatchError */
  admit(channel: Channel, hello: WorkerHello, encoding: Encoding): WorkerLink {
    if (this.#kernels) checkKernel(hello, this.#kernels)
    const link = new WorkerLink(areaId(`w${++this.#joined}`), hello, encoding, channel, this)
    this.#links.set(link.id, link)
    this.#log.info(
      `worker ${link.info.name} joined as ${link.id} (${hello.engine}, ${hello.threads} ${hello.threads === 1 ? 'thread' : 'threads'}), ${this.#links.size} in the cluster`,
    )
    if (this.#scene) link.provide(this.#scene)
    return link
  }

  /** Makes `scene` the one that every worker, present or to come, is given. */
  useScene(scene: HeldScene): void {
    this.#scene = scene
    for (const link of this.#links.values()) link.provide(scene)
  }

  /** How many workers are ready to trace the current scene with `engine`, or on their way to it. */
  hopeful(engine: string): number {
    return this.#usable(engine).filter(link => !link.refusing).length
  }

  /** All of them, by name: a worker that comes back gets its old neighbours, and its old part of the screen. */
  workers(): WorkerInfo[] {
    return this.#byName().map(link => link.info)
  }

  /** Tells everyone to go. */
  dismiss(reason: string): void {
    for (const link of this.#links.values()) link.channel.send({ type: 'goodbye', code: 'DONE', reason })
  }

  /** Everyone who can be given tiles of the current scene for `engine`, by name. */
  readyWorkers(engine: string): WorkerInfo[] {
    const hash = this.#scene?.hash
    if (!hash) return []
    return this.#usable(engine)
      .filter(link => link.holds(hash))
      .map(link => link.info)
  }

  /** Messages and bytes exchanged with all workers there ever were. */
  traffic(): Traffic {
    return [...this.#links.values()].reduce((sum, link) => add(sum, link.channel.traffic), this.#past)
  }

  trace(worker: AreaId, order: Omit<TraceTile, 'type'>): void {
    this.#links.get(worker)?.trace(order)
  }

  trim(worker: AreaId, lease: LeaseId, rows: number): void {
    this.#links.get(worker)?.trim(lease, rows)
  }

  cancel(worker: AreaId, lease: LeaseId): void {
    this.#links.get(worker)?.cancel(lease)
  }

  /** Starts telling `observer` what happens; the answer stops it. */
  observe(observer: ClusterObserver): () => void {
    this.#observers.add(observer)
    return () => this.#observers.delete(observer)
  }

  ready(link: WorkerLink, buildMs: number): void {
    this.#log.info(`worker ${link.info.name} holds the scene (structure built in ${buildMs.toFixed(0)} ms)`)
    this.#tell(observer => observer.ready(link.id))
  }

  refused(link: WorkerLink, reason: string): void {
    this.#log.warn(`worker ${link.info.name} cannot use the scene: ${reason}`)
  }

  tileDone(link: WorkerLink, tile: ArrivedTile): void {
    this.#tell(observer => observer.tileDone(link.id, tile))
  }

  tileFailed(link: WorkerLink, lease: LeaseId, reason: string): void {
    this.#log.warn(`worker ${link.info.name} failed a tile: ${reason}`)
    this.#tell(observer => observer.tileFailed(link.id, lease, reason))
  }

  left(link: WorkerLink, reason: string): void {
    if (!this.#links.delete(link.id)) return
    this.#past = add(this.#past, link.channel.traffic)
    this.#log.info(`worker ${link.info.name} left (${reason}), ${this.#links.size} in the cluster`)
    this.#tell(observer => observer.lost(link.id, reason))
  }

  /** Links of workers that could be given tiles for `engine`, if they held the scene. */
  #usable(engine: string): WorkerLink[] {
    return this.#byName().filter(({ info }) => info.engine === engine && info.speed > 0)
  }

  #byName(): WorkerLink[] {
    return [...this.#links.values()].sort((a, b) => byName(a.info, b.info))
  }

  #tell(what: (observer: ClusterObserver) => void): void {
    for (const observer of [...this.#observers]) what(observer)
  }
}

const add = (a: Traffic, b: Traffic): Traffic => ({ messages: a.messages + b.messages, bytes: a.bytes + b.bytes })
