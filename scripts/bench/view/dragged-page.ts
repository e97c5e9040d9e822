/** A page whose view is turned by its only user, with all that it is sent. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Size } from '../../../shared/frame/rect.ts'
import type { FullViewpoint } from '../../../shared/frame/viewpoint.ts'
import type { PageView } from '../../../shared/page/page-messages.ts'
import { untilAborted } from '../../../shared/time/until-aborted.ts'
import { BenchError } from '../bench-error.ts'
import { type Came, PageClient } from './page-client.ts'

/** Views are asked for as often as displays are redrawn, ms. */
const LOOK_MS = 1000 / 60
/** The camera turns by so much from one view to the next, radians. */
const TURN = 0.01
/** A picture is waited for so long, ms. */
const PATIENCE_MS = 120_000

type PageEvents = Pick<NonNullable<Parameters<typeof PageClient.open>[1]>, 'said'>

export class DraggedPage {
  readonly client: PageClient
  readonly view: PageView
  readonly #size: Size
  /** What came, in its order. */
  readonly came: readonly Came[]
  readonly #waits: Set<() => void>
  #angle = 0

  private constructor(client: PageClient, view: PageView, size: Size, came: readonly Came[], waits: Set<() => void>) {
    this.client = client
    this.view = view
    this.#size = size
    this.came = came
    this.#waits = waits
  }

  /**
   * Resolves when it may move the view: the page before may yet be about to go.
   * @param events hears what the master says
   */
  static async open(link: string, size: Size, events?: PageEvents): Promise<DraggedPage> {
    let drives = () => {}
    const driving = new Promise<void>(resolve => {
      drives = resolve
    })
    const page = await DraggedPage.watch(link, size, {
      said: message => {
        if (message.type === 'room' && message.you === message.driver) drives()
        events?.said?.(message)
      },
    })
    const late = AbortSignal.timeout(PATIENCE_MS)
    await untilAborted(late, driving).catch(() => {
      throw new BenchError(`another page moved the view for ${PATIENCE_MS / 1000} s`)
    })
    return page
  }

  /** One that may only see what another one does. */
  static async watch(link: string, size: Size, events?: PageEvents): Promise<DraggedPage> {
    const came: Came[] = []
    const waits = new Set<() => void>()
    const client = await PageClient.open(link, {
      ...events,
      picture: each => {
        came.push(each)
        for (const wake of [...waits]) wake()
      },
    })
    return new DraggedPage(client, await client.view, size, came, waits)
  }

  /** Asks for the view as it is. @returns its number */
  look(): number {
    return this.client.look({ viewpoint: turned(this.view.viewpoint, this.#angle), size: this.#size })
  }

  /** Turns the view by so much at once, radians. */
  turn(by: number): number {
    this.#angle += by
    return this.look()
  }

  /** Turns the view for so long, ms. @returns the number of the last one */
  async drag(ms: number): Promise<number> {
    let seq = 0
    for (const until = performance.now() + ms; performance.now() < until; await delay(LOOK_MS)) seq = this.turn(TURN)
    return seq
  }

  /** The first picture that suits. @throws BenchError if none comes */
  async until(suits: (each: Came) => boolean): Promise<Came> {
    const late = AbortSignal.timeout(PATIENCE_MS)
    for (let at = 0; ; ) {
      for (; at < this.came.length; at++) if (suits(this.came[at]!)) return this.came[at]!
      let wake = () => {}
      const next = new Promise<void>(resolve => {
        wake = resolve
      })
      this.#waits.add(wake)
      try {
        await untilAborted(late, next)
      } catch {
        throw new BenchError(`no picture came for ${PATIENCE_MS / 1000} s`)
      } finally {
        this.#waits.delete(wake)
      }
    }
  }

  /** Stands still until the view is finished. */
  async rest(): Promise<void> {
    const seq = this.look()
    await this.until(({ facts }) => facts.seq === seq && facts.stage === 'finished')
  }

  /** Pictures that were older than the one before them. */
  get outOfOrder(): number {
    return this.came.filter(({ facts }, i) => i > 0 && facts.seq < this.came[i - 1]!.facts.seq).length
  }
}

/** A viewpoint, turned around its target. */
function turned(viewpoint: FullViewpoint, angle: number): FullViewpoint {
  const { eye, target } = viewpoint
  const [x, z] = [eye[0] - target[0], eye[2] - target[2]]
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)]
  return { ...viewpoint, eye: [target[0] + x * cosine + z * sine, eye[1], target[2] + z * cosine - x * sine] }
}
