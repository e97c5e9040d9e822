/**
 * HTML and SVG text with automatic escaping: every value in an `html` template is treated as text unless it is already
 * markup, so a name from a file or a peer can never become an element.
 */
import type { Drawn } from '../../../shared/dashboard/drawing/drawn.ts'

/** Text that is markup: created by `html`, or marked with `trusted`. */
export interface Markup {
  readonly markup: string
}

type Filling = Markup | string | number | undefined | false | readonly Filling[]

/** Markup from a template; escapes strings and numbers, joins lists, omits `undefined` and `false`. */
export function html(strings: TemplateStringsArray, ...fillings: readonly Filling[]): Markup {
  let markup = strings[0]!
  fillings.forEach((filling, index) => {
    markup += render(filling) + strings[index + 1]!
  })
  return { markup }
}

/** Marks text as markup that this program generated, such as a chart. */
export const trusted = (markup: string): Markup => ({ markup })

/** Safe as text and inside a quoted attribute, in HTML and in XML. */
export const escapeMarkup = (text: string): string =>
  text
    .replace(/[&<>"']/g, char => `&#${char.charCodeAt(0)};`)
    .replace(/[^\P{Cc}\t\n]|\p{Cs}|[\uFFFE\uFFFF]/gu, '\uFFFD')

/** SVG of what the dashboard draws. */
export function drawnMarkup({ name, attributes, children }: Drawn): Markup {
  let markup = `<${name}`
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined) markup += ` ${key}="${escapeMarkup(`${value}`)}"`
  const inside = children.map(child => (typeof child === 'string' ? escapeMarkup(child) : drawnMarkup(child).markup))
  return { markup: inside.length > 0 ? `${markup}>${inside.join('')}</${name}>` : `${markup}/>` }
}

function render(filling: Filling): string {
  if (filling === undefined || filling === false) return ''
  if (typeof filling === 'string') return escapeMarkup(filling)
  if (typeof filling === 'number') return `${filling}`
  if ('markup' in filling) return filling.markup
  return filling.map(render).join('')
}
