/** Small sessions on the tent, for clusters of real processes. */
import { expect } from 'vitest'
import type { FrameReport } from '../../shared/frame/frame-report.ts'
import { SPAN_KINDS } from '../../shared/frame/span-kinds.ts'
import type { FrameRequest, SessionOrder } from '../../shared/protocol/session-order.ts'
import { film, type SessionRunner, type SessionSink } from '../../shared/session/session.ts'
import { DEFAULT_STRATEGY_OPTIONS } from '../../shared/session/strategy-options.ts'
import { SIGN_OF_LIFE_MS } from '../../worker/session.ts'
import { smallCamera, smallScene } from './small-scene.ts'

export const scene = smallScene()

/** A session with its frames. */
export interface TestSession extends SessionOrder {
  readonly frames: readonly FrameRequest[]
}

export const smallSession = (changes: Partial<TestSession>): TestSession => ({
  kind: 'film',
  sceneName: 'tent',
  scene: scene.hash,
  size: [80, 45],
  quality: { samples: 1, ambientRays: 1, maxDepth: 3 },
  exposure: 1,
  frames: [0, 1, 2].map(frame => ({ frame, camera: smallCamera(frame) })),
  passes: 1,
  progressive: false,
  inFlight: 1,
  spans: true,
  strategy: 'pbt',
  options: DEFAULT_STRATEGY_OPTIONS,
  record: false,
  clock: 'cpu',
  engine: 'wasm',
  minWorkers: 1,
  waitMs: 60_000,
  ...changes,
})

/** Runs a session to its end. Rejects as `SessionRunner.run` does. */
export function runSession(
  runner: Pick<SessionRunner, 'run'>,
  { frames, ...order }: TestSession,
  sink: Partial<SessionSink>,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  const heard: SessionSink = { started: () => {}, status: () => {}, frame: () => {}, ...sink }
  return runner.run(order, scene, film(frames), heard, signal)
}

/** The reports of a session's frames; `frame` hears of every frame as it comes, while the next one is in flight. */
export async function reportsOf(
  runner: Pick<SessionRunner, 'run'>,
  session: TestSession,
  frame: SessionSink['frame'] = () => {},
): Promise<FrameReport[]> {
  const reports: FrameReport[] = []
  await runSession(runner, session, {
    frame: (report, pixels, planes) => {
      reports.push(report)
      return frame(report, pixels, planes)
    },
  })
  return reports
}

/** How far the ledger's rows are off the frame's wall time, as a share of it: the worst row. */
export const ledgerError = ({ ledger, frameMs }: FrameReport): number =>
  Math.max(...ledger.map(row => Math.abs(SPAN_KINDS.reduce((sum, kind) => sum + row[kind], 0) - frameMs))) / frameMs

/**
 * An order and an answer for each tile; with row stealing a part of each, and a word for each steal, beside them. Where tiles
 * travel ahead, one that was taken over had an order before, a word, and perhaps an answer that crossed it. Rows that a
 * second worker had, too, had an order, perhaps answers, and a word to whom was not needed. What a frame leaves on its way is counted
 * with the next one, so they are counted together. A tile that takes long is said to advance.
 * @param late answers that nothing waited for any more, such as a warm-up's
 */
export function expectMessages(reports: readonly FrameReport[], late = 0): void {
  const sum = (of: (report: FrameReport) => number) => reports.reduce((all, report) => all + of(report), 0)
  const [messages, tiles] = [sum(each => each.messages), sum(each => each.tiles.length)]
  const [stolen, duplicated] = [sum(each => each.stolen), sum(each => each.duplicated)]
  const { strategy } = reports[0]!
  const travelsAhead = strategy === 'demand-driven' || strategy === 'work-stealing'
  const taken = strategy === 'predictive' ? tiles + stolen : travelsAhead ? 3 * stolen : 0
  expect(messages).toBeGreaterThanOrEqual(2 * tiles)
  const signs = sum(({ tiles, frameMs }) => tiles.length * Math.floor(frameMs / SIGN_OF_LIFE_MS))
  expect(messages).toBeLessThanOrEqual(2 * tiles + taken + 4 * duplicated + signs + late)
}
