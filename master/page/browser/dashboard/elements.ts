/** Makes elements of HTML and SVG. Whatever is in them is text. */
import type { Drawn } from '../../../../shared/dashboard/drawing/drawn.ts'

export { duration, ms, percent } from '../../../../shared/dashboard/drawing/units.ts'

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

export function elementOf({ name, attributes, children }: Drawn): SVGElement {
  const made = document.createElementNS(SVG, name)
  set(made, attributes)
  made.append(...children.map(child => (typeof child === 'string' ? child : elementOf(child))))
  return made as SVGElement
}

function set(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue
    element.setAttribute(name, value === true ? '' : `${value}`)
  }
}
