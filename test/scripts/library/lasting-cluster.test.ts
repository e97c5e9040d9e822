/** A film whose master comes and goes, with connections of a test's own: what is tried again, for how long, and what is not. */
import { describe, expect, it } from 'vitest'
import { LastingCluster } from '../../../scripts/library/lasting-cluster.ts'
import { MasterConnectionError, RemoteError } from '../../../scripts/library/remote-errors.ts'
import { AccessDeniedError } from '../../../shared/access/access-denied.ts'
import type { FrameReport } from '../../../shared/frame/frame-report.ts'
import { film, type SessionRunner, type SessionSink } from '../../../shared/session/session.ts'
import { Viewer } from '../../../shared/session/viewer.ts'
import { silentLog } from '../../../shared/text/log.ts'
import { scene, smallSession } from '../../support/session.ts'
import { smallCamera } from '../../support/small-scene.ts'
import { manyWorkers, strategyRun } from '../report/synthetic-run.ts'

const url = 'ws://master'
const [report] = strategyRun('static-blocks', 'equal', manyWorkers(2), 1).reports as [FrameReport]
const never = new AbortController().signal
const lost = () => new MasterConnectionError(url, 'the connection was lost')
const refused = () => new MasterConnectionError(url, 'connection refused')
const busy = () => new MasterConnectionError(url, 'it has too many connections', true)

/** A connection that delivers so many frames, and fails then if there are more. */
const delivers = (count: number, failure: () => Error): SessionRunner => ({
  async run(_order, _scene, source, sink) {
    for (let i = 0; await source.ready(); i++) {
      if (i === count) throw failure()
      await sink.frame({ ...report, frame: source.take().frame }, new Uint8Array(), {})
    }
  },
  close: async () => {},
})

/** A cluster that connects in these ways, one after the other, and then in the last one again and again; pauses take their time at once. */
async function clusterOf(patienceMs: number, ...ways: readonly (SessionRunner | Error)[]) {
  let now = 0
  let connections = 0
  const pauses: number[] = []
  const said: string[] = []
  const log = { ...silentLog, info: (text: string) => void said.push(text) }
  const connect = async () => {
    const way = ways[Math.min(connections++, ways.length - 1)]!
    if (way instanceof Error) throw way
    return way
  }
  const pause = async (ms: number) => {
    pauses.push(ms)
    now += ms
  }
  const ports = { url, connect, patienceMs, now: () => now, pause, random: () => 0 }
  const opened = LastingCluster.open(ports, log, never)
  const pass = (ms: number) => {
    now += ms
  }
  return { opened, pauses, said, pass, connections: () => connections }
}

async function runFilm(cluster: LastingCluster, changes: Partial<SessionSink> = {}, signal = never) {
  const frames: number[] = []
  const said: string[] = []
  const sink: SessionSink = {
    started: () => {},
    status: text => void said.push(text),
    frame: ({ frame }) => void frames.push(frame),
    ...changes,
  }
  const { frames: wanted, ...order } = smallSession({})
  const error = await cluster.run(order, scene, film(wanted), sink, signal).catch((error: Error) => error)
  return { frames, said, error }
}

describe('a film', () => {
  it('goes on with the first frame that was not delivered, and says for how long it waits', async () => {
    const { opened, connections } = await clusterOf(60_000, delivers(1, lost), refused(), refused(), delivers(9, lost))
    const { frames, said, error } = await runFilm(await opened)
    expect(error).toBeUndefined()
    expect(frames).toEqual([0, 1, 2])
    expect(said).toEqual([
      `master ${url}: the connection was lost; waiting for it, for up to 60 s`,
      'connected to the master again',
    ])
    expect(connections()).toBe(4)
  })

  it.each<[string, Error, number]>([
    ['a wrong token', new AccessDeniedError('expected another token'), 2],
    ['another version', new RemoteError('PROTOCOL_MISMATCH', 'expected 9, got 8'), 1],
    ['a frame that cannot be made', new RemoteError('FRAME_FAILED', 'no light'), 1],
  ])('is not tried again after %s', async (_, failure, exitCode) => {
    const back = await clusterOf(60_000, delivers(1, lost), failure)
    expect((await runFilm(await back.opened)).error).toBe(failure)
    expect(back.connections()).toBe(2)
    const midway = await clusterOf(
      60_000,
      delivers(1, () => failure),
      delivers(9, lost),
    )
    expect((await runFilm(await midway.opened)).error).toBe(failure)
    expect(midway.connections()).toBe(1)
    expect(failure).toMatchObject({ exitCode })
  })

  it('gives up after the time that it may wait, with growing pauses until then', async () => {
    const { opened, pauses } = await clusterOf(10_000, delivers(2, lost), refused())
    const { frames, error } = await runFilm(await opened)
    expect(frames).toEqual([0, 1])
    expect(error?.message).toBe(
      `master ${url}: the connection was lost, and it did not come back within 10 s (connection refused); check that 'sortfirst master' runs there`,
    )
    const total = pauses.reduce((sum, pause) => sum + pause, 0)
    expect(total).toBeGreaterThanOrEqual(10_000)
    expect(total).toBeLessThan(10_200)
    expect(Math.max(...pauses)).toBe(2000)
  })

  it('gives up a master that is lost again before every frame, too', async () => {
    const { opened, connections } = await clusterOf(10_000, delivers(0, lost))
    const { frames, error } = await runFilm(await opened)
    expect(frames).toEqual([])
    expect(error).toBeInstanceOf(MasterConnectionError)
    expect(connections()).toBeLessThan(20)
  })

  it('may be interrupted as often as it has frames', async () => {
    const { opened } = await clusterOf(5000, delivers(1, lost))
    expect((await runFilm(await opened)).frames).toEqual([0, 1, 2])
  })

  it('ends with what its taker met, though the connection was lost meanwhile', async () => {
    const full = new Error('no space left')
    const swallows: SessionRunner = {
      async run(_order, _scene, source, sink) {
        await source.ready()
        await Promise.resolve(sink.frame({ ...report, frame: source.take().frame }, new Uint8Array(), {})).catch(
          () => {},
        )
        throw lost()
      },
      close: async () => {},
    }
    const { opened, connections } = await clusterOf(60_000, swallows)
    expect((await runFilm(await opened, { frame: () => Promise.reject(full) })).error).toBe(full)
    expect(connections()).toBe(1)
  })

  it('that is cancelled while it waits ends at once', async () => {
    const { opened } = await clusterOf(60_000, delivers(1, lost), refused())
    const stop = new AbortController()
    const { error } = await runFilm(await opened, { status: () => stop.abort() }, stop.signal)
    expect(error).toMatchObject({ code: 'CANCELLED' })
  })
})

describe('a viewer', () => {
  const order = { ...smallSession({}), kind: 'viewer' as const }
  const look = (viewer: Viewer, frame: number) => viewer.look({ frame, camera: smallCamera(frame) })

  /** A connection that shows so many views, and is lost when it has taken another one. */
  const shows = (count: number): SessionRunner => ({
    async run(_order, _scene, source, sink) {
      for (let i = 0; await source.ready(); i++) {
        const { frame } = source.take()
        if (i === count) throw lost()
        await sink.frame({ ...report, frame }, new Uint8Array(), {})
      }
    },
    close: async () => {},
  })

  it('goes on with the newest view that was not shown, and says for how long it waits', async () => {
    const { opened, connections } = await clusterOf(60_000, shows(1), refused(), refused(), shows(9))
    const viewer = new Viewer()
    const shown: number[] = []
    const said: string[] = []
    const sink: SessionSink = {
      started: () => {},
      status: text => void said.push(text),
      frame: ({ frame }) => {
        shown.push(frame)
        if (frame === 0) look(viewer, 1)
        else viewer.close()
      },
    }
    look(viewer, 0)
    await (await opened).run(order, scene, viewer, sink, never)
    expect(shown).toEqual([0, 1])
    expect(said).toEqual([
      `master ${url}: the connection was lost; waiting for it, for up to 60 s`,
      'connected to the master again',
    ])
    expect(connections()).toBe(4)
  })

  it('gives up a master that is lost again before every view', async () => {
    const { opened, connections } = await clusterOf(10_000, shows(0))
    const viewer = new Viewer()
    look(viewer, 0)
    const sink = { started: () => {}, status: () => {}, frame: () => {} }
    await expect((await opened).run(order, scene, viewer, sink, never)).rejects.toBeInstanceOf(MasterConnectionError)
    expect(connections()).toBeLessThan(20)
  })

  it('that wants nothing outlasts any number of connections, if each lasts for a while', async () => {
    let losses = 0
    const viewer = new Viewer()
    const idle: SessionRunner = {
      async run(_order, _scene, source) {
        if (++losses === 100) viewer.close()
        const isReady = await Promise.race([source.ready(), new Promise<true>(resolve => setImmediate(resolve, true))])
        pass(10_000)
        if (isReady) throw lost()
      },
      close: async () => {},
    }
    const { opened, pass } = await clusterOf(10_000, idle, refused(), idle, refused(), idle)
    const sink = { started: () => {}, status: () => {}, frame: () => {} }
    await (await opened).run(order, scene, viewer, sink, never)
    expect(losses).toBe(100)
  })

  it('that wants nothing gives up a master that drops every connection at once', async () => {
    const drops: SessionRunner = { run: () => Promise.reject(lost()), close: async () => {} }
    const { opened, connections } = await clusterOf(10_000, drops)
    const sink = { started: () => {}, status: () => {}, frame: () => {} }
    await expect((await opened).run(order, scene, new Viewer(), sink, never)).rejects.toThrow('did not come back')
    expect(connections()).toBeLessThan(20)
  })
})

describe('a master that has too many connections', () => {
  it('is waited for at first, too', async () => {
    const { opened, said } = await clusterOf(60_000, busy(), busy(), delivers(9, lost))
    expect((await runFilm(await opened)).frames).toEqual([0, 1, 2])
    expect(said).toEqual([`master ${url}: it has too many connections; waiting for it, for up to 60 s`])
  })

  it('is given up in its own words', async () => {
    const { opened } = await clusterOf(1000, busy())
    await expect(opened).rejects.toThrow(/it has too many connections; check/)
  })
})

it('a master that is not there at first is not waited for', async () => {
  const { opened, connections } = await clusterOf(60_000, refused())
  await expect(opened).rejects.toThrow(/connection refused/)
  expect(connections()).toBe(1)
})

it('a master that is slow to answer at first is waited for as long as by those without patience', async () => {
  const connect = async (over: AbortSignal) => {
    // Later than the end of the patience, which began before it.
    await new Promise(resolve => AbortSignal.timeout(2).addEventListener('abort', resolve))
    over.throwIfAborted()
    return delivers(9, lost)
  }
  const ports = { url, connect, patienceMs: 1, now: () => 0, pause: async () => {}, random: () => 0 }
  const { frames } = await runFilm(await LastingCluster.open(ports, silentLog, never))
  expect(frames).toEqual([0, 1, 2])
})
