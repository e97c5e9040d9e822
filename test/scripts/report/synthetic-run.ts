/** A run made of numbers instead of rays: tiles of `synthetic-tiles.ts` on workers that take as long as they cost. */
import { createHash } from 'node:crypto'
import type { StrategyRun } from '../../../scripts/report/chrome-trace.ts'
import type { RunFacts } from '../../../scripts/report/figures/summarize.ts'
import type { FrameReport, TileReport, WorkerInfo } from '../../../shared/frame/frame-report.ts'
import type { Size } from '../../../shared/frame/rect.ts'
import type { Span } from '../../../shared/frame/span.ts'
import { imbalance } from '../../../shared/metrics/imbalance.ts'
import { ledger } from '../../../shared/metrics/ledger.ts'
import { OwnerMap } from '../../../shared/metrics/owner-map.ts'
import { type Cutting, costOf, density, type SyntheticTile, share, sizePx } from './synthetic-tiles.ts'

export { sizePx } from './synthetic-tiles.ts'

export function facts(workers: readonly WorkerInfo[], overrides: Partial<RunFacts> = {}): RunFacts {
  return {
    scene: { name: 'dragon', triangles: 871414, sha256: 'ab'.repeat(32) },
    size: [...sizePx],
    quality: { samples: 4, ambientRays: 8, maxDepth: 3 },
    camera: 'orbit',
    host: { cpu: 'Synthetic CPU @ 2.40GHz', cores: 2, node: 'v20.20.2' },
    workers: [...workers],
    pacing: workers.map(() => 0.2),
    ...overrides,
  }
}

export const workersNamed = (names: readonly string[], speed = 1): WorkerInfo[] =>
  names.map((name, index) => ({ id: `id-${index}`, name, engine: 'wasm', threads: 1, speed }))

export const manyWorkers = (count: number): WorkerInfo[] =>
  workersNamed(Array.from({ length: count }, (_, index) => `worker-${index}`))

/** Frames of one strategy; `gain` scales every cost. */
export function strategyRun(
  name: string,
  cutting: Cutting,
  workers: readonly WorkerInfo[],
  frames: number,
  gain = 1,
): StrategyRun & { readonly reports: readonly FrameReport[] } {
  const reports: FrameReport[] = []
  const owners = new OwnerMap(sizePx)
  for (let frame = 0; frame < frames; frame++) {
    reports.push(frameReport(name, cutting, workers, frame, owners, gain))
  }
  return { name, reports }
}

/** A gradient with the body drawn in, RGB8. */
export function picture(frame: number, [w, h]: Size = sizePx): Uint8Array {
  const pixels = new Uint8Array(w * h * 3)
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      const glow = Math.min(1, density(x / w, y / h, frame) / 14)
      const at = (y * w + x) * 3
      pixels[at] = 60 + 90 * (y / h) + 100 * glow
      pixels[at + 1] = 90 + 70 * (y / h) + 40 * glow
      pixels[at + 2] = 150 + 50 * (y / h) - 90 * glow
    }
  }
  return pixels
}

function frameReport(
  strategy: string,
  cutting: Cutting,
  workers: readonly WorkerInfo[],
  frame: number,
  owners: OwnerMap,
  gain: number,
): FrameReport {
  const [statsMs, decideMs] = ['equal', 'dealt', 'queue', 'alone'].includes(cutting) ? [0.1, 0.1] : [1.2, 0.6]
  const { tiles, spans, beganAt, dispatchAt, probedAt, endedAt } = trace(
    share(cutting, workers.length, frame),
    workers,
    { frame, gain, statsMs, decideMs },
  )
  const loads = new Map<string, number>()
  for (const tile of tiles) loads.set(tile.worker, (loads.get(tile.worker) ?? 0) + tile.cpuMs)
  const { criticalMs, meanMs, epsilon } = imbalance(
    workers.map(({ id, speed }) => ({ work: loads.get(id) ?? 0, speed })),
  )
  const learns = cutting === 'probed' || cutting === 'packed'
  return {
    frame,
    strategy,
    size: sizePx,
    workers,
    tiles,
    frameMs: endedAt - beganAt,
    preparationMs: dispatchAt - beganAt,
    statsMs,
    decideMs,
    criticalMs,
    meanMs,
    epsilonCpu: epsilon,
    epsilonWall: epsilon * 0.98,
    ledger: ledger(
      spans,
      workers.map(({ id }) => id),
      beganAt,
      endedAt,
    ),
    messages: tiles.length * 2,
    bytes: sizePx[0] * sizePx[1] * 3 + tiles.length * 180,
    migrationShare: owners.update(tiles),
    stolen: cutting === 'probed' ? (frame * 7) % 4 : 0,
    redundantPx: cutting === 'probed' && frame % 4 === 3 ? 640 : 0,
    probeMs: probedAt - dispatchAt,
    decisions: cutting === 'packed' ? { moved: 40 - (frame % 9), kept: 536 + (frame % 9) } : {},
    ...(learns && frame > 0 ? { predictionError: 0.08 + 0.01 * (frame % 3) } : {}),
    rescued: 0,
    duplicated: cutting === 'probed' ? frame % 2 : 0,
    spans,
    sha256: createHash('sha256').update(`frame ${frame}`).digest('hex'),
  }
}

interface Timing {
  readonly frame: number
  readonly gain: number
  readonly statsMs: number
  readonly decideMs: number
}

/** Everybody traces what is theirs, one after the other; a tile travels while the one before it is traced. */
function trace(
  shared: readonly SyntheticTile[],
  workers: readonly WorkerInfo[],
  { frame, gain, statsMs, decideMs }: Timing,
) {
  const beganAt = 1000 * frame
  const dispatchAt = beganAt + statsMs + decideMs
  const spans: Span[] = [
    { kind: 'stats', frame, start: beganAt, end: beganAt + statsMs },
    { kind: 'decide', frame, start: beganAt + statsMs, end: dispatchAt },
  ]
  const tiles: TileReport[] = []
  const sent = workers.map(() => false)
  const freeAt = workers.map((_, i) => dispatchAt + 0.4 + Math.min(i, 20) * 0.05)
  let probedAt = dispatchAt
  let endedAt = dispatchAt
  for (const { worker: asked, probe, ...set } of shared) {
    const number = asked ?? freeAt.indexOf(Math.min(...freeAt))
    const worker = workers[number]!.id
    const cpuMs = costOf(set, frame) * 90 * gain
    const wallMs = cpuMs * 5
    const sentAt = Math.max(probe ? 0 : probedAt, freeAt[number]! - (sent[number] ? Math.min(2, wallMs) : 0))
    const renderAt = Math.max(sentAt + 2, freeAt[number]!)
    const [renderedAt, arrivedAt] = [renderAt + wallMs, renderAt + wallMs + 2 + (frame % 3) * 0.3]
    const span = (kind: Span['kind'], start: number, end: number): Span => ({
      kind,
      frame,
      worker,
      tile: set.rect,
      start,
      end,
    })
    if (!sent[number]) spans.push({ kind: 'dispatch', frame, worker, start: dispatchAt, end: sentAt })
    sent[number] = true
    spans.push(
      span('transmit', sentAt, renderAt),
      span('render', renderAt, renderedAt),
      span('transmit', renderedAt, arrivedAt),
      span('stitch', arrivedAt, arrivedAt + 0.4),
    )
    tiles.push({ ...set, worker, cpuMs, wallMs })
    freeAt[number] = renderedAt
    if (probe) probedAt = Math.max(probedAt, arrivedAt + 0.4)
    endedAt = Math.max(endedAt, arrivedAt + 0.4)
  }
  return { tiles, spans, beganAt, dispatchAt, probedAt, endedAt }
}
