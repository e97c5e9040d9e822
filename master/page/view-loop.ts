/**
 * What one page is shown, and when: the newest view wins. While it moves, coarse pictures follow one another, at most one in tracing; when it has
 * not changed for a moment, it has all its pixels, and when it stands still, it is made in full, which a move ends at once. The page says what it has drawn: as long as it has not, what is
 * finished waits, the newest in place of older ones, and nothing more is traced. So a page behind a slow line misses pictures, and is never
 * shown old ones for long.
 *
 * Decides only: whoever owns it traces, encodes and sends.
 */
import type { Size } from '../../shared/frame/rect.ts'
import type { FromPage } from '../../shared/page/from-page.ts'
import type { NamedScene } from '../../shared/scene/held-scene.ts'
import type { Alarm } from '../live-frames/tracers.ts'
import { MovingSize } from './moving-size.ts'

/** A view that a page asked for. */
export interface Look
  extends Pick<Extract<FromPage, { type: 'look' }>, 'seq' | 'viewpoint' | 'tiles' | 'frameMs' | 'hand'> {
  /** Of a picture that stands still, px. */
  readonly fullSize: Size
  /** @default that of the session */
  readonly scene?: NamedScene
}

/** A frame to trace. */
export interface Shot {
  /**
   * Number of its frame. It decides where samples lie: that of a still is 0, as of the one frame that `render` makes of a camera, so
   * that their pixels are equal, or the one of its film that is looked at; others have numbers of their own.
   */
  readonly frame: number
  /** Coarse, because the view moves; or of one that stands still, as coarse but of full size at first, and then with all samples. */
  readonly stage: Stage
  /** Whether it was made in full before: the page has its picture. */
  readonly isAgain?: true
  readonly look: Look
  readonly size: Size
  /** Whether a coarse one has mirrors and glass. */
  readonly isDeep: boolean
  /** What its view is predicted to cost, in the port's unit. */
  readonly viewCost: number
  /** When the view came, and the frame was ordered, ms. */
  readonly lookAt: number
  readonly orderedAt: number
}
export type Stage = 'moving' | 'first' | 'full'

export interface LoopPorts<P> {
  /** Traces this, in place of whatever has not begun. */
  trace(shot: Shot): void
  /** The frame in tracing is not worth finishing. Called before `trace`. */
  abandon(): void
  /** How dear a view is, beside others. */
  viewCost(look: Look): number
  /** Sends a picture under a number, which the page says when it has drawn it. */
  send(picture: P, number: number): void
  now(): number
  alarm: Alarm
}

/**
 * A view that has not changed for so long has all its pixels, and stands still, ms. Moves come at least this often; what is begun in between
 * is given up within one block, and its file is not so large that it would be in the way for long.
 */
export const SETTLED_MS = 50
export const STILL_MS = 150
/** A coarse picture that waited for so long to be sent is dropped if the view has moved on, ms. */
const STALE_MS = 100
/** Pictures on their way to a page at once: one more for each of these of the time until it says that it has drawn one, ms. */
const WAY_MS = 50
const MOST_ON_THEIR_WAY = 4
/** Of so many pictures, the shortest way counts: a page that pauses is not a long line. */
const WAYS = 16
/** Above those of films. */
const FIRST_FRAME = 1_000_000

export class ViewLoop<P> {
  readonly #ports: LoopPorts<P>
  /** Whether a still is coarse at first; if not, it is soon there anyway. */
  readonly #hasFirst: boolean
  readonly #size = new MovingSize()
  #look: Look | undefined
  #lookAt = 0
  #isSettled = false
  #isStill = false
  #reached: Stage | undefined
  /** Whether what is to be made in full was so before. */
  #isAgain = false
  #disarm = () => {}
  /** How the newest coarse picture is made, which one of full size follows. */
  #coarse: Pick<Shot, 'size' | 'isDeep' | 'viewCost'> = { size: [1, 1], isDeep: false, viewCost: 1 }
  #tracing: Shot | undefined
  #frames = 0
  /** Finished, and waits for the page to draw what is on its way. */
  #held: { readonly shot: Shot; readonly picture: P; readonly at: number } | undefined
  /** Numbers of pictures that were sent and not drawn yet, and when they were sent, ms. */
  readonly #onTheirWay = new Map<number, number>()
  readonly #ways: number[] = []
  #sent = 0
  #isShown = true
  #isOver = false

  /** @param sent pictures that the page was sent before, whose numbers are taken */
  constructor(ports: LoopPorts<P>, hasFirst: boolean, sent = 0) {
    this.#ports = ports
    this.#hasFirst = hasFirst
    this.#sent = sent
  }

  /** Pictures that were sent. */
  get sent(): number {
    return this.#sent
  }

  /** The page shall show this from now on. */
  look(look: Look): void {
    if (this.#isOver || (this.#look && look.seq <= this.#look.seq)) return
    this.#look = look
    this.#lookAt = this.#ports.now()
    this.#reached = undefined
    this.#isAgain = false
    this.#isSettled = false
    this.#isStill = false
    this.#disarm()
    const { alarm } = this.#ports
    this.#disarm = alarm(() => {
      this.#isSettled = true
      this.#disarm = alarm(() => {
        this.#isStill = true
        this.#go()
      }, STILL_MS - SETTLED_MS)
      this.#go()
    }, SETTLED_MS)
    if (this.#tracing && this.#tracing.stage !== 'moving') this.#abandon()
    this.#go()
  }

  /** The frame in tracing is made. @returns the shot that it is of; undefined: nobody waits for it any more */
  finished(frame: number): Shot | undefined {
    const shot = this.#tracing
    if (shot?.frame !== frame) return undefined
    this.#tracing = undefined
    if (shot.look === this.#look) this.#reached = shot.stage
    this.#go()
    return shot
  }

  /** What was made in full is made once more; what is being made goes on. */
  again(): void {
    if (this.#reached !== 'full' || this.#tracing) return
    this.#reached = 'first'
    this.#isAgain = true
    this.#go()
  }

  /** The shot in tracing, if it is of this frame: there is a preview of it, or something to say. */
  tracing(frame: number): Shot | undefined {
    return this.#tracing?.frame === frame ? this.#tracing : undefined
  }

  /** A coarse picture took so long from its order to its file, ms. */
  measured(shot: Shot, ms: number): void {
    const { look, viewCost } = shot
    this.#size.measured(shot, look.fullSize, ms, look.frameMs, viewCost)
  }

  /** A picture of a shot can be sent. Pictures come in the order of their frames. */
  ready(shot: Shot, picture: P): void {
    // A large picture would be in the way of those of the view as it is now.
    if (this.#isOver || !this.#look || (shot.stage !== 'moving' && shot.look !== this.#look)) return
    if (this.#onTheirWay.size < this.#mostOnTheirWay) return this.#send(picture)
    this.#held = { shot, picture, at: this.#ports.now() }
  }

  /** The page has drawn the picture of this number. */
  drawn(number: number): void {
    const { now } = this.#ports
    const sentAt = this.#onTheirWay.get(number)
    if (sentAt === undefined) return
    this.#ways.push(now() - sentAt)
    if (this.#ways.length > WAYS) this.#ways.shift()
    for (const each of this.#onTheirWay.keys()) if (each <= number) this.#onTheirWay.delete(each)
    const held = this.#held
    this.#held = undefined
    if (held && !this.#isStale(held)) this.#send(held.picture)
    this.#go()
  }

  /** The page is hidden, or shown again. */
  shown(isShown: boolean): void {
    this.#isShown = isShown
    if (!isShown && this.#tracing) this.#abandon()
    this.#go()
  }

  /**
   * Another page moves the view, until this one asks for one again: nothing that was made for it is sent any more. What was sent is not waited
   * for, because a picture of the other page may be drawn in place of it.
   */
  leave(): void {
    if (this.#tracing) this.#abandon()
    this.#disarm()
    this.#look = undefined
    this.#held = undefined
    this.#onTheirWay.clear()
  }

  /** The frame in tracing will not come: whatever made it has failed. It is traced again with the next view. */
  failed(): void {
    this.#tracing = undefined
  }

  /** For how long the page has not drawn what was sent to it, ms. */
  get silentMs(): number {
    const [oldest] = this.#onTheirWay.values()
    return oldest === undefined ? 0 : this.#ports.now() - oldest
  }

  end(): void {
    this.#isOver = true
    this.#disarm()
  }

  #go(): void {
    const look = this.#look
    // What is held shows that the page takes nothing at the moment.
    if (!look || this.#tracing || this.#held || !this.#isShown || this.#isOver) return
    const stage = this.#next()
    if (!stage) return
    if (stage === 'moving') this.#coarse = this.#coarseOf(look)
    const { size, ...coarse } = this.#coarse
    const film = look.hand?.frame
    const others = film === undefined ? 0 : FIRST_FRAME
    const frame = stage === 'full' ? (film ?? 0) : others + ++this.#frames
    const times = { lookAt: this.#lookAt, orderedAt: this.#ports.now() }
    const again = stage === 'full' && this.#isAgain ? { isAgain: true as const } : {}
    this.#tracing = {
      frame,
      stage,
      look,
      ...again,
      ...coarse,
      size: stage === 'moving' ? size : look.fullSize,
      ...times,
    }
    this.#ports.trace(this.#tracing)
  }

  #next(): Stage | undefined {
    if (this.#reached === 'full') return undefined
    if (this.#hasFirst && this.#isSettled && this.#reached !== 'first') return 'first'
    if (this.#isStill) return 'full'
    return this.#reached ? undefined : 'moving'
  }

  #coarseOf(look: Look): Pick<Shot, 'size' | 'isDeep' | 'viewCost'> {
    const viewCost = this.#ports.viewCost(look)
    return { ...this.#size.of(look.fullSize, look.frameMs, viewCost), viewCost }
  }

  #abandon(): void {
    this.#tracing = undefined
    this.#ports.abandon()
  }

  #send(picture: P): void {
    const number = ++this.#sent
    this.#onTheirWay.set(number, this.#ports.now())
    this.#ports.send(picture, number)
  }

  #isStale({ shot, at }: { readonly shot: Shot; readonly at: number }): boolean {
    if (shot.look === this.#look) return false
    return shot.stage !== 'moving' || this.#ports.now() - at > STALE_MS
  }

  get #mostOnTheirWay(): number {
    const way = this.#ways.length > 0 ? Math.min(...this.#ways) : 0
    return Math.min(MOST_ON_THEIR_WAY, 1 + Math.floor(way / WAY_MS))
  }
}
