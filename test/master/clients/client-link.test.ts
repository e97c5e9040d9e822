/** A client as its master sees it: frames that it does not take hold up its own session, and nothing is left of the waiting. */
import { getEventListeners } from 'node:events'
import { expect, it } from 'vitest'
import { type ClientJobs, ClientLink } from '../../../master/clients/client-link.ts'
import type { FrameReport } from '../../../shared/frame/frame-report.ts'
import { MAX_CLIENT_SESSIONS } from '../../../shared/protocol/peer-limits.ts'
import { SESSION_VERSION } from '../../../shared/protocol/session-order.ts'
import { PartStore } from '../../../shared/scene/part-store.ts'
import type { SessionSink } from '../../../shared/session/session.ts'
import { manyWorkers, strategyRun } from '../../scripts/report/synthetic-run.ts'
import { channelPair } from '../../support/memory-channel.ts'
import { scene, smallSession } from '../../support/session.ts'

const [report] = strategyRun('static-blocks', 'equal', manyWorkers(2), 1).reports as [FrameReport]
const pixels = new Uint8Array(80 * 45 * 3)

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await new Promise(resolve => setImmediate(resolve))
}

/** A session of a client whose scene is there already. */
async function openSession() {
  const parts = new PartStore(2 ** 20)
  for (const { sha256 } of scene.manifest.parts) parts.put(sha256, scene.parts.get(sha256)!)
  const [masterEnd, line] = channelPair()
  let opened = (_: { sink: SessionSink; signal: AbortSignal }) => {}
  const session = new Promise<{ sink: SessionSink; signal: AbortSignal }>(resolve => {
    opened = resolve
  })
  const jobs: ClientJobs = {
    parts,
    sessions: 0,
    offerView: async () => ({ ticket: () => 'ticket', close: () => {} }),
    checkScene: async () => {},
    drain: async () => ({ left: [], remaining: [] }),
    run: (_order, _scene, _source, sink, signal) => {
      opened({ sink, signal })
      return new Promise(() => {})
    },
  }
  const link = new ClientLink('c1', 'raw', masterEnd, jobs, new Set(['client']))
  masterEnd.listen({ control: said => link.control(said), binary: () => {}, closed: () => link.closed() })
  let refused: string | undefined
  const closed = (_: number, reason: string) => {
    refused = reason
  }
  const heard: string[] = []
  line.listen({ control: () => {}, binary: ({ kind }) => void heard.push(kind), closed })
  line.send({ type: 'offer-scene', scene: scene.hash, manifest: scene.manifest })
  const { frames: _, ...order } = smallSession({})
  line.send({ type: 'open-session', session: 0, version: SESSION_VERSION, order })
  return { line, heard, refusal: () => refused, ...(await session) }
}

it('waits for a client that does not take its frames, and leaves nothing behind of the waiting', async () => {
  const { line, sink, signal } = await openSession()
  let done = 0
  const frame = async () => {
    await sink.frame(report, pixels, {})
    done++
  }
  for (let i = 0; i < 3; i++) await frame()
  const listeners = getEventListeners(signal, 'abort').length
  for (let i = 0; i < 20; i++) {
    void frame()
    await settle()
    expect(done).toBe(3 + i)
    line.send({ type: 'frame-taken', session: 0, frame: report.frame })
    await settle()
    expect(done).toBe(4 + i)
  }
  expect(getEventListeners(signal, 'abort').length).toBe(listeners)
  void frame()
  await settle()
  line.send({ type: 'close-session', session: 0 })
  await settle()
  expect(done).toBe(24)
})

it('sends no preview after the frame that it is of', async () => {
  const { line, sink, heard } = await openSession()
  const preview = (frame: number, samples: number) => sink.preview?.({ frame, samples, pixels })
  await preview(report.frame, 1)
  const late = preview(report.frame, 2)
  const frame = sink.frame(report, pixels, {})
  await Promise.all([late, frame])
  await preview(report.frame + 1, 1)
  await preview(report.frame, 3)
  await settle()
  expect(heard).toEqual(['frame-preview', 'frame-done', 'frame-preview'])
  line.terminate()
})

it('refuses a client that opens session after session', async () => {
  const { line, refusal } = await openSession()
  const { frames: _, ...order } = smallSession({})
  for (let session = 1; session < MAX_CLIENT_SESSIONS; session++)
    line.send({ type: 'open-session', session, version: SESSION_VERSION, order })
  await settle()
  expect(refusal()).toBeUndefined()
  line.send({ type: 'open-session', session: MAX_CLIENT_SESSIONS, version: SESSION_VERSION, order })
  await settle()
  expect(refusal()).toContain(`expected at most ${MAX_CLIENT_SESSIONS} at a time`)
})
