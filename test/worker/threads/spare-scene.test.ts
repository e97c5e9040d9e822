/** Of a film's scenes, the memory of the one that was dropped last is what the next one may take; and nothing keeps it for longer. */
import { describe, expect, it } from 'vitest'
import type { Engine, RefitFrom } from '../../../worker/engine/engine.ts'
import type { SceneFamily } from '../../../worker/threads/messages.ts'
import { TracingThread } from '../../../worker/threads/tracing-thread.ts'

const FILM: SceneFamily = { texels: 'a', moves: true }

/** A thread whose engine notes what scenes it may take over. */
function threadNumber(thread: number) {
  const begun: (RefitFrom | undefined)[] = []
  const engine = {
    begin: (_scene, _threads, like) => {
      begun.push(like)
      return {}
    },
    open: () => ({ trace: () => {} }),
  } as Partial<Engine> as Engine
  let collected = 0
  const tracing = new TracingThread({ engine: 'wasm', threads: 2, coreShare: 1, thread }, engine, {
    cpuClock: { now: () => 0 },
    now: () => 0,
    collectGarbage: () => collected++,
  })
  const bytes = new Uint8Array(new SharedArrayBuffer(8))
  return {
    begun,
    open: (scene: string, family: SceneFamily = FILM) => {
      const built = { scene }
      expect(tracing.answer({ type: 'open', scene, built, family })).toEqual({ type: 'done' })
      return built
    },
    forget: (scene: string) => expect(tracing.answer({ type: 'forget', scene })).toEqual({ type: 'done' }),
    begin: (family: SceneFamily = FILM) =>
      expect(tracing.answer({ type: 'begin', scene: bytes, family })).toMatchObject({ type: 'begun' }),
    collections: () => collected,
  }
}

describe('the thread that begins to build', () => {
  it('offers the scene that was dropped last, once, beside the newest', () => {
    const thread = threadNumber(0)
    const first = thread.open('first')
    thread.open('second')
    const third = thread.open('third')
    thread.forget('first')
    thread.begin()
    thread.begin()
    expect(thread.begun).toEqual([
      { built: third, refit: true, spare: first },
      { built: third, refit: true, spare: undefined },
    ])
    // One for each scene that was opened, and for the one that was dropped.
    expect(thread.collections()).toBe(4)
  })

  it.each<[string, SceneFamily, SceneFamily]>([
    ['of other texels', { texels: 'b', moves: true }, FILM],
    ['that is not a film’s', { texels: 'a', moves: false }, FILM],
    ['to a scene of other texels', FILM, { texels: 'b', moves: true }],
  ])('offers no scene %s', (_, dropped, wanted) => {
    const thread = threadNumber(0)
    thread.open('dropped', dropped)
    thread.open('other')
    thread.forget('dropped')
    thread.begin(wanted)
    expect(thread.begun[0]?.spare).toBeUndefined()
  })

  it('keeps none when there is no other scene', () => {
    const thread = threadNumber(0)
    thread.open('first')
    thread.open('second')
    thread.forget('first')
    thread.forget('second')
    thread.open('third')
    thread.begin()
    expect(thread.begun[0]?.spare).toBeUndefined()
  })
})

it('other threads keep none', () => {
  const thread = threadNumber(1)
  thread.open('first')
  thread.open('second')
  thread.forget('first')
  thread.begin()
  expect(thread.begun[0]?.spare).toBeUndefined()
})
