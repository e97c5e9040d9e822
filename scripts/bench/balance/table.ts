/** The balance bench as text: a row per strategy, a column per situation. */
import Table from 'cli-table3'
import type { BalanceBench, BalanceRow, BalanceTable } from './bench-balance.ts'

export function balanceText({
  scene,
  triangles,
  size,
  frames,
  strategies,
  ingredients,
  within,
  withinPbt,
}: BalanceBench): string {
  const what = `${scene}: ${triangles.toLocaleString('en')} triangles at ${size.join('x')}, ${frames} frames, simulated`
  return [
    what,
    ...section('frame time over that of a perfect share, %', strategies, ({ overIdeal }) => overIdeal - 1),
    ...section('ε by CPU time, %', strategies, ({ epsilon }) => epsilon.steady),
    ...section(
      'what the parts of predictive are worth: frame time over a perfect share, %',
      ingredients,
      row => row.overIdeal - 1,
    ),
    ...section(
      'what the parts of predictive are worth: ε by CPU time, %',
      ingredients,
      ({ epsilon }) => epsilon.steady,
    ),
    ...section('ε of frame 0, %', ingredients, ({ epsilon }) => epsilon.first),
    ...section(
      'within workers, beside predictive: frame time over a perfect share, %',
      within,
      row => row.overIdeal - 1,
    ),
    ...section('within workers, beside pbt: frame time over a perfect share, %', withinPbt, row => row.overIdeal - 1),
    ...section('ε of the frames of a cut, %', ingredients.filter(hasCuts), ({ epsilon }) => epsilon.cut ?? 0),
    '',
  ].join('\n')
}

function section(title: string, tables: readonly BalanceTable[], value: (row: BalanceRow) => number): string[] {
  const keys = tables.map((table, i) => `${i + 1}  ${table.situation}, ${table.workers} workers`)
  const table = new Table({ style: { head: [], border: [] }, head: ['', ...tables.map((_, i) => `${i + 1}`)] })
  const names = tables[0]?.rows.map(({ name }) => name) ?? []
  table.push(...names.map((name, i) => [name, ...tables.map(({ rows }) => percent(value(rows[i]!)))]))
  return ['', title, `${table}`, ...keys]
}

const hasCuts = ({ rows }: BalanceTable): boolean => rows.some(({ epsilon }) => epsilon.cut !== undefined)

const percent = (share: number): string => (share * 100).toFixed(share < 0.0995 ? 1 : 0)
