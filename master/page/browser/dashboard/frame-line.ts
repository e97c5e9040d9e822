/** The frames of a run as a line: how long each took, its perfect share, and what happened between them. One of them is chosen, by hand or key. */
import type { DashboardEvent, FramePoint } from '../../../../shared/dashboard/dashboard-messages.ts'
import { html, ms, svg } from './elements.ts'

export interface LineView {
  /** Places of the frames that can be chosen: the first, and one past the last. */
  readonly from: number
  readonly to: number
  readonly chosen: number
  numberOf(place: number): number
  pointAt(place: number): FramePoint | undefined
  readonly events: readonly DashboardEvent[]
}

const HEIGHT = 76
const TOP = 14
const BOTTOM = 16
/** Frames that are drawn at most. */
const MOST = 240

const COLORS: Readonly<Record<DashboardEvent['kind'], string>> = {
  ...{ joined: '#12937a', released: '#12937a', left: '#8c5a99', lost: '#c2410c', quarantined: '#c2410c' },
  ...{ cut: '#e08a1e', strategy: '#2b73a8', retried: '#e08a1e', other: '#888' },
}

/** The places that a line shows around one of them. */
export function shownPlaces(
  from: number,
  to: number,
  chosen: number,
): { readonly first: number; readonly count: number } {
  const count = Math.max(1, Math.min(MOST, to - from))
  return { first: Math.max(from, Math.min(to - count, chosen - Math.floor(count / 2))), count }
}

export class FrameLine {
  readonly root = html('div', {
    ...{ class: 'line', role: 'slider', tabindex: 0, 'aria-label': 'Frame', 'aria-valuemin': 0 },
    title: 'Arrow keys choose a frame, End the newest',
  })
  readonly #choose: (place: number) => void
  #view: LineView | undefined
  #first = 0
  #count = 1

  /** @param choose undefined: the newest, whichever it is */
  constructor(choose: (place: number | undefined) => void) {
    this.#choose = choose
    this.root.addEventListener('pointerdown', event => {
      this.#point(event)
      this.root.setPointerCapture(event.pointerId)
    })
    this.root.addEventListener('pointermove', event => event.buttons > 0 && this.#point(event))
    this.root.addEventListener('keydown', event => {
      const view = this.#view
      const step = STEPS[event.key]
      if (!view || step === undefined || event.altKey || event.ctrlKey || event.metaKey) return
      event.preventDefault()
      // Elsewhere, they turn the view.
      event.stopPropagation()
      if (event.key === 'End') choose(undefined)
      else choose(Math.max(view.from, Math.min(view.to - 1, view.chosen + step * (event.shiftKey ? 10 : 1))))
    })
  }

  #point({ offsetX }: PointerEvent): void {
    const view = this.#view
    if (!view) return
    const place = this.#first + Math.floor((offsetX / Math.max(1, this.root.clientWidth)) * this.#count)
    this.#choose(Math.max(view.from, Math.min(view.to - 1, place)))
  }

  show(view: LineView, width: number): void {
    this.#view = view
    const { from, to, chosen } = view
    const { first, count } = shownPlaces(from, to, chosen)
    this.#first = first
    this.#count = count
    const points = Array.from({ length: count }, (_, i) => view.pointAt(first + i))
    const most = Math.max(1e-3, ...points.map(point => point?.[0] ?? 0))
    const x = (i: number) => (i / count) * width
    const y = (value: number) => HEIGHT - BOTTOM - (value / most) * (HEIGHT - BOTTOM - TOP)
    const chart = svg('svg', { width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}`, 'aria-hidden': 'true' })
    const wide = width / count
    for (const [i, point] of points.entries()) {
      if (!point) continue
      const [frameMs, shareMs] = point
      const gap = wide > 4 ? 1 : 0
      const place = first + i
      chart.append(
        svg('rect', {
          class: place === chosen ? 'bar chosen' : 'bar',
          x: x(i),
          y: y(frameMs),
          width: Math.max(0.5, wide - gap),
          height: HEIGHT - BOTTOM - y(frameMs),
        }),
        svg('rect', {
          class: 'share',
          x: x(i),
          y: y(shareMs),
          width: Math.max(0.5, wide - gap),
          height: HEIGHT - BOTTOM - y(shareMs),
        }),
      )
    }
    const at = chosen - first
    if (at >= 0 && at < count)
      chart.append(
        svg('rect', {
          class: 'cursor',
          x: x(at) - 0.5,
          y: TOP - 2,
          width: Math.max(2, wide),
          height: HEIGHT - BOTTOM - TOP + 2,
        }),
      )
    for (const { before, kind, text } of view.events) {
      if (before < first || before > first + count) continue
      // Whole also at both ends.
      const tip = Math.max(4, Math.min(width - 4, x(before - first)))
      const mark = svg('path', { class: 'event', d: `M${tip} ${TOP - 3}l-4-7h8z`, fill: COLORS[kind] })
      mark.append(svg('title', {}, text))
      chart.append(mark)
    }
    chart.append(
      svg('text', { class: 'tick', x: 0, y: HEIGHT - 4 }, `${view.numberOf(first)}`),
      svg(
        'text',
        { class: 'tick', x: width, y: HEIGHT - 4, 'text-anchor': 'end' },
        `${view.numberOf(first + count - 1)} (${to} ${to === 1 ? 'frame' : 'frames'}, up to ${ms(most)})`,
      ),
    )
    this.root.replaceChildren(chart)
    this.root.ariaValueMin = `${from}`
    this.root.ariaValueMax = `${to - 1}`
    this.root.ariaValueNow = `${chosen}`
    const point = view.pointAt(chosen)
    this.root.ariaValueText = `${view.numberOf(chosen)}, ${chosen - from + 1} of ${to - from}${point ? `, ${ms(point[0])}` : ''}`
  }
}

const STEPS: Readonly<Record<string, number>> = {
  ...{ ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1, PageUp: 10, PageDown: -10 },
  ...{ Home: Number.NEGATIVE_INFINITY, End: 0 },
}
