/**
 * One tracing thread, in any runtime. It has an engine's tracer over each shared scene, and executes orders in their order; but an urgent tile
 * interrupts one that is not, between two portions of that one's work. What is interrupted goes on where it was, with the same bytes.
 */

import { assertNever, invariant, messageOf } from '../../shared/errors.ts'
import type { Engine, RefitFrom, Tracer } from '../engine/engine.ts'
import type { OpenOrder, SceneFamily, ThreadAnswer, ThreadOrder, ThreadSettings, TraceOrder } from './messages.ts'
import type { Interruption, RowClocks } from './rows-at-hand.ts'
import { TileTracer } from './tile-tracer.ts'

/** What a thread needs of its runtime. */
export interface TracingThreadPorts extends RowClocks {
  /** Collects this thread's garbage. */
  readonly collectGarbage: () => void
  /** The next order that has come while another is executed. Absent: none is seen before that is done. */
  readonly next?: () => ThreadOrder | undefined
}

/** After an urgent tile, others are expected for so long, ms: somebody looks at a view, and may move it. */
const ALERT_MS = 60_000

export class TracingThread {
  readonly #settings: ThreadSettings
  readonly #engine: Engine
  readonly #ports: TracingThreadPorts
  /** Of tiles that give way, and of urgent ones. */
  readonly #tiles: TileTracer
  readonly #urgentTiles: TileTracer
  /** By scene name. */
  readonly #tracers = new Map<string, Tracer>()
  readonly #opened = new Map<string, OpenOrder>()
  /** The scene of a film that was dropped last: the next one may take its memory. Kept by the thread that begins to build. */
  #spare: OpenOrder | undefined
  #urgentAt = Number.NEGATIVE_INFINITY
  /** The scene of the tile that may have to give way. */
  #scene: string | undefined
  /** Orders that came meanwhile, and wait. */
  readonly #later: ThreadOrder[] = []
  #say: (answer: ThreadAnswer) => void = () => {}

  constructor(settings: ThreadSettings, engine: Engine, ports: TracingThreadPorts) {
    this.#settings = settings
    this.#engine = engine
    this.#ports = ports
    const { next } = ports
    this.#tiles = new TileTracer(settings, engine.grain, ports, next && (() => this.#giveWay(next)))
    this.#urgentTiles = new TileTracer(settings, engine.grain, ports)
  }

  /** Executes an order and those that come meanwhile; `say` hears of every answer. */
  serve(order: ThreadOrder, say: (answer: ThreadAnswer) => void): void {
    this.#say = say
    for (let now: ThreadOrder | undefined = order; now; now = this.#later.shift()) say(this.answer(now))
  }

  /** Executes an order; a failure is an answer, too, and the thread stays ready for the next order. */
  answer(order: ThreadOrder): ThreadAnswer {
    return this.#answer(order, () => this.#obey(order))
  }

  #answer(order: ThreadOrder, obey: () => ThreadAnswer): ThreadAnswer {
    const urgent = order.type === 'trace' && order.urgent ? { urgent: order.urgent } : {}
    try {
      return { ...obey(), ...urgent }
    } catch (error) {
      const stack = error instanceof Error ? error.stack : undefined
      return { type: 'failed', reason: messageOf(error), stack, ...urgent }
    }
  }

  #obey(order: ThreadOrder): ThreadAnswer {
    switch (order.type) {
      case 'begin': {
        const { threads } = this.#settings
        return { type: 'begun', building: this.#engine.begin(order.scene, threads, this.#refitFrom(order.family)) }
      }
      case 'help':
        this.#engine.help(order.building)
        return { type: 'done' }
      case 'go-on': {
        const building = this.#engine.next(order.building)
        return building ? { type: 'begun', building } : this.#built(this.#engine.finish(order.building))
      }
      case 'restore': {
        const { storage, name } = this.#engine
        invariant(storage, `engine ${name} stores no scenes`)
        return this.#built(storage.restore(order.room, this.#settings.threads))
      }
      case 'open':
        this.#tracers.set(order.scene, this.#engine.open(order.built, this.#settings.thread))
        this.#opened.set(order.scene, order)
        // The memory that it was built in is garbage by now.
        this.#ports.collectGarbage()
        return { type: 'done' }
      case 'forget':
        this.#forget(order.scene)
        // Nothing here refers to it any more.
        this.#ports.collectGarbage()
        return { type: 'done' }
      case 'trace':
        return this.#trace(order)
      default:
        return assertNever(order)
    }
  }

  /** The newest scene with the same texels, and one whose memory is free. */
  #refitFrom(family: SceneFamily | undefined): RefitFrom | undefined {
    const isLike = (opened: OpenOrder | undefined) => family !== undefined && opened?.family?.texels === family.texels
    const like = [...this.#opened.values()].findLast(isLike)
    const spare = isLike(this.#spare) ? this.#spare : undefined
    this.#spare = undefined
    return like && { built: like.built, refit: family!.moves, spare: spare?.built }
  }

  #forget(scene: string): void {
    const opened = this.#opened.get(scene)
    this.#tracers.delete(scene)
    this.#opened.delete(scene)
    const isFilm = opened?.family?.moves === true && this.#opened.size > 0
    if (isFilm && this.#settings.thread === 0) this.#spare = opened
    else this.#spare = undefined
  }

  #built(built: object): ThreadAnswer {
    const image = this.#engine.storage?.image(built)
    return { type: 'built', built, ...(image ? { image } : {}) }
  }

  #trace(order: TraceOrder): ThreadAnswer {
    const { scene, urgent } = order
    const tracer = this.#tracerOf(scene)
    if (urgent) return this.#traceUrgent(tracer, order)
    tracer.isAlert = this.#ports.now() - this.#urgentAt < ALERT_MS
    this.#scene = scene
    try {
      return this.#tiles.trace(tracer, order)
    } finally {
      this.#scene = undefined
    }
  }

  /** Whatever it may interrupt is on the alert from now on. */
  #traceUrgent(tracer: Tracer, order: TraceOrder): ThreadAnswer {
    if (this.#scene !== undefined) this.#tracerOf(this.#scene).isAlert = true
    try {
      return this.#urgentTiles.trace(tracer, order)
    } finally {
      this.#urgentAt = this.#ports.now()
    }
  }

  #tracerOf(scene: string): Tracer {
    const tracer = this.#tracers.get(scene)
    invariant(tracer, `asked to trace scene ${scene}, which is not open`)
    return tracer
  }

  /** Executes urgent orders that have come, in the midst of a tile. */
  #giveWay(next: () => ThreadOrder | undefined): Interruption | undefined {
    const { now, cpuClock } = this.#ports
    let since: Interruption | undefined
    for (let order = next(); order; order = next()) {
      const trace = order.type === 'trace' && order.urgent && this.#interrupting(order)
      if (trace) {
        since ??= { ms: now(), cpuMs: cpuClock.now() }
        this.#say(this.#answer(order, trace))
      } else this.#later.push(order)
    }
    return since && { ms: now() - since.ms, cpuMs: cpuClock.now() - since.cpuMs }
  }

  /** What traces an urgent tile in the midst of another one; undefined: that must end first. */
  #interrupting(order: TraceOrder): (() => ThreadAnswer) | undefined {
    const { scene } = order
    if (scene !== this.#scene) return () => this.#trace(order)
    const tracer = this.#tracerOf(scene)
    if (!tracer.lend) return undefined
    return () => {
      const putBack = tracer.lend!()
      try {
        const { built } = this.#opened.get(scene)!
        return this.#traceUrgent(this.#engine.open(built, this.#settings.thread), order)
      } finally {
        putBack()
      }
    }
  }
}
