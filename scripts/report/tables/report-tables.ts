/** The tables of the page: frame times, balance with its price, and the ledger. */

import { PHASE_COLORS, PHASE_ORDER } from '../../../shared/dashboard/phase-colors.ts'
import type { StrategySummary, Summary } from '../../../shared/frame/summary.ts'
import { mean } from '../../../shared/metrics/statistics.ts'
import { html, type Markup } from '../charts/markup.ts'
import { strategyStyles } from '../charts/palette.ts'
import { hasCpuFigures } from '../figures/clocks.ts'
import { baselineOf, compareTo, spreadOf } from '../figures/headline.ts'
import {
  clockName,
  formatCount,
  formatFactor,
  formatKiB,
  formatMargin,
  formatMs,
  formatRate,
  formatRatio,
  formatShare,
  formatTime,
} from '../figures/numbers.ts'
import { decisionWords } from './decision-words.ts'

interface Column {
  readonly head: string
  readonly unit?: string
  of(strategy: StrategySummary): string
  /** A smaller number below it, such as a margin of error. */
  below?(strategy: StrategySummary): string
  /** Colour of what the column is about. */
  readonly color?: string
  /** Value by which the best cell is marked: the smallest. */
  smallest?(strategy: StrategySummary): number
}

/** Frame times, and the gain of each strategy over the baseline, in both readings. */
export function frameTimeTable(summary: Summary): Markup {
  const baseline = baselineOf(summary)
  const against: Column[] = [
    {
      head: 'speed-up',
      of: s => formatFactor(compareTo(baseline, s).factor),
      below: s => formatMargin(s.speedUp?.ci95),
    },
    {
      head: 'shorter',
      unit: '% of frame',
      of: s => (s === baseline ? 'baseline' : formatShare(compareTo(baseline, s).saved)),
    },
  ]
  return table(summary, 'Frame time: from when its inputs are ready to the last pixel in place, wall clock.', [
    ...(summary.strategies.length > 1 ? against : []),
    {
      head: 'mean',
      unit: 'ms',
      of: s => formatMs(s.frameMs.mean),
      below: s => formatMargin(s.frameMs.ci95),
      smallest: s => s.frameMs.mean,
    },
    {
      head: 'spread',
      unit: 'stddev/mean',
      of: s => formatShare(spreadOf(s)),
      below: s => `${formatTime(s.frameMs.stddev)}`,
      smallest: spreadOf,
    },
    { head: 'median', unit: 'ms', of: s => formatMs(s.frameMs.median), smallest: s => s.frameMs.median },
    { head: 'p95', unit: 'ms', of: s => formatMs(s.frameMs.p95), smallest: s => s.frameMs.p95 },
    { head: 'shortest', unit: 'ms', of: s => formatMs(s.frameMs.min) },
    { head: 'longest', unit: 'ms', of: s => formatMs(s.frameMs.max) },
    ...(summary.strategies.some(s => s.preparationMs !== undefined)
      ? [{ head: 'preparation', unit: 'ms', of: (s: StrategySummary) => preparationText(s) }]
      : []),
    { head: 'throughput', unit: 'frames/s', of: s => formatRate(s.throughput.framesPerSecond) },
    { head: 'utilisation', unit: 'of all cores', of: s => formatShare(s.throughput.utilisation) },
  ])
}

const preparationText = ({ preparationMs }: StrategySummary): string =>
  preparationMs === undefined ? '–' : formatMs(preparationMs)

const CPU_TIMES = [
  { head: 'T', unit: 'CPU ms', of: (s: StrategySummary) => formatMs(mean(s.frames.map(frame => frame.criticalMs))) },
  { head: 'T_min', unit: 'CPU ms', of: (s: StrategySummary) => formatMs(mean(s.frames.map(frame => frame.meanMs))) },
]

/** How evenly work was divided. */
export function balanceTable(summary: Summary): Markup {
  const { clock } = summary.strategies[0]!.epsilon
  const isByCpu = hasCpuFigures(summary)
  const epsilonClock = clock === 'cpu' ? 'ε,' : `ε by the ${clockName(clock)} clock,`
  const clocks = isByCpu ? `${epsilonClock} T and T_min by the CPU clock` : 'ε and efficiency by the wall clock'
  return table(summary, `Balance: ${clocks}, means over the frames.`, [
    {
      head: 'ε',
      unit: 'mean',
      of: s => formatRatio(s.epsilon.mean),
      below: s => formatMargin(s.epsilon.ci95),
      smallest: s => s.epsilon.mean,
    },
    { head: 'ε', unit: 'first frame', of: s => formatRatio(s.epsilon.first) },
    { head: 'ε', unit: 'last frame', of: s => formatRatio(s.epsilon.last) },
    ...(isByCpu ? CPU_TIMES : []),
    { head: 'efficiency', unit: 'T_min / T', of: s => formatShare(s.efficiency) },
    { head: 'idle', unit: 'of wall time', of: s => formatShare(s.idleShare), smallest: s => s.idleShare },
    ...(summary.strategies.some(s => s.predictionError !== undefined)
      ? [{ head: 'predicted', unit: 'costs off by', of: (s: StrategySummary) => errorText(s) }]
      : []),
  ])
}

const errorText = ({ predictionError }: StrategySummary): string =>
  predictionError === undefined ? '–' : formatShare(predictionError)

/** How evenly each pass was shared; undefined for frames of a single pass. */
export function passTable(summary: Summary): Markup | undefined {
  const several = summary.strategies.filter(({ passes }) => passes)
  const [first, ...others] = several.map(({ passes }) => passes!)
  if (!first) return undefined
  const longest = others.reduce((most, passes) => (passes.length > most.length ? passes : most), first)
  const columns = longest.map(({ to }, i): Column => {
    const of = ({ passes }: StrategySummary) => {
      const pass = passes?.[i]
      return pass ? `${formatRatio(pass.epsilon)} of ${formatShare(pass.pixelShare)}` : '–'
    }
    return { head: `${to}`, unit: 'samples', of }
  })
  const mean: Column = { head: 'mean', unit: 'samples', of: s => formatCount(s.samplesPerPixel ?? 0) }
  return table(summary, 'Passes: ε and the share of the pixels, up to which sample.', [...columns, mean], several)
}

/** Cost of balancing and of the cluster. */
export function priceTable(summary: Summary): Markup {
  return table(summary, 'The price: everything but tracing, means over the frames.', [
    { head: 'overhead', unit: 'of wall time', of: s => formatShare(s.overheadShare), smallest: s => s.overheadShare },
    { head: 'decide', unit: 'ms', of: s => formatMs(s.decideMs) },
    { head: 'stitch', unit: 'ms', of: s => formatMs(s.stitchMs) },
    { head: 'tiles', unit: 'per frame', of: s => few(s.tilesPerFrame) },
    { head: 'messages', unit: 'per frame', of: s => formatCount(s.messagesPerFrame) },
    { head: 'messages', unit: 'per worker', of: s => few(s.messagesPerWorker) },
    { head: 'traffic', unit: 'KiB per frame', of: s => formatKiB(s.bytesPerFrame) },
    { head: 'migration', unit: 'of pixels', of: s => formatShare(s.migrationShare) },
  ])
}

/** Work beyond the frames' plans; undefined if there was none. */
export function beyondPlanTable(summary: Summary): Markup | undefined {
  const rescued = (s: StrategySummary): number => s.frames.reduce((sum, frame) => sum + frame.rescued, 0)
  const duplicated = (s: StrategySummary): number => s.frames.reduce((sum, frame) => sum + frame.duplicated, 0)
  const probe = (s: StrategySummary): number => s.frames.reduce((most, frame) => Math.max(most, frame.probeMs), 0)
  const some = summary.strategies.filter(s => s.stolenPerFrame + probe(s) + rescued(s) + duplicated(s) > 0)
  if (some.length === 0) return undefined
  const columns: Column[] = [
    { head: 'probe', unit: 'ms, longest', of: s => formatMs(probe(s)) },
    { head: 'probed', unit: 'frames', of: s => formatCount(s.frames.filter(frame => frame.probeMs > 0).length) },
    { head: 'stolen', unit: 'tiles per frame', of: s => few(s.stolenPerFrame) },
    { head: 'duplicated', unit: 'late tiles in all', of: s => formatCount(duplicated(s)) },
    { head: 'traced twice', unit: 'of pixels', of: s => formatShare(s.redundantShare) },
    { head: 'rescued', unit: 'tiles in all', of: s => formatCount(rescued(s)) },
  ]
  const caption =
    'Beyond the plan: probes, stolen rows, copies of late tiles, and tiles rescued from lost or failing workers.'
  return table(summary, caption, columns, some)
}

/** Decisions as strategies report them, means over the frames, each with a sentence; undefined if none reports any. */
export function decisionTable(summary: Summary): Markup | undefined {
  const styles = strategyStyles(summary)
  const rows = summary.strategies.flatMap(({ name, decisions }) =>
    Object.entries(decisions).map(
      ([what, count], index) =>
        html`<tr><th scope="row">${index === 0 && html`${swatch(styles.get(name)!.color)}${name}`}</th><td class="words">${what}${decisionWords(what) && html`<small>${decisionWords(what)}</small>`}</td><td>${few(count)}</td></tr>
`,
    ),
  )
  if (rows.length === 0) return undefined
  return html`<div class="scroll"><table class="decisions">
<caption><span>Decisions that the strategies report.</span></caption>
<thead><tr><th scope="col">strategy</th><th scope="col" class="words">decision</th><th scope="col">count<small>mean per frame</small></th></tr></thead>
<tbody>${rows}</tbody></table></div>`
}

/** A mean of counts: `2.3`, `17`, `1,152`. */
const few = (count: number): string =>
  count > 0 && count < 9.95 ? `${Number(count.toFixed(count < 1 ? 2 : 1))}` : formatCount(count)

/** Mean milliseconds per worker and frame in each phase, and how closely their sum matches the wall time. */
export function ledgerTable(summary: Summary): Markup {
  const phase = (kind: (typeof PHASE_ORDER)[number]) => (s: StrategySummary) =>
    mean(s.frames.flatMap(frame => frame.ledger.map(row => row[kind])))
  // A frame counts once per participating worker, so that sum and wall time stay comparable when workers join late or
  // leave early.
  const wall = (s: StrategySummary) => mean(s.frames.flatMap(frame => frame.ledger.map(() => frame.frameMs)))
  const caption = "The ledger: mean ms per worker and frame in each phase, and its share of the frame's wall time."
  return table(summary, caption, [
    ...PHASE_ORDER.map(
      (kind): Column => ({
        head: kind,
        unit: 'ms',
        color: PHASE_COLORS[kind],
        of: s => formatMs(phase(kind)(s)),
        below: s => formatShare(wall(s) > 0 ? phase(kind)(s) / wall(s) : 0),
      }),
    ),
    { head: 'sum', unit: 'ms', of: s => formatMs(PHASE_ORDER.reduce((total, kind) => total + phase(kind)(s), 0)) },
    { head: 'wall', unit: 'ms', of: s => formatMs(wall(s)) },
  ])
}

/** How frame times divide for the worker that traced longest; undefined if unknown. */
export function slowestTable(summary: Summary): Markup | undefined {
  if (summary.strategies.every(({ slowest }) => slowest === undefined)) return undefined
  const part = (key: keyof NonNullable<StrategySummary['slowest']>) => (s: StrategySummary) =>
    s.slowest ? formatMs(s.slowest[key]) : '–'
  return table(summary, 'Where the frame went for the worker that traced longest, mean over the frames.', [
    { head: 'prepare', unit: 'statistics, decision, ms', of: part('prepareMs') },
    { head: 'transit', unit: 'orders, answers, stitching, ms', of: part('transitMs') },
    { head: 'tracing', unit: 'ms', of: part('tracingMs') },
    { head: 'idle', unit: 'ms', of: part('idleMs') },
  ])
}

/** Shown where charts and broad tables are cut by the edge of a small screen. */
export const SIDEWAYS: Markup = html`<p class="sideways">scrolls sideways →</p>`

export const swatch = (color: string): Markup => html`<span class="swatch" style="background:${color}"></span>`

/** Up to this number of strategies stand side by side, which fits on a phone; more are rows of a table that may scroll. */
const MAX_SIDE_BY_SIDE = 4

function table(
  summary: Summary,
  caption: string,
  columns: readonly Column[],
  strategies: readonly StrategySummary[] = summary.strategies,
): Markup {
  const styles = strategyStyles(summary)
  const best = columns.map(column => bestText(column, strategies))
  const nameOf = ({ name }: StrategySummary): Markup => html`${swatch(styles.get(name)!.color)}${name}`
  const headOf = ({ head, unit, color }: Column): Markup =>
    html`${color !== undefined && swatch(color)}${head}${unit !== undefined && html` <small>${unit}</small>`}`
  const cell = (strategy: StrategySummary, index: number): Markup => {
    const column = columns[index]!
    const text = column.of(strategy)
    const below = column.below?.(strategy)
    return html`<td${text === best[index] && html` class="best"`}>${text}${below && html` <small>${below}</small>`}</td>`
  }
  const upright = strategies.length <= MAX_SIDE_BY_SIDE
  const heads = upright ? strategies.map(nameOf) : columns.map(headOf)
  const rows = upright
    ? columns.map(
        (
          column,
          index,
        ) => html`<tr><th scope="row">${headOf(column)}</th>${strategies.map(each => cell(each, index))}</tr>
`,
      )
    : strategies.map(
        each => html`<tr><th scope="row">${nameOf(each)}</th>${columns.map((_, index) => cell(each, index))}</tr>
`,
      )
  const part = strategies.length < summary.strategies.length
  const kind = `${upright ? 'upright' : 'broad'}${part ? ' some' : ''}`
  return html`${!upright && SIDEWAYS}<div class="scroll"><table class="${kind}">
<caption><span>${caption}</span></caption>
<thead><tr><th scope="col">${upright ? '' : 'strategy'}</th>${heads.map(head => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>`
}

/** Text of the smallest cells of a column: cells with equal text tie, and a column of only ties has no best. */
function bestText({ of, smallest }: Column, strategies: readonly StrategySummary[]): string | undefined {
  if (!smallest) return undefined
  const best = strategies.reduce((a, b) => (smallest(b) < smallest(a) ? b : a))
  const text = of(best)
  return strategies.some(strategy => of(strategy) !== text) ? text : undefined
}
