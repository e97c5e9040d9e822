/** The report as a browser lays it out: what is on its first screen, and that nothing is wider than a phone. */
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { isUnavailable } from '../../../../scripts/bench/kernel/unavailable.ts'
import { startChromium } from '../../../../scripts/bench/pictures/three/chromium.ts'
import { dashboardProgram } from '../../../../scripts/report/page/report-dashboard.ts'
import { reportHtml } from '../../../../scripts/report/page/report-html.ts'
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
