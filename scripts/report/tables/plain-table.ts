import Table from 'cli-table3'

/** A table without borders: easy to read and to grep. */
export function plainTable(rows: string[][]): string {
  const lines = [
    'top',
    'top-mid',
    'top-left',
    'top-right',
    'bottom',
    'bottom-mid',
    'bottom-left',
    'bottom-right',
    'left',
    'left-mid',
    'mid',
    'mid-mid',
    'right',
    'right-mid',
  ]
  const table = new Table({
    chars: { ...Object.fromEntries(lines.map(line => [line, ''])), middle: '  ' },
    style: { 'padding-left': 0, 'padding-right': 0, border: [] },
  })
  table.push(...rows)
  return `${table.toString().replace(/ +$/gm, '')}\n`
}
