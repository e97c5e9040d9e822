/** A tile that is urgent is traced in the midst of one that is not: no byte of either is another one for it, and neither pays for the other. */
import { describe, expect, it } from 'vitest'
import { bytesPerPixelOf, type ChannelName } from '../../../shared/frame/channels.ts'
import { frameRect } from '../../../shared/frame/rect.ts'
import { allSamples, type View } from '../../../shared/frame/view.ts'
import type { Engine, EngineName, Tracer } from '../../../worker/engine/engine.ts'
import { engineByName } from '../../../worker/node/engines.ts'
import { startThreadPool } from '../../../worker/node/thread-pool.ts'
import type { ThreadAnswer, ThreadOrder, TraceOrder } from '../../../worker/threads/messages.ts'
import { pixelsAbove } from '../../../worker/threads/pixels-above.ts'
import { TracingThread } from '../../../worker/threads/tracing-thread.ts'
import { TileProgress } from '../../../worker/tile-progress.ts'
import { usableEngines } from '../support/engines.ts'
import { mixedScene, sharedBytes, viewOf } from '../support/meshes.ts'

const COLOUR = ['rgb'] as const
const SUMS = ['light', 'halfLight', 'albedo', 'normal', 'depth', 'id'] as const

function orderOf(view: View, channels: readonly ChannelName[], urgent: boolean, scene = 'mixed'): TraceOrder {
  const tile = { rect: frameRect(view.size) }
  const [w, h] = view.size
  return {
    type: 'trace',
    scene,
    view,
    tile,
    samples: allSamples(view),
    channels,
    orderedAt: 0,
    progress: TileProgress.of(h).bytes,
    pixels: new SharedArrayBuffer(Math.ceil((w * h * bytesPerPixelOf(channels)) / 8) * 8),
    above: pixelsAbove(tile).buffer,
    ...(urgent ? { urgent: true } : {}),
  }
}

const bytesOf = ({ pixels }: TraceOrder): Buffer => Buffer.from(pixels)

/** A thread with a scene, to which orders come while it traces, after so many portions. */
function threadOf(name: EngineName, scenes: readonly string[] = ['mixed']) {
  const coming: { after: number; readonly order: ThreadOrder }[] = []
  let portions = 0
  const thread = new TracingThread({ engine: name, threads: 1, coreShare: 1, thread: 0 }, engineByName(name), {
    cpuClock: performance,
    now: () => performance.now(),
    collectGarbage: () => {},
    next: () => {
      const [first] = coming
      if (!first) return undefined
      if (first.after <= portions) return coming.shift()!.order
      portions++
      return undefined
    },
  })
  for (const scene of scenes) {
    const bytes = sharedBytes(mixedScene())
    const begun = thread.answer({ type: 'begin', scene: bytes, family: undefined })
    const { building } = begun as Extract<ThreadAnswer, { type: 'begun' }>
    thread.answer({ type: 'help', building })
    const { built } = thread.answer({ type: 'go-on', building }) as Extract<ThreadAnswer, { type: 'built' }>
    thread.answer({ type: 'open', scene, built, family: undefined })
  }
  /** The answers to an order, and to those that come meanwhile, in their order. */
  const serve = (order: ThreadOrder, ...others: { after: number; readonly order: ThreadOrder }[]): ThreadAnswer[] => {
    const answers: ThreadAnswer[] = []
    portions = 0
    coming.push(...others)
    thread.serve(order, answer => answers.push(answer))
    return answers
  }
  return { serve, waiting: () => coming.length }
}

const path = { samples: 2, ambientRays: 0, maxDepth: 8, bounces: 4 }
const ambient = { samples: 2, ambientRays: 2, maxDepth: 4 }

describe.each(usableEngines)('in a thread of %s', engine => {
  it.each([
    ['ambient', ambient, COLOUR, ambient, COLOUR],
    ['paths', path, SUMS, ambient, COLOUR],
    ['with the same view', path, SUMS, path, SUMS],
    // So many that a block takes several calls of the kernel, which leave their sums there.
    ['many samples', { ...path, samples: 9000 }, SUMS, path, COLOUR],
  ] as const)('an urgent tile comes in the midst of another one: %s', (name, quality, channels, other, wanted) => {
    const { serve, waiting } = threadOf(engine)
    const isLong = name === 'many samples'
    const view = viewOf(isLong ? [4, 4] : [96, 60], { quality })
    const nearer = viewOf([40, 24], { frame: 7, exposure: 1.5, quality: other })
    const [alone, urgentAlone] = [orderOf(view, channels, false), orderOf(nearer, wanted, true)]
    serve(alone)
    serve(urgentAlone)
    for (const after of isLong ? [1, 2] : [0, 1, 3]) {
      const [slow, urgent] = [orderOf(view, channels, false), orderOf(nearer, wanted, true)]
      const answers = serve(slow, { after, order: urgent })
      // If it has so many portions.
      expect(waiting()).toBe(0)
      expect(answers.map(({ urgent }) => urgent)).toEqual([true, undefined])
      expect(bytesOf(slow).equals(bytesOf(alone))).toBe(true)
      expect(bytesOf(urgent).equals(bytesOf(urgentAlone))).toBe(true)
    }
  })
})

it('an urgent tile of another scene comes in the midst of one, too', () => {
  const { serve } = threadOf('wasm', ['mixed', 'other'])
  const view = viewOf([96, 60])
  const [alone, slow, urgent] = [
    orderOf(view, COLOUR, false),
    orderOf(view, COLOUR, false),
    orderOf(view, COLOUR, true, 'other'),
  ]
  serve(alone)
  expect(serve(slow, { after: 1, order: urgent }).map(({ urgent }) => urgent)).toEqual([true, undefined])
  for (const each of [slow, urgent]) expect(bytesOf(each).equals(bytesOf(alone))).toBe(true)
})

it('what is not urgent waits, in its order, and so does an urgent tile for one that is urgent', () => {
  const { serve } = threadOf('wasm')
  const order = (w: number, urgent: boolean) => orderOf(viewOf([w, 24]), COLOUR, urgent)
  const rowsOf = (answers: readonly ThreadAnswer[]) => answers.map(answer => answer.type)
  const [film, next, urgent] = [order(96, false), order(48, false), order(24, true)]
  const answers = serve(
    film,
    { after: 0, order: next },
    { after: 0, order: { type: 'forget', scene: 'no such' } },
    { after: 0, order: urgent },
  )
  expect(rowsOf(answers)).toEqual(['traced', 'traced', 'traced', 'done'])
  expect(answers.map(({ urgent }) => urgent === true)).toEqual([true, false, false, false])
  const both = serve(order(24, true), { after: 0, order: order(48, true) })
  // Nothing is asked for while it is traced.
  expect(both).toHaveLength(1)
})

it('a failure of an urgent tile is its own', () => {
  const { serve } = threadOf('wasm')
  const [film, urgent] = [orderOf(viewOf([96, 60]), COLOUR, false), orderOf(viewOf([24, 8]), COLOUR, true, 'gone')]
  const answers = serve(film, { after: 0, order: urgent })
  expect(answers.map(({ type, urgent }) => [type, urgent])).toEqual([
    ['failed', true],
    ['traced', undefined],
  ])
})

it('what a tile gave way for is not its time', () => {
  const time = { now: 0, cpu: 0 }
  const work = (ms: number) => {
    time.now += ms
    time.cpu += ms
  }
  const slow: Tracer = {
    trace: (_view, { rect }, _samples, _out, goOn = () => true) => {
      if (goOn(0)) work(rect.h)
      if (goOn(0.5)) work(rect.h)
    },
    lend: () => () => {},
  }
  const grain = { batchRays: 1e9, fineRays: 1e9, mostRays: 1e9, blockRows: 64 }
  const engine = { grain, open: () => slow } as Partial<Engine> as Engine
  const coming: ThreadOrder[] = []
  const thread = new TracingThread({ engine: 'wasm', threads: 1, coreShare: 1, thread: 0 }, engine, {
    cpuClock: { now: () => time.cpu },
    now: () => time.now,
    collectGarbage: () => {},
    next: () => coming.shift(),
  })
  thread.answer({ type: 'open', scene: 'mixed', built: {}, family: undefined })
  const order = (h: number, urgent: boolean) => orderOf(viewOf([8, h]), COLOUR, urgent)
  const answers: ThreadAnswer[] = []
  coming.push(order(20, true))
  thread.serve(order(50, false), answer => answers.push(answer))
  expect(answers).toMatchObject([
    { cpuMs: 40, gaveWayMs: 0, start: 0, end: 40 },
    { cpuMs: 100, gaveWayMs: 40, start: 0, end: 140 },
  ])
})

it('a thread works in shorter portions from an urgent tile on, until none has come for a minute', () => {
  let now = 0
  const seen: (boolean | undefined)[] = []
  const coming: ThreadOrder[] = []
  const engine = {
    grain: { batchRays: 1e9, fineRays: 1e9, mostRays: 1e9, blockRows: 64 },
    open: () => {
      const tracer: Tracer = {
        trace: (view, _set, _samples, _out, goOn = () => true) => {
          // The urgent ones have other views.
          if (view.size[0] !== 8) return
          for (const done of [0, 0.5]) {
            goOn(done)
            seen.push(tracer.isAlert)
          }
        },
        lend: () => () => {},
      }
      return tracer
    },
  } as Partial<Engine> as Engine
  const thread = new TracingThread({ engine: 'wasm', threads: 1, coreShare: 1, thread: 0 }, engine, {
    cpuClock: { now: () => now },
    now: () => now,
    collectGarbage: () => {},
    next: () => coming.shift(),
  })
  thread.answer({ type: 'open', scene: 'mixed', built: {}, family: undefined })
  const serve = (urgent: boolean): (boolean | undefined)[] => {
    seen.length = 0
    thread.serve(orderOf(viewOf([urgent ? 4 : 8, 8]), COLOUR, urgent), () => {})
    return [...seen]
  }
  expect(serve(false)).toEqual([false, false])
  coming.push(orderOf(viewOf([4, 8]), COLOUR, true))
  expect(serve(false)).toEqual([true, true])
  now += 59_999
  expect(serve(false)).toEqual([true, true])
  now += 1
  expect(serve(false)).toEqual([false, false])
  serve(true)
  expect(serve(false)).toEqual([true, true])
})

it('shorter portions have the same bytes', () => {
  const bytes = sharedBytes(mixedScene())
  const engine = engineByName('wasm')
  const building = engine.begin(bytes, 1)
  engine.help(building)
  const tracer = engine.open(engine.finish(building), 0)
  const view = viewOf([4, 4], { quality: { ...path, samples: 9000 } })
  const trace = (isAlert: boolean) => {
    let portions = 0
    const light = new Float64Array(4 * 4 * 3)
    tracer.isAlert = isAlert
    tracer.trace(view, { rect: frameRect(view.size) }, allSamples(view), { light }, () => ++portions > 0)
    return { portions, light }
  }
  const [calm, alert] = [trace(false), trace(true)]
  expect(alert.portions).toBeGreaterThan(calm.portions)
  expect(alert.light).toEqual(calm.light)
})

it('a pool answers an urgent tile before the tiles that came before it', async () => {
  const pool = await startThreadPool({ threads: 1, engine: 'wasm' })
  try {
    await pool.loadScene('mixed', sharedBytes(mixedScene()))
    const view = viewOf([64, 40], { quality: { ...path, samples: 64 } })
    const done: string[] = []
    const trace = async (name: string, given: View, urgent?: true) => {
      const tile = { rect: frameRect(given.size) }
      const order = { scene: 'mixed', view: given, tile, ...(urgent ? { urgent } : {}) }
      const traced = await pool.trace(order, TileProgress.of(tile.rect.h))
      done.push(name)
      return traced!
    }
    const alone = await trace('alone', view)
    const films = ['film', 'next', 'last'].map(name => trace(name, view))
    const urgent = trace('urgent', viewOf([8, 8]), true)
    const tiles = await Promise.all(films)
    await urgent
    // The last one goes to the thread only when the first is done, however fast that is.
    expect(done.indexOf('urgent')).toBeLessThan(done.indexOf('last'))
    for (const { pixels } of tiles) expect(Buffer.compare(pixels, alone.pixels)).toBe(0)
  } finally {
    await pool.close()
  }
})
