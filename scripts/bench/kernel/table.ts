/** The kernel bench as text: rates, ratios, the frame, and the conditions. */
import Table from 'cli-table3'
import type { FrameBench } from './bench-frame.ts'
import { type KernelBench, MAX_MISMATCHES } from './bench-kernel.ts'
import type { Comparison } from './compare-builds.ts'
import { RAY_KINDS } from './ray-sets.ts'
import { isUnavailable } from './unavailable.ts'

const PLAIN = { head: [], border: [], compact: true }

export function kernelText(bench: KernelBench): string {
  const { mesh, triangles, size, rounds, rays } = bench
  const counts = RAY_KINDS.map(kind => `${rays[kind].toLocaleString('en')} ${kind}`).join(', ')
  const parts = [
    `${mesh}: ${triangles.toLocaleString('en')} triangles at ${size.join('x')}; ${counts} rays; ${rounds} rounds`,
    'Mrays per second of CPU time on one thread, median (best)',
    ratesTable(bench),
    ...bench.engines.flatMap(row => (isUnavailable(row) || !row.setup ? [] : [`${row.name}: ${row.setup}`])),
    ...complaints(bench),
  ]
  if (Object.keys(bench.ratios).length > 0)
    parts.push('', 'wasm over each, median of the rounds’ ratios', ratiosTable(bench))
  if (bench.frame) parts.push('', frameText(bench.frame))
  return `${parts.join('\n')}\n`
}

/** One sentence per engine whose answers differ too much. */
export const complaints = ({ engines }: KernelBench): string[] =>
  engines.flatMap(row =>
    isUnavailable(row) || row.mismatchShare <= MAX_MISMATCHES
      ? []
      : [
          `${row.name}: differs from wasm for ${(row.mismatchShare * 100).toFixed(3)} % of the rays; its figures are not comparable`,
        ],
  )

/** Output of `bench compare`. */
export function changesText(comparison: Comparison, against: string): string {
  const table = new Table({
    style: PLAIN,
    head: ['rays', `this build over ${against}`, 'interquartile range', 'verdict'],
    colAligns: ['left', 'right', 'right', 'left'],
  })
  for (const kind of RAY_KINDS) {
    const { median, lowerQuartile, upperQuartile, worse } = comparison[kind]
    const spread = `${lowerQuartile.toFixed(3)} to ${upperQuartile.toFixed(3)}`
    table.push([kind, median.toFixed(3), spread, worse ? 'slower' : 'no slower'])
  }
  return `${table}\n`
}

function ratesTable({ engines }: KernelBench): string {
  const table = new Table({
    style: PLAIN,
    head: ['engine', ...RAY_KINDS, 'build ms', 'bytes/triangle', 'mismatches'],
    colAligns: ['left', 'right', 'right', 'right', 'right', 'right', 'right'],
  })
  for (const row of engines) {
    if (isUnavailable(row)) {
      table.push([row.name, { colSpan: 6, content: row.unavailable }])
      continue
    }
    const rates = RAY_KINDS.map(kind => `${row[kind].median.toFixed(2)} (${row[kind].best.toFixed(2)})`)
    const mismatches = row.mismatchShare === 0 ? '0' : row.mismatchShare.toExponential(1)
    table.push([row.name, ...rates, row.buildMs.toFixed(0), row.bytesPerTriangle.toFixed(1), mismatches])
  }
  return table.toString()
}

function ratiosTable({ ratios }: KernelBench): string {
  const kinds = [...RAY_KINDS, 'geometricMean'] as const
  const table = new Table({
    style: PLAIN,
    head: ['wasm over', ...RAY_KINDS, 'geometric mean'],
    colAligns: ['left', 'right', 'right', 'right', 'right'],
  })
  for (const [name, ratio] of Object.entries(ratios)) table.push([name, ...kinds.map(kind => ratio[kind].toFixed(2))])
  return table.toString()
}

function frameText({ size, wasm, 'embree-single': embree, ratio, meanDifference }: FrameBench): string {
  const cell = (figures: FrameBench['wasm']) =>
    isUnavailable(figures) ? figures.unavailable : `${figures.median.toFixed(1)} ms (best ${figures.best.toFixed(1)})`
  const compared =
    ratio === undefined || meanDifference === undefined
      ? ''
      : `; wasm is ${ratio.toFixed(2)} times as fast, the pictures differ by ${meanDifference.toFixed(3)} of 255 on average`
  return `directly lit frame at ${size.join('x')}, CPU time: wasm ${cell(wasm)}, embree-single ${cell(embree)}${compared}`
}
