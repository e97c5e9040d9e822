/**
 * Everything that a worker may say in words, as long as it may be, on its way through a real master to a real client: a worker's words end
 * nobody else's connection, and sentences that quote them keep their end.
 */
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type Master, startMaster } from '../../master/main.ts'
import { runFakeWorkers } from '../../scripts/bench/soak/fake-worker.ts'
import { drainWorker } from '../../scripts/library/drain-worker.ts'
import { connectToCluster } from '../../scripts/library/remote-cluster.ts'
import type { FrameReport, WorkerInfo } from '../../shared/frame/frame-report.ts'
import type { Rect } from '../../shared/frame/rect.ts'
import { silentLog } from '../../shared/text/log.ts'
import { WORKER_HELLO } from '../support/bare-peer.ts'
import { runSession, smallSession, type TestSession } from '../support/session.ts'
import { smallCamera } from '../support/small-scene.ts'

/** As long as a reason may be, and half of it unprintable; a cut may meet the middle of a character. */
const REASON = `${'\u001b'.repeat(999)}x${'\u{1f600}'.repeat(500)}`
const NAME = 'n'.repeat(128)
const DEVICE = 'd'.repeat(64)

let master: Master
let client: Awaited<ReturnType<typeof connectToCluster>>
const over = new AbortController()
beforeAll(async () => {
  // Who fails is quarantined late: it is to say something first.
  master = await startMaster({ listen: '127.0.0.1:0', reliability: { failures: 2 } }, silentLog)
  client = await connectToCluster(master.url)
  void runFakeWorkers({ master: master.url, count: 1, first: 1, pxPerMs: 1e9 }, over.signal)
})
afterAll(async () => {
  await client.close()
  over.abort()
  await master.close()
})
const endings: (() => void)[] = []
afterEach(() => {
  for (const end of endings.splice(0)) end()
})

type Said = { readonly type: string; readonly lease: number; readonly scene: string; readonly rect: Rect }
type Answer = (said: Said, say: (message: object) => void) => void

/** A worker that answers orders as it is told to. */
async function join(answer: Answer, name = NAME): Promise<void> {
  const socket = new WebSocket(master.url, { perMessageDeflate: false })
  endings.push(() => socket.terminate())
  socket.on('error', () => {})
  await once(socket, 'open')
  const say = (message: object) => socket.send(JSON.stringify(message))
  const [area] = WORKER_HELLO.areas
  say({ ...WORKER_HELLO, name, areas: [area, { ...area, device: DEVICE }] })
  await once(socket, 'message')
  socket.on('message', (data, isBinary) => {
    const said = isBinary ? undefined : (JSON.parse(data.toString()) as Said)
    if (said) answer(said, say)
  })
}

const isReady: Answer = ({ type, scene }, say) => {
  if (type === 'use-scene') say({ type: 'scene-ready', scene, buildMs: 1 })
}
/** Says something once frames are made: until then whole pictures are traced, for warming up. */
const inFrames =
  (then: (say: (message: object) => void) => void): Answer =>
  (said, say) => {
    isReady(said, say)
    if (said.type !== 'trace-tile') return
    if (said.rect.w < 80) then(say)
    else say({ type: 'tile-failed', lease: said.lease, reason: 'cold' })
  }
const fails: Answer = (said, say) => {
  isReady(said, say)
  if (said.type === 'trace-tile') say({ type: 'tile-failed', lease: said.lease, reason: REASON })
}

/** A film with the client: what it heard of it. */
async function render(changes: Partial<TestSession> = {}) {
  const heard = { statuses: [] as string[], workers: [] as WorkerInfo[], reports: [] as FrameReport[] }
  const frames = [0, 1, 2, 3].map(frame => ({ frame, camera: smallCamera(frame) }))
  await runSession(client, smallSession({ strategy: 'static-blocks', minWorkers: 2, frames, ...changes }), {
    started: workers => void heard.workers.push(...workers),
    status: text => void heard.statuses.push(text),
    frame: report => void heard.reports.push(report),
  })
  return heard
}

describe('what a worker says in 2000 characters', () => {
  it('of a tile, and why it is quarantined then', async () => {
    await join(fails)
    const { statuses, workers, reports } = await render()
    expect(reports).toHaveLength(4)
    expect(workers.map(({ name }) => name)).toContainEqual(expect.stringMatching(/^n{128}\.d+…$/))
    expect(reports[0]!.workers).toEqual(workers)
    expect(statuses).toContainEqual(
      expect.stringMatching(/^worker n+ failed a tile \(.*…\); the tile is traced again$/),
    )
    expect(statuses).toContainEqual(expect.stringMatching(/^worker n+(\.d+…)? is quarantined for .*…$/))
  })

  it('of an area, and when it leaves', async () => {
    const leaves = inFrames(say => {
      say({ type: 'area-state', area: 1, reason: REASON })
      say({ type: 'leaving', reason: REASON, keeps: [] })
    })
    await join(leaves, `${NAME.slice(1)}l`)
    const { statuses, reports } = await render()
    expect(reports).toHaveLength(4)
    expect(statuses).toContainEqual(expect.stringMatching(/^worker n+l is gone \(.*\); its tile was reassigned$/))
  })

  it('when it is asked to leave', async () => {
    await join(({ type }, say) => {
      if (type === 'leave') say({ type: 'leaving', reason: REASON, keeps: [] })
    })
    const { left, remaining } = await drainWorker(master.url, NAME, {}, new AbortController().signal)
    expect(left).toEqual([expect.objectContaining({ reason: expect.any(String), finished: 0 })])
    expect(remaining).toEqual(['fake-1'])
  })

  it('of a scene', async () => {
    await join(({ type, scene }, say) => {
      if (type === 'use-scene') say({ type: 'scene-failed', scene, reason: REASON })
    })
    expect((await render({ minWorkers: 1 })).reports).toHaveLength(4)
  })

  it('and what is wrong with a message of 10,000 faults', async () => {
    const faulty = inFrames(say =>
      say({ type: 'leaving', reason: '', keeps: Array(10_000).fill({ lease: -1, rows: 0.5 }) }),
    )
    await join(faulty, `${NAME.slice(1)}f`)
    const { statuses, reports } = await render()
    expect(reports).toHaveLength(4)
    const words = /^worker n+f is gone \(unexpected message: .*…\); its tile was reassigned$/
    expect(statuses).toContainEqual(expect.stringMatching(words))
  })
})

it('a frame that fails says so, with the command line that traces it, however long both are', async () => {
  over.abort()
  while (master.workers().length > 0) await new Promise(resolve => setImmediate(resolve))
  for (const name of ['a', 'b', 'c', 'd']) await join(fails, name)
  const tileCommand = `sortfirst tile ${'s'.repeat(1500)}`
  await expect(render({ minWorkers: 4, tileCommand, inFlight: 1 })).rejects.toMatchObject({
    code: 'FRAME_FAILED',
    message: expect.stringMatching(/^frame 0: tile .*…; to trace it alone: sortfirst tile s+ --frame 0 --rect [\d,]+$/),
  })
  await expect(render({ minWorkers: 4, tileCommand: 't'.repeat(2000) })).rejects.toMatchObject({
    code: 'FRAME_FAILED',
    message: expect.stringMatching(/^frame 0: tile .*…; to trace it alone: t+…$/),
  })
})
