/** Lines so narrow that one message takes longer than a heartbeat's patience: bytes that arrive are life. */
import { afterEach, expect, it } from 'vitest'
import { type Master, startMaster } from '../../master/main.ts'
import { connectToCluster } from '../../scripts/library/remote-cluster.ts'
import { sha256 } from '../../shared/node/sha256.ts'
import { holdScene } from '../../shared/scene/held-scene.ts'
import { readPackedScene } from '../../shared/scene/packed-scene.ts'
import { film } from '../../shared/session/session.ts'
import { silentLog } from '../../shared/text/log.ts'
import { runWorker } from '../../worker/main.ts'
import { type Relay, startRelay } from '../support/relay.ts'
import { reportsOf, smallSession } from '../support/session.ts'
import { GREY, sceneOf, sphere } from '../worker/support/meshes.ts'

/** Far less than the half second that the scene takes over the narrow line. */
const heartbeat = { intervalMs: 20, patience: 3, longPatience: 3 }
const BYTES_PER_SECOND = 400_000

const relays: Relay[] = []
let stop = new AbortController()
let master: Master | undefined

afterEach(async () => {
  stop.abort()
  stop = new AbortController()
  await master?.close()
  await Promise.all(relays.splice(0).map(relay => relay.close()))
})

it('brings a scene and frames over narrow lines on one connection each', async () => {
  master = await startMaster({ listen: '127.0.0.1:0', heartbeat }, silentLog)
  relays.push(await startRelay(master.url, BYTES_PER_SECOND), await startRelay(master.url, BYTES_PER_SECOND))
  const [near, far] = relays as [Relay, Relay]
  const packed = sceneOf([{ mesh: sphere([0, 1, 0], 1, 5), material: GREY }])
  expect(packed.bytes.length).toBeGreaterThan(BYTES_PER_SECOND / 3)
  const scene = holdScene(readPackedScene(packed.bytes), sha256)

  const working = runWorker({ master: near.url, engine: 'reference', line: { heartbeat } }, silentLog, stop.signal)
  const client = await connectToCluster(far.url, { heartbeat })
  const frames: number[] = []
  const { frames: named, ...order } = smallSession({
    scene: scene.hash,
    engine: 'reference',
    strategy: 'single-worker',
  })
  await client.run(
    order,
    scene,
    film(named),
    { started: () => {}, status: () => {}, frame: report => void frames.push(report.frame) },
    new AbortController().signal,
  )
  expect(frames).toEqual([0, 1, 2])
  expect(relays.map(relay => relay.connections)).toEqual([1, 1])
  await client.close()
  stop.abort()
  await working
})

it('does not take a worker for silent whose answer is on its way', async () => {
  const limits = { silentAfterMs: 500 }
  master = await startMaster({ listen: '127.0.0.1:0', limits }, silentLog)
  // A frame takes three times as long as that over the line.
  const size = [240, 135] as const
  const relay = await startRelay(master.url, (size[0] * size[1] * 3) / 1.5)
  relays.push(relay)
  const working = runWorker({ master: relay.url, engine: 'reference' }, silentLog, stop.signal)
  const session = smallSession({ size, engine: 'reference', strategy: 'single-worker' })
  const [report] = await reportsOf(master, { ...session, frames: session.frames.slice(0, 1) })
  expect(report!.frameMs).toBeGreaterThan(2 * limits.silentAfterMs)
  expect(report!).toMatchObject({ rescued: 0, tiles: [{ rect: { w: size[0], h: size[1] } }] })
  stop.abort()
  await working
})
