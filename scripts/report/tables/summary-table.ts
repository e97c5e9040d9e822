/** A run's summary for the terminal: the result in a sentence, a row per strategy, and the host's capacity. */
import { stripVTControlCharacters, styleText } from 'node:util'
import Table from 'cli-table3'
import type { StrategySummary, Summary } from '../../../shared/frame/summary.ts'
import { printable } from '../charts/text-width.ts'
import { baselineOf, byMeanTime, compareTo, headline, isUndecided, spreadOf } from '../figures/headline.ts'
import { lightSaid } from '../figures/light-said.ts'
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
  plural,
} from '../figures/numbers.ts'
import { passLines } from '../figures/passes.ts'
import { hostLine, intervalNote, pixelAgreement, tracedByNote, wallTimeNote } from '../figures/run-facts.ts'

export interface TableOptions {
  /** ANSI styles; turn off if the output is not a terminal. @default false */
  readonly color?: boolean
  /** Width of the terminal; wider tables are transposed. @default 120 */
  readonly width?: number
}

/** Headline, table, host and notes, ready to print; no line break at the end. */
export function summaryText(summary: Summary, options: TableOptions = {}): string {
  const bold = (text: string): string => (options.color ? styled(text) : text)
  const { width = 120 } = options
  // With a single worker there is nothing to balance.
  if (summary.workers.length === 1 && summary.strategies.length === 1)
    return [
      ...wrap(aloneLine(summary), width).map(bold),
      ...lightLines(summary),
      ...tracedLines(summary, width),
      ...wrap(hostLine(summary), width),
    ].join('\n')
  const passes = passLines(summary)
  return [
    wrap(headline(summary), width).map(bold).join('\n'),
    '',
    summaryTable(summary, options),
    ...(hasWinner(summary) ? [`${WINNER} shortest mean frame`] : []),
    '',
    ...(passes.length > 0 ? [...passes.flatMap(line => wrap(line, width)), ''] : []),
    ...lightLines(summary),
    ...tracedLines(summary, width),
    ...wrap(hostLine(summary), width),
    ...wrap(wallTimeNote(summary), width),
    ...[intervalNote(summary)].filter(note => note !== '').flatMap(note => wrap(note, width)),
    ...(summary.strategies.length > 1 ? wrap(pixelAgreement(summary).sentence, width) : []),
  ].join('\n')
}

/** What traced the frames, unless their bytes are those of every machine. */
function tracedLines(summary: Summary, width: number): string[] {
  const note = tracedByNote(summary)
  return note === undefined ? [] : wrap(note, width)
}

/** What there is not of the light. */
function lightLines({ quality }: Summary): string[] {
  const said = lightSaid(quality)
  return said === undefined ? [] : [`Not all light: ${said}.`]
}

function aloneLine({ scene, frames, strategies: [only] }: Summary): string {
  const { frameMs, throughput, samplesPerPixel } = only!
  const samples = samplesPerPixel === undefined ? '' : `, ${formatCount(samplesPerPixel)} samples a pixel`
  const rate = frames > 1 && throughput ? `, ${throughput.framesPerSecond.toPrecision(3)} a second` : ''
  return `${plural(frames, 'frame')} of ${scene.name}, ${formatTime(frameMs.mean)}${frames > 1 ? ' each on average' : ''}${rate}${samples}.`
}

/** The table alone: strategies as rows; if too wide for the terminal, as columns, or, if many, with fewer numbers. */
export function summaryTable(summary: Summary, { color = false, width = 120 }: TableOptions = {}): string {
  const prepared = summary.strategies.some(strategy => strategy.preparationMs !== undefined)
  const columns = COLUMNS.filter(({ head }) =>
    head === SPEED_UP ? summary.strategies.length > 1 : head !== PREPARATION || prepared,
  )
  const upright = draw(summary, columns, color, false)
  if (widest(upright) <= width) return upright
  if (summary.strategies.length <= MAX_COLUMNS) return draw(summary, columns, color, true)
  let kept = columns
  let table = upright
  while (widest(table) > width && kept.length > 2) {
    const last = Math.max(...kept.map(column => column.rank))
    kept = kept.filter(column => column.rank < last)
    table = draw(summary, kept, color, false)
  }
  return table
}

interface Column {
  /** Name and unit, separated by a line break. */
  readonly head: string
  /** Priority when space is scarce; 1 is kept longest. */
  readonly rank: number
  of(strategy: StrategySummary, baseline: StrategySummary): string
}

const hasWinner = (summary: Summary): boolean => summary.strategies.length > 1 && !isUndecided(summary)

/** Marks the fastest strategy. */
const WINNER = '★'
const SPEED_UP = 'speed-\nup'
const PREPARATION = 'prepare\nms'
/** More strategies than this do not fit side by side. */
const MAX_COLUMNS = 6

const COLUMNS: readonly Column[] = [
  { head: SPEED_UP, rank: 2, of: (strategy, baseline) => speedUpText(strategy, baseline) },
  {
    head: 'mean\nms',
    rank: 1,
    of: ({ frameMs }) => joined(formatMs(frameMs.mean), formatMargin(frameMs.ci95)),
  },
  { head: 'median\nms', rank: 13, of: ({ frameMs }) => formatMs(frameMs.median) },
  {
    head: PREPARATION,
    rank: 15,
    of: ({ preparationMs }) => (preparationMs === undefined ? '–' : formatMs(preparationMs)),
  },
  { head: 'p95\nms', rank: 6, of: ({ frameMs }) => formatMs(frameMs.p95) },
  { head: 'stddev\n/mean', rank: 5, of: strategy => formatShare(spreadOf(strategy)) },
  {
    head: 'ε\nmean',
    rank: 3,
    of: ({ epsilon }) => joined(formatRatio(epsilon.mean), formatMargin(epsilon.ci95)),
  },
  {
    head: 'ε first\n→ last',
    rank: 12,
    of: ({ epsilon }) => `${formatRatio(epsilon.first)} → ${formatRatio(epsilon.last)}`,
  },
  { head: 'effi-\nciency', rank: 14, of: ({ efficiency }) => formatShare(efficiency) },
  { head: 'frames\n/s', rank: 16, of: ({ throughput }) => formatRate(throughput.framesPerSecond) },
  { head: 'utili-\nsation', rank: 17, of: ({ throughput }) => formatShare(throughput.utilisation) },
  { head: 'idle', rank: 8, of: ({ idleShare }) => formatShare(idleShare) },
  { head: 'over-\nhead', rank: 9, of: ({ overheadShare }) => formatShare(overheadShare) },
  { head: 'decide\nms', rank: 11, of: ({ decideMs }) => formatMs(decideMs) },
  { head: 'messages\n/frame', rank: 4, of: ({ messagesPerFrame }) => formatCount(messagesPerFrame) },
  { head: 'KiB\n/frame', rank: 10, of: ({ bytesPerFrame }) => formatKiB(bytesPerFrame) },
  { head: 'migra-\ntion', rank: 7, of: ({ migrationShare }) => formatShare(migrationShare) },
]

function speedUpText(strategy: StrategySummary, baseline: StrategySummary): string {
  const factor = formatFactor(compareTo(baseline, strategy).factor)
  return joined(factor, formatMargin(strategy.speedUp?.ci95))
}

const joined = (value: string, margin: string): string => (margin ? `${value} ${margin}` : value)

function draw(summary: Summary, columns: readonly Column[], color: boolean, sideways: boolean): string {
  const baseline = baselineOf(summary)
  const [winner] = byMeanTime(summary.strategies)
  const marked = (strategy: StrategySummary): boolean => strategy === winner && hasWinner(summary)
  const names = summary.strategies.map(each => `${printable(each.name)}${marked(each) ? ` ${WINNER}` : ''}`)
  const clock = clockName(summary.strategies[0]!.epsilon.clock)
  const heads = columns.map(column => column.head.replace('ε', `ε ${clock}`))
  const bold = (text: string): string => (color ? text.split('\n').map(styled).join('\n') : text)

  const header = sideways ? ['', ...names] : ['strategy', ...heads]
  const body = sideways
    ? columns.map((column, row) => [
        oneLine(heads[row]!),
        ...summary.strategies.map(strategy => column.of(strategy, baseline)),
      ])
    : summary.strategies.map((strategy, row) =>
        [names[row]!, ...columns.map(column => column.of(strategy, baseline))].map(cell =>
          marked(strategy) ? bold(cell) : cell,
        ),
      )
  const table = new Table({
    head: header.map(bold),
    colAligns: header.map((_, column) => (column === 0 ? 'left' : 'right')),
    chars: RULES,
    style: { head: [], border: [], 'padding-left': 1, 'padding-right': 1, compact: true },
  })
  table.push(...body)
  return table
    .toString()
    .split('\n')
    .map(line => line.trimEnd())
    .join('\n')
}

// The caller has decided; newer versions of Node.js would otherwise check standard output again.
const styled = (text: string): string => styleText('bold', text, { validateStream: false })

/** Column heads that were split for narrow columns, on one line. */
const oneLine = (head: string): string =>
  head
    .replace('-\n', '')
    .replace(/\n(?=\/|→)/, ' ')
    .replace('\n', ', ')

const RULES = {
  top: '─',
  'top-mid': '─',
  'top-left': '',
  'top-right': '',
  mid: '─',
  'mid-mid': '─',
  'left-mid': '',
  'right-mid': '',
  bottom: '─',
  'bottom-mid': '─',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  right: '',
  middle: ' ',
} as const

const widest = (text: string): number =>
  Math.max(...text.split('\n').map(line => [...stripVTControlCharacters(line)].length))

function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
