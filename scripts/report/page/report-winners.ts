/** The summary table: the best strategy by each measure, the runner-up, and the baseline. */
import type { Summary } from '../../../shared/frame/summary.ts'
import { html, type Markup } from '../charts/markup.ts'
import { strategyStyles } from '../charts/palette.ts'
import { baselineOf, fastestOf, isUndecided, isWithinNoise } from '../figures/headline.ts'
import { type Place, type Ranking, rankings } from '../figures/winners.ts'
import { swatch } from '../tables/report-tables.ts'
import { folded } from './figure.ts'

/** Undefined for a single strategy, if all are equal, or if the frames are too short to tell. */
export function winnersSection(summary: Summary): Markup | undefined {
  const ranked = rankings(summary)
  if (summary.strategies.length < 2 || ranked.length === 0 || isUndecided(summary)) return undefined
  const results = ranked.filter(({ measure }) => measure.matters)
  const causes = ranked.filter(({ measure }) => !measure.matters)
  return html`<section id="winners">
<h2>Best strategy by measure</h2>
<p>Ranked by what matters: how long a frame takes, then how equally long frames are, then how evenly work was shared. Lower is better in every row; ties share a rank.${isWithinNoise(fastestOf(summary)) && ` The mean frame times of ${fastestOf(summary).name} and ${baselineOf(summary).name} differ by no more than chance may make them.`}</p>
${results.length > 0 && winnersTable(summary, results)}
${folded('Measures that explain these', causes.length > 0 && winnersTable(summary, causes))}
</section>`
}

function winnersTable(summary: Summary, ranked: readonly Ranking[]): Markup {
  const styles = strategyStyles(summary)
  const baseline = baselineOf(summary)
  const several = summary.strategies.length > 2
  const chip = (name: string): Markup => html`<span class="name">${swatch(styles.get(name)!.color)}${name}</span>`
  const who = (place: Place | undefined): Markup => {
    if (!place) return html`<td></td>`
    const [first, second, ...more] = place.names
    return html`<td class="who"><b>${place.text}</b> <small>${chip(first!)}${second !== undefined && html`, ${chip(second)}`}${more.length > 0 && ` and ${more.length} more`}</small></td>`
  }
  const rows = ranked.map(({ measure, places }) => {
    const own = measure.of(baseline)
    return html`<tr><th scope="row">${measure.name}</th>${who(places[0])}${who(places[1])}${several && html`<td>${own === undefined ? '' : measure.text(own)}</td>`}</tr>
`
  })
  return html`<div class="scroll"><table class="winners">
<thead><tr><th scope="col">measure</th><th scope="col" class="who">best</th><th scope="col" class="who">next</th>${several && html`<th scope="col">${baseline.name}</th>`}</tr></thead>
<tbody>${rows}</tbody></table></div>`
}
