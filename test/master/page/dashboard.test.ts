import { describe, expect, it } from 'vitest'
import { FilmPictures } from '../../../master/page/dashboard/film-pictures.ts'
import { FrameRing } from '../../../master/page/dashboard/frame-ring.ts'
import { CancelledByOperatorError } from '../../../master/page/dashboard/hub.ts'
import { stuckOf } from '../../../master/page/dashboard/stuck.ts'
import { BYTES_PER_S } from '../../../master/page/dashboard/watcher.ts'
import { madeReport } from '../../../scripts/bench/view/made-report.ts'
import { type CompactFrame, wholeFrame } from '../../../shared/dashboard/compact-frame.ts'
import type { ToDashboard } from '../../../shared/dashboard/dashboard-messages.ts'
import { unpackPicture } from '../../../shared/page/page-pictures.ts'
import type { SessionRunner } from '../../../shared/session/session.ts'
import { smallOrder, type Time, watched } from '../../support/watched-hub.ts'

/** Pictures of a page, and what it was sent of them: what is said of them, and their first bytes. */
function pictured(time: Time) {
  const facts: unknown[] = []
  const shown: number[] = []
  const pictures = new FilmPictures({
    encode: async pixels => pixels,
    send(bytes) {
      const picture = unpackPicture(bytes as Uint8Array<ArrayBuffer>)
      facts.push(picture.facts)
      shown.push(picture.file[0]!)
    },
    ...{ alarm: time.alarm, now: () => time.now },
  })
  return { facts, shown, pictures }
}
const settled = () => new Promise(resolve => setImmediate(resolve))

describe('a dashboard', () => {
  it('is sent the newest frame, with the figures of its report, and any other that it asks for', async () => {
    const { begin, look, make, frames, heard, time, stop, passed } = watched()
    const run = begin()
    for (let i = 0; i < 4; i++) await make(i)
    const page = look()
    page.hear({ for: 'news', isWatched: true })
    time.pass(2000)
    expect(frames().at(-1)).toMatchObject({ place: 3, frame: { frame: 3 } })
    page.hear({ for: 'frame', run: 1, place: 1 })
    time.pass(2000)
    const sent = frames().at(-1)!.frame as CompactFrame
    const report = madeReport({ areas: 8, tiles: 16, seed: 2, frame: 1 })
    expect(sent.figures).toMatchObject({ frameMs: report.frameMs, epsilonCpu: report.epsilonCpu, bytes: report.bytes })
    expect(wholeFrame(sent).areas).toHaveLength(8)
    expect(heard.find(each => each.is === 'roster')).toMatchObject({
      names: ['w0', 'w1', 'w2', 'w3', 'w4', 'w5', 'w6', 'w7'],
    })
    expect(heard.find(each => each.is === 'line')).toMatchObject({ from: 0 })
    expect(heard.findLast(each => each.is === 'state')).toMatchObject({
      state: { runs: [{ made: 4, frameCount: 30 }] },
    })
    // The client did not ask for spans.
    expect(passed).toHaveLength(4)
    expect(passed.every(each => each.spans.length === 0)).toBe(true)
    // One that is not there any more, or not yet, is the nearest that is.
    page.hear({ for: 'frame', run: 1, place: 4_000_000 })
    page.hear({ for: 'frame', run: 77, place: 0 })
    time.pass(2000)
    stop.abort()
    await expect(run).rejects.toThrow('over')
  })

  it('takes few bytes a second, however fast the frames come', async () => {
    const { begin, look, make, time, stop, bytes, frames } = watched()
    const run = begin()
    const page = look()
    page.hear({ for: 'news', isWatched: true })
    for (let i = 0; i < 600; i++) {
      await make(i)
      time.pass(33)
    }
    expect(bytes() / (time.now / 1000)).toBeLessThanOrEqual(6000)
    expect(frames().length).toBeGreaterThan(20)
    expect(BYTES_PER_S).toBeLessThan(6000)
    stop.abort()
    await run.catch(() => {})
  })

  it('says of the pictures of a film how many samples its pixels have, not how many they could have', async () => {
    const { begin, make, time, stop, hub } = watched(['watch'], 2, undefined)
    hub.isOpen = true
    const run = begin(undefined)
    const { facts, pictures } = pictured(time)
    // The dashboard of the page is closed.
    hub.watch(undefined, ['watch'], () => {}, pictures)
    const { size } = madeReport({ areas: 2, tiles: 4, seed: 1, frame: 0 })
    const pixels = size[0] * size[1]
    const pass = { ms: 1, criticalMs: 1, meanMs: 1, epsilonCpu: 0, epsilonWall: 0 }
    await make(0, undefined, {
      passes: [
        { ...pass, from: 0, to: 16, pixels },
        { ...pass, from: 16, to: 32, pixels: pixels / 4 },
      ],
    })
    await settled()
    expect(facts).toMatchObject([{ samples: 20, mostSamples: 32 }])
    stop.abort()
    await run.catch(() => {})
  })

  it('has a picture at once of the film that is looked at: its newest frame, also when it is over', async () => {
    const { begin, make, sinks, time, stop, hub } = watched(['watch'], 2)
    hub.isOpen = true
    const runs = [begin(undefined), begin(undefined)]
    const open = () => {
      const { shown, pictures } = pictured(time)
      return { shown, pictures, page: hub.watch(undefined, ['watch'], () => {}, pictures) }
    }
    const early = open()
    await settled()
    expect(early.shown).toEqual([])
    for (const frame of [10, 11]) await make(frame, sinks[0])
    await make(20, sinks[1])
    const { shown, pictures, page } = open()
    await settled()
    expect(shown).toEqual([20])
    page.hear({ for: 'run', run: 1 })
    page.hear({ for: 'run', run: 1 })
    pictures.drawn(1)
    time.pass(2000)
    await settled()
    expect(shown).toEqual([20, 11])
    stop.abort()
    await Promise.allSettled(runs)
    const late = open()
    await settled()
    expect(late.shown).toEqual([20])
  })

  it('that nobody looks at is sent nothing, and waits for nothing', async () => {
    const { begin, look, make, time, stop, heard } = watched()
    const run = begin()
    const page = look()
    await make(0)
    expect(time.alarms).toBe(0)
    page.hear({ for: 'news', isWatched: true })
    time.pass(1)
    const before = heard.length
    expect(before).toBeGreaterThan(0)
    page.hear({ for: 'news', isWatched: false })
    await make(1)
    time.pass(60_000)
    expect(heard).toHaveLength(before)
    expect(time.alarms).toBe(0)
    stop.abort()
    await run.catch(() => {})
  })

  it('shows the runs of its view, and all to who may see all; two pages do not disturb each other', async () => {
    const { begin, look, make, heard, time, stop, hub } = watched()
    const run = begin()
    await make(0)
    const other = look('v2')
    other.hear({ for: 'news', isWatched: true })
    time.pass(3000)
    expect(heard.filter(each => each.is === 'frame')).toEqual([])
    other.hear({ for: 'frame', run: 1, place: 0 })
    time.pass(3000)
    expect(heard.filter(each => each.is === 'frame')).toEqual([])
    hub.unwatch(other)
    const [one, two] = [hub.watch(undefined, ['watch'], text => heard.push(JSON.parse(text).said)), look()]
    for (const page of [one, two]) page.hear({ for: 'news', isWatched: true })
    time.pass(3000)
    expect(heard.filter(each => each.is === 'frame')).toHaveLength(2)
    stop.abort()
    await run.catch(() => {})
  })

  it('goes on with a film that others were begun after, and ended before', async () => {
    const { begin, look, make, sinks, frames, time, stop } = watched(['operate'])
    const [long, short] = [begin(), begin()]
    await make(0, sinks[0])
    await make(0, sinks[1])
    const page = look()
    page.hear({ for: 'news', isWatched: true })
    time.pass(2000)
    expect(frames().map(({ run, place }) => [run, place])).toEqual([[2, 0]])
    page.hear({ for: 'act', act: 'cancel', on: '2' })
    await expect(short).rejects.toThrow(CancelledByOperatorError)
    await make(1, sinks[0])
    time.pass(2000)
    expect(frames().at(-1)).toMatchObject({ run: 1, place: 1 })
    stop.abort()
    await long.catch(() => {})
  })

  it('does not record a client’s run unless somebody has a link to all', async () => {
    const { hub } = watched()
    const orders: unknown[] = []
    const order = { ...smallOrder, kind: 'film' as const, spans: false }
    const run: SessionRunner['run'] = async given => void orders.push(given)
    const sink = { started() {}, status() {}, frame() {} }
    const source = { ready: async () => false, take: () => ({}) as never }
    await hub.recorded(run)(order, {} as never, source, sink, new AbortController().signal)
    expect(orders).toEqual([order])
    hub.isOpen = true
    await hub.recorded(run)(order, {} as never, source, sink, new AbortController().signal)
    expect(orders.at(-1)).toEqual({ ...order, spans: true })
  })
})

describe('what a dashboard does', () => {
  const answers = (heard: readonly ToDashboard[]) => heard.filter(each => each.is === 'answer')
  /** Promises that are settled by now have been heard. */
  const settled = () => new Promise(resolve => setImmediate(resolve))

  it('is refused without the right', async () => {
    const { look, heard, quarantined, time } = watched(['watch', 'steer'])
    const page = look()
    for (const act of ['quarantine', 'retry'] as const) page.hear({ for: 'act', act, on: 'w0' })
    await settled()
    time.pass(100)
    const refused = expect.objectContaining({ isError: true, text: expect.stringContaining('operate') })
    expect(answers(heard)).toEqual([refused, refused])
    expect(quarantined).toEqual([])
  })

  it('is answered as far as there is room: whoever asks without end costs no memory', async () => {
    const { look, heard, time } = watched(['watch'])
    const page = look()
    page.hear({ for: 'news', isWatched: true })
    for (let i = 0; i < 5000; i++) page.hear({ for: 'act', act: 'drain', on: 'w0' })
    await settled()
    const atOnce = answers(heard).length
    expect(atOnce).toBeGreaterThan(0)
    time.pass(600_000)
    expect(answers(heard).length).toBeLessThanOrEqual(atOnce + 16)
  })

  it('is done to workers, of which there may be none of a name', async () => {
    const { look, heard, quarantined } = watched(['operate'])
    const page = look()
    for (const act of ['quarantine', 'release', 'drain'] as const) page.hear({ for: 'act', act, on: 'w0' })
    page.hear({ for: 'act', act: 'drain', on: 'nobody' })
    page.hear({ for: 'act', act: 'release', on: 'nobody' })
    await settled()
    expect(quarantined).toEqual([
      ['w0', true],
      ['w0', false],
    ])
    expect(
      answers(heard)
        .map(({ isError }) => isError)
        .sort(),
    ).toEqual([false, false, false, true, true])
  })

  it('has the oldest frame in the making traced again, if there is one', async () => {
    const { begin, look, make, heard, source, time, stop } = watched(['operate'])
    const run = begin()
    const page = look()
    page.hear({ for: 'news', isWatched: true })
    const retry = async () => {
      page.hear({ for: 'act', act: 'retry', on: '1' })
      await settled()
      time.pass(2000)
      return answers(heard).at(-1)
    }
    expect(await retry()).toMatchObject({ isError: true, text: 'no frame of it is being traced' })
    const again: number[] = []
    const [done] = [4, 5].map(frame => source().onRetry!(frame, () => again.push(frame)))
    await make(3)
    expect(await retry()).toMatchObject({ isError: false, text: 'frame 4 is traced again from its start' })
    await retry()
    done!()
    await retry()
    expect(again).toEqual([4, 4, 5])
    const events = heard.findLast(each => each.is === 'events')!.events
    expect(events.map(({ kind, before, text }) => [kind, before, text])).toEqual([
      ['retried', 1, 'frame 4 is traced again from its start'],
      ['retried', 1, 'frame 4 is traced again from its start'],
      ['retried', 1, 'frame 5 is traced again from its start'],
    ])
    stop.abort()
    await run.catch(() => {})
    expect(await retry()).toMatchObject({ isError: true, text: 'run 1 is over' })
  })

  it('pauses a film between frames, lets it go on, and ends it', async () => {
    const { begin, look, heard, source, time } = watched(['operate'])
    const run = begin()
    const page = look()
    page.hear({ for: 'news', isWatched: true })
    page.hear({ for: 'act', act: 'pause', on: '1' })
    await settled()
    let isReady = false
    const ready = source()
      .ready()
      .then(() => {
        isReady = true
      })
    await settled()
    expect(isReady).toBe(false)
    time.pass(2000)
    expect(heard.findLast(each => each.is === 'state')).toMatchObject({
      state: { runs: [{ state: 'paused' }], stuck: [{ act: 'resume' }] },
    })
    page.hear({ for: 'act', act: 'resume', on: '1' })
    await ready
    page.hear({ for: 'act', act: 'cancel', on: '1' })
    await expect(run).rejects.toThrow(CancelledByOperatorError)
    page.hear({ for: 'act', act: 'cancel', on: '1' })
    await settled()
    time.pass(2000)
    expect(answers(heard).at(-1)).toMatchObject({ isError: true })
    expect(heard.findLast(each => each.is === 'state')).toMatchObject({
      state: { runs: [{ state: 'ended', problem: 'an operator cancelled it' }] },
    })
  })
})

describe('the ring of frames', () => {
  it('keeps the newest, up to so many and so many bytes', () => {
    const ring = new FrameRing(3, 100)
    for (const text of ['a', 'b', 'c', 'd']) ring.add(text)
    expect([ring.from, ring.to, ring.get(0), ring.get(1), ring.get(3), ring.get(4)]).toEqual([
      1,
      4,
      undefined,
      'b',
      'd',
      undefined,
    ])
    ring.add('x'.repeat(99))
    expect([ring.from, ring.to, ring.bytes]).toEqual([3, 5, 100])
    ring.add('y'.repeat(500))
    expect([ring.from, ring.to, ring.bytes]).toEqual([5, 6, 500])
    ring.forgetBefore(9)
    expect([ring.from, ring.to, ring.bytes]).toEqual([6, 6, 0])
  })
})

describe('what is stuck', () => {
  const worker = { name: 'w0', areas: 1, state: 'ready' }
  const said = {
    run: 1,
    name: 'boat',
    kind: 'film',
    strategy: 'pbt',
    made: 3,
    from: 0,
    to: 3,
    state: 'running',
  } as const

  it('is a film whose frame takes ten times as long as others, and at least a quarter of a minute', () => {
    expect(stuckOf([{ said, stillMs: 15_000, usualMs: 100 }], [worker])).toEqual([])
    expect(stuckOf([{ said, stillMs: 15_001, usualMs: 100 }], [worker])).toMatchObject([{ act: 'retry', on: '1' }])
    expect(stuckOf([{ said, stillMs: 19_000, usualMs: 2000 }], [worker])).toEqual([])
  })

  it('is a cluster without workers, and one whose workers may do nothing', () => {
    expect(stuckOf([], [])).toMatchObject([{ what: 'No worker is connected.' }])
    const paused = { ...worker, state: 'quarantined', reason: 'it fails', forMs: 5000 }
    expect(stuckOf([{ said, stillMs: 1e9, usualMs: 1 }], [paused])).toMatchObject([{}, { act: 'release', on: 'w0' }])
  })
})
