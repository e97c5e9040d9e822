/** Films of one client on one connection, with a master by hand. */
import { describe, expect, it } from 'vitest'
import { MasterLink } from '../../../scripts/library/master-link.ts'
import type { FrameReport } from '../../../shared/frame/frame-report.ts'
import type { FromClient } from '../../../shared/protocol/client-messages.ts'
import { packReport } from '../../../shared/protocol/node/report-packing.ts'
import { MAX_UNDELIVERED_FRAMES } from '../../../shared/protocol/peer-limits.ts'
import { type FrameSource, film } from '../../../shared/session/session.ts'
import { channelPair } from '../../support/memory-channel.ts'
import { settle } from '../../support/memory-session.ts'
import { scene, smallSession } from '../../support/session.ts'
import { manyWorkers, strategyRun } from '../report/synthetic-run.ts'

const [report] = strategyRun('static-blocks', 'equal', manyWorkers(2), 1).reports as [FrameReport]
const body = new Uint8Array(80 * 45 * 3)

interface FilmChanges {
  readonly signal?: AbortSignal
  readonly source?: FrameSource
  /** The frame that its reader cannot take. */
  readonly full?: number
}

/** A client on a master that has every scene. */
function connection() {
  const [master, line] = channelPair()
  const heard: FromClient[] = []
  let left: string | undefined
  master.listen({
    control: message => {
      const said = message as FromClient
      heard.push(said)
      if (said.type === 'offer-scene') master.send({ type: 'scene-held', scene: said.scene })
    },
    binary: () => {},
    closed: (_, why) => {
      left = why
    },
  })
  const link = new MasterLink('ws://master', line)
  link.welcomed.catch(() => {})
  /** Starts a film whose reader takes a frame for each call of `read`. */
  const startFilm = ({ signal = new AbortController().signal, source, full }: FilmChanges = {}) => {
    const frames: number[] = []
    const takes: (() => void)[] = []
    let room = 0
    const sink = {
      started: () => {},
      status: () => {},
      frame: ({ frame }: FrameReport) => {
        if (frame === full) throw new Error('no space left')
        frames.push(frame)
        if (room > 0) return void room--
        return new Promise<void>(resolve => takes.push(resolve))
      },
    }
    const { frames: requests, ...order } = smallSession({})
    const ran = link.run(order, scene, source ?? film(requests), sink, signal)
    ran.catch(() => {})
    return {
      ran,
      frames,
      read: () => {
        const take = takes.shift()
        if (take) take()
        else room++
      },
    }
  }
  const sendFrame = (session: number, frame: number) =>
    void master.sendBinary({
      kind: 'frame-done',
      session,
      frame,
      report: packReport({ ...report, frame }),
      encoding: 'raw',
      rawBytes: body.length,
      body,
    })
  const taken = (session: number) =>
    heard.flatMap(said => (said.type === 'frame-taken' && said.session === session ? said.frame : []))
  return { master, line, startFilm, sendFrame, taken, left: () => left }
}

describe('films on one connection', () => {
  it('do not wait for each other’s readers', async () => {
    const { startFilm, sendFrame, taken, master } = connection()
    const [still, other] = [startFilm(), startFilm()]
    await settle()
    sendFrame(0, 0)
    for (const frame of [0, 1, 2]) {
      other.read()
      sendFrame(1, frame)
    }
    await settle()
    expect(still.frames).toEqual([0])
    expect(taken(0)).toEqual([])
    expect(other.frames).toEqual([0, 1, 2])
    expect(taken(1)).toEqual([0, 1, 2])
    master.send({ type: 'session-done', session: 1 })
    await other.ran
  })

  it('have their own back-pressure: frames that are not read are not acknowledged, and bounded', async () => {
    const { startFilm, sendFrame, taken, left } = connection()
    const [still, other] = [startFilm(), startFilm()]
    await settle()
    for (let frame = 0; frame < MAX_UNDELIVERED_FRAMES; frame++) {
      sendFrame(0, frame)
      other.read()
      sendFrame(1, frame)
    }
    await settle()
    expect(still.frames).toEqual([0])
    still.read()
    await settle()
    expect(taken(0)).toEqual([0])
    expect(still.frames).toEqual([0, 1])
    expect(taken(1)).toHaveLength(MAX_UNDELIVERED_FRAMES)
    for (const frame of [8, 9]) sendFrame(0, frame)
    await settle()
    expect(left()).toContain(`more than ${MAX_UNDELIVERED_FRAMES} frames came unacknowledged`)
  })

  it('end one by one: of a film that is cancelled only the frame that is being read is delivered', async () => {
    const { startFilm, sendFrame, taken } = connection()
    const stop = new AbortController()
    const [still, cancelled] = [startFilm(), startFilm({ signal: stop.signal })]
    await settle()
    sendFrame(0, 0)
    for (const frame of [0, 1]) sendFrame(1, frame)
    await settle()
    stop.abort()
    cancelled.read()
    await expect(cancelled.ran).rejects.toMatchObject({ code: 'CANCELLED' })
    expect(cancelled.frames).toEqual([0])
    still.read()
    await settle()
    expect(taken(0)).toEqual([0])
  })

  it('all hear that their connection was lost, when their readers have taken what came before', async () => {
    const { startFilm, sendFrame, master } = connection()
    const [still, other] = [startFilm(), startFilm()]
    await settle()
    sendFrame(0, 0)
    await settle()
    master.terminate()
    await expect(other.ran).rejects.toMatchObject({ code: 'MASTER_UNREACHABLE' })
    still.read()
    await expect(still.ran).rejects.toMatchObject({ code: 'MASTER_UNREACHABLE' })
  })

  it('end when their readers have taken what was made, whatever ended them', async () => {
    const { startFilm, sendFrame, master } = connection()
    const source = film(
      (function* () {
        yield* smallSession({}).frames.slice(0, 2)
        throw new Error('no third frame')
      })(),
    )
    const [broken, failed, full, done] = [startFilm({ source }), startFilm(), startFilm({ full: 1 }), startFilm()]
    await settle()
    master.send({ type: 'frames-wanted', session: 0, count: 8 })
    for (const session of [0, 1, 2, 3]) for (const frame of [0, 1]) sendFrame(session, frame)
    for (const session of [0, 2, 3]) master.send({ type: 'session-done', session })
    master.send({ type: 'session-failed', session: 1, code: 'FRAME_FAILED', reason: 'no light' })
    await settle()
    master.terminate()
    for (const each of [broken, failed, full, done]) for (let i = 0; i < 2; i++) each.read()
    await expect(broken.ran).rejects.toThrow('no third frame')
    await expect(failed.ran).rejects.toMatchObject({ code: 'FRAME_FAILED' })
    await expect(full.ran).rejects.toThrow('no space left')
    await done.ran
    for (const { frames } of [broken, failed, done]) expect(frames).toEqual([0, 1])
  })

  it('are cancelled though all of their frames are made, and nobody reads them', async () => {
    const { startFilm, sendFrame, master } = connection()
    const stop = new AbortController()
    const { ran, read } = startFilm({ signal: stop.signal })
    await settle()
    sendFrame(0, 0)
    master.send({ type: 'session-done', session: 0 })
    await settle()
    stop.abort()
    read()
    await expect(ran).rejects.toMatchObject({ code: 'CANCELLED' })
  })
})
