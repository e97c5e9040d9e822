/**
 * A run made of numbers instead of rays: a bright body wanders over the screen and costs most where it is, static
 * blocks cut the screen in equal parts, and `pbt` cuts it by what the previous frame cost. Exact and repeatable.
 */
import { createHash } from 'node:crypto'
import type { RunFacts, StrategyRun } from '../../../scripts/report/summarize.ts'
import type { FrameReport, TileReport, WorkerInfo } from '../../../shared/frame-report.ts'
import { imbalance } from '../../../shared/metrics/imbalance.ts'
import { migrationShare } from '../../../shared/metrics/migration.ts'
import { area, longerAxis, type Rect, type Size, splitRect } from '../../../shared/rect.ts'

export const sizePx: Size = [640, 360]

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

export type Cutting = 'equal' | 'by-cost'

/** Frames of one strategy; `gain` scales every cost. */
export function strategyRun(
  name: string,
  cutting: Cutting,
  workers: readonly WorkerInfo[],
  frames: number,
  gain = 1,
): StrategyRun {
  const reports: FrameReport[] = []
  for (let frame = 0; frame < frames; frame++) {
    reports.push(frameReport(name, cutting, workers, frame, reports.at(-1), gain))
  }
  return { name, reports }
}

/** A gradient with the body drawn in, RGB8. */
export function picture(frame: number, [w, h]: Size = sizePx): Uint8Array {
  const pixels = new Uint8Array(w * h * 3)
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      const glow = Math.min(1, cost(x / w, y / h, frame) / 14)
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
  previous: FrameReport | undefined,
  gain: number,
): FrameReport {
  // An estimate that is one frame late, as a balancer's is; the first frame knows nothing.
  const density = cutting === 'equal' || !previous ? () => 1 : (x: number, y: number) => cost(x, y, frame - 1)
  const rects = cut({ x: 0, y: 0, w: sizePx[0], h: sizePx[1] }, workers.length, density)
  const tiles: TileReport[] = rects.map((rect, index) => {
    const cpuMs = integral(rect, (x, y) => cost(x, y, frame)) * 90 * gain
    return { rect, worker: workers[index]!.id, cpuMs, wallMs: cpuMs * 5 }
  })
  const { criticalMs, meanMs, epsilon } = imbalance(
    tiles.map((tile, index) => ({ work: tile.cpuMs, speed: workers[index]!.speed })),
  )
  const [statsMs, decideMs] = cutting === 'equal' ? [0.1, 0.1] : [1.2, 0.6]
  const frameMs = criticalMs * 5 + 9 + (frame % 3)
  const wallMs = frameMs + statsMs + decideMs
  const ledger = tiles.map((tile, index) => {
    const busy = {
      stats: statsMs,
      decide: decideMs,
      dispatch: 0.4 + index * 0.05,
      transmit: 4,
      render: tile.wallMs,
      stitch: 1.1,
    }
    return { worker: tile.worker, ...busy, idle: wallMs - Object.values(busy).reduce((sum, ms) => sum + ms, 0) }
  })
  return {
    frame,
    strategy,
    size: sizePx,
    workers,
    tiles,
    frameMs,
    wallMs,
    statsMs,
    decideMs,
    criticalMs,
    meanMs,
    epsilonCpu: epsilon,
    epsilonWall: epsilon * 0.98,
    ledger,
    messages: workers.length * 2,
    bytes: sizePx[0] * sizePx[1] * 3 + workers.length * 180,
    migrationShare: migrationShare(sizePx, previous?.tiles, tiles),
    stolen: 0,
    repeatedPx: 0,
    probeMs: 0,
    decisions: {},
    rescued: 0,
    spans: [],
    sha256: createHash('sha256').update(`frame ${frame}`).digest('hex'),
  }
}

/** Cost density over the unit square: a floor for empty sky, and two lobes that move. */
function cost(x: number, y: number, frame: number): number {
  const cx = 0.42 + 0.16 * Math.sin(frame / 5)
  const cy = 0.55 + 0.08 * Math.cos(frame / 4)
  const body = 11 * Math.exp(-(((x - cx) / 0.16) ** 2 + ((y - cy) / 0.2) ** 2))
  const tail = 5 * Math.exp(-(((x - cx - 0.2) / 0.1) ** 2 + ((y - cy + 0.1) / 0.1) ** 2))
  return 0.5 + body + tail
}

function cut(rect: Rect, workers: number, density: (x: number, y: number) => number): Rect[] {
  if (workers === 1) return [rect]
  const axis = longerAxis(rect)
  const length = axis === 'x' ? rect.w : rect.h
  const left = Math.floor(workers / 2)
  const total = integral(rect, density)
  let [low, high] = [1, length - 1]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (integral(splitRect(rect, axis, middle)[0], density) < (total * left) / workers) low = middle + 1
    else high = middle
  }
  const [first, second] = splitRect(rect, axis, low)
  return [...cut(first, left, density), ...cut(second, workers - left, density)]
}

/** Midpoint rule on 8 × 8 samples, in shares of the screen. */
function integral(rect: Rect, density: (x: number, y: number) => number): number {
  let sum = 0
  for (let i = 0; i < 8; i++) {
    for (let j = 0; j < 8; j++) {
      sum += density((rect.x + (rect.w * (i + 0.5)) / 8) / sizePx[0], (rect.y + (rect.h * (j + 0.5)) / 8) / sizePx[1])
    }
  }
  return (sum / 64) * (area(rect) / (sizePx[0] * sizePx[1]))
}
