/** three's own rasteriser in a browser, as a function from a glTF file to flat pictures. */
import type { Browser, Page } from 'playwright-core'
import { messageOf } from '../../../../shared/errors.ts'
import type { Size } from '../../../../shared/frame/rect.ts'
import type { Camera } from '../../../../shared/frame/view.ts'
import { isUnavailable, type Unavailable } from '../../kernel/unavailable.ts'
import type { RasterAnswer, RasterJob } from './browser/rasterise.ts'
import { startChromium } from './chromium.ts'
import type { FlatPicture } from './flat-picture.ts'
import { PageServer } from './page-server.ts'

/** What three shows of a file, at one time. */
export interface Rasterised {
  readonly picture: FlatPicture
  /** 1 for pixels that show a surface through which others shine. */
  readonly blended: Uint8Array
}

export class Rasteriser {
  /** With the versions of both. */
  readonly name: string
  readonly #browser: Browser
  readonly #server: PageServer

  private constructor(browser: Browser, server: PageServer, revision: string) {
    this.name = `three.js r${revision} (Chromium ${browser.version()})`
    this.#browser = browser
    this.#server = server
  }

  /** To be closed. @param program path of Chromium; default: found by its usual names */
  static async start(program?: string): Promise<Rasteriser | Unavailable> {
    const browser = await startChromium(program)
    if (isUnavailable(browser)) return browser
    const server = await PageServer.start()
    try {
      const page = await browser.newPage()
      await page.goto(server.url)
      const revision = await page.evaluate(() => (globalThis as unknown as InPage).revision)
      await page.close()
      return new Rasteriser(browser, server, revision)
    } catch (error) {
      server.close()
      await browser.close()
      throw error
    }
  }

  /**
   * A picture for each time. Rejects with what three says of a file that it cannot read, or reads in part: nothing can be judged by that.
   * @param camera absent: the file's first camera
   * @param supersampling samples per pixel along each axis
   * @param times of the file's first animation, s. A file without one is always the same
   */
  async rasterise(
    path: string,
    size: Size,
    supersampling: number,
    camera?: Camera,
    times: readonly number[] = [0],
  ): Promise<Rasterised[]> {
    const job: RasterJob = { url: this.#server.serve(path), size, supersampling, times, ...(camera && { camera }) }
    // A page of its own: nothing is left of the file before.
    const page = await this.#browser.newPage()
    const complaints = complaintsOf(page)
    try {
      await page.goto(this.#server.url)
      const answers = await page.evaluate(job => (globalThis as unknown as InPage).rasterise(job), job)
      if (complaints[0] !== undefined) throw new Error(complaints[0])
      return answers.map(({ values, blended }) => ({
        picture: { size, values: new Float32Array(Uint8Array.from(Buffer.from(values, 'base64')).buffer) },
        blended: Uint8Array.from(Buffer.from(blended, 'base64')),
      }))
    } catch (error) {
      throw new Error(`three.js: ${firstLine(messageOf(error))}`, { cause: error })
    } finally {
      await page.close()
    }
  }

  async close(): Promise<void> {
    this.#server.close()
    await this.#browser.close()
  }
}

/** What `browser/rasterise.ts` leaves in its page. */
interface InPage {
  readonly revision: string
  rasterise(job: RasterJob): Promise<RasterAnswer[]>
}

/** What three says on the console while the page lives: a texture that cannot be read is no error to it. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', message => {
    if (message.type() === 'error') complaints.push(firstLine(message.text()))
  })
  page.on('pageerror', error => complaints.push(firstLine(error.message)))
  return complaints
}

const firstLine = (text: string): string => text.split('\n')[0]!.replace(/^page\.evaluate: (?:Error: )?/, '')
