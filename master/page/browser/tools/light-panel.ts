/** Exposure, tone mapping, sun, environment and time by hand: each a slider with its number. What was not touched is as the command line said. */
import type { Hand } from '../../../../shared/page/hand.ts'
import type { ViewLight } from '../../../../shared/page/page-messages.ts'
import { fittedHand, TONES } from '../../../../shared/page/view-words.ts'
import { html } from '../dashboard/elements.ts'
import { button, element } from './elements.ts'

/** Frames of a scene that moves without an end, which the slider has; more can be typed. */
const ENDLESS_S = 20
const MOST_FRAME = 999_999
/** Digits of a factor that a slider sets. */
const DIGITS = 3

const input = (id: string): HTMLInputElement => element(id)

export class LightPanel {
  readonly #changed: () => void
  #light: ViewLight | undefined
  #hand: Hand = {}
  #last: readonly [number, number] = [0, 45]

  /** @param changed called when something is set */
  constructor(changed: () => void) {
    this.#changed = changed
    this.#pair('exposure', value => ({ exposure: value }), {
      toSlider: value => Math.log2(value / this.#own.exposure),
      toNumber: stops => Number((this.#own.exposure * 2 ** stops).toPrecision(DIGITS)),
    })
    element('tone').addEventListener('change', () => {
      this.#set({ toneMapping: element<HTMLSelectElement>('tone').value as NonNullable<Hand['toneMapping']> })
    })
    this.#pair('azimuth', azimuth => ({ sun: [azimuth, this.#direction[1]] }))
    this.#pair('elevation', elevation => ({ sun: [this.#direction[0], elevation] }))
    input('no-sun').addEventListener('change', () =>
      this.#set({ sun: input('no-sun').checked ? 'none' : this.#direction }),
    )
    this.#pair('rotation', environmentRotation => ({ environmentRotation }))
    this.#pair('intensity', environmentIntensity => ({ environmentIntensity }))
    this.#pair('frame', frame => ({ frame: Math.round(frame) }))
    button('light-reset').addEventListener('click', () => {
      const { frame } = this.#hand
      this.set(frame === undefined ? {} : { frame })
      this.#changed()
    })
  }

  get hand(): Hand {
    return this.#hand
  }

  begin(light: ViewLight): void {
    this.#light = light
    element('sun').hidden = light.sun === undefined
    element('environment').hidden = light.environment === undefined
    element('time').hidden = light.film === undefined
    const { film } = light
    const last = film ? (film.frames === undefined ? Math.round(film.fps * ENDLESS_S) : film.frames) - 1 : 0
    input('frame').max = `${last}`
    input('frame-number').max = `${film?.frames === undefined ? MOST_FRAME : last}`
    const tones = [...new Set<string>([...TONES, light.toneMapping])]
    element('tone').replaceChildren(...tones.map(name => html('option', { value: name }, name)))
    this.#show()
  }

  /** What was set elsewhere: an address, a bookmark, who moves the view. */
  set(hand: Hand): void {
    this.#hand = fittedHand(hand, this.#light ?? {})
    this.#show()
  }

  /** Frames on or back; of a scene that does not move, nothing. @returns whether it moves */
  step(by: number): boolean {
    if (!this.#light?.film) return false
    const last = Number(input('frame-number').max)
    this.#set({ frame: Math.max(0, Math.min(last, (this.#hand.frame ?? 0) + by)) })
    return true
  }

  get #own(): ViewLight {
    return this.#light ?? { exposure: 1, toneMapping: 'aces' }
  }

  /** Of the sun; where it was last if there is none. */
  get #direction(): readonly [number, number] {
    const { sun = this.#own.sun } = this.#hand
    if (typeof sun === 'object') this.#last = sun
    return this.#last
  }

  #set(part: Hand): void {
    this.#hand = { ...this.#hand, ...part }
    this.#show()
    this.#changed()
  }

  /** A slider and the number beside it, which has the slider's id and `-number`. */
  #pair(
    id: string,
    toHand: (value: number) => Hand,
    scale = { toSlider: (value: number) => value, toNumber: (value: number) => value },
  ): void {
    const [slider, number] = [input(id), input(`${id}-number`)]
    slider.addEventListener('input', () => this.#set(toHand(scale.toNumber(slider.valueAsNumber))))
    number.addEventListener('change', () => {
      // A number that is none, or too large, is not taken; what is set stands there again.
      if (number.value !== '' && number.checkValidity()) this.#set(toHand(number.valueAsNumber))
      else this.#show()
    })
    this.#shown.push([slider, number, scale.toSlider])
  }

  readonly #shown: [HTMLInputElement, HTMLInputElement, (value: number) => number][] = []

  #show(): void {
    const { exposure = this.#own.exposure, toneMapping = this.#own.toneMapping, frame = 0 } = this.#hand
    const { sun = this.#own.sun } = this.#hand
    const { environment, film } = this.#own
    const { environmentRotation = environment?.rotation ?? 0, environmentIntensity = environment?.intensity ?? 1 } =
      this.#hand
    const direction = this.#direction
    const values: Readonly<Record<string, number>> = {
      ...{ exposure, frame, azimuth: direction[0], elevation: direction[1] },
      ...{ rotation: environmentRotation, intensity: environmentIntensity },
    }
    for (const [slider, number, toSlider] of this.#shown) {
      const value = values[slider.id]!
      slider.value = `${toSlider(value)}`
      number.value = `${value}`
    }
    element<HTMLSelectElement>('tone').value = toneMapping
    input('no-sun').checked = sun === 'none'
    for (const id of ['azimuth', 'azimuth-number', 'elevation', 'elevation-number']) input(id).disabled = sun === 'none'
    element('seconds').textContent = film ? `${(frame / film.fps).toFixed(2)} s` : ''
    element('stops').textContent = stopsOf(exposure, this.#own.exposure)
    button('light-reset').disabled = Object.keys(this.#hand).every(key => key === 'frame')
  }
}

function stopsOf(exposure: number, own: number): string {
  const stops = Math.log2(exposure / own)
  return `${stops < 0 ? '−' : '+'}${Math.abs(stops).toFixed(1)} stops`
}
