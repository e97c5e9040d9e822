/** What happened since the frame before, for a frame's report: to workers, and what it shows that is new. */
import type { EventKind } from '../../shared/frame/event-kinds.ts'
import { type FrameEvent, type FrameReport, MOST_EVENTS } from '../../shared/frame/frame-report.ts'
import type { Camera } from '../../shared/frame/view.ts'
import { shortened } from '../../shared/text/printable.ts'
import { isCut } from './camera-cut.ts'

/** An area as it changed its state. */
export interface Move {
  readonly area: { readonly info: { readonly name: string } }
  readonly from: string
  readonly to: string
  readonly reason?: string
}

const MOST_TEXT = 160

export class FrameEvents {
  readonly #now: () => number
  #events: FrameEvent[] = []
  #last: { readonly camera: Camera; readonly strategy: string } | undefined

  /** @param now on the clock of reports, ms */
  constructor(now: () => number) {
    this.#now = now
  }

  moved(move: Move): void {
    const event = moveEvent(move)
    if (event) this.happened(event.kind, event.text)
  }

  happened(kind: EventKind, text: string): void {
    this.#events.push({ at: this.#now(), kind, text: shortened(text, MOST_TEXT) })
    if (this.#events.length > MOST_EVENTS) this.#events.shift()
  }

  /** Of the next frame, in the order of their reports. @param isFilm whether it goes on from the frame before */
  take({ frame, strategy, probeMs }: FrameReport, camera: Camera, isFilm: boolean): FrameEvent[] {
    const last = this.#last
    this.#last = { camera, strategy }
    if (last && last.strategy !== strategy) this.happened('strategy', `${strategy} instead of ${last.strategy}`)
    // A strategy that knows nothing of what it sees has a probe; so does one that is new.
    const isUnknown = probeMs > 0 && strategy === last?.strategy
    if (isFilm && last && (isUnknown || isCut(last.camera, camera)))
      this.happened('cut', `frame ${frame} shows something else: a cut`)
    return this.#events.splice(0)
  }
}

/** What is said of it; undefined: nothing. */
export function moveEvent({ area, from, to, reason = '' }: Move): Pick<FrameEvent, 'kind' | 'text'> | undefined {
  const kind = kindOf(from, to)
  if (!kind) return undefined
  return { kind, text: `${area.info.name} ${SAID[kind]}${reason === '' || kind === 'joined' ? '' : `: ${reason}`}` }
}

function kindOf(from: string, to: string): keyof typeof SAID | undefined {
  if (to === 'gone') return from === 'leaving' ? 'left' : 'lost'
  if (to === 'quarantined') return 'quarantined'
  if (from === 'quarantined' && to === 'serving') return 'released'
  return from === 'joining' && to === 'serving' ? 'joined' : undefined
}

const SAID = {
  joined: 'joined',
  left: 'left',
  lost: 'was lost',
  quarantined: 'is quarantined',
  released: 'may work again',
} as const satisfies Partial<Record<EventKind, string>>
