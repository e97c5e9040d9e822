/** Tabs of a real browser as workers, where there is one: they make the bytes of any worker, come and go, and say what they do. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { OTHER_NAME, startChromium } from '../../scripts/bench/pictures/three/chromium.ts'
import { type Master, startMaster } from '../../scripts/library/master.ts'
import { render } from '../../scripts/library/render.ts'
import type { RenderOptions } from '../../scripts/library/render-options.ts'
import { startWorker } from '../../scripts/library/worker.ts'
import { qrCode } from '../../shared/page/qr-code.ts'
import { PATIENT, patient } from '../support/view-page.ts'

const browser = await startChromium()
if ('unavailable' in browser) console.warn(`tabs as workers are not tried: it ${browser.unavailable}`)

const token = 'tab-secret-'.repeat(4)
const FILM = { size: [96, 54], samples: 4, frames: 5, wait: 100 } as const satisfies RenderOptions

/** Of the page, in which some functions run; this program has no types of browsers. */
declare const document: {
  readonly documentElement: { readonly dataset: Readonly<Record<string, string>> }
  querySelector(selector: string): { readonly textContent: string } | null
}
declare const crossOriginIsolated: boolean
const reached = (page: Page, ...phases: string[]) =>
  page.waitForFunction(wanted => wanted.includes(document.documentElement.dataset.phase!), phases, PATIENT)
const words = (page: Page, of: string) => page.locator(of).textContent()

let master: Master
/** What the master logs. */
let said: string[]
let wake = () => {}
let tabs: BrowserContext
let problems: string[]

/** Resolves when the master has logged this. */
async function heard(what: RegExp): Promise<void> {
  while (!said.some(text => what.test(text)))
    await new Promise<void>(resolve => {
      wake = resolve
    })
}

/** Pixels of the film's frames. @param after is called when a frame is there */
async function film(options: Partial<RenderOptions> = {}, after: (frame: number) => unknown = () => {}) {
  const frames: Uint8Array[] = []
  const unchecked: number[] = []
  for await (const { pixels, report } of render('corner', { ...FILM, cluster: master, ...options })) {
    frames.push(pixels)
    unchecked.push(report.verification?.unchecked ?? -1)
    await after(report.frame)
  }
  return { frames, unchecked }
}

async function join(link = master.joinLink()): Promise<Page> {
  const page = await tabs.newPage()
  page.on('pageerror', error => problems.push(error.message))
  await page.goto(link)
  return page
}

async function joined(): Promise<Page> {
  const page = await join()
  await reached(page, 'waiting', 'building', 'tracing')
  return page
}

describe.skipIf('unavailable' in browser)('tabs', () => {
  let expected: readonly Uint8Array[]

  beforeAll(async () => {
    master = await startMaster({ listen: '127.0.0.1:0', token })
    const worker = startWorker({ master: master.url, threads: 1, cache: false, token })
    expected = (await film()).frames
    await worker.close()
    await master.close()
  })
  beforeEach(async () => {
    said = []
    problems = []
    const hear = (text: string) => {
      said.push(text)
      wake()
    }
    master = await startMaster({ listen: '127.0.0.1:0', token, log: { info: hear, warn: hear } })
    tabs = patient(await (browser as Browser).newContext({ viewport: { width: 390, height: 700 } }))
  })
  afterEach(async () => {
    await tabs.close()
    await master.close()
    expect(problems).toEqual([])
  })
  afterAll(() => (browser as Browser).close())

  it('make the film of any worker, also when one is closed in the middle of it', async () => {
    const [first, second] = [await joined(), await joined()]
    // Both have the scene when the film begins.
    const { frames } = await film({ cluster: { ...master, workers: 2 } }, async frame => {
      if (frame === 1) await first.close()
    })
    expect(frames).toEqual(expected)
    // What a tab says arrives at its page a little later than its tile at the master.
    await second.waitForFunction(() => document.querySelector('#tiles')!.textContent !== '0', undefined, PATIENT)
    expect(await second.evaluate(() => crossOriginIsolated)).toBe(true)
    // A tab that is closed has done nothing wrong.
    expect(said.filter(text => /quarantine|expelled/.test(text))).toEqual([])
  })

  it('pause, go on, take other cores, and leave', async () => {
    const page = await joined()
    await page.click('#pause')
    await reached(page, 'paused')
    await page.click('#pause')
    await reached(page, 'waiting')
    const { frames } = await film({ frames: 1 })
    expect(frames).toEqual(expected.slice(0, 1))
    await page.locator('#cores').evaluate(slider => {
      const input = slider as unknown as { max: string; value: string; dispatchEvent(event: unknown): void }
      input.max = '3'
      input.value = '3'
      input.dispatchEvent(new Event('change'))
    })
    await heard(/joined as w\d+ \(wasm, 3 threads\)/)
    const more = await film({ frames: 2 })
    expect(more.frames).toEqual(expected.slice(0, 2))
    await page.click('#leave')
    await reached(page, 'over')
    await heard(/left \(its tab was closed\), 0 in the cluster/)
    expect(master.connected()).toEqual([])
    await page.reload()
    await reached(page, 'waiting')
  })

  it('say that they are slower while nobody sees them, and make the same bytes', async () => {
    const page = await joined()
    await page.evaluate(`
      window.titles = []
      new MutationObserver(() => titles.push(document.title)).observe(document.querySelector('title'), { childList: true })
      Object.defineProperty(document, 'visibilityState', { value: 'hidden' })
      document.dispatchEvent(new Event('visibilitychange'))`)
    expect((await film()).frames).toEqual(expected)
    await reached(page, 'waiting')
    expect(await page.evaluate('titles')).toContain('Tracing, at 50 % while the tab is hidden · sortfirst')
  })

  it('have a copy for each thread where their page may share no memory', async () => {
    const without = ['cross-origin-opener-policy', 'cross-origin-embedder-policy']
    await tabs.route('**/join', async route => {
      const response = await route.fetch()
      const headers = Object.entries(response.headers()).filter(([name]) => !without.includes(name))
      await route.fulfill({ response, headers: Object.fromEntries(headers) })
    })
    const page = await joined()
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(false)
    const { frames } = await film()
    expect(frames).toEqual(expected)
  })

  it('join also if the answer to their link is lost', async () => {
    let lost = 0
    await tabs.route('**/work-access', async route => {
      if (lost > 0) return route.continue()
      lost++
      // The master has used up the ticket.
      await route.fetch()
      await route.abort('connectionreset')
    })
    const page = await joined()
    expect(lost).toBe(1)
    expect(await page.evaluate('document.cookie')).toBe('')
  })

  it('come by a code for their camera, where the page has an address that others find', async () => {
    const page = await tabs.newPage()
    await page.goto(master.link('operate').replace('127.0.0.1', OTHER_NAME))
    await page.click('#join')
    await page.locator('#join-code').waitFor(PATIENT)
    const link = (await words(page, '#join-link'))!
    const { size, path } = qrCode(link)!
    expect(await page.locator('#join-code').getAttribute('viewBox')).toBe(`0 0 ${size} ${size}`)
    expect(await page.locator('#join-code path').getAttribute('d')).toBe(path)
    // Nothing but the code is in a camera's sight.
    expect((await page.locator('#join-code').boundingBox())!.width).toBeGreaterThan(100)
    const guest = await join(link)
    await reached(guest, 'waiting')
    expect((await film({ frames: 1 })).frames).toEqual(expected.slice(0, 1))
  })

  it('say what is wrong with a link that was used', async () => {
    const link = master.joinLink()
    const page = await join(link)
    await reached(page, 'waiting')
    // Another browser's: it has no cookie.
    const other = patient(await (browser as Browser).newPage())
    await other.goto(link)
    await reached(other, 'over')
    expect(await words(other, '#notice')).toMatch(/^This link was used already, .*ask for a new one/)
    await other.close()
  })
})
