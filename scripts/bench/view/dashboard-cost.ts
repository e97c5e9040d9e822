/** What a dashboard takes of its master's core: frames of some areas are recorded and sent to a page that looks, without a cluster. */
import { RunRecord } from '../../../master/page/dashboard/run-record.ts'
import { Watcher } from '../../../master/page/dashboard/watcher.ts'
import type { SessionOrder } from '../../../shared/protocol/session-order.ts'
import { madeReport } from './made-report.ts'

/** Frames that are recorded: the first ones, while code is still compiled, do not count. A view has as many within a minute. */
const WARM = 2000
const FRAMES = 2000

/** @returns share of a core, with so many areas and frames a second */
export async function dashboardCost(areas: number, fps: number): Promise<number> {
  const order = { sceneName: 'bench', kind: 'viewer', strategy: 'predictive' } as SessionOrder
  const record = new RunRecord(1, order, undefined, 0)
  let now = 0
  let alarm: { wake: () => void; at: number } | undefined
  const watcher = new Watcher(['watch'], {
    runs: () => [record],
    state: () => ({ workers: [], runs: [record.said], stuck: [] }),
    act: async () => '',
    switchTo: () => '',
    chosen() {},
    wantGuesses() {},
    strategies: [],
    send() {},
    now: () => now,
    alarm: (wake, inMs) => {
      alarm = { wake, at: now + inMs }
      return () => {
        alarm = undefined
      }
    },
  })
  watcher.hear({ for: 'news', isWatched: true })
  const reports = Array.from({ length: 16 }, (_, seed) => madeReport({ areas, tiles: 2 * areas, seed }))
  let before = process.cpuUsage()
  for (let frame = 0; frame < WARM + FRAMES; frame++) {
    // Asking takes as long as a fifth of a frame.
    if (frame === WARM) before = process.cpuUsage()
    record.frame(reports[frame % reports.length]!)
    watcher.changed()
    now += 1000 / fps
    const due = alarm
    if (due && due.at <= now) due.wake()
  }
  const { user, system } = process.cpuUsage(before)
  watcher.close()
  return (((user + system) / FRAMES) * fps) / 1e6
}
