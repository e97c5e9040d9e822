/** What is at the pixel that was clicked: a card beside it. */
import type { PagePicked } from '../../../../shared/page/page-messages.ts'
import { html } from '../dashboard/elements.ts'
import { element } from './elements.ts'

interface CardPorts {
  /** What is at this pixel of the picture? */
  ask(x: number, y: number): void
  /** The pixel at a place of the window; undefined: none. */
  pixelAt(clientX: number, clientY: number): readonly [number, number] | undefined
  /** The view turns around this from now on. */
  pivot(point: readonly [number, number, number]): void
}

/** A pointer that moves farther is dragged, px. */
const STILL_PX = 4
/** Between pointer and card, px. */
const GAP = 12

export class PickCard {
  readonly #stage: HTMLElement
  readonly #ports: CardPorts
  readonly #card = element('pick')
  readonly #list = element('pick-facts')
  #down: { readonly x: number; readonly y: number } | undefined
  #asked: { readonly pixel: readonly [number, number]; readonly x: number; readonly y: number } | undefined
  #point: readonly [number, number, number] | undefined

  constructor(stage: HTMLElement, ports: CardPorts) {
    this.#stage = stage
    this.#ports = ports
    stage.addEventListener('pointerdown', ({ clientX: x, clientY: y, button, isPrimary }) => {
      // A second finger makes it a gesture.
      this.#down = isPrimary && button === 0 ? { x, y } : undefined
    })
    stage.addEventListener('pointerup', ({ clientX, clientY }) => {
      const down = this.#down
      this.#down = undefined
      if (down && Math.hypot(clientX - down.x, clientY - down.y) <= STILL_PX) this.#pick(clientX, clientY)
    })
    element('pick-pivot').addEventListener('click', () => {
      if (this.#point) ports.pivot(this.#point)
      this.hide()
    })
    element('pick-close').addEventListener('click', () => this.hide())
  }

  /** What is at the centre. */
  pickCentre(): void {
    const { left, top, width, height } = this.#stage.getBoundingClientRect()
    this.#pick(left + width / 2, top + height / 2)
  }

  show({ x, y, seen, traced }: PagePicked): void {
    const asked = this.#asked
    if (!asked || asked.pixel[0] !== x || asked.pixel[1] !== y) return
    this.#point = seen?.point
    element('pick-pivot').hidden = !seen
    this.#list.replaceChildren(
      ...[
        ['pixel', `${x}, ${y}`],
        ...(seen
          ? [
              ['object', seen.object],
              ['material', seen.material],
              ['triangle', seen.triangle.toLocaleString('en')],
              ['distance', short(seen.distance)],
              ['point', seen.point.map(short).join(', ')],
            ]
          : [['object', 'nothing: the sky']]),
        ...(traced
          ? [
              ['cost', `${short(traced.pixelUs)} µs a pixel, mean of its tile`],
              ['worker', traced.worker],
            ]
          : []),
      ].flatMap(([name, value]) => [html('dt', {}, name!), html('dd', {}, value!)]),
    )
    this.#card.hidden = false
    this.#place(asked.x, asked.y)
  }

  /** @returns whether it was there */
  hide(): boolean {
    const wasThere = !this.#card.hidden
    this.#asked = undefined
    this.#card.hidden = true
    return wasThere
  }

  #pick(x: number, y: number): void {
    const pixel = this.#ports.pixelAt(x, y)
    this.hide()
    if (!pixel) return
    this.#asked = { pixel, x, y }
    this.#ports.ask(...pixel)
  }

  /** Beside the pixel, where there is room. */
  #place(x: number, y: number): void {
    const stage = this.#stage.getBoundingClientRect()
    const { width, height } = this.#card.getBoundingClientRect()
    const left = x + GAP + width <= stage.right ? x + GAP : x - GAP - width
    const within = (at: number, least: number, most: number) => Math.max(least, Math.min(most, at))
    this.#card.style.left = `${within(left, stage.left, Math.max(stage.left, stage.right - width))}px`
    this.#card.style.top = `${within(y + GAP, stage.top, Math.max(stage.top, stage.bottom - height))}px`
  }
}

const short = (value: number): string => `${Number(value.toPrecision(4))}`
