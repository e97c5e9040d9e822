/**
 * A device that stops in mid-film, as for the seconds of a driver's reset: its worker's CPU traces what it holds long before the device is given up, with the same
 * bytes, by every way of sharing; and when it goes on, so does its work.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startMaster } from '../../scripts/library/master.ts'
import { loadScene, type ReadyScene } from '../../scripts/library/ready-scene.ts'
import { render } from '../../scripts/library/render.ts'
import { type RunningWorker, startWorker } from '../../scripts/library/worker.ts'
import type { FrameReport } from '../../shared/frame/frame-report.ts'

/** Frames that are made while it stands still. */
const STILL = 2
/** More than there are before a device has a part in one. */
const MOST_FRAMES = 60

const film = { size: [96, 54], samples: 1, inFlight: 1, camera: 'still' } as const

let scene: ReadyScene
let master: Awaited<ReturnType<typeof startMaster>>
let worker: RunningWorker
let device: number
/** Hashes of the frames of a worker without a device. */
const alone: (string | undefined)[] = []
const said: string[] = []
beforeAll(async () => {
  scene = await loadScene('corner')
  for await (const { report } of render(scene, { ...film, frames: MOST_FRAMES })) alone.push(report.sha256)
  master = await startMaster({ listen: '127.0.0.1:0' })
  let begun = (_: number) => {}
  const pid = new Promise<number>(resolve => {
    begun = resolve
  })
  const note = (text: string) => {
    said.push(text)
    const [, id] = /runs as process (\d+)/.exec(text) ?? []
    if (id !== undefined) begun(Number(id))
  }
  const log = { info: note, warn: note }
  const shared = { accelerators: ['process:wasm'], acceleratorRequired: true, cores: 0.3, cache: false } as const
  worker = startWorker({ master: master.url, name: 'host', ...shared, log })
  device = await pid
})
afterAll(async () => {
  await worker.close()
  await master.close()
})

const traces = ({ tiles, workers }: FrameReport): boolean =>
  tiles.some(({ worker: area }) => workers.find(({ id }) => id === area)!.device !== undefined)

// What is not corrected elsewhere is within a worker: two of the strategies are as published.
it.each(['predictive', 'pbt', 'static-blocks'])('does not hold up frames by %s', async strategy => {
  // The rules as published would wait for it.
  const half = { within: 'proportional', withinStart: 0.5 } as const
  const order = { ...film, frames: MOST_FRAMES, strategy, strategyOptions: half, cluster: master }
  const still: FrameReport[] = []
  let phase: 'before' | 'still' | 'after' = 'before'
  try {
    for await (const { report } of render(scene, order)) {
      expect(report.sha256).toBe(alone[report.frame])
      if (phase === 'before' && traces(report)) {
        phase = 'still'
        process.kill(device, 'SIGSTOP')
      } else if (phase === 'still') {
        still.push(report)
        if (still.length < STILL) continue
        phase = 'after'
        // Nothing has given it up.
        expect(said.filter(text => text.includes('is withdrawn'))).toEqual([])
        process.kill(device, 'SIGCONT')
      } else if (phase === 'after' && traces(report)) break
    }
  } finally {
    process.kill(device, 'SIGCONT')
  }
  expect(phase).toBe('after')
  // It was given its share. It may have been at the first of these frames already.
  expect(still[0]!.decisions.acceleratorShare).toBeGreaterThan(0)
  expect(traces(still.at(-1)!)).toBe(false)
})
