/** A run's summary for the terminal: the result in a sentence, a row per strategy, and what the host could do. */
import { stripVTControlCharacters, styleText } from 'node:util'
import Table from 'cli-table3'
import type { StrategySummary, Summary } from '../../shared/summary.ts'
import { baselineOf, compareTo, headline, spreadOf } from './headline.ts'
import { clockName, formatCount, formatFactor, formatKiB, formatMs, formatRatio, formatShare } from './numbers.ts'
import { hostLine, pixelAgreement, wallTimeNote } from './run-facts.ts'
import { printable } from './text-width.ts'

export interface TableOptions {
  /** ANSI styles; leave off where the output is not a terminal. @default false */
  readonly color?: boolean
  /** Columns of the terminal; a table that would be wider is laid on its side. @default 120 */
  readonly width?: number
}

/** Headline, table, host and notes, ready to print; ends without a line break. */
export function summaryText(summary: Summary, options: TableOptions = {}): string {
  const bold = (text: string): string => (options.color ? styled(text) : text)
  const { width = 120 } = options
  return [
    wrap(headline(summary), width).map(bold).join('\n'),
    '',
    summaryTable(summary, options),
    '',
    ...wrap(hostLine(summary), width),
    ...wrap(wallTimeNote(summary), width),
    ...(summary.strategies.length > 1 ? wrap(pixelAgreement(summary).sentence, width) : []),
  ].join('\n')
}

/** The table alone: strategies as rows, or as columns where that would be wider than the terminal. */
export function summaryTable(summary: Summary, { color = false, width = 120 }: TableOptions = {}): string {
  const upright = draw(summary, color, false)
  return widest(upright) <= width || summary.strategies.length > 6 ? upright : draw(summary, color, true)
}

interface Column {
  /** A line break parts what it is from its unit. */
  readonly head: string
  of(strategy: StrategySummary, baseline: StrategySummary): string
}

const COLUMNS: readonly Column[] = [
  { head: 'speed-\nup', of: (strategy, baseline) => formatFactor(compareTo(baseline, strategy).factor) },
  { head: 'mean\nms', of: ({ frameMs }) => formatMs(frameMs.mean) },
  { head: 'median\nms', of: ({ frameMs }) => formatMs(frameMs.median) },
  { head: 'p95\nms', of: ({ frameMs }) => formatMs(frameMs.p95) },
  { head: 'stddev\n/mean', of: strategy => formatShare(spreadOf(strategy)) },
  { head: 'ε\nmean', of: ({ epsilon }) => formatRatio(epsilon.mean) },
  { head: 'ε first\n→ last', of: ({ epsilon }) => `${formatRatio(epsilon.first)} → ${formatRatio(epsilon.last)}` },
  { head: 'effi-\nciency', of: ({ efficiency }) => formatShare(efficiency) },
  { head: 'idle', of: ({ idleShare }) => formatShare(idleShare) },
  { head: 'over-\nhead', of: ({ overheadShare }) => formatShare(overheadShare) },
  { head: 'messages\n/frame', of: ({ messagesPerFrame }) => formatCount(messagesPerFrame) },
  { head: 'KiB\n/frame', of: ({ bytesPerFrame }) => formatKiB(bytesPerFrame) },
  { head: 'migra-\ntion', of: ({ migrationShare }) => formatShare(migrationShare) },
]

function draw(summary: Summary, color: boolean, sideways: boolean): string {
  const baseline = baselineOf(summary)
  const columns = summary.strategies.length > 1 ? COLUMNS : COLUMNS.slice(1)
  const names = summary.strategies.map(({ name }) => printable(name))
  const clock = clockName(summary.strategies[0]!.epsilon.clock)
  const heads = columns.map(column => column.head.replace('ε', `ε ${clock}`))
  const bold = (text: string): string => (color ? text.split('\n').map(styled).join('\n') : text)

  const header = sideways ? ['', ...names] : ['strategy', ...heads]
  const body = sideways
    ? columns.map((column, row) => [
        oneLine(heads[row]!),
        ...summary.strategies.map(strategy => column.of(strategy, baseline)),
      ])
    : summary.strategies.map((strategy, row) => [names[row]!, ...columns.map(column => column.of(strategy, baseline))])
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

// The caller has decided; newer versions of Node.js would otherwise look at standard output again.
const styled = (text: string): string => styleText('bold', text, { validateStream: false })

/** Heads that were cut for a narrow column, whole again. */
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
