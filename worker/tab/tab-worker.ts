/**
 * A worker in a tab of a browser: joins the master from which its page came, and traces until its page says otherwise, or the master has no more
 * use for it. To have another number of threads it leaves, gives back what it has not begun, and joins again; the parts of scenes stay.
 */
import { AccessDeniedError } from '../../shared/access/access-denied.ts'
import { messageOf } from '../../shared/errors.ts'
import { pixelCount } from '../../shared/frame/pixel-set.ts'
import type { CardState, TabPhase, TabState, ToTab } from '../../shared/page/tab-messages.ts'
import type { Channel } from '../../shared/protocol/channel.ts'
import { CLOSE_CODES } from '../../shared/protocol/channel.ts'
import { Heartbeat } from '../../shared/protocol/heartbeat.ts'
import type { AreaOffer } from '../../shared/protocol/messages.ts'
import { PartStore } from '../../shared/scene/part-store.ts'
import { Backoff } from '../../shared/time/backoff.ts'
import type { Clock } from '../../shared/time/clock.ts'
import type { TurnPorts } from '../../shared/time/steps.ts'
import { WorkerScenes } from '../scenes.ts'
import { RefusedError, serve } from '../session.ts'
import { ThreadError } from '../threads/thread-link.ts'
import type { TilePool } from '../tile-pool.ts'
import { tabPlatform } from './platform.ts'

/** A graphics card that has passed its trial. */
export interface TabCard {
  readonly name: string
  /** Resolves with a reason once it cannot be used any more. */
  readonly lost: Promise<string>
  close(): void
}

/** What traces in a tab. */
export interface TabAreas {
  readonly offers: readonly AreaOffer[]
  readonly pools: readonly TilePool[]
  /** Rejects when a thread has ended by itself. */
  readonly broken: Promise<never>
  /** Whether its threads share one copy of a scene. */
  readonly isShared: boolean
  close(): void
}

export interface TabPorts {
  readonly clock: Clock
  readonly every: (intervalMs: number, tick: () => void) => () => void
  readonly turns: TurnPorts
  /** From 0 to below 1. */
  readonly random: () => number
  /** Resolves when hello can be sent; nothing has come by then. Rejects with AccessDeniedError where the link counts no more. */
  connect(): Promise<Channel>
  /** @param cardFailed hears why the card is not to be used any more */
  startAreas(threads: number, card?: TabCard, cardFailed?: (reason: string) => void): TabAreas | Promise<TabAreas>
  /** Opens and tries the graphics card with this in its name, until `signal` aborts. Rejects with a reason for people. */
  openCard(wanted: string | undefined, signal: AbortSignal): Promise<TabCard>
  /** Of a hidden tab the threads trace for a share of the time. */
  slowDown(isHidden: boolean): void
  /** To the page. */
  say(state: TabState): void
}

/** Who it is to the master. */
export interface TabIdentity {
  readonly name: string
  readonly key: string
}

/** A tab is a guest: it takes less of a machine than a program that was installed there, bytes. */
const PART_BYTES = 2 ** 30
const BUILT_BYTES = 2 ** 31

/**
 * A master is silent for so long before it is given up, ms. Nothing shows of a message before it is whole, and a piece of a scene, 1 MiB, takes
 * a slow line ten seconds.
 */
const SIGN_MS = 1000
const MOST_SILENT = 20
/** From connecting to a welcome, ms. */
const WELCOME_MS = 10_000
/** How often the page is told what it does while it traces, ms. */
const SAY_MS = 250
/** Without a tile for so long it waits, ms: between two frames it does not. */
const IDLE_MS = 1000

/** What its page wants of it. */
interface Wish {
  readonly threads: number
  readonly isPaused: boolean
  readonly isOver: boolean
}

interface OpenAreas extends TabAreas {
  readonly scenes: WorkerScenes
  readonly threads: number
  readonly card: TabCard | undefined
}

export class TabWorker {
  readonly #identity: TabIdentity
  readonly #ports: TabPorts
  readonly #parts = new PartStore(PART_BYTES)
  readonly #backoff: Backoff
  #wish: Wish
  /** Ends what it does at the moment, because there is another wish. */
  #change = new AbortController()
  #areas: OpenAreas | undefined
  #card: TabCard | undefined
  #cardState: CardState | undefined
  /** Ends the wish for a card: what comes of it later is of no interest. */
  #cardWish = new AbortController()
  #phase: TabPhase = 'connecting'
  #atWork = 0
  #done = { tiles: 0, pixels: 0, tracedMs: 0 }
  #frame: number | undefined
  #stopRest = () => {}
  #saidAt = Number.NEGATIVE_INFINITY

  constructor(identity: TabIdentity, threads: number, ports: TabPorts) {
    this.#identity = identity
    this.#ports = ports
    this.#wish = { threads, isPaused: false, isOver: false }
    this.#backoff = new Backoff(ports.random)
  }

  hear(said: Exclude<ToTab, { type: 'start' }>): void {
    switch (said.type) {
      case 'threads':
        if (said.threads !== this.#wish.threads) this.#want({ threads: said.threads }, 'its tab takes other cores')
        return
      case 'paused':
        if (said.isPaused !== this.#wish.isPaused) this.#want({ isPaused: said.isPaused }, 'its tab pauses')
        return
      case 'card':
        return said.isUsed ? void this.#openCard(said.wanted) : this.#dropCard()
      case 'hidden':
        return this.#ports.slowDown(said.isHidden)
      case 'leave':
        return this.#want({ isOver: true }, 'its tab was closed')
    }
  }

  /** Works until it is over; the page has been told why then. Never rejects. */
  async run(): Promise<void> {
    let why = ''
    try {
      while (!this.#wish.isOver) {
        this.#change = new AbortController()
        if (this.#wish.isPaused) await this.#paused()
        else await this.#work()
      }
    } catch (error) {
      why = messageOf(error)
    }
    this.#stopRest()
    this.#areas?.close()
    this.#dropCard()
    this.#say('over', why)
  }

  /** Its cores go on meanwhile: a card is tried for seconds. */
  async #openCard(wanted: string | undefined): Promise<void> {
    if (this.#card) return
    this.#cardWish.abort()
    this.#cardWish = new AbortController()
    const { signal } = this.#cardWish
    this.#showCard({ state: 'tried' })
    try {
      const card = await this.#ports.openCard(wanted, signal)
      if (signal.aborted || this.#wish.isOver) return card.close()
      this.#card = card
      this.#showCard({ state: 'used', name: card.name })
      void card.lost.then(reason => this.#card === card && this.#dropCard(reason))
      this.#want({}, 'its tab takes its graphics card')
    } catch (error) {
      if (!signal.aborted) this.#showCard({ state: 'refused', reason: messageOf(error) })
    }
  }

  /** @param reason absent: its page wants it no more */
  #dropCard(reason?: string): void {
    this.#cardWish.abort()
    const card = this.#card
    this.#card = undefined
    if (this.#cardState) this.#showCard(reason === undefined ? undefined : { state: 'refused', reason })
    if (!card) return
    card.close()
    this.#want({}, 'its tab leaves its graphics card')
  }

  #showCard(state: CardState | undefined): void {
    this.#cardState = state
    if (this.#phase !== 'over') this.#say(this.#phase)
  }

  #want(wish: Partial<Wish>, why: string): void {
    this.#wish = { ...this.#wish, ...wish }
    this.#change.abort(new Error(why))
  }

  #paused(): Promise<void> {
    this.#say('paused')
    return aborted(this.#change.signal)
  }

  /** One stay, and the pause behind it. Rejects where another attempt would end in the same way. */
  async #work(): Promise<void> {
    const { signal } = this.#change
    try {
      await this.#stay(signal)
      this.#backoff.reset()
      if (!signal.aborted) this.#say('connecting', 'the master said goodbye; waiting for it')
    } catch (error) {
      if (isFinal(error)) throw error
      if (!signal.aborted) this.#say('connecting', `${messageOf(error)}; trying again`)
    }
    if (signal.aborted) return
    await Promise.race([aborted(signal), this.#delay(this.#backoff.next())])
  }

  async #stay(signal: AbortSignal): Promise<void> {
    this.#say('connecting')
    const areas = await this.#areasFor(this.#wish.threads, this.#card)
    if (signal.aborted) return
    const channel = await this.#connected(signal)
    if (!channel) return
    const leaving = new AbortController()
    let isWelcome = false
    const leave = () => {
      if (isWelcome) leaving.abort(signal.reason)
      else channel.close(CLOSE_CODES.leaving, messageOf(signal.reason))
    }
    const heartbeat = new Heartbeat(SIGN_MS)
    const stops = [
      this.#ports.every(WELCOME_MS, () => isWelcome || channel.terminate(`no welcome within ${WELCOME_MS / 1000} s`)),
      this.#ports.every(heartbeat.everyMs, () => isWelcome && heartbeat.beat()),
    ]
    heartbeat.watch(channel, MOST_SILENT)
    signal.addEventListener('abort', leave)
    areas.broken.catch(() => channel.close(CLOSE_CODES.leaving, 'a thread of its tab has ended'))
    try {
      if (signal.aborted) return leave()
      const { offers, pools, scenes } = areas
      await serve(
        { ...this.#identity, areas: offers },
        {
          ...{ channel, platform: tabPlatform, pools, scenes, leaving: leaving.signal },
          ...{ clock: this.#ports.clock, every: this.#ports.every },
          joined: () => {
            isWelcome = true
            this.#backoff.reset()
            this.#say('waiting')
          },
          askedToLeave: reason => {
            // An operator wants it gone.
            this.#want({ isOver: true }, reason)
          },
        },
      )
    } finally {
      signal.removeEventListener('abort', leave)
      for (const stop of stops) stop()
      this.#atWork = 0
    }
    // Rejects if they are.
    await Promise.race([areas.broken, Promise.resolve()])
  }

  /** Undefined: there was another wish first. Nobody waits for a master that is silent then; a connection that is there later is closed. */
  async #connected(signal: AbortSignal): Promise<Channel | undefined> {
    const connecting = this.#ports.connect()
    const channel = await Promise.race([connecting, aborted(signal).then(() => undefined)])
    if (!channel)
      void connecting.then(
        late => late.close(CLOSE_CODES.leaving, messageOf(signal.reason)),
        () => {},
      )
    return channel
  }

  async #areasFor(threads: number, card: TabCard | undefined): Promise<OpenAreas> {
    if (this.#areas?.threads === threads && this.#areas.card === card) return this.#areas
    this.#areas?.close()
    this.#areas = undefined
    const failed = (reason: string) => {
      if (this.#card === card) this.#dropCard(reason)
    }
    const areas = await this.#ports.startAreas(threads, card, failed)
    const pools = areas.pools.map(pool => this.#seen(pool))
    const scenes = new WorkerScenes(pools, this.#parts, BUILT_BYTES, undefined, 0, this.#ports.turns)
    this.#areas = { ...areas, pools, scenes, threads, card }
    areas.broken.catch(() => {})
    return this.#areas
  }

  /** A pool whose work is shown. */
  #seen(pool: TilePool): TilePool {
    return {
      loadScene: async (...args) => {
        this.#say('building')
        try {
          return await pool.loadScene(...args)
        } finally {
          this.#say(this.#atWork > 0 ? 'tracing' : 'waiting')
        }
      },
      restoreScene: (...args) => pool.restoreScene(...args),
      unloadScene: name => pool.unloadScene(name),
      trace: async (order, progress) => {
        this.#atWork++
        try {
          const traced = await pool.trace(order, progress)
          if (traced)
            this.#count(order.view.frame, traced.cpuMs, { ...order.tile, rect: { ...order.tile.rect, h: traced.rows } })
          return traced
        } finally {
          this.#atWork = Math.max(0, this.#atWork - 1)
          this.#restSoon()
        }
      },
    }
  }

  #restSoon(): void {
    this.#stopRest()
    this.#stopRest = this.#ports.every(IDLE_MS, () => {
      this.#stopRest()
      if (this.#atWork === 0 && this.#phase === 'tracing') this.#say('waiting')
    })
  }

  #count(frame: number, tracedMs: number, set: Parameters<typeof pixelCount>[0]): void {
    const done = this.#done
    this.#done = { tiles: done.tiles + 1, pixels: done.pixels + pixelCount(set), tracedMs: done.tracedMs + tracedMs }
    this.#frame = frame
    if (this.#ports.clock.now() - this.#saidAt >= SAY_MS || done.tiles === 0) this.#say('tracing')
  }

  #say(phase: TabPhase, text = ''): void {
    this.#phase = phase
    this.#saidAt = this.#ports.clock.now()
    const { threads } = this.#wish
    const isShared = this.#areas?.isShared ?? true
    const frame = this.#frame === undefined ? {} : { frame: this.#frame }
    const card = this.#cardState ? { card: this.#cardState } : {}
    this.#ports.say({ phase, text, threads, isShared, ...frame, ...this.#done, ...card })
  }

  #delay(ms: number): Promise<void> {
    return new Promise(resolve => {
      const stop = this.#ports.every(ms, () => {
        stop()
        resolve()
      })
    })
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  signal.aborted
    ? Promise.resolve()
    : new Promise(resolve => signal.addEventListener('abort', () => resolve(), { once: true }))

/** Trying again would end in the same way. */
const isFinal = (error: unknown): boolean =>
  error instanceof RefusedError || error instanceof AccessDeniedError || error instanceof ThreadError
