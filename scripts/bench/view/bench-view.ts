/**
 * What a page gets to see: how many pictures a second while it is dragged, how late they are, how large; how soon a view that stands still is there;
 * and what comes after a page that drew nothing for a while. The page is a client without a browser, of a `sortfirst view` in a process of its
 * own, so what decoding and drawing take is left out.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Size } from '../../../shared/frame/rect.ts'
import type { FullViewpoint } from '../../../shared/frame/viewpoint.ts'
import { quantile } from '../../../shared/metrics/statistics.ts'
import { processProgram } from '../../../shared/node/program-files.ts'
import type { Log } from '../../../shared/text/log.ts'
import { untilAborted } from '../../../shared/time/until-aborted.ts'
import { BenchError } from '../bench-error.ts'
import { startChromium } from '../pictures/three/chromium.ts'
import { dashboardCost } from './dashboard-cost.ts'
import { type FilmBeside, startFilm } from './film-beside.ts'
import { type Came, PageClient } from './page-client.ts'
import { type Quantiles, warpTimes } from './warps.ts'

export interface ViewBenchOptions {
  /** A built-in scene, or a mesh file. */
  readonly scene: string
  /** Of the page's place for the picture. */
  readonly size: Size
  /** How long it is dragged, s. */
  readonly seconds: number
  /** How long it draws nothing afterwards, s. */
  readonly stallSeconds: number
  /** More words for `sortfirst view`. */
  readonly words: readonly string[]
  /** Films with so many workers, which the view shares with it. @default none is made beside it */
  readonly film?: Pick<FilmBeside, 'workers' | 'words'> | undefined
}

export interface ViewBench {
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
/** Views are asked for as often as displays are redrawn, ms. */
const LOOK_MS = 1000 / 60
/** The camera turns by so much from one view to the next, radians. */
const TURN = 0.01
/** A picture of a view that stands still is waited for so long, ms. */
const PATIENCE_MS = 120_000

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
    const result = await untilAborted(signal, seen(await nextLink(), options, log))
    const browser = await startChromium()
    if ('unavailable' in browser) {
      log.info(`warpMs ${browser.unavailable}`)
      return result
    }
    try {
      const link = nextLink()
      child.stdin.write('\n')
      const warpMs = await untilAborted(signal, warpTimes(browser, await link, size))
      return { ...result, ...(warpMs ? { warpMs } : {}) }
    } finally {
      await browser.close()
    }
  } finally {
    child.kill('SIGINT')
    await ended
  }
}

async function seen(link: string, options: ViewBenchOptions, log: Log): Promise<ViewBench> {
  const { scene, size, seconds, stallSeconds } = options
  const came: Came[] = []
  /** To the dashboard, bytes. */
  let told = 0
  let wake = () => {}
  const client = await PageClient.open(link, {
    picture: each => {
      came.push(each)
      wake()
    },
    said: message => {
      if (message.type === 'dashboard') told += JSON.stringify(message).length
    },
  })
  const until = async (suits: (each: Came) => boolean): Promise<Came> => {
    const late = AbortSignal.timeout(PATIENCE_MS)
    for (let at = 0; ; ) {
      for (; at < came.length; at++) if (suits(came[at]!)) return came[at]!
      const next = new Promise<void>(resolve => {
        wake = resolve
      })
      await untilAborted(late, next).catch(() => {
        throw new BenchError(`no picture came for ${PATIENCE_MS / 1000} s`)
      })
    }
  }
  const view = await client.view
  let angle = 0
  const drag = async (ms: number): Promise<number> => {
    let seq = 0
    for (const until = performance.now() + ms; performance.now() < until; await delay(LOOK_MS)) {
      angle += TURN
      seq = client.look({ viewpoint: turned(view.viewpoint, angle), size })
    }
    return seq
  }
  client.look({ viewpoint: view.viewpoint, size })
  await until(({ facts }) => facts.stage === 'finished')
  log.info('the first picture is finished')
  // The size of pictures is found first.
  await drag(seconds * 500)
  client.say({ type: 'dashboard', ask: { for: 'news', isWatched: true } })
  const from = came.length
  const beganAt = performance.now()
  const last = await drag(seconds * 1000)
  const draggedMs = performance.now() - beganAt
  const bytesPerS = (told / draggedMs) * 1000
  client.say({ type: 'dashboard', ask: { for: 'news', isWatched: false } })
  const moving = came.slice(from).filter(({ facts }) => facts.stage === 'moving')
  if (moving.length === 0) throw new BenchError('no picture came while the view was dragged')
  log.info(`dragged for ${seconds} s: ${moving.length} pictures`)
  const isLast = ({ facts }: Came) => facts.seq === last
  const still = await until(each => isLast(each) && each.facts.stage !== 'moving')
  const finished = await until(each => isLast(each) && each.facts.stage === 'finished')
  const stale = await afterStall(client, came, () => drag(stallSeconds * 1000), until)
  await client.close()
  const fps = (moving.length / draggedMs) * 1000
  const latencies = moving.map(({ latencyMs }) => latencyMs)
  const timesOf = (part: 'waitMs' | 'traceMs' | 'encodeMs') => moving.map(({ facts }) => facts.times[part])
  const way = moving.map(({ latencyMs, facts: { times } }) => latencyMs - times.waitMs - times.traceMs - times.encodeMs)
  return {
    scene,
    size,
    fps,
    latencyMs: { p50: quantileOf(latencies, 0.5), p95: quantileOf(latencies, 0.95) },
    partsMs: {
      wait: quantileOf(timesOf('waitMs'), 0.5),
      trace: quantileOf(timesOf('traceMs'), 0.5),
      encode: quantileOf(timesOf('encodeMs'), 0.5),
      way: quantileOf(way, 0.5),
    },
    movingSize: [0, 1].map(side =>
      quantileOf(
        moving.map(({ facts }) => facts.size[side]!),
        0.5,
      ),
    ) as unknown as Size,
    bytesPerFrame: moving.reduce((sum, { file }) => sum + file.length, 0) / moving.length,
    outOfOrder: came.filter(({ facts }, i) => i > 0 && facts.seq < came[i - 1]!.facts.seq).length,
    stillMs: still.latencyMs,
    finishedMs: finished.latencyMs,
    staleAfterStall: stale,
    dashboard: { cpuShare: await dashboardCost(AREAS, fps), bytesPerS },
  }
}

/** The page draws nothing for a while: how many pictures of older views it draws then. */
async function afterStall(
  client: PageClient,
  came: readonly Came[],
  drag: () => Promise<number>,
  until: (suits: (each: Came) => boolean) => Promise<Came>,
): Promise<number> {
  client.stall()
  const from = came.length
  const newest = await drag()
  const arrived = came.length
  client.resume()
  await until(({ facts }) => facts.seq === newest && facts.stage !== 'moving')
  // Of those that had arrived, a page draws the newest alone.
  const before = arrived > from ? 1 : 0
  return before + came.slice(arrived).filter(({ facts }) => facts.seq < newest).length
}

/** A viewpoint, turned around its target. */
function turned(viewpoint: FullViewpoint, angle: number): FullViewpoint {
  const { eye, target } = viewpoint
  const [x, z] = [eye[0] - target[0], eye[2] - target[2]]
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)]
  return { ...viewpoint, eye: [target[0] + x * cosine + z * sine, eye[1], target[2] + z * cosine - x * sine] }
}

const quantileOf = (values: readonly number[], share: number): number =>
  quantile(
    [...values].sort((a, b) => a - b),
    share,
  )
