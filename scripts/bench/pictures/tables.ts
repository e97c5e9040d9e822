/** Tables of the comparisons of pictures, on a terminal and on a page. */
import Table from 'cli-table3'
import { html, type Markup } from '../../report/charts/markup.ts'

export function textTable(head: readonly string[], rows: readonly string[][]): string {
  const table = new Table({ style: { head: [], border: [], compact: true }, head: [...head] })
  table.push(...rows)
  return table.toString()
}

/** The first cell of a row names it, the last one stands out if it `failed`. */
export function pageTable(
  head: readonly string[],
  rows: readonly string[][],
  failed: (row: number) => boolean = () => false,
): Markup {
  const rowOf = ([name, ...cells]: readonly string[], row: number): Markup => {
    const last = failed(row) ? cells.pop() : undefined
    return html`<tr><th>${name}</th>${cells.map(cell => html`<td>${cell}</td>`)}${last !== undefined && html`<td class="failed">${last}</td>`}</tr>
`
  }
  return html`<div class="scroll"><table>
<thead><tr>${head.map(cell => html`<th>${cell}</th>`)}</tr></thead>
<tbody>${rows.map(rowOf)}</tbody></table></div>`
}
