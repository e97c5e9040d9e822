/** A viewer whose master is started again, or whose line is cut, over real connections. */
import { afterEach, expect, it } from 'vitest'
import { type Master, startMaster } from '../../master/main.ts'
import { connect } from '../../scripts/library/cluster.ts'
import type { SessionSink } from '../../shared/session/session.ts'
import { Viewer } from '../../shared/session/viewer.ts'
import { silentLog } from '../../shared/text/log.ts'
import { runWorker } from '../../worker/main.ts'
import { startRelay } from '../support/relay.ts'
import { scene, smallSession } from '../support/session.ts'
import { smallCamera } from '../support/small-scene.ts'

const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

async function start(listen = '127.0.0.1:0'): Promise<Master> {
  const master = await startMaster({ listen }, silentLog)
  endings.push(() => master.close())
  return master
}

function hire(master: string): void {
  const stop = new AbortController()
  const stay = runWorker({ master, engine: 'reference', threads: 1, name: 'anna' }, silentLog, stop.signal)
  endings.push(() => {
    stop.abort()
    return stay.catch(() => {})
  })
}

/** A viewer and what it has been shown. */
async function watch(url: string) {
  const cluster = await connect(url, { reconnect: 60 })
  endings.push(() => cluster.close())
  const viewer = new Viewer()
  const shown: number[] = []
  let news = () => {}
  const sink: SessionSink = {
    started: () => {},
    status: () => {},
    frame: ({ frame }) => {
      shown.push(frame)
      news()
    },
  }
  const { frames: _, ...order } = smallSession({ engine: 'reference' })
  const ran = cluster.run({ ...order, kind: 'viewer' }, scene, viewer, sink, new AbortController().signal)
  ran.catch(() => {})
  /** Resolves when the view has been shown. */
  const look = async (frame: number): Promise<void> => {
    const isShown = new Promise<void>(resolve => {
      news = () => {
        if (shown.includes(frame)) resolve()
      }
    })
    viewer.look({ frame, camera: smallCamera(frame) })
    await Promise.race([isShown, ran])
  }
  return { viewer, ran, shown, look }
}

it('goes on when its master is back, twice', async () => {
  let master = await start()
  const { url } = master
  hire(url)
  const { viewer, ran, shown, look } = await watch(url)
  await look(0)
  for (const frame of [1, 2]) {
    await master.close()
    const next = look(frame)
    master = await start(url.replace('ws://', ''))
    await next
  }
  viewer.close()
  await ran
  expect(shown).toEqual([0, 1, 2])
})

it('goes on when its line was cut, and what it wanted last was not shown', async () => {
  const master = await start()
  hire(master.url)
  const relay = await startRelay(master.url)
  endings.push(relay.close)
  const { viewer, ran, shown, look } = await watch(relay.url)
  await look(0)
  const next = look(1)
  relay.cut()
  await next
  viewer.close()
  await ran
  expect(shown).toContain(1)
})
