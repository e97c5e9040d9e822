/** The kernel bench as text: rates, ratios, the frame, and the conditions. */
import Table from 'cli-table3'
import type { FrameBench } from './bench-frame.ts'
import { type EngineFigures, type KernelBench, MAX_MISMATCHES } from './bench-kernel.ts'
import type { Comparison } from './compare-builds.ts'
import type { PathFrameBench } from './path-frame.ts'
import { RAY_KINDS } from './rays/ray-kinds.ts'
import { isUnavailable } from './unavailable.ts'

const PLAIN = { head: [], border: [], compact: true }

export function kernelText(bench: KernelBench): string {
  const { mesh, triangles, size, rounds } = bench
  const parts = [
    `${mesh}: ${triangles.toLocaleString('en')} triangles at ${size.join('x')}, ${rounds} rounds`,
    'Mrays per second of CPU time on one thread, median (best)',
    ratesTable(bench),
    ...bench.engines.flatMap(row => {
      if (isUnavailable(row)) return `${row.name}: ${row.unavailable}`
      return row.setup ? `${row.name}: ${row.setup}` : []
    }),
    ...complaints(bench),
  ]
  if (Object.keys(bench.ratios).length > 0)
    parts.push('', 'wasm over each, median of the rounds’ ratios', ratiosTable(bench))
  if (bench.frame) parts.push('', frameText(bench.frame))
  if (bench.pathFrame) parts.push(pathFrameText(bench.pathFrame))
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
    const change = comparison[kind]
    if (!change) {
      table.push([kind, '', '', `not known to ${against}`])
      continue
    }
    const { median, lowerQuartile, upperQuartile, worse } = change
    const spread = `${lowerQuartile.toFixed(3)} to ${upperQuartile.toFixed(3)}`
    table.push([kind, median.toFixed(3), spread, worse ? 'slower' : 'no slower'])
  }
  return `${table}\n`
}

/** A row for each kind of rays, a column for each engine that is there. */
function ratesTable({ engines, rays }: KernelBench): string {
  const present = engines.filter(row => !isUnavailable(row)) as EngineFigures[]
  const table = new Table({
    style: PLAIN,
    head: ['rays', 'count', ...present.map(({ name }) => name)],
    colAligns: ['left', ...present.map(() => 'right' as const), 'right'],
  })
  for (const kind of RAY_KINDS) {
    const rates = present.map(row => `${row[kind].median.toFixed(2)} (${row[kind].best.toFixed(2)})`)
    table.push([kind, rays[kind].toLocaleString('en'), ...rates])
  }
  table.push(['build ms', '', ...present.map(({ buildMs }) => buildMs.toFixed(0))])
  table.push(['refit ms', '', ...present.map(({ refitMs }) => refitMs?.toFixed(1) ?? '')])
  table.push(['bytes/triangle', '', ...present.map(({ bytesPerTriangle }) => bytesPerTriangle.toFixed(1))])
  const held = present.map(({ heldBytesPerTriangle }) => heldBytesPerTriangle?.toFixed(1) ?? '')
  table.push(['with the scene', '', ...held])
  const share = (mismatches: number) => (mismatches === 0 ? '0' : mismatches.toExponential(1))
  table.push(['mismatches', '', ...present.map(({ mismatchShare }) => share(mismatchShare))])
  return table.toString()
}

function ratiosTable({ ratios }: KernelBench): string {
  const peers = Object.entries(ratios)
  const table = new Table({
    style: PLAIN,
    head: ['wasm over', ...peers.map(([name]) => name)],
    colAligns: ['left', ...peers.map(() => 'right' as const)],
  })
  for (const kind of RAY_KINDS) table.push([kind, ...peers.map(([, ratio]) => ratio[kind].toFixed(2))])
  table.push(['geometric mean', ...peers.map(([, { geometricMean }]) => geometricMean.toFixed(2))])
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

function pathFrameText({ size, bounces, median, best, before, ratio, same }: PathFrameBench): string {
  const own = `path-traced frame at ${size.join('x')}, ${bounces} bounces, CPU time: ${median.toFixed(1)} ms (best ${best.toFixed(1)})`
  if (before === undefined || ratio === undefined) return own
  const bytes = same ? 'the same bytes' : 'other bytes'
  return `${own}; before ${before.toFixed(1)} ms, now ${ratio.toFixed(3)} times as fast, ${bytes}`
}
