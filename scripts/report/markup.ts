/**
 * HTML and SVG text put together without forgetting to escape: whatever is filled into an `html` template is text
 * unless it is markup already, so a name out of a file or from a peer can never become an element.
 */

/** Text that is markup: made by `html`, or vouched for by `trusted`. */
export interface Markup {
  readonly markup: string
}

type Filling = Markup | string | number | undefined | false | readonly Filling[]

/** Markup from a template; strings and numbers in it are escaped, lists joined, `undefined` and `false` left out. */
export function html(strings: TemplateStringsArray, ...fillings: readonly Filling[]): Markup {
  let markup = strings[0]!
  fillings.forEach((filling, index) => {
    markup += render(filling) + strings[index + 1]!
  })
  return { markup }
}

/** Vouches for text that this program made as markup, such as a chart. */
export const trusted = (markup: string): Markup => ({ markup })

/** Safe as text and inside a quoted attribute, in HTML and in XML. */
export const escapeMarkup = (text: string): string =>
  text
    .replace(/[&<>"']/g, char => `&#${char.charCodeAt(0)};`)
    .replace(/[^\P{Cc}\t\n]|\p{Cs}|[\uFFFE\uFFFF]/gu, '\uFFFD')

function render(filling: Filling): string {
  if (filling === undefined || filling === false) return ''
  if (typeof filling === 'string') return escapeMarkup(filling)
  if (typeof filling === 'number') return `${filling}`
  if ('markup' in filling) return filling.markup
  return filling.map(render).join('')
}
