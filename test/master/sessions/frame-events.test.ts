/** What reports of frames say that happened: on its own, in a session on a cluster in memory, and as a report shows it. */
import { expect, it } from 'vitest'
import { FrameEvents } from '../../../master/sessions/frame-events.ts'
import { madeReport } from '../../../scripts/bench/view/made-report.ts'
import { FramesToShow } from '../../../scripts/report/figures/run-frames.ts'
import { MOST_EVENTS } from '../../../shared/frame/frame-report.ts'
import { paintPool, sessionOf } from '../../support/memory-cluster.ts'
import { clusterOf, run } from '../../support/memory-session.ts'
import { scene } from '../../support/session.ts'
import { smallCamera } from '../../support/small-scene.ts'

const report = (frame: number, strategy = 'pbt', probeMs = 0) => ({
  ...madeReport({ areas: 2, tiles: 4, seed: 1, frame }),
  strategy,
  probeMs,
})

it('says where a film is cut: where the camera turns away, and where a strategy that is not new knows nothing', () => {
  const { right, up, back, ...camera } = smallCamera(0)
  const away = { ...camera, right: back, up, back: [-right[0], -right[1], -right[2]] as const }
  const cameras = [smallCamera(0), smallCamera(0), away, away, away, away]
  const kinds = (isFilm: boolean) => {
    const events = new FrameEvents(() => 0)
    return cameras.map((camera, i) =>
      events
        .take(report(i, i < 5 ? 'pbt' : 'scatter', i === 0 || i >= 4 ? 3 : 0), camera, isFilm)
        .map(({ kind }) => kind),
    )
  }
  expect(kinds(true)).toEqual([[], [], ['cut'], [], ['cut'], ['strategy']])
  // A view is turned by hand.
  expect(kinds(false)).toEqual([[], [], [], [], [], ['strategy']])
})

it('says what happened to workers, once, and of very much only the last', () => {
  let now = 0
  const events = new FrameEvents(() => now++)
  const area = { info: { name: 'w1' } }
  for (const [from, to] of [
    ['joining', 'serving'],
    ['serving', 'quiet'],
    ['quiet', 'serving'],
    ['serving', 'quarantined'],
    ['quarantined', 'serving'],
    ['leaving', 'gone'],
    ['serving', 'gone'],
  ] as const)
    events.moved({ area, from, to, reason: 'a reason' })
  const said = events.take(report(0), smallCamera(0), true)
  expect(said.map(({ at, kind, text }) => [at, kind, text])).toEqual([
    [0, 'joined', 'w1 joined'],
    [1, 'quarantined', 'w1 is quarantined: a reason'],
    [2, 'released', 'w1 may work again: a reason'],
    [3, 'left', 'w1 left: a reason'],
    [4, 'lost', 'w1 was lost: a reason'],
  ])
  expect(events.take(report(1), smallCamera(0), true)).toEqual([])
  for (let i = 0; i < 100; i++) events.happened('other', `${i}`)
  const many = events.take(report(2), smallCamera(0), true)
  expect([many.length, many.at(-1)!.text]).toEqual([MOST_EVENTS, '99'])
})

it('is in the report of the frame that is delivered next', async () => {
  const memory = clusterOf(paintPool(), paintPool())
  const { done, reports } = run(memory, sessionOf(scene.hash, 'scatter', 4, 2), {
    frame: async report => {
      reports.push(report)
      if (report.frame !== 1) return
      memory.join('n2', paintPool())
      await memory.nextReady()
    },
  })
  await done
  expect(reports.map(({ events = [] }) => events.map(({ text }) => text))).toEqual([[], [], ['n2 joined'], []])
})

it('is between the frames that a report has, of which a long run has some', () => {
  const event = (text: string) => ({ at: 5, kind: 'other' as const, text })
  const make = (mostBytes: number) => {
    const frames = new FramesToShow('pbt', mostBytes)
    for (let i = 0; i < 9; i++) frames.add({ ...report(i), events: [event(`before ${i}`)] })
    return frames.run!
  }
  const all = make(Number.POSITIVE_INFINITY)
  expect(all.events.map(({ before }) => before)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
  const some = make(JSON.stringify(all.frames).length / 2)
  expect(some.step).toBeGreaterThan(1)
  for (const [i, { before, text }] of some.events.entries()) {
    expect(text).toBe(`before ${i}`)
    const next = some.frames.findIndex(({ frame }) => frame >= i)
    expect(before).toBe(next < 0 ? some.frames.length : next)
  }
})
