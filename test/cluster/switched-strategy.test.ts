/** A session whose frames are balanced by one strategy after another, and a page that learns what all of them would have taken. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startMaster } from '../../master/main.ts'
import { strategyNames } from '../../master/strategies/index.ts'
import { PageClient } from '../../scripts/bench/view/page-client.ts'
import { connectToCluster } from '../../scripts/library/remote-cluster.ts'
import { linkOf } from '../../scripts/library/shown-view.ts'
import { startWorker } from '../../scripts/library/worker.ts'
import type { ToDashboard } from '../../shared/dashboard/dashboard-messages.ts'
import { type Guess, whatIf } from '../../shared/dashboard/what-if.ts'
import { type FrameReport, NO_HASH } from '../../shared/frame/frame-report.ts'
import { silentLog } from '../../shared/text/log.ts'
import { reportsOf, runSession, smallSession } from '../support/session.ts'
import { smallCamera } from '../support/small-scene.ts'

let master: Awaited<ReturnType<typeof startMaster>>
let workers: ReturnType<typeof startWorker>[]

beforeAll(async () => {
  master = await startMaster({ listen: '127.0.0.1:0' }, silentLog)
  workers = [1, 2].map(() => startWorker({ master: master.url, threads: 1, cache: false }))
})
afterAll(async () => {
  await Promise.all(workers.map(worker => worker.close()))
  await master.close()
})

it('has the same bytes as with one, says which made each frame, and has costs where they are asked for', async () => {
  const wanted = [undefined, 'predictive', 'predictive', 'scatter', 'pbt', 'predictive', 'single-worker']
  const frames = wanted.map((strategy, frame) => ({
    ...{ frame, camera: smallCamera(frame) },
    ...(strategy === undefined ? {} : { strategy }),
    ...(frame % 2 === 1 ? { record: true } : {}),
  }))
  const plain = frames.map(({ frame, camera }) => ({ frame, camera }))
  const session = { minWorkers: 2, inFlight: 2, strategy: 'static-blocks' }
  const before = await reportsOf(master, smallSession({ ...session, frames: plain }))
  const reports = await reportsOf(master, smallSession({ ...session, frames }))
  expect(reports.map(({ sha256 }) => sha256)).toEqual(before.map(({ sha256 }) => sha256))
  expect(reports.map(({ strategy }) => strategy)).toEqual(wanted.map(name => name ?? 'static-blocks'))
  const have = reports.map(({ recorded }) => recorded !== undefined)
  expect(have.filter((_, i) => i % 2 === 0)).toEqual([false, false, false, false])
  expect(have[1]).toBe(true)
  expect(before.some(({ recorded }) => recorded !== undefined)).toBe(false)
})

it('tells a page what each would have taken, and takes another one from it, while a client renders', async () => {
  const films = master.offerFilms(['watch', 'operate'])
  const guesses = new Map<number, Guess>()
  const heard: ToDashboard[] = []
  let wake = () => {}
  let isAsked = false
  const client = await PageClient.open(linkOf(master.url, films.ticket()), {
    said: message => {
      if (message.type !== 'dashboard') return
      const { said } = message
      if (said.is === 'what-if') for (const guess of said.guesses) guesses.set(guess.place, guess)
      else heard.push(said)
      if (said.is === 'state' && said.state.runs.length > 0 && !isAsked) {
        isAsked = true
        client.say({ type: 'dashboard', ask: { for: 'what-if', run: said.state.runs.at(-1)!.run } })
      }
      wake()
    },
  })
  const until = async (isThere: () => boolean) => {
    while (!isThere())
      await new Promise<void>(resolve => {
        wake = resolve
      })
  }
  client.say({ type: 'dashboard', ask: { for: 'news', isWatched: true } })
  const cluster = await connectToCluster(master.url, {})
  const stop = new AbortController()
  const reports: FrameReport[] = []
  // More than will be made.
  const frames = Array.from({ length: 100_000 }, (_, frame) => ({ frame, camera: smallCamera(frame % 4) }))
  const session = smallSession({ minWorkers: 2, strategy: 'static-blocks', frames })
  const sink = { frame: (report: FrameReport) => void reports.push(report) }
  const over = runSession(cluster, session, sink, stop.signal).catch(() => {})
  try {
    await until(() => guesses.size >= 2)
    const found = whatIf(strategyNames, [...guesses.values()])
    expect(found.bars).toHaveLength(strategyNames.length)
    expect(found.error).toBeGreaterThanOrEqual(0)
    expect(found.bars.find(({ isRunning }) => isRunning)?.name).toBe('static-blocks')
    const { run } = heard.findLast(each => each.is === 'state')!.state.runs.at(-1)!
    client.say({ type: 'dashboard', ask: { for: 'strategy', run, strategy: 'scatter' } })
    await until(() => heard.some(each => each.is === 'events' && each.events.some(({ kind }) => kind === 'strategy')))
    await until(() => [...guesses.values()].some(({ strategy }) => strategy === 'scatter'))
  } finally {
    stop.abort()
    await over
    await cluster.close()
    await client.close()
    films.close()
  }
  expect(new Set(reports.map(({ strategy }) => strategy))).toEqual(new Set(['static-blocks', 'scatter']))
  // Costs are the page's.
  expect(reports.some(({ recorded }) => recorded !== undefined)).toBe(false)
})

it('has a hash unless none is wanted', async () => {
  const frames = [undefined, false, true].map((hash, frame) => ({
    ...{ frame, camera: smallCamera(0) },
    ...(hash === undefined ? {} : { hash }),
  }))
  const reports = await reportsOf(master, smallSession({ minWorkers: 2, frames }))
  expect(reports.map(({ sha256 }) => sha256 === NO_HASH)).toEqual([false, true, false])
})
