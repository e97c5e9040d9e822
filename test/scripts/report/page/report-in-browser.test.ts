/** The report as a browser lays it out: what is on its first screen, and that nothing is wider than a phone. */
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { isUnavailable } from '../../../../scripts/bench/kernel/unavailable.ts'
import { startChromium } from '../../../../scripts/bench/pictures/three/chromium.ts'
import { medianFrame } from '../../../../scripts/report/figures/run-frames.ts'
import { dashboardProgram } from '../../../../scripts/report/page/report-dashboard.ts'
import { reportHtml } from '../../../../scripts/report/page/report-html.ts'
import { ms } from '../../../../shared/dashboard/drawing/units.ts'
import { whySlow } from '../../../../shared/dashboard/why-slow.ts'
import type { Summary } from '../../../../shared/frame/summary.ts'
import { everySummary, fieldRuns, framesOf } from '../summaries.ts'

const browser = await startChromium()
if (isUnavailable(browser)) console.log(`the layout of the report is not tested: it ${browser.unavailable}`)
afterAll(async () => {
  if (!isUnavailable(browser)) await browser.close()
})

const sheet = await sharp({ create: { width: 640, height: 360, channels: 3, background: '#456' } })
  .png()
  .toBuffer()
const dataUri = `data:image/png;base64,${sheet.toString('base64')}`

const runs = framesOf(fieldRuns(3))

const pageOf = (summary: Summary): string =>
  reportHtml(summary, {
    tiles: summary.strategies.map(({ name, frames }) => ({ strategy: name, frame: frames[0]!.frame, dataUri })),
    pictures: [{ strategy: summary.strategies[0]!.name, frame: 0, dataUri }],
    runs: runs.filter(({ name }) => summary.strategies.some(each => each.name === name)),
    dashboard: { ...dashboardProgram(), pictures: [{ strategy: 'pbt', frame: 1, dataUri }] },
  })

/** What of a document is measured; the tests know no DOM. */
interface Measured {
  readonly querySelectorAll: (selector: string) => Iterable<{
    getBoundingClientRect(): { readonly top: number; readonly bottom: number; readonly right: number }
    readonly clientWidth: number
    readonly scrollWidth: number
    open?: boolean
  }>
  readonly documentElement: { readonly scrollWidth: number }
}

async function laidOut(summary: Summary, width: number) {
  if (isUnavailable(browser)) throw new Error(browser.unavailable)
  const page = await browser.newPage({ viewport: { width, height: 900 } })
  try {
    await page.setContent(pageOf(summary))
    return await page.evaluate(() => {
      const { document } = globalThis as unknown as { readonly document: Measured }
      const pictures = [...document.querySelectorAll('header img')].map(image => image.getBoundingClientRect().bottom)
      for (const part of document.querySelectorAll('details')) part.open = true
      const cut = (selector: string) =>
        [...document.querySelectorAll(selector)].filter(part => part.scrollWidth > part.clientWidth).length
      return {
        width: document.documentElement.scrollWidth,
        pictures,
        cutUpright: cut('.scroll:has(> .upright), .scroll:has(> .winners)'),
        cutCharts: cut('.narrow, .wide'),
        cutTables: cut('.scroll:has(> .broad)'),
      }
    })
  } finally {
    await page.close()
  }
}

describe.skipIf(isUnavailable(browser)).each(everySummary)('%s', (_, make) => {
  test('fits on a phone, folded or not', async () => {
    const { width, cutCharts } = await laidOut(make(), 390)
    expect([width, cutCharts]).toEqual([390, 0])
  })

  test('has its pictures on the first screen, and tables that fit', async () => {
    const { width, pictures, cutUpright, cutTables } = await laidOut(make(), 1280)
    expect([width, cutUpright, cutTables]).toEqual([1280, 0, 0])
    expect(pictures.length).toBeGreaterThan(0)
    for (const bottom of pictures) expect(bottom).toBeLessThan(900)
  })
})

test.skipIf(isUnavailable(browser))('a few strategies stand side by side on a phone', async () => {
  const [, usual] = everySummary[0]!
  expect((await laidOut(usual(), 390)).cutUpright).toBe(0)
})

describe.skipIf(isUnavailable(browser))('the dashboard in a report', () => {
  const [, usual] = everySummary[0]!
  const shown = runs.filter(({ name }) => usual().strategies.some(each => each.name === name))
  const frameOf = (run: number, at: number) => medianFrame({ ...shown[run]!, frames: [shown[run]!.frames[at]!] })
  const said = (run: number, at: number) => {
    const { frame, roster } = frameOf(run, at)
    return whySlow(frame, area => roster.names[area]!).text.slice(1)
  }

  /** A page, and what was wrong with it. */
  async function opened(markup = pageOf(usual()), javaScriptEnabled = true) {
    if (isUnavailable(browser)) throw new Error(browser.unavailable)
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, javaScriptEnabled })
    // However busy the machine is.
    page.setDefaultTimeout(0)
    const wrong: string[] = []
    page.on('console', message => wrong.push(message.text()))
    page.on('pageerror', error => wrong.push(error.message))
    page.on('dialog', dialog => {
      wrong.push(dialog.message())
      void dialog.dismiss()
    })
    page.on('request', request => request.url().startsWith('data:') || wrong.push(request.url()))
    await page.setContent(markup)
    const place = page.locator('#frame-by-frame')
    /** Resolves once it says so: it draws with the display's next picture. */
    const says = (text: string) => place.locator('.why', { hasText: text }).waitFor()
    return { page, place, wrong, says }
  }

  test('begins with the frame that is drawn, and arrow keys choose any other', async () => {
    const { page, place, wrong, says } = await opened()
    try {
      const median = shown[0]!.frames.findIndex(({ frame }) => frame === medianFrame(shown[0]!).frame.frame)
      await says(said(0, median))
      await place.locator('.line').focus()
      const keys = ['Home', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowLeft', 'Home', 'End'] as const
      for (const [i, at] of [0, 1, 2, 2, 1, 0, 2].entries()) {
        await page.keyboard.press(keys[i]!)
        await says(said(0, at))
        const { frameMs } = shown[0]!.frames[at]!.figures
        expect(await place.locator('.frame-figures dd').first().textContent()).toBe(ms(frameMs))
        expect(await place.locator('.row').count()).toBe(8)
        // There is a picture of frame 1 only; of the others, the tiles are drawn on a blank sheet.
        expect(await place.locator('.stage img').isVisible()).toBe(at === 1)
        expect(await place.locator('.tile-map .tile').count()).toBe(
          frameOf(0, at).frame.areas.flatMap(each => each.tiles).length,
        )
      }
      // The others are of the same film.
      await place.locator('button', { hasText: /^pbt$/ }).click()
      await says(said(1, 2))
      await page.keyboard.press('Tab')
      expect(wrong).toEqual([])
    } finally {
      await page.close()
    }
  })

  test('shows what happened between frames, in their line and in words', async () => {
    const events = (['joined', 'lost', 'quarantined', 'released', 'cut', 'strategy', 'retried'] as const).map(
      (kind, i) => ({ before: i % 3, at: i, kind, text: `<b>${kind}</b>` }),
    )
    const markup = reportHtml(usual(), {
      ...{ tiles: [], pictures: [], runs: [{ ...shown[0]!, events }] },
      dashboard: { ...dashboardProgram(), pictures: [] },
    })
    const { page, place, wrong } = await opened(markup)
    try {
      await place.locator('.line .event').last().waitFor()
      expect(await place.locator('.line .event title').allTextContents()).toEqual(events.map(({ text }) => text))
      expect(await place.locator('.events li').allTextContents()).toEqual(
        events.toReversed().map(({ before, text }) => `before ${before} ${text}`),
      )
      expect(wrong).toEqual([])
    } finally {
      await page.close()
    }
  })

  test('shows a worker that is pointed at in the table, the chart and the picture', async () => {
    const { page, place } = await opened()
    try {
      for (const from of ['tr[data-area="3"]', '.row[data-area="3"] .name', '.tile[data-area="3"]']) {
        await place.locator('h2').hover()
        await place.locator('.is-lit').first().waitFor({ state: 'detached' })
        // Tiles are pointed at through the picture.
        const pointed = place.locator(from).first()
        await pointed.scrollIntoViewIfNeeded()
        const box = (await pointed.boundingBox())!
        await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
        await place.locator('.is-lit').first().waitFor()
        const lit = await place
          .locator('.is-lit')
          .evaluateAll((found: { getAttribute(name: string): string }[]) =>
            found.map(each => each.getAttribute('data-area')),
          )
        expect(lit.length).toBeGreaterThanOrEqual(3)
        expect(new Set(lit)).toEqual(new Set(['3']))
      }
    } finally {
      await page.close()
    }
  })

  test('of hostile names shows them, and runs nothing of them', async () => {
    const [, weird] = everySummary.find(([name]) => name === 'hostile names')!
    const name = '</script><img src=x onerror=alert(1)><script>alert(2)</script>'
    const rosters = shown[0]!.rosters.map(({ ids }) => ({ ids, names: ids.map(() => name) }))
    const markup = reportHtml(weird(), {
      ...{ tiles: [], pictures: [], runs: [{ ...shown[0]!, name, rosters }] },
      dashboard: { ...dashboardProgram(), pictures: [] },
    })
    const { page, place, wrong } = await opened(markup)
    try {
      await place.locator('button', { hasText: name }).waitFor()
      expect(await place.locator('tbody th').first().textContent()).toContain(name)
      expect(wrong).toEqual([])
    } finally {
      await page.close()
    }
    // Nor does a script that is put into the page.
    const changed = await opened(markup.replace('</main>', '<script>alert(3)</script></main>'))
    try {
      await changed.place.locator('.why').waitFor()
      expect(changed.wrong.join()).toMatch(/Content Security Policy/)
      expect(changed.wrong).not.toContain('3')
    } finally {
      await changed.page.close()
    }
  })

  test('is not there without scripts, nor on paper, where a frame of each run is', async () => {
    const bare = await opened(pageOf(usual()), false)
    const alone = await opened(
      reportHtml(usual(), {
        tiles: [],
        pictures: [],
        runs: shown.slice(0, 1),
        dashboard: { ...dashboardProgram(), pictures: [] },
      }),
    )
    try {
      expect(await bare.place.isVisible()).toBe(false)
      expect(await bare.page.locator('.charts svg.gantt:visible').count()).toBe(2)
      // Of a single run, the frame is in the dashboard; on paper there is no dashboard.
      const charts = alone.page.locator('.charts')
      expect([await alone.place.isVisible(), await charts.isVisible()]).toEqual([true, false])
      await alone.page.emulateMedia({ media: 'print' })
      expect([await alone.place.isVisible(), await charts.isVisible()]).toEqual([false, true])
    } finally {
      await bare.page.close()
      await alone.page.close()
    }
  })
})
