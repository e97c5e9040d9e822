/** How soon a page in a real browser answers a drag: with the picture that is there, as it looks from the newest view. */
import type { Browser } from 'playwright-core'
import type { Size } from '../../../shared/frame/rect.ts'
import { type Quantiles, quantilesOf } from './quantiles-of.ts'

/** What the page says of each picture that it has bent. */
interface Mark {
  readonly detail: { readonly latencyMs: number }
}
declare const document: { readonly documentElement: { readonly dataset: Readonly<Record<string, string>> } }

const PATIENCE_MS = 120_000
const MOVES = 120
const MOVE_PX = 3
/** In a smaller window what stands beside the picture leaves no place for it, px. */
const LEAST: Size = [640, 400]

/** From the event that moves the view to the drawing of the picture, ms; undefined: nothing was bent, for want of WebGL2. */
export async function warpTimes(browser: Browser, link: string, size: Size): Promise<Quantiles | undefined> {
  const [width, height] = [Math.max(size[0], LEAST[0]), Math.max(size[1], LEAST[1])]
  const page = await browser.newPage({ viewport: { width, height } })
  await page.goto(link)
  const isFinished = () => document.documentElement.dataset.stage === 'finished'
  await page.waitForFunction(isFinished, undefined, { timeout: PATIENCE_MS })
  await page.mouse.move(width / 4, height / 2)
  await page.mouse.down()
  for (let i = 1; i <= MOVES; i++) await page.mouse.move(width / 4 + i * MOVE_PX, height / 2)
  await page.mouse.up()
  const marks = await page.evaluate(() =>
    (performance.getEntriesByName('warp') as unknown as Mark[]).map(mark => mark.detail.latencyMs),
  )
  await page.close()
  return marks.length === 0 ? undefined : quantilesOf(marks)
}
