/** Sessions that cannot use each other's workers do not wait for each other. */
import { expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../master/scheduling/limits.ts'
import { methodsOf } from '../../../master/sessions/methods.ts'
import { runSession as runOn } from '../../../master/sessions/session.ts'
import type { SessionRunner } from '../../../shared/session/session.ts'
import { areaOf, MemoryCluster, paintPool, sessionOf } from '../../support/memory-cluster.ts'
import { reportsOf, runSession, scene } from '../../support/session.ts'

const FRAMES = 3

/** A film for the workers of an engine. */
const filmOf = (engine: string) => ({ ...sessionOf(scene.hash, 'static-blocks', FRAMES, 1), engine })

function deferred(): { readonly promise: Promise<void>; resolve(): void } {
  let resolve = () => {}
  const promise = new Promise<void>(done => {
    resolve = done
  })
  return { promise, resolve }
}

/** A worker of an engine that paints nothing before it is let; `asked` resolves when it has a tile. */
function gatedWorker(cluster: MemoryCluster, name: string, engine: string) {
  const pool = paintPool()
  const gate = deferred()
  const asked = deferred()
  pool.before = () => {
    asked.resolve()
    return gate.promise
  }
  const { line } = cluster.visit({ name, areas: [areaOf({ engine })] }, pool)
  return { line, asked: asked.promise, open: () => gate.resolve() }
}

it('films of two engines are made side by side', async () => {
  const cluster = new MemoryCluster()
  const slow = gatedWorker(cluster, 'slow', 'reference')
  cluster.visit({ name: 'quick', areas: [areaOf({ engine: 'wasm' })] }, paintPool())
  const held = reportsOf(cluster, filmOf('reference'))
  await slow.asked
  expect(await reportsOf(cluster, filmOf('wasm'))).toHaveLength(FRAMES)
  slow.open()
  expect(await held).toHaveLength(FRAMES)
})

it.each(['in a frame', 'between frames'])('a film whose only worker leaves %s holds nobody up', async when => {
  const cluster = new MemoryCluster()
  const { line, asked, open } = gatedWorker(cluster, 'first', 'reference')
  const stranded = reportsOf(cluster, filmOf('reference'), () => {
    if (when === 'between frames') line.close(1000, 'gone')
  })
  await asked
  if (when === 'in a frame') line.close(1000, 'gone')
  else open()
  cluster.visit({ name: 'other', areas: [areaOf({ engine: 'wasm' })] }, paintPool())
  expect(await reportsOf(cluster, filmOf('wasm'))).toHaveLength(FRAMES)
  cluster.join('second', paintPool())
  expect(await stranded).toHaveLength(FRAMES)
})

it('a master that closes does not wait for workers that a frame has not', async () => {
  const cluster = new MemoryCluster()
  const { line, open } = gatedWorker(cluster, 'only', 'reference')
  open()
  const left = deferred()
  const film = runSession(
    cluster,
    { ...filmOf('reference'), waitMs: 3_600_000 },
    {
      frame: () => line.close(1000, 'gone'),
      status: text => {
        if (text.includes('waiting for 1 worker')) left.resolve()
      },
    },
  )
  film.catch(() => {})
  const ticking = setInterval(() => cluster.tick(), 10)
  await left.promise
  cluster.ports.turns.close()
  await expect(film).rejects.toThrow()
  clearInterval(ticking)
})

it('areas that give no sign in the warm-up hold up the first frame for as long as any other', async () => {
  const cluster = new MemoryCluster()
  const ports = { ...cluster.ports, limits: { ...DEFAULT_LIMITS, silentAfterMs: 100 } }
  const impatient: Pick<SessionRunner, 'run'> = {
    run: (order, scene, source, sink, signal) => runOn(order, methodsOf(order), scene, ports, source, sink, signal),
  }
  cluster.join('a', paintPool())
  for (const name of ['b', 'c']) gatedWorker(cluster, name, 'reference')
  const ticking = setInterval(() => cluster.tick(), 10)
  expect(await reportsOf(impatient, sessionOf(scene.hash, 'pbt', FRAMES, 3))).toHaveLength(FRAMES)
  clearInterval(ticking)
})
