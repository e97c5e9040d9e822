/** Threads that help to build and then end: what becomes of a build when they are late, fail or die. */
import { expect, it } from 'vitest'
import { engineByName } from '../../../worker/node/engines.ts'
import { inlineThread } from '../../../worker/tab/inline-thread.ts'
import type { ThreadEvents } from '../../../worker/threads/thread-link.ts'
import { ThreadPool } from '../../../worker/threads/thread-pool.ts'
import { mixedScene, sharedBytes } from '../support/meshes.ts'

const bytes = sharedBytes(mixedScene())
const engine = engineByName('wasm')

/** A pool whose own threads are this one, with helpers that begin, and answer an order, as a test says. */
async function poolWith(helper: { begin?(events: ThreadEvents): void; help?(events: ThreadEvents): void }) {
  let ended = 0
  const own = inlineThread(engine, {
    ...{ cpuClock: performance, now: () => performance.now(), collectGarbage: () => {}, share: () => 1 },
  })
  const pool = await ThreadPool.start(
    { threads: 2, engine: 'wasm' },
    {
      startThread: (name, settings, events) => {
        if (!name.startsWith('helping')) return own(name, settings, events)
        helper.begin?.(events)
        return { post: () => helper.help?.(events), end: async () => void ended++ }
      },
      now: () => performance.now(),
      collectSoon: () => {},
      reserve: size => engine.storage!.reserve(size),
    },
  )
  return { pool, ended: () => ended }
}

const begin = (events: ThreadEvents) => queueMicrotask(() => events.answered({ type: 'done' }))

it('are not waited for before they have started', async () => {
  const { pool, ended } = await poolWith({})
  const { image } = await pool.loadScene('alone', bytes, 2)
  expect(image!.length).toBeGreaterThan(0)
  expect(ended()).toBe(2)
})

it('are not missed if they cannot be started', async () => {
  const { pool, ended } = await poolWith({
    begin: events => queueMicrotask(() => events.ended('exit code 1', undefined)),
  })
  await pool.loadScene('alone', bytes, 2)
  expect(ended()).toBe(2)
})

it('fail the build if they fail: what they had taken is missing', async () => {
  const { pool, ended } = await poolWith({
    begin,
    help: ({ answered }) => answered({ type: 'failed', reason: 'unreachable', stack: undefined }),
  })
  await expect(pool.loadScene('spoilt', bytes, 2)).rejects.toThrow(
    /^helping thread \d: building the scene failed: unreachable/,
  )
  expect(ended()).toBe(2)
  await pool.loadScene('spoilt', bytes)
})

it('break the pool if they die in the midst of it: others may wait for them without end', async () => {
  const { pool } = await poolWith({
    begin,
    help: events => queueMicrotask(() => events.ended('out of memory', undefined)),
  })
  const broken = expect(pool.broken).rejects.toThrow('helping thread 1 ended unexpectedly: out of memory')
  await expect(pool.loadScene('spoilt', bytes, 1)).rejects.toThrow('helping thread 1 ended unexpectedly')
  await broken
})
