/** A master that closes while clients take nothing of what was made for them: it ends, and says what was not delivered. */
import { afterEach, expect, it } from 'vitest'
import { type Master, startMaster } from '../../master/main.ts'
import { runFakeWorkers } from '../../scripts/bench/soak/fake-worker.ts'
import { connectToCluster } from '../../scripts/library/remote-cluster.ts'
import { runSession, smallSession } from '../support/session.ts'
import { smallCamera } from '../support/small-scene.ts'

const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

const many = (length: number) => Array.from({ length }, (_, frame) => ({ frame, camera: smallCamera(frame) }))
const FRAMES = many(20)

function deferred() {
  let resolve = () => {}
  const promise = new Promise<void>(done => {
    resolve = done
  })
  return { promise, resolve }
}

/** @param pxPerMs how fast its worker is */
async function start(pxPerMs = 1e9) {
  const lines: string[] = []
  const hear = (line: string) => void lines.push(line)
  const options = { listen: '127.0.0.1:0', closing: { idleMs: 2000 } }
  const master: Master = await startMaster(options, { info: hear, warn: hear })
  endings.push(() => master.close())
  const over = new AbortController()
  const dismiss = () => over.abort()
  endings.push(dismiss)
  void runFakeWorkers({ master: master.url, count: 1, first: 1, pxPerMs }, over.signal)
  /** A film of a client that takes so many frames, and no more before `release`; `held` when it has been given the next one. */
  const film = async (most: number, frames = FRAMES) => {
    const client = await connectToCluster(master.url)
    endings.push(() => client.close())
    const [started, held, released] = [deferred(), deferred(), deferred()]
    let count = 0
    const frame = () => {
      if (count++ < most) return
      held.resolve()
      return released.promise
    }
    const order = smallSession({ frames, frameCount: frames.length, inFlight: 2 })
    const ended = runSession(client, order, { frame, started: started.resolve }).then(
      () => 'done',
      (error: Error) => error.message,
    )
    return { started: started.promise, held: held.promise, ended, release: released.resolve }
  }
  return { master, lines, film, dismiss }
}

it('lets go of a client that takes none of its frames, and says how many there were', async () => {
  const { master, lines, film } = await start()
  const stuck = await film(0)
  await stuck.held
  // They have turns alike: by then as many frames are made as the master makes for one that takes none.
  expect(await (await film(20)).ended).toBe('done')
  await master.finish('a test')
  const what = 'not delivered: [4-7] frames of the film of tent'
  expect(lines).toContainEqual(expect.stringMatching(`^client c1 has taken nothing for 2 s: ${what}$`))
  stuck.release()
  expect(await stuck.ended).toMatch(new RegExp(`the master was closed; ${what}`))
})

it('waits for those that take theirs, beside those that do not', async () => {
  const { master, lines, film } = await start()
  const [stuck, slow] = [await film(1), await film(1000, many(1000))]
  await stuck.held
  await master.finish('a test')
  expect(lines.filter(line => line.includes('not delivered'))).toHaveLength(1)
  await master.close()
  expect(await slow.ended).toMatch(/the master was closed with \d+ of 1000 frames of the film of tent done/)
  stuck.release()
})

it('waits for no worker when none is left: none may join any more', async () => {
  const { master, film, dismiss } = await start(1)
  const { ended, started } = await film(20)
  await started
  const finished = master.finish('a test')
  dismiss()
  await finished
  expect(await ended).toMatch(/workers: expected 1 ready within 0 s, got 0/)
})

it('ends at once when nothing is left to be taken', async () => {
  const { master, lines, film } = await start()
  expect(await (await film(20)).ended).toBe('done')
  await master.finish('a test')
  await master.finish('and again')
  expect(lines.filter(line => line.includes('deliver'))).toEqual([])
})
