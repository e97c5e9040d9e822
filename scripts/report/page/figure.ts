/** Parts that all sections of the page are made of: a chart with its caption, and what is folded until it is asked for. */
import type { Summary } from '../../../shared/frame/summary.ts'
import { html, type Markup, trusted } from '../charts/markup.ts'
import { MAX_LINES } from '../charts/multiples-chart.ts'
import { strategyStyles } from '../charts/palette.ts'
import { SIDEWAYS, swatch } from '../tables/report-tables.ts'

interface FigureLook {
  /** Whether it may take a page of its own on paper. */
  readonly tall?: boolean
  /** The same chart drawn for a phone. @default on a phone the wide one scrolls sideways, and says so */
  readonly narrow?: string
  /** A legend, for narrow charts, which have no room for names at the ends of lines. */
  readonly keys?: Markup
}

export function figure(
  svg: string,
  name: string,
  caption: string,
  { tall = false, narrow, keys }: FigureLook = {},
): Markup {
  const drawn =
    narrow === undefined
      ? html`${SIDEWAYS}<div class="scroll">${trusted(svg)}</div>`
      : html`<div class="wide">${trusted(svg)}</div><div class="narrow">${trusted(narrow)}</div>`
  return html`<figure${tall && html` class="tall"`}>${keys}${drawn}<figcaption><b>${name}</b>: ${caption}</figcaption></figure>`
}

/** The legend, if the chart has few enough lines to draw in one panel. */
export function keysOf(summary: Summary): FigureLook {
  if (summary.strategies.length > MAX_LINES) return {}
  const styles = strategyStyles(summary)
  const keys = summary.strategies.map(({ name }) => html`<li>${swatch(styles.get(name)!.color)}${name}</li>`)
  return { keys: html`<ul class="chips keys">${keys}</ul>` }
}

/** Content behind a line that says what it is. On paper it is open. */
export function folded(what: string, ...content: readonly (Markup | undefined | false)[]): Markup | undefined {
  const shown = content.filter(part => part !== undefined && part !== false)
  if (shown.length === 0) return undefined
  return html`<details><summary>${what}</summary>
${shown}
</details>`
}
