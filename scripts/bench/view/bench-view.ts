/**
 * What a page gets to see: how many pictures a second while it is dragged, how late they are, how large; how soon a view that stands still is there;
 * and what comes after a page that drew nothing for a while. The page is a client without a browser, of a `sortfirst view` in a process of its
 * own, so what decoding and drawing take is left out.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Size } from '../../../shared/frame/rect.ts'
import { processProgram } from '../../../shared/node/program-files.ts'
import type { Log } from '../../../shared/text/log.ts'
import { untilAborted } from '../../../shared/time/until-aborted.ts'
import { BenchError } from '../bench-error.ts'
import { startChromium } from '../pictures/three/chromium.ts'
import { dashboardCost } from './dashboard-cost.ts'
import { DraggedPage } from './dragged-page.ts'
import { type FilmBeside, startFilm } from './film-beside.ts'
import { type OtherParts, otherParts, type ViewPart } from './other-parts.ts'
import type { Came } from './page-client.ts'
import { type Quantiles, quantilesOf } from './quantiles-of.ts'
import { warpTimes } from './warps.ts'

export interface ViewBenchOptions {
  /** A built-in scene, or a mesh file. */
  readonly scene: string
  /** Of the page's place for the picture. */
  readonly size: Size
  /** How long it is dragged, s. */
  readonly seconds: number
  /** How long it draws nothing afterwards, s. */
  readonly stallSeconds: number
  /** What is measured beside that. @default nothing */
  readonly parts?: readonly ViewPart[]
  /** How long a view is dragged behind a slow line, s. */
  readonly lineSeconds?: number
  /** How often it jumps. */
  readonly jumps?: number
  /** More words for `sortfirst view`. */
  readonly words: readonly string[]
  /** Films with so many workers, which the view shares with it. @default none is made beside it */
  readonly film?: Pick<FilmBeside, 'workers' | 'words'> | undefined
}

export interface ViewBench extends OtherParts {
  readonly scene: string
  readonly size: Size
  /** While it is dragged: pictures per second, and from a view to its picture. */
  readonly fps: number
  readonly latencyMs: Quantiles
  /** Where that goes, medians. */
  readonly partsMs: { readonly wait: number; readonly trace: number; readonly encode: number; readonly way: number }
  /** Median width and height. */
  readonly movingSize: Size
  readonly bytesPerFrame: number
  /** Pictures of views before that of the picture before. */
  readonly outOfOrder: number
  /** From the last view to its first picture of full size, and to its finished one. */
  readonly stillMs: number
  readonly finishedMs: number
  /** Pictures of older views that are drawn after the stall. */
  readonly staleAfterStall: number
  /** Of an open dashboard: share of the master's core with eight areas, at this rate of pictures, and bytes a second while the view is dragged. */
  readonly dashboard: { readonly cpuShare: number; readonly bytesPerS: number }
  /** From the event that moves the view to the last picture as it looks from there, in Chromium; absent where there is none. */
  readonly warpMs?: Quantiles
}

/** Of the cluster whose dashboard is paid for. */
const AREAS = 8
/** @throws BenchError if no picture is seen. Rejects with the signal's reason on abort. */
export async function benchView(options: ViewBenchOptions, signal: AbortSignal, log: Log): Promise<ViewBench> {
  const { scene, size, words, film } = options
  if (film) {
    const running = await startFilm({ scene, size, ...film })
    try {
      log.info('a film is being made')
      return await untilAborted(
        signal,
        benchView({ ...options, film: undefined, words: [...words, '--master', running.master] }, signal, log),
      )
    } finally {
      await running.end()
    }
  }
  const child = spawn(
    process.execPath,
    [fileURLToPath(processProgram('scripts/sortfirst.js')), 'view', scene, '--json', ...words],
    { stdio: ['pipe', 'pipe', 'pipe'] },
  )
  const ended = once(child, 'exit')
  let said = ''
  child.stderr.on('data', text => {
    said += text
  })
  try {
    const lines = createInterface({ input: child.stdout })
    const nextLink = async (): Promise<string> => {
      const gone = ended.then(() => {
        throw new BenchError(`sortfirst view ended: ${said.trim().split('\n').at(-1)}`)
      })
      const [line] = (await untilAborted(signal, Promise.race([once(lines, 'line'), gone]))) as [string]
      return (JSON.parse(line) as { link: string }).link
    }
    const another = () => {
      const link = nextLink()
      child.stdin.write('\n')
      return link
    }
    const dragged = await untilAborted(signal, seen(await nextLink(), options, log))
    const result = { ...dragged, ...(await untilAborted(signal, otherParts(another, options, log))) }
    const browser = await startChromium()
    if ('unavailable' in browser) {
      log.info(`warpMs ${browser.unavailable}`)
      return result
    }
    try {
      const warpMs = await untilAborted(signal, warpTimes(browser, await another(), size))
      return { ...result, ...(warpMs ? { warpMs } : {}) }
    } finally {
      await browser.close()
    }
  } finally {
    child.kill('SIGINT')
    await ended
  }
}

async function seen(link: string, options: ViewBenchOptions, log: Log): Promise<Omit<ViewBench, keyof OtherParts>> {
  const { scene, size, seconds, stallSeconds } = options
  /** To the dashboard, bytes. */
  let told = 0
  const page = await DraggedPage.open(link, size, {
    said: message => {
      if (message.type === 'dashboard') told += JSON.stringify(message).length
    },
  })
  const { client, came } = page
  await page.rest()
  log.info('the first picture is finished')
  // The size of pictures is found first.
  await page.drag(seconds * 500)
  client.say({ type: 'dashboard', ask: { for: 'news', isWatched: true } })
  const from = came.length
  const beganAt = performance.now()
  const last = await page.drag(seconds * 1000)
  const draggedMs = performance.now() - beganAt
  const bytesPerS = (told / draggedMs) * 1000
  client.say({ type: 'dashboard', ask: { for: 'news', isWatched: false } })
  const moving = came.slice(from).filter(({ facts }) => facts.stage === 'moving')
  if (moving.length === 0) throw new BenchError('no picture came while the view was dragged')
  log.info(`dragged for ${seconds} s: ${moving.length} pictures`)
  const isLast = ({ facts }: Came) => facts.seq === last
  const still = await page.until(each => isLast(each) && each.facts.stage !== 'moving')
  const finished = await page.until(each => isLast(each) && each.facts.stage === 'finished')
  const stale = await afterStall(page, stallSeconds * 1000)
  await client.close()
  const fps = (moving.length / draggedMs) * 1000
  const latencies = moving.map(({ latencyMs }) => latencyMs)
  const timesOf = (part: 'waitMs' | 'traceMs' | 'encodeMs') => moving.map(({ facts }) => facts.times[part])
  const way = moving.map(({ latencyMs, facts: { times } }) => latencyMs - times.waitMs - times.traceMs - times.encodeMs)
  const median = (values: readonly number[]) => quantilesOf(values).p50
  return {
    scene,
    size,
    fps,
    latencyMs: quantilesOf(latencies),
    partsMs: {
      wait: median(timesOf('waitMs')),
      trace: median(timesOf('traceMs')),
      encode: median(timesOf('encodeMs')),
      way: median(way),
    },
    movingSize: [0, 1].map(side => median(moving.map(({ facts }) => facts.size[side]!))) as unknown as Size,
    bytesPerFrame: moving.reduce((sum, { file }) => sum + file.length, 0) / moving.length,
    outOfOrder: page.outOfOrder,
    stillMs: still.latencyMs,
    finishedMs: finished.latencyMs,
    staleAfterStall: stale,
    dashboard: { cpuShare: await dashboardCost(AREAS, fps), bytesPerS },
  }
}

/** The page draws nothing for a while: how many pictures of older views it draws then. */
async function afterStall(page: DraggedPage, ms: number): Promise<number> {
  const { client, came } = page
  client.stall()
  const from = came.length
  const newest = await page.drag(ms)
  const arrived = came.length
  client.resume()
  await page.until(({ facts }) => facts.seq === newest && facts.stage !== 'moving')
  // Of those that had arrived, a page draws the newest alone.
  const before = arrived > from ? 1 : 0
  return before + came.slice(arrived).filter(({ facts }) => facts.seq < newest).length
}
