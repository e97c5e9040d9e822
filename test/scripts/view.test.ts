/** `sortfirst view` in a real browser, where there is one: what people see, on a canvas and in words. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startChromium } from '../../scripts/bench/pictures/three/chromium.ts'
import { SIGNLESS_MS } from '../../shared/page/page-messages.ts'
import { textPly } from '../scenes/files/ply/ply-bytes.ts'
import { sortfirst } from '../support/program.ts'
import { canvasHash, PATIENT, patient, reached, resized, saying, settled, View, words } from '../support/view-page.ts'

const browser = await startChromium()
if ('unavailable' in browser) console.warn(`the page is not tried: it ${browser.unavailable}`)

/** Of three triangles. */
const tent = (at: number) =>
  textPly({
    vertices: [
      [at, at, at],
      [at + 4, at, at],
      [at, at, at + 4],
      [at, at + 3, at],
    ],
    faces: [
      [0, 1, 3],
      [1, 2, 3],
      [0, 3, 2],
    ],
  })
const TENT = tent(0)

/** Of the page, in which some functions run; this program has no types of browsers. */
interface PageElement {
  readonly textContent: string
  readonly hidden: boolean
  readonly clientHeight: number
  readonly offsetTop: number
  readonly scrollWidth: number
  readonly scrollHeight: number
  dispatchEvent(event: object): void
}
declare const document: {
  readonly documentElement: { readonly dataset: Readonly<Record<string, string>>; readonly scrollWidth: number }
  querySelector(of: string): PageElement
}
declare const innerWidth: number
declare const location: { readonly href: string }
declare const DataTransfer: new () => { readonly items: { add(file: object): void } }
declare const KeyboardEvent: new (type: string, options: object) => object
declare function requestAnimationFrame(then: () => void): void

describe.skipIf('unavailable' in browser)('a page', () => {
  let view: View
  let page: Page
  let link: string
  const problems: string[] = []

  beforeAll(async () => {
    view = new View()
    link = await view.link()
    page = patient(await (browser as Browser).newPage({ viewport: { width: 800, height: 600 } }))
    page.on('pageerror', error => problems.push(error.message))
    page.on('console', message => message.type() === 'error' && problems.push(message.text()))
    await page.goto(link)
    await reached(page, 'finished')
  })

  afterAll(async () => {
    if (view.child.exitCode === null) await view.end()
    await (browser as Browser).close()
  })

  it('shows the scene, without an error, and loads nothing from elsewhere', async () => {
    expect(problems).toEqual([])
    expect(await page.title()).toBe('corner · sortfirst')
    expect(await words(page, '#state')).toMatch(/^finished, \d+×\d+, 4 samples$/)
    const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
    expect(loaded.filter(name => !name.startsWith(new URL(link).origin))).toEqual([])
    // The ticket is not in the history.
    expect(page.url()).toMatch(/#view=/)
  })

  it('has on its canvas the pixels of the command line that it shows', async () => {
    const hash = await words(page, '#hash')
    expect(await canvasHash(page)).toBe(hash)
    const [, ...command] = (await words(page, '#command'))!.split(' ')
    const out = ['--out', `${process.env.TMPDIR ?? '/tmp'}/view-${process.pid}`, '--json', '--no-cache']
    const { code, stdout, stderr } = await sortfirst([...command, ...out])
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout).strategies[0].frameSha256).toEqual([hash])
  })

  it('turns by mouse and keys, and back', async () => {
    const before = await words(page, '#command')
    const box = (await page.locator('#stage').boundingBox())!
    await page.mouse.move(box.x + 200, box.y + 200)
    await page.mouse.down()
    for (let i = 1; i <= 10; i++) await page.mouse.move(box.x + 200 + i * 8, box.y + 200)
    await page.mouse.up()
    await page.keyboard.press('ArrowUp')
    await settled(page)
    expect(await words(page, '#command')).not.toBe(before)
    expect(await canvasHash(page)).toBe(await words(page, '#hash'))
    await page.keyboard.press('z')
    await page.keyboard.press('z')
    await page.waitForFunction(wanted => document.querySelector('#command').textContent === wanted, before, PATIENT)
  })

  it('answers a move at once, with the picture that is there as it looks from elsewhere', async () => {
    const warps = () =>
      page.evaluate(() => ({
        count: performance.getEntriesByName('warp').length,
        isHidden: document.querySelector('#warp').hidden,
        state: document.querySelector('#state').textContent,
      }))
    const before = await warps()
    expect(before.isHidden).toBe(true)
    // Without a picture that is newer: no message comes before the frame after the key.
    const after = await page.evaluate(
      () =>
        new Promise<{ count: number; isHidden: boolean; state: string }>(resolve => {
          document
            .querySelector('#stage')
            .dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }))
          requestAnimationFrame(() =>
            resolve({
              count: performance.getEntriesByName('warp').length,
              isHidden: document.querySelector('#warp').hidden,
              state: document.querySelector('#state').textContent,
            }),
          )
        }),
    )
    expect(after).toEqual({ count: before.count + 1, isHidden: false, state: 'moving' })
    await reached(page, 'finished')
    expect((await warps()).isHidden).toBe(true)
    expect(await canvasHash(page)).toBe(await words(page, '#hash'))
  })

  it('turns around the point that is clicked twice, and not around the sky', async () => {
    const target = async () => /--target=(\S+)/.exec((await words(page, '#command'))!)![1]!
    const eye = async () => /--eye=(\S+)/.exec((await words(page, '#command'))!)![1]!
    const [before, from] = [await target(), await eye()]
    const box = (await page.locator('#stage').boundingBox())!
    // The sky.
    await page.mouse.dblclick(box.x + box.width * 0.1, box.y + 8)
    expect(await target()).toBe(before)
    await page.mouse.dblclick(box.x + box.width * 0.8, box.y + box.height * 0.85)
    await page.waitForFunction(
      was => {
        const command = document.querySelector('#command').textContent
        return document.documentElement.dataset.stage === 'finished' && !command.includes(`--target=${was} `)
      },
      before,
      PATIENT,
    )
    expect(await eye()).toBe(from)
    await page.keyboard.press('z')
    await page.waitForFunction(
      was => document.querySelector('#command').textContent.includes(`--target=${was} `),
      before,
      PATIENT,
    )
  })

  it('says what is at a pixel that is clicked, and not at one that is dragged; Escape closes it', async () => {
    const box = (await page.locator('#stage').boundingBox())!
    await page.mouse.click(box.x + box.width * 0.8, box.y + box.height * 0.85)
    await page.waitForFunction(() => !document.querySelector('#pick').hidden, undefined, PATIENT)
    expect(await words(page, '#pick-facts')).toMatch(/object.+material.+triangle.+distance.+worker-1/)
    await page.keyboard.press('Escape')
    expect(await page.locator('#pick').isHidden()).toBe(true)
    // Without a mouse.
    await page.keyboard.press('p')
    await page.waitForFunction(() => !document.querySelector('#pick').hidden, undefined, PATIENT)
    // A move closes it; there is nothing to undo of a click.
    await page.keyboard.press('ArrowLeft')
    await page.waitForFunction(() => document.querySelector('#pick').hidden, undefined, PATIENT)
    await settled(page)
  })

  /** Resolves when the finished picture's command line has this, or has it no more. */
  const commanded = (text: string, isThere = true) =>
    page.waitForFunction(
      ([part, there]) =>
        document.documentElement.dataset.stage === 'finished' &&
        document.querySelector('#command').textContent.includes(part as string) === there,
      [text, isThere] as const,
      PATIENT,
    )

  it('keeps views, goes back to them, flies, and sets light, all in its address and in words', async () => {
    const kept = await words(page, '#command')
    await page.keyboard.press('v')
    await page.keyboard.press('b')
    expect(await words(page, '#bookmarks')).toContain('1')
    await page.keyboard.press('g')
    await page.keyboard.press('w')
    await page.waitForFunction(
      was =>
        document.documentElement.dataset.stage === 'finished' && document.querySelector('#command').textContent !== was,
      kept,
      PATIENT,
    )
    await page.keyboard.press('Escape')
    expect(await page.locator('#fly-pad').isHidden()).toBe(true)
    await page.keyboard.press('l')
    await page.fill('#exposure-number', '1.5')
    await page.fill('#azimuth-number', '100')
    await page.keyboard.press('Enter')
    await commanded('--exposure 1.5 --sun=100,39.6')
    const changed = await page.evaluate(() => location.href)
    expect(changed).toContain('&exposure=1.5&sun=100,39.6')
    expect(await canvasHash(page)).toBe(await words(page, '#hash'))
    expect(await page.locator('#camera-line').inputValue()).toContain('--exposure 1.5')
    expect(JSON.parse(await page.locator('#camera-json').inputValue())).toHaveProperty('fov', 36)
    // Where it was, by the bookmark; and by the browser's own way to an address.
    await page.click('#bookmarks button')
    await page.waitForFunction(wanted => document.querySelector('#command').textContent === wanted, kept, PATIENT)
    await page.goto(changed)
    await commanded('--exposure 1.5')
    await page.click('#light-reset')
    await commanded('--exposure', false)
    await page.click('#bookmarks button')
    await page.waitForFunction(wanted => document.querySelector('#command').textContent === wanted, kept, PATIENT)
    for (const name of ['camera', 'light']) await page.click(`#show-${name}`)
  })

  /** Resolves when a page moves the view, or when another one does. */
  const driving = (who: Page, isDriving: boolean) =>
    who.waitForFunction(wanted => document.querySelector('#driver').hidden === wanted, isDriving, PATIENT)

  async function watchedBy(guest: Page): Promise<void> {
    await guest.goto((await words(page, '#view-link'))!)
    await reached(guest, 'finished')
    expect(await words(guest, '#driver-said')).toBe('page 1 moves it')
    expect(await words(guest, '#hash')).toBe(await words(page, '#hash'))
    await saying(page, '#people-said', 'one other watches')
    // A reload is no handing over, though somebody else is there.
    await page.reload()
    await reached(page, 'finished')
    await driving(page, true)
    await page.click('#show-people')
    await guest.waitForFunction(
      () => !document.querySelector('#driver-said').textContent.includes('page 1'),
      undefined,
      PATIENT,
    )
    await driving(guest, false)
    await guest.click('#take-over')
    await driving(page, false)
    await driving(guest, true)
    // It asks for a picture of its own size, which is none of the key.
    await settled(guest)
    // What it moves is seen here; keys here move nothing.
    const before = (await words(guest, '#command'))!
    await page.keyboard.press('ArrowLeft')
    await guest.locator('#stage').focus()
    await guest.keyboard.press('ArrowUp')
    await settled(guest)
    const after = (await words(guest, '#command'))!
    expect(after).not.toBe(before)
    await page.waitForFunction(
      wanted =>
        document.documentElement.dataset.stage === 'finished' &&
        document.querySelector('#command').textContent === wanted,
      after,
      PATIENT,
    )
    expect(await canvasHash(page)).toBe(await words(page, '#hash'))
    expect(await guest.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  }

  it('is watched by a page that has its link, which may take over', async () => {
    await page.click('#show-people')
    await page.click('#link-steer')
    await page.waitForFunction(() => !document.querySelector('#link-place').hidden, undefined, PATIENT)
    // A browser of its own: pages of one share what they keep.
    const other = patient(await (browser as Browser).newContext({ viewport: { width: 390, height: 700 } }))
    const guest = await other.newPage()
    try {
      await watchedBy(guest)
    } finally {
      // While it moves the view, this page does not.
      await other.close()
    }
    await page.waitForFunction(() => document.querySelector('#driver').hidden, undefined, PATIENT)
    await page.click('#show-people')
  })

  it('shows tiles and figures, and fits on a phone', async () => {
    await resized(page, 390, 700)
    await page.click('#show-tiles')
    await page.click('#show-figures')
    await page.waitForFunction(() => !document.querySelector('#tiles').hidden, undefined, PATIENT)
    await settled(page)
    expect(await words(page, '#figures')).toContain('worker-1')
    // A picture that is finished stays, with its tiles or without.
    const pictures = () => page.evaluate(() => performance.getEntriesByName('picture').length)
    const before = await pictures()
    for (const isHidden of [true, false]) {
      await page.click('#show-tiles')
      expect(await page.evaluate(() => document.querySelector('#tiles').hidden)).toBe(isHidden)
    }
    await settled(page)
    expect(await pictures()).toBe(before)
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  })

  it('gives the picture half of any window at least, also beside the dashboard, which can be reached', async () => {
    const tall = await page.evaluate(() => innerWidth)
    for (const isOpen of [false, true]) {
      if (isOpen) {
        await page.keyboard.press('d')
        await page.waitForSelector('#dashboard .chart svg', PATIENT)
      }
      for (const [width, height] of [
        [320, 240],
        [640, 320],
        [390, 844],
        [1280, 720],
      ] as const) {
        await resized(page, width, height)
        const seen = await page.evaluate(() => {
          const [stage, main, board] = ['#stage', 'main', '#dashboard'].map(each => document.querySelector(each))
          return {
            stage: stage!.clientHeight,
            wide: main!.scrollWidth,
            // Of what is below, the end is within what can be scrolled to.
            board: board!.clientHeight,
            isReached: board!.offsetTop + board!.clientHeight <= main!.scrollHeight,
          }
        })
        const of = `${width}x${height}`
        expect([of, seen.stage >= height / 2, seen.wide]).toEqual([of, true, width])
        if (isOpen) expect([of, seen.board >= 180, seen.isReached]).toEqual([of, true, true])
      }
    }
    await page.keyboard.press('d')
    await resized(page, tall, 700)
    await settled(page)
  })

  it('says why no other strategy is better, where one worker traces alone, once that is asked', async () => {
    const said = page.locator('.what-if p')
    await page.keyboard.press('d')
    await page.locator('.what-if summary').click()
    await page.waitForFunction(() => document.querySelector('.what-if p').textContent !== '', undefined, PATIENT)
    await page.locator('#stage').focus()
    await page.keyboard.press('ArrowUp')
    await page.waitForFunction(
      () => document.querySelector('.what-if p').textContent.startsWith('One worker traces these frames alone'),
      undefined,
      PATIENT,
    )
    expect(await said.isVisible()).toBe(true)
    await page.locator('#stage').focus()
    await page.keyboard.press('d')
    expect(await said.isVisible()).toBe(false)
    await page.keyboard.press('z')
    await settled(page)
    expect(problems).toEqual([])
  })

  it('makes a link by which a tab helps', async () => {
    await page.click('#join')
    await page.waitForFunction(() => !document.querySelector('#join-panel').hidden, undefined, PATIENT)
    const helper = patient(await (browser as Browser).newPage())
    await helper.goto((await words(page, '#join-link'))!)
    await helper.waitForFunction(
      () => ['waiting', 'building', 'tracing'].includes(document.documentElement.dataset.phase!),
      undefined,
      PATIENT,
    )
    await helper.close()
    // Other machines do not find this address, and `view` has no --listen.
    expect(await words(page, '#join-local')).toMatch(/: start sortfirst master --listen …, .* view --master …\.$/)
    expect(await page.locator('#join-code').isHidden()).toBe(true)
    await page.click('#join')
    expect(await page.locator('#join-panel').isHidden()).toBe(true)
  })

  it('goes on after a reload, where it was', async () => {
    const before = await words(page, '#command')
    await page.reload()
    await reached(page, 'finished')
    expect(await words(page, '#command')).toBe(before)
  })

  it('says what to do with a link that was used, and takes a new one', async () => {
    const other = patient(await (browser as Browser).newPage())
    await other.goto(link)
    await reached(other, 'dead')
    expect(await words(other, '#notice')).toMatch(/^This link was used already, .* press Enter .*\.$/)
    const next = view.link()
    view.child.stdin!.write('\n')
    // In the same tab: only what is behind # differs.
    await other.goto(await next)
    await reached(other, 'finished')
    await other.close()
  })

  it('waits for a master that says nothing only so long, and then goes on with its ticket', async () => {
    const next = view.link()
    view.child.stdin!.write('\n')
    const other = patient(await (browser as Browser).newContext({ viewport: { width: 400, height: 300 } }))
    const late = await other.newPage()
    await late.clock.install()
    let asked = 0
    await late.route('**/access', async route => {
      if (++asked > 1) await route.continue()
    })
    await late.goto(await next)
    // Nobody waits for that long here.
    await late.clock.fastForward(SIGNLESS_MS + 1)
    await late.waitForFunction(
      () => document.querySelector('#notice').textContent.includes('cannot be reached'),
      undefined,
      PATIENT,
    )
    await late.clock.fastForward(1000)
    await reached(late, 'finished')
    await other.close()
  })

  it('opens a scene file that is chosen, or dropped onto it; of a wrong one it says so, and keeps the scene', async () => {
    const said = () => words(page, '#file-notice')
    /** Of the scenes that the view has had, this one. */
    const shows = (scene: number) =>
      page.waitForFunction(
        wanted =>
          document.documentElement.dataset.scene === `${wanted}` &&
          document.documentElement.dataset.stage === 'finished',
        scene,
        PATIENT,
      )
    const complains = (of: string) =>
      page.waitForFunction(wanted => document.querySelector('#file-notice').textContent.includes(wanted), of, PATIENT)
    const file = (name: string, text: string) => ({ name, mimeType: 'model/ply', buffer: Buffer.from(text) })
    await page.setInputFiles('#scene-file', file('wrong.ply', 'no mesh'))
    await complains('; the scene stays')
    expect(await said()).toMatch(/^wrong\.ply: /)
    await page.setInputFiles('#scene-file', file('nothing.ply', ''))
    await complains('nothing.ply is empty')
    await page.locator('#stage').focus()
    await page.keyboard.press('ArrowUp')
    await page.waitForFunction(() => document.querySelector('#file-notice').textContent === '', undefined, PATIENT)
    await shows(0)
    expect(await page.title()).toBe('corner · sortfirst')
    // The same one twice: the second is another scene all the same.
    for (const scene of [1, 2]) {
      await page.setInputFiles('#scene-file', file('tent.ply', TENT))
      await shows(scene)
      expect(await words(page, '#command')).toContain(' tent.ply ')
      expect(await page.locator('#undo').isDisabled()).toBe(true)
      expect(await canvasHash(page)).toBe(await words(page, '#hash'))
    }
    expect(await page.title()).toBe('tent.ply · sortfirst')
    await page.keyboard.press('ArrowUp')
    const dropped = await page.evaluateHandle(text => {
      const data = new DataTransfer()
      data.items.add(new File([text], 'other.ply'))
      return data
    }, TENT)
    await page.dispatchEvent('#stage', 'drop', { dataTransfer: dropped })
    await shows(3)
    expect(await page.locator('#undo').isDisabled()).toBe(true)
    expect(await words(page, '#command')).toContain(' other.ply ')
    // Its address is of this scene.
    const command = await words(page, '#command')
    await page.reload()
    await reached(page, 'finished')
    expect(await words(page, '#command')).toBe(command)
    expect(await page.title()).toBe('other.ply · sortfirst')
    // A place that is far away has as many digits as it needs.
    await page.setInputFiles('#scene-file', file('far.ply', tent(2 ** 23)))
    await shows(4)
    const far = await words(page, '#command')
    await page.keyboard.press('ArrowLeft')
    await settled(page)
    expect(await words(page, '#command')).not.toBe(far)
    expect(problems).toEqual([])
  })

  it('says when its view is over', async () => {
    expect(await view.end()).toBe(130)
    await reached(page, 'dead')
    expect(await words(page, '#notice')).toContain('ortfirst view has ended')
    // Nobody could make a link.
    await page.keyboard.press('j')
    expect(await page.locator('#join').getAttribute('aria-pressed')).toBe('false')
  })
})

it('is one line for a scene that is none, and other wrong words', async () => {
  const none = await sortfirst(['view', 'no-such-scene'])
  expect(none.code).toBe(2)
  expect(none.stderr.trim().split('\n').at(-1)).toContain('no-such-scene')
  const port = await sortfirst(['view', 'corner', '--port', '0'])
  expect([port.code, port.stderr]).toEqual([2, expect.stringContaining('--port: expected a whole number')])
})
