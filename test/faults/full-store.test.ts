/** Scenes that do not fit in the store of a master, over real connections. */
import { afterEach, expect, it } from 'vitest'
import { startMaster } from '../../master/main.ts'
import { connectToCluster } from '../../scripts/library/remote-cluster.ts'
import { sha256 } from '../../shared/node/sha256.ts'
import { type HeldScene, holdScene } from '../../shared/scene/held-scene.ts'
import { manifestBytes } from '../../shared/scene/manifest.ts'
import { packScene, readPackedScene } from '../../shared/scene/packed-scene.ts'
import { film, type SessionRunner, type SessionSink, type WantedFrame } from '../../shared/session/session.ts'
import { silentLog } from '../../shared/text/log.ts'
import { runWorker } from '../../worker/main.ts'
import { withSun } from '../support/described.ts'
import { scene, smallSession } from '../support/session.ts'
import { smallCamera } from '../support/small-scene.ts'

const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

const litBy = (irradiance: number): HeldScene =>
  holdScene(packScene(withSun(readPackedScene(scene.bytes), [irradiance, 1, 1])), sha256)

/** A client of a master that has room for one scene. */
async function start(): Promise<SessionRunner> {
  const master = await startMaster({ listen: '127.0.0.1:0', partBytes: manifestBytes(scene.manifest) }, silentLog)
  endings.push(() => master.close())
  const stop = new AbortController()
  const stay = runWorker({ master: master.url, engine: 'reference', threads: 1 }, silentLog, stop.signal)
  endings.push(() => {
    stop.abort()
    return stay.catch(() => {})
  })
  const client = await connectToCluster(master.url)
  endings.push(() => client.close())
  return client
}

/** Runs a film, whose reader takes each frame when `read` resolves. */
function run(client: SessionRunner, held: HeldScene, frames: readonly WantedFrame[], read = Promise.resolve()) {
  const made: number[] = []
  let first = () => {}
  const begun = new Promise<void>(resolve => {
    first = resolve
  })
  const sink: SessionSink = {
    started: () => {},
    status: () => {},
    frame: ({ frame }) => {
      made.push(frame)
      first()
      return read
    },
  }
  const { frames: _, ...order } = smallSession({ engine: 'reference', scene: held.hash })
  const done = client.run(order, held, film(frames), sink, new AbortController().signal)
  done.catch(() => {})
  return { made, begun, done }
}

const still = (frame: number): WantedFrame => ({ frame, camera: smallCamera(frame) })

it('a scene without room ends its session with a sentence, and no other one of its client', async () => {
  const client = await start()
  let go = () => {}
  const later = new Promise<void>(resolve => {
    go = resolve
  })
  const first = run(client, scene, [0, 1].map(still), later)
  await first.begun
  const second = run(client, litBy(1), [still(0)])
  await expect(second.done).rejects.toMatchObject({
    code: 'STORE_FULL',
    message: expect.stringMatching(
      /^scenes: expected at most .* MiB of parts in use, got .* beside .*; use a smaller mesh, or wait/,
    ),
  })
  go()
  await first.done
  expect(first.made).toEqual([0, 1])
  // What nobody uses any more makes room.
  const third = run(client, litBy(1), [still(0)])
  await third.done
  expect(third.made).toEqual([0])
})

it('a frame whose scene has no room ends its film, when the frames before are delivered', async () => {
  const client = await start()
  const film = run(client, scene, [still(0), { ...still(1), scene: litBy(1) }, still(2)])
  await expect(film.done).rejects.toMatchObject({ code: 'STORE_FULL' })
  expect(film.made).toEqual([0])
  const next = run(client, litBy(1), [still(0)])
  await next.done
  expect(next.made).toEqual([0])
})
