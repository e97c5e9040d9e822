/** Flies through the scene: W A S D ahead, back and sideways, Q and E down and up, a drag looks around. Where there are no keys, buttons do the same. */
import type { FullViewpoint } from '../../../../shared/frame/viewpoint.ts'
import { flown, turned } from '../../../../shared/page/flight.ts'
import type { Hands } from '../hands.ts'

/** Right, up, ahead. */
type Way = readonly [number, number, number]
const WAYS: Readonly<Record<string, Way>> = {
  ...{ w: [0, 0, 1], s: [0, 0, -1], a: [-1, 0, 0], d: [1, 0, 0], q: [0, -1, 0], e: [0, 1, 0] },
}
/** Radii of the scene a second; with Shift, so many times as fast. */
const SPEED = 0.6
const FASTER = 4
/** A key that is pressed for less moves as if it were held for so long, s; and a page that was held up does not jump. */
const LEAST_S = 1 / 30
const MOST_S = 0.1

export class Fly {
  readonly #hands: Hands
  readonly #pad: HTMLElement
  readonly #stage: HTMLElement
  readonly #held = new Map<string, Way>()
  #isFast = false
  #isOn = false
  #radius = 1
  #last: number | undefined
  #dragged: { readonly id: number; readonly x: number; readonly y: number } | undefined

  /** @param pad its buttons have `data-way` */
  constructor(stage: HTMLElement, pad: HTMLElement, hands: Hands) {
    this.#stage = stage
    this.#hands = hands
    this.#pad = pad
    for (const each of pad.querySelectorAll<HTMLButtonElement>('[data-way]')) this.#listen(each)
    stage.addEventListener('pointerdown', event => this.#down(event))
    stage.addEventListener('pointermove', event => this.#move(event))
    for (const name of ['pointerup', 'pointercancel'] as const)
      stage.addEventListener(name, ({ pointerId }) => {
        if (pointerId === this.#dragged?.id) this.#dragged = undefined
      })
    // Keys that are let go elsewhere are not heard of.
    addEventListener('blur', () => this.#held.clear())
  }

  get isOn(): boolean {
    return this.#isOn
  }

  set(isOn: boolean, radius = this.#radius): void {
    this.#isOn = isOn
    this.#radius = radius
    this.#held.clear()
    this.#dragged = undefined
    this.#hands.mayOrbit = !isOn
    this.#pad.hidden = !isOn
  }

  /** @returns whether the key is one of flying */
  key({ key, type, shiftKey, repeat }: Pick<KeyboardEvent, 'key' | 'type' | 'shiftKey' | 'repeat'>): boolean {
    const way = this.#isOn ? WAYS[key.toLowerCase()] : undefined
    if (!way) return false
    this.#isFast = shiftKey
    if (type === 'keyup') this.#held.delete(key.toLowerCase())
    else if (!repeat) this.#begin(key.toLowerCase(), way)
    return true
  }

  #listen(each: HTMLButtonElement): void {
    const name = each.dataset.way!
    each.addEventListener('pointerdown', event => {
      event.preventDefault()
      each.setPointerCapture(event.pointerId)
      this.#begin(name, WAYS[name]!)
    })
    for (const end of ['pointerup', 'pointercancel', 'lostpointercapture'] as const)
      each.addEventListener(end, () => this.#held.delete(name))
    // By a keyboard or a screen reader.
    each.addEventListener('click', ({ detail }) => {
      if (detail === 0) this.#step(WAYS[name]!, LEAST_S * 3)
    })
  }

  #begin(name: string, way: Way): void {
    if (this.#held.has(name)) return
    if (this.#held.size === 0) this.#hands.remember()
    this.#held.set(name, way)
    this.#step(way, LEAST_S)
    if (this.#held.size > 1) return
    this.#last = undefined
    requestAnimationFrame(at => this.#go(at))
  }

  #go(at: number): void {
    if (this.#held.size === 0 || !this.#isOn) return
    const seconds = this.#last === undefined ? 0 : Math.min(MOST_S, (at - this.#last) / 1000)
    this.#last = at
    const ways = [...this.#held.values()]
    const sum = (axis: 0 | 1 | 2) => ways.reduce((all, way) => all + way[axis], 0)
    if (seconds > 0) this.#step([sum(0), sum(1), sum(2)], seconds)
    requestAnimationFrame(next => this.#go(next))
  }

  #step(way: Way, seconds: number): void {
    const length = SPEED * this.#radius * seconds * (this.#isFast ? FASTER : 1)
    this.#show(flown(this.#hands.viewpoint, way, length))
  }

  #down({ pointerId, clientX: x, clientY: y, isPrimary }: PointerEvent): void {
    if (!this.#isOn || !isPrimary) return
    this.#hands.remember()
    this.#stage.setPointerCapture(pointerId)
    this.#dragged = { id: pointerId, x, y }
  }

  #move({ pointerId, clientX: x, clientY: y }: PointerEvent): void {
    const from = this.#dragged
    if (!this.#isOn || from?.id !== pointerId) return
    this.#dragged = { id: pointerId, x, y }
    const { fov } = this.#hands.viewpoint
    // The scene moves with the pointer.
    const angle = (fov * Math.PI) / 180 / Math.max(1, this.#stage.clientHeight)
    this.#show(turned(this.#hands.viewpoint, (x - from.x) * angle, (y - from.y) * angle))
  }

  #show(viewpoint: FullViewpoint): void {
    this.#hands.show(viewpoint)
  }
}
