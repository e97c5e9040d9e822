/** The page of what a master renders, in a real browser, where there is one: it shows the newest frame of a film, whether its dashboard is open or not. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startChromium } from '../../scripts/bench/pictures/three/chromium.ts'
import { type Cluster, connect } from '../../scripts/library/cluster.ts'
import { type Master, startMaster } from '../../scripts/library/master.ts'
import { render } from '../../scripts/library/render.ts'
import { PATIENT, patient } from '../support/view-page.ts'

const browser = await startChromium()
if ('unavailable' in browser) console.warn(`the page of films is not tried: it ${browser.unavailable}`)

const FRAMES = 5
const [WIDTH, HEIGHT] = [96, 54] as const

/** Of the page, in which some functions run; this program has no types of browsers. */
interface Shown {
  readonly textContent: string
  readonly hidden: boolean
  readonly width: number
  getContext(kind: '2d'): {
    getImageData(x: number, y: number, w: number, h: number): { readonly data: Uint8ClampedArray }
  }
}
declare const document: {
  querySelector(of: string): Shown
  querySelectorAll(of: string): Iterable<{ readonly children: readonly Shown[] }>
}

/** Waits for the picture of the last of these frames: that of a JPEG file, which is nearer to it than to the others. */
const showsLast = (page: Page, frames: readonly Uint8Array[]) =>
  page.waitForFunction(
    ({ made, w, h }) => {
      const canvas = document.querySelector('#picture')
      if (canvas.width !== w) return false
      const { data } = canvas.getContext('2d').getImageData(0, 0, w, h)
      const off = made.map(pixels =>
        pixels.reduce((sum, value, i) => sum + Math.abs(value - data[Math.floor(i / 3) * 4 + (i % 3)]!), 0),
      )
      return off.indexOf(Math.min(...off)) === made.length - 1
    },
    { made: frames.map(pixels => [...pixels]), w: WIDTH, h: HEIGHT },
    PATIENT,
  )

describe.skipIf('unavailable' in browser)('the page of films', () => {
  let master: Master
  let client: Cluster
  let page: Page
  const problems: string[] = []

  beforeAll(async () => {
    master = await startMaster({ listen: '127.0.0.1:0' })
    client = await connect(master.url)
    page = patient(await (browser as Browser).newPage({ viewport: { width: 1000, height: 700 } }))
    page.on('pageerror', error => problems.push(error.message))
    await page.goto(master.link('operate'))
    await page.locator('#dashboard').waitFor(PATIENT)
  })
  afterAll(async () => {
    await client.close()
    await master.close()
    await (browser as Browser).close()
  })

  it('shows the last frame of a film that was rendered beside its closed dashboard, and no figures by a clock that tabs do not have', async () => {
    const tab = patient(await (browser as Browser).newPage())
    await tab.goto(master.joinLink())
    await page.keyboard.press('d')
    expect(await page.locator('#dashboard').isHidden()).toBe(true)
    const made: Uint8Array[] = []
    const film = render('corner', { size: [WIDTH, HEIGHT], samples: 4, frames: FRAMES, wait: 100, cluster: client })
    for await (const { pixels } of film) made.push(pixels)
    await showsLast(page, made)
    expect(await page.locator('#state').textContent()).toMatch(/^watching, 96×54, 4 samples$/)
    await page.keyboard.press('d')
    await page.waitForFunction(
      () => [...document.querySelectorAll('.frame-figures > div')].length > 0,
      undefined,
      PATIENT,
    )
    const figures = await page.evaluate(() =>
      [...document.querySelectorAll('.frame-figures > div')].map(({ children }) =>
        [...children].map(({ textContent }) => textContent),
      ),
    )
    expect(Object.fromEntries(figures)).toMatchObject({
      T: '–',
      T_min: '–',
      'ε, CPU clock': '– (not all areas have one)',
    })
    expect(Object.fromEntries(figures)['ε, wall clock']).toMatch(/ %$/)
    // What can be done to a worker is within the dashboard, however little room that has.
    const drain = page.getByRole('button', { name: /^Drain / })
    const [inside, most] = await Promise.all([drain.boundingBox(), page.locator('.workers').boundingBox()])
    expect(inside!.x + inside!.width).toBeLessThanOrEqual(most!.x + most!.width)
    // Whoever looks at the tiles of another frame is told whose picture is under them.
    const why = (pattern: RegExp) => page.locator('.why').filter({ hasText: pattern }).waitFor(PATIENT)
    const line = page.getByRole('slider', { name: 'Frame' })
    await line.press('Home')
    await why(/^Frame 0: .* The picture is of the newest frame\.$/)
    await line.press('End')
    await why(new RegExp(`^Frame ${FRAMES - 1}: ((?!The picture).)*$`))
    // A page that comes when nothing is made any more has the last frame, too.
    const late = await (browser as Browser).newPage()
    await late.goto(master.link('watch'))
    await showsLast(late, made)
    await late.close()
    await page.click('#join')
    await page.locator('#join-panel').waitFor(PATIENT)
    expect(await page.locator('#join-local').textContent()).toMatch(/: start the master with --listen\.$/)
    await tab.click('#leave')
    await tab.locator('#leave').waitFor({ state: 'hidden', ...PATIENT })
    expect(await tab.locator('#pause').isHidden()).toBe(true)
    expect(await tab.locator('#state').textContent()).toBe('It has left. Reload the page to join again.')
    expect(problems).toEqual([])
  })
})
