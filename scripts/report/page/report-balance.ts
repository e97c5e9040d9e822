/**
 * How evenly work was shared, in three ways: frame by frame, within one frame, and in numbers. All other views of the same
 * times are folded.
 */
import type { RunFrames } from '../../../shared/dashboard/report-frames.ts'
import type { Summary } from '../../../shared/frame/summary.ts'
import { epsilonChart } from '../charts/epsilon-chart.ts'
import { isStill } from '../charts/frame-times.ts'
import { ledgerChart } from '../charts/ledger-chart.ts'
import { html, type Markup } from '../charts/markup.ts'
import { utilisationChart } from '../charts/utilisation-chart.ts'
import { groupNote, workerNames } from '../charts/worker-axis.ts'
import { workerLoadChart } from '../charts/worker-load-chart.ts'
import { balanceTable, ledgerTable, passTable, slowestTable } from '../tables/report-tables.ts'
import { figure, folded, keysOf } from './figure.ts'
import { frameCharts } from './frame-charts.ts'
import { epsilonSection } from './report-epsilon.ts'

export function balanceSection(summary: Summary, runs: readonly RunFrames[]): Markup {
  const loads = loadFigure(summary)
  const frames = isStill(summary) ? undefined : epsilonFigure(summary)
  const oneFrame = runs.length > 0 ? frameCharts(summary, runs) : undefined
  // A still has no frames to follow, and where no spans were kept, no frame can be looked into.
  const shown = frames && oneFrame ? [frames, oneFrame] : [frames, oneFrame, loads]
  return html`<section id="balance">
<h2>Load balance</h2>
${shown.filter(part => part !== undefined)}
${balanceTable(summary)}
${folded('How ε is computed', epsilonSection(summary))}
${folded('More views of the same times: worker by worker, phase by phase', !shown.includes(loads) && loads, ...whereTheTimeWent(summary))}
</section>`
}

const epsilonFigure = (summary: Summary): Markup =>
  figure(
    epsilonChart(summary),
    'Imbalance ε',
    'how much longer the slowest worker took than a perfect share, by CPU time. It does not depend on how many cores the host had.',
    { narrow: epsilonChart(summary, { narrow: true }), ...keysOf(summary) },
  )

const loadFigure = (summary: Summary): Markup =>
  figure(
    workerLoadChart(summary),
    'Load of each worker',
    `CPU time over the perfect share of the frame. Red workers are the ones a frame waited for; blue ones waited.${groupNote(workerNames(summary).size, 'each shows the most loaded of its group')}`,
  )

function whereTheTimeWent(summary: Summary): readonly (Markup | undefined)[] {
  const shared = groupNote(workerNames(summary).size, 'each bar is the mean of its group')
  return [
    figure(
      utilisationChart(summary),
      'Utilisation',
      `the share of the wall time that each worker spent tracing, mean over the frames; the number is the mean of all workers.${shared}`,
    ),
    figure(
      ledgerChart(summary),
      'Mean ledger',
      `every instant of a frame belongs to one phase of each worker. All bars of a strategy are as tall as its mean frame, statistics and decision included.${shared}`,
    ),
    ledgerTable(summary),
    slowestTable(summary),
    passTable(summary),
  ]
}
