/**
 * What a tab of a real browser is worth as a worker: how soon its first tile is there after its link was opened, and how fast it is compared
 * with a worker on Node.js that has as many threads. Both make the same film, one after the other; what the first frame costs beside tracing, such as
 * building the scene, is left out of the comparison. CPU time is that of the page's process, and of the worker's: on a busy machine their ratio
 * holds where that of wall time does not.
 */
import type { Browser, CDPSession } from 'playwright-core'
import type { Size } from '../../../shared/frame/rect.ts'
import { sha256 } from '../../../shared/node/sha256.ts'
import { untilAborted } from '../../../shared/time/until-aborted.ts'
import { type Master, startMaster } from '../../library/master.ts'
import { loadScene, type ReadyScene } from '../../library/ready-scene.ts'
import { render } from '../../library/render.ts'
import { startWorkerProcess } from '../../library/worker-process.ts'
import { BenchError } from '../bench-error.ts'
import { median } from '../measure.ts'
import { startChromium } from '../pictures/three/chromium.ts'
import { processCpuMs } from '../process-cpu.ts'

export interface TabBenchOptions {
  readonly scene: string
  readonly size: Size
  readonly samples: number
  /** At least two: the first is not compared. */
  readonly frames: number
  /** Threads, of each. */
  readonly cores: number
  readonly rounds: number
}

/** Medians. */
export interface TabBench extends TabBenchOptions {
  readonly browser: string
  /** From opening the link until the page says that a tile is done, and until the first frame is there. */
  readonly firstTileMs: number
  readonly firstFrameMs: number
  /** Of the other worker, from the start of its process. */
  readonly nodeFirstFrameMs: number
  /** CPU time that the page's process, and the other worker's, took for it; null where the system does not say. */
  readonly firstFrameCpuMs: number | null
  readonly nodeFirstFrameCpuMs: number | null
  /** The tab's speed over that of the other worker: by CPU time (null where the system does not say), and by wall time. */
  readonly cpuSpeed: number | null
  readonly wallSpeed: number
  /** Frames of the tab with other bytes than those of the other worker. */
  readonly wrong: number
}

/** Of frames after the first. */
interface Film {
  readonly hashes: readonly string[]
  readonly firstFrameMs: number
  readonly firstFrameCpuMs: number
  readonly wallMs: number
  readonly cpuMs: number | undefined
}

/** A tab of which nothing comes for so long is none, ms. */
const PATIENCE_MS = 120_000

/** What runs in the page; this program has no types of browsers. */
declare const document: { querySelector(selector: string): { readonly textContent: string } | null }
declare const navigator: object

/** @throws BenchError if there is no browser, or no tile comes. Rejects with the signal's reason on abort. */
export async function benchTab(
  options: TabBenchOptions,
  signal: AbortSignal,
  progress: (line: string) => void,
): Promise<TabBench> {
  const scene = await loadScene(options.scene)
  const browser = await startChromium()
  if ('unavailable' in browser) throw new BenchError(`bench tab ${browser.unavailable}`)
  const rounds: { readonly tab: Film & { firstTileMs: number }; readonly node: Film }[] = []
  try {
    for (let round = 0; round < options.rounds; round++) {
      const tab = await untilAborted(signal, filmOfTab(browser, scene, options, signal))
      const node = await untilAborted(signal, filmOfNode(scene, options, signal))
      rounds.push({ tab, node })
      progress(
        `round ${round + 1} of ${options.rounds}: first tile after ${tab.firstTileMs.toFixed(0)} ms, the film ${(node.wallMs / tab.wallMs).toFixed(2)} times as fast`,
      )
    }
    const of = (value: (round: (typeof rounds)[number]) => number) => median(rounds.map(value))
    return {
      ...options,
      browser: `Chromium ${browser.version()}`,
      firstTileMs: of(({ tab }) => tab.firstTileMs),
      firstFrameMs: of(({ tab }) => tab.firstFrameMs),
      nodeFirstFrameMs: of(({ node }) => node.firstFrameMs),
      firstFrameCpuMs: known(of(({ tab }) => tab.firstFrameCpuMs)),
      nodeFirstFrameCpuMs: known(of(({ node }) => node.firstFrameCpuMs)),
      cpuSpeed: known(of(({ tab, node }) => (node.cpuMs ?? Number.NaN) / (tab.cpuMs ?? Number.NaN))),
      wallSpeed: of(({ tab, node }) => node.wallMs / tab.wallMs),
      wrong: rounds.reduce(
        (sum, { tab, node }) => sum + tab.hashes.filter((hash, i) => hash !== node.hashes[i]).length,
        0,
      ),
    }
  } finally {
    await browser.close()
  }
}

const known = (value: number): number | null => (Number.isFinite(value) ? value : null)

async function filmOfTab(
  browser: Browser,
  scene: ReadyScene,
  options: TabBenchOptions,
  signal: AbortSignal,
): Promise<Film & { firstTileMs: number }> {
  const master = await startMaster({ listen: '127.0.0.1:0' })
  // A browser that knows nothing yet.
  const context = await browser.newContext()
  const processes = await browser.newBrowserCDPSession()
  try {
    // Its slider begins with all cores but one.
    await context.addInitScript(cores => {
      Object.defineProperty(navigator, 'hardwareConcurrency', { get: () => cores + 1 })
    }, options.cores)
    const page = await context.newPage()
    const since = performance.now()
    const made = film(master, scene, options, since, () => renderersCpuMs(processes), signal)
    // Whatever fails first, the other is of no interest then.
    made.catch(() => {})
    await page.goto(master.joinLink())
    await page
      .waitForFunction(() => document.querySelector('#tiles')!.textContent !== '0', undefined, { timeout: PATIENCE_MS })
      .catch(async () => {
        const [state, notice] = await Promise.all(['#state', '#notice'].map(each => page.locator(each).textContent()))
        throw new BenchError(`no tile of the tab came within ${PATIENCE_MS / 1000} s: ${state}. ${notice}`)
      })
    const firstTileMs = performance.now() - since
    return { ...(await made), firstTileMs }
  } finally {
    await processes.detach().catch(() => {})
    await context.close()
    await master.close()
  }
}

async function filmOfNode(scene: ReadyScene, options: TabBenchOptions, signal: AbortSignal): Promise<Film> {
  const master = await startMaster({ listen: '127.0.0.1:0' })
  const since = performance.now()
  const worker = startWorkerProcess('node', [master.url, '--threads', `${options.cores}`, '--no-cache'])
  try {
    return await film(master, scene, options, since, async () => processCpuMs(worker.child.pid ?? 0), signal)
  } finally {
    worker.leave()
    await master.close()
    await worker.ended
  }
}

async function film(
  master: Master,
  scene: ReadyScene,
  { size, samples, frames }: TabBenchOptions,
  since: number,
  cpuMs: () => Promise<number | undefined>,
  signal: AbortSignal,
): Promise<Film> {
  const hashes: string[] = []
  let first: { readonly at: number; readonly cpu: number | undefined } | undefined
  const options = { cluster: master, size, samples, frames, inFlight: 1, wait: PATIENCE_MS / 1000, signal }
  for await (const { pixels } of render(scene, options)) {
    hashes.push(sha256(pixels))
    first ??= { at: performance.now(), cpu: await cpuMs() }
  }
  const cpu = await cpuMs()
  return {
    hashes,
    firstFrameMs: first!.at - since,
    firstFrameCpuMs: first!.cpu ?? Number.NaN,
    wallMs: performance.now() - first!.at,
    cpuMs: cpu === undefined || first!.cpu === undefined ? undefined : cpu - first!.cpu,
  }
}

/** CPU time of the processes of pages, ms, as the browser says it. */
async function renderersCpuMs(session: CDPSession): Promise<number | undefined> {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const renderers = processInfo.filter(({ type }) => type === 'renderer')
  return renderers.length === 0 ? undefined : 1000 * renderers.reduce((sum, { cpuTime }) => sum + cpuTime, 0)
}
