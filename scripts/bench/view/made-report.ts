/** A frame report that is consistent in itself, made by chance from a seed. */
import type { FrameReport } from '../../../shared/frame/frame-report.ts'
import type { Span } from '../../../shared/frame/span.ts'
import { imbalance } from '../../../shared/metrics/imbalance.ts'
import { ledger } from '../../../shared/metrics/ledger.ts'

export interface MadeReport {
  readonly areas: number
  /** In all: they go round the areas. */
  readonly tiles: number
  readonly seed: number
  readonly frame?: number
}

export function madeReport({ areas, tiles: count, seed, frame = 0 }: MadeReport): FrameReport {
  let state = seed >>> 0
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
  const workers = Array.from({ length: areas }, (_, i) => ({
    ...{ id: `a${i}`, name: `w${i}`, engine: 'wasm', threads: 1, speed: 1 },
  }))
  const beganAt = 1000 * random()
  const spans: Span[] = [{ kind: 'decide', frame, start: beganAt, end: beganAt + 1.5 }]
  const free = workers.map(() => beganAt + 1.5)
  const tiles = Array.from({ length: count }, (_, i) => {
    const area = i % areas
    const worker = workers[area]!.id
    const start = free[area]! + random()
    const wallMs = 1 + 40 * random()
    const end = start + wallMs
    spans.push(
      { kind: 'transmit', frame, worker, start: free[area]!, end: start },
      { kind: 'render', frame, worker, start, end },
      { kind: 'transmit', frame, worker, start: end, end: end + 0.4 },
      { kind: 'stitch', frame, worker, start: end + 0.4, end: end + 0.6 },
    )
    free[area] = end + 0.6
    const rect = { x: (i * 8) % 640, y: 0, w: 8, h: 16 }
    return { rect, worker, cpuMs: wallMs * 0.9, wallMs, expectedMs: 1 + 40 * random() }
  })
  const endedAt = Math.max(beganAt + 1.5, ...free)
  const ids = workers.map(({ id }) => id)
  const cpuOf = (id: string) => tiles.reduce((sum, { worker, cpuMs }) => sum + (worker === id ? cpuMs : 0), 0)
  const cpu = imbalance(ids.slice(0, 64).map(id => ({ speed: 1, work: cpuOf(id) })))
  return {
    ...{ frame, strategy: 'predictive', size: [640, 360], workers, tiles, beganAt, endedAt, spans },
    frameMs: endedAt - beganAt,
    ...{ statsMs: 0, decideMs: 1.5, criticalMs: cpu.criticalMs, meanMs: cpu.meanMs },
    ...{ epsilonCpu: cpu.epsilon, epsilonWall: cpu.epsilon },
    ledger: ledger(spans, ids, beganAt, endedAt),
    ...{ messages: 2 * count, bytes: 1000 * count, migrationShare: 0.25, rescued: 0, stolen: 1, duplicated: 0 },
    ...(areas > 1 && count > 0
      ? { steals: [{ at: endedAt - 5, from: 'a0', to: 'a1', rect: { x: 0, y: 8, w: 8, h: 8 } }] }
      : {}),
    ...{ redundantPx: 0, probeMs: 0, decisions: {}, sha256: '0'.repeat(64) },
  }
}
