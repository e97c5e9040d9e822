/** The summary table: the best strategy by each measure, the runner-up, and the baseline. */
import type { Summary } from '../../../shared/frame/summary.ts'
import { html, type Markup } from '../charts/markup.ts'
import { strategyStyles } from '../charts/palette.ts'
import { baselineOf } from '../figures/headline.ts'
import { type Place, rankings } from '../figures/winners.ts'
import { swatch } from '../tables/report-tables.ts'

/** Undefined for a single strategy, or if all are equal. */
export function winnersTable(summary: Summary): Markup | undefined {
  const ranked = rankings(summary)
  if (summary.strategies.length < 2 || ranked.length === 0) return undefined
  const styles = strategyStyles(summary)
  const baseline = baselineOf(summary)
  const several = summary.strategies.length > 2
  const chip = (name: string): Markup => html`<span class="name">${swatch(styles.get(name)!.color)}${name}</span>`
  const who = (place: Place | undefined): Markup => {
    if (!place) return html`<td></td><td></td>`
    const [first, second, ...more] = place.names
    return html`<td class="who">${chip(first!)}${second !== undefined && html`, ${chip(second)}`}${more.length > 0 && ` and ${more.length} more`}</td><td>${place.text}</td>`
  }
  const rows = ranked.map(({ measure, places }) => {
    const own = measure.of(baseline)
    return html`<tr><th scope="row">${measure.name}</th>${who(places[0])}${who(places[1])}${several && html`<td>${own === undefined ? '' : measure.text(own)}</td>`}</tr>
`
  })
  return html`<div class="scroll"><table class="winners">
<caption><span>Lower is better in every row. Ties share a rank.</span></caption>
<thead><tr><th scope="col">measure</th><th scope="col" class="who" colspan="2">best</th><th scope="col" class="who" colspan="2">next</th>${several && html`<th scope="col">${baseline.name}</th>`}</tr></thead>
<tbody>${rows}</tbody></table></div>`
}
