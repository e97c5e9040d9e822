/** The graphics card of a tab: a software adapter of a real browser, where there is one, by the same code as in Node.js. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startChromium, WEBGPU_ARGUMENTS } from '../../scripts/bench/pictures/three/chromium.ts'
import { type Master, startMaster } from '../../scripts/library/master.ts'
import { render } from '../../scripts/library/render.ts'
import { startWorker } from '../../scripts/library/worker.ts'
import { PATIENT, patient } from '../support/view-page.ts'

const browser = await startChromium(undefined, process.env.PATH, WEBGPU_ARGUMENTS)
const hasWebgpu = !('unavailable' in browser) && (await adapterOf(browser)) !== ''
if (!hasWebgpu) console.warn('graphics cards of tabs are not tried: there is no Chromium with WebGPU')

const token = 'card-secret-'.repeat(4)
const FILM = { size: [96, 54], samples: 4, frames: 2, wait: 100 } as const

/** Of the page, in which some functions run; this program has no types of browsers. */
declare const document: { readonly documentElement: { readonly dataset: Readonly<Record<string, string>> } }
const reached = (page: Page, key: 'phase' | 'card', value: string) =>
  page.waitForFunction(
    ([key, value]) => document.documentElement.dataset[key!] === value,
    [key, value] as const,
    PATIENT,
  )

async function adapterOf(browser: Browser): Promise<string> {
  const page = patient(await browser.newPage())
  // Secure, and nothing is there.
  await page.route('http://127.0.0.1:1/', route => route.fulfill({ contentType: 'text/html', body: '' }))
  await page.goto('http://127.0.0.1:1/')
  const found = await page.evaluate<string>(
    `navigator.gpu?.requestAdapter().then(adapter => adapter ? adapter.info.architecture || 'unnamed' : '') ?? ''`,
  )
  await page.close()
  return found
}

describe.skipIf(!hasWebgpu)('the graphics card of a tab', () => {
  let master: Master
  const said: string[] = []
  let page: Page

  const film = async () => {
    const frames: Uint8Array[] = []
    const areas = new Set<string>()
    for await (const { pixels, report } of render('corner', { ...FILM, cluster: master })) {
      frames.push(pixels)
      for (const { name } of report.workers) areas.add(name)
    }
    return { frames, areas: [...areas] }
  }

  beforeAll(async () => {
    const hear = (text: string) => void said.push(text)
    master = await startMaster({ listen: '127.0.0.1:0', token, log: { info: hear, warn: hear } })
    page = patient(await (browser as Browser).newPage())
  })
  afterAll(async () => {
    await master.close()
    await (browser as Browser).close()
  })

  it('traces beside its cores with the bytes of any worker, once it has been tried, and may be left again', async () => {
    const worker = startWorker({ master: master.url, threads: 1, cache: false, token })
    const { frames: expected } = await film()
    await worker.close()
    await page.goto(master.joinLink().replace('/join', '/join?card=swiftshader'))
    await reached(page, 'phase', 'waiting')
    await page.click('#card')
    await reached(page, 'card', 'used')
    expect(await page.locator('#card-shown').textContent()).toBe('traces: swiftshader (software)')
    const { frames, areas } = await film()
    expect(frames).toEqual(expected)
    expect(areas.filter(name => name.endsWith('webgpu:swiftshader (software)'))).toHaveLength(1)
    // With other cores its threads are others, which need the scene on the card again.
    await page.evaluate(`cores.value = cores.value === '1' ? cores.max : 1; cores.dispatchEvent(new Event('change'))`)
    expect((await film()).frames).toEqual(expected)
    await reached(page, 'card', 'used')
    await page.click('#card')
    await reached(page, 'card', 'none')
    const after = await film()
    expect([after.frames, after.areas.filter(name => name.includes('webgpu'))]).toEqual([expected, []])
    expect(said.filter(text => /quarantine|expelled|withdrawn/.test(text))).toEqual([])
  })

  it('is not software, unless that is asked for by name', async () => {
    await page.goto(master.joinLink())
    await reached(page, 'phase', 'waiting')
    await page.click('#card')
    await reached(page, 'card', 'refused')
    expect(await page.locator('#card-shown').textContent()).toBe(
      'is not used: this browser has only software (swiftshader), which adds nothing to the cores',
    )
    expect(await page.locator('#card').isChecked()).toBe(false)
    await reached(page, 'phase', 'waiting')
  })
})
