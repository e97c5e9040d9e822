/** What each strategy of the run does, in a sentence. */
import { strategies } from '../../../master/strategies/index.ts'
import type { Summary } from '../../../shared/frame/summary.ts'
import { html, type Markup } from '../charts/markup.ts'
import { MAX_LINES } from '../charts/multiples-chart.ts'
import { strategyStyles } from '../charts/palette.ts'
import { swatch } from '../tables/report-tables.ts'
import { folded } from './figure.ts'

/** Built-in strategies only; undefined if there is none. */
export function strategySentences(summary: Summary): Markup | undefined {
  const styles = strategyStyles(summary)
  const rows = summary.strategies.flatMap(({ name }) => {
    const known = strategies.find(strategy => strategy.name === name)
    return known ? [html`<dt>${swatch(styles.get(name)!.color)}${name}</dt><dd>${sentence(known.summary)}</dd>`] : []
  })
  if (rows.length === 0) return undefined
  const list = html`<dl class="facts does">${rows}</dl>`
  return rows.length > MAX_LINES ? folded('What each of them does', list) : list
}

const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`
