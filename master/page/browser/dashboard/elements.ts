/** Makes elements of HTML and SVG. Whatever is in them is text. */
import { longTime } from '../../../../shared/time/duration.ts'

type Child = Node | string
type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

export function html<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name)
  set(made, attributes)
  made.append(...children)
  return made
}

const SVG = 'http://www.w3.org/2000/svg'

export function svg<K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[K] {
  const made = document.createElementNS(SVG, name)
  set(made, attributes)
  made.append(...children)
  return made
}

function set(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue
    element.setAttribute(name, value === true ? '' : `${value}`)
  }
}

export const ms = (value: number): string =>
  longTime(value) ?? (value >= 10 ? `${value.toFixed(0)} ms` : `${value.toFixed(1)} ms`)

export const percent = (share: number): string => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`

export function duration(value: number): string {
  const seconds = Math.round(value / 1000)
  if (seconds < 90) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 90 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`
}
