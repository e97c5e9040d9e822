/** What a page does beside moving its view: asks for a pixel, sets light, sun and time by hand, fetches files, and watches another page. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startMaster } from '../../master/main.ts'
import type { ShownView } from '../../master/page/view-source.ts'
import { linkOf } from '../../scripts/library/shown-view.ts'
import { startWorker } from '../../scripts/library/worker.ts'
import { firstViewpoint } from '../../scripts/run/first-viewpoint.ts'
import { prepareScene } from '../../scripts/run/prepare-scene.ts'
import type { FromPage } from '../../shared/page/from-page.ts'
import type { ToPage } from '../../shared/page/page-messages.ts'
import type { SessionOrder } from '../../shared/protocol/session-order.ts'
import { silentLog } from '../../shared/text/log.ts'
import { open, type Page } from '../support/open-page.ts'
import { PROGRAM, sortfirst } from '../support/program.ts'
import { smallSession } from '../support/session.ts'

const size = [96, 54] as const
const folder = mkdtempSync(join(tmpdir(), 'page-tools-'))
const COMMAND = 'sortfirst render corner --integrator ambient --samples 4 --ambient-rays 1 --max-depth 3'

type Master = Awaited<ReturnType<typeof startMaster>>
let master: Master
let worker: ReturnType<typeof startWorker>
let shown: ShownView

beforeAll(async () => {
  master = await startMaster({ listen: '127.0.0.1:0' }, silentLog)
  worker = startWorker({ master: master.url, threads: 1, cache: false })
  const scene = await prepareScene('corner', size, undefined, silentLog)
  const { frames: _, ...small } = smallSession({})
  const order: SessionOrder = {
    ...small,
    ...{ kind: 'viewer', sceneName: 'corner', scene: scene.held.hash, size, strategy: 'predictive' },
    ...{ quality: { samples: 4, ambientRays: 1, maxDepth: 3 }, exposure: scene.exposure, spans: false },
  }
  const bare = { command: COMMAND, words: { exposure: '--exposure 3' } }
  const facts = { triangles: scene.triangles, ...firstViewpoint(scene, scene.cameraAt(0)), command: COMMAND, bare }
  shown = { order, scene: scene.held, facts }
})

afterAll(async () => {
  rmSync(folder, { recursive: true })
  await worker.close()
  await master.close()
})

const look = ({ client, view }: Page, more: Partial<Extract<FromPage, { type: 'look' }>> = {}) =>
  client.look({ viewpoint: view.viewpoint, size: [...size], ...more })

const offered = async (use: (link: () => string) => Promise<void>, view = shown) => {
  const offer = master.offerView(view)
  try {
    await use(() => linkOf(master.url, offer.ticket()))
  } finally {
    offer.close()
  }
}

async function rendered(command: string, ...more: string[]): Promise<string> {
  const out = ['--out', folder, '--json', '--master', master.url, ...more]
  const { code, stdout, stderr } = await sortfirst([...command.split(' ').slice(1), ...out])
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout).strategies[0].frameSha256[0]
}

const hashOf = async (file: Uint8Array): Promise<string> =>
  createHash('sha256')
    .update(await sharp(file).raw().toBuffer())
    .digest('hex')

describe('a pixel', () => {
  it('is what a frame with these channels has there, and who traced it', async () => {
    await offered(async link => {
      const page = await open(link())
      const { facts } = await page.finished(look(page))
      const command = `${facts.command} --output exr --aov id,depth`
      await rendered(command)
      const ids = new Set<number>()
      for (const [x, y] of [
        [0, 0],
        [95, 53],
        [80, 45],
        [70, 40],
      ] as const) {
        const { seen, traced } = await page.ask({ type: 'pick', x, y }, 'picked')
        expect(traced).toEqual({ worker: expect.any(String), pixelUs: expect.any(Number) })
        if (!seen) continue
        ids.add(seen.triangle)
        const { eye } = page.view.viewpoint
        expect(seen.distance).toBeCloseTo(Math.hypot(...seen.point.map((at, axis) => at - eye[axis]!)), 4)
        expect(seen.triangle).toBeLessThan(page.view.triangles)
      }
      // Not all of them are sky.
      expect(ids.size).toBeGreaterThan(0)
      await page.client.close()
    })
  })

  it('outside of the picture, or before there is one, is not answered, and what is asked then is', async () => {
    await offered(async link => {
      const page = await open(link())
      page.client.say({ type: 'pick', x: 1, y: 1 })
      await page.finished(look(page))
      page.client.say({ type: 'pick', x: 96, y: 0 })
      page.client.say({ type: 'pick', x: 0, y: 54 })
      const { x, y } = await page.ask({ type: 'pick', x: 95, y: 0 }, 'picked')
      expect([x, y]).toEqual([95, 0])
      expect(page.heard.filter(({ type }) => type === 'picked')).toHaveLength(1)
      await page.client.close()
    })
  })
})

describe('light', () => {
  it('that is set by hand is in the command line, whose pixels are the same', async () => {
    await offered(async link => {
      const page = await open(link())
      const plain = await page.finished(look(page))
      const seq = look(page, { hand: { exposure: 2.25, toneMapping: 'agx' } })
      const { facts, file } = await page.finished(seq)
      expect(facts.command).toContain(' --exposure 2.25 --tone-mapping agx --eye=')
      expect(facts.command).not.toContain('--exposure 3')
      expect(facts.sha256).not.toBe(plain.facts.sha256)
      expect(await hashOf(file)).toBe(facts.sha256)
      expect(await rendered(facts.command!)).toBe(facts.sha256)
      // What the hand does not set is as the command line had it.
      const toned = await page.finished(look(page, { hand: { toneMapping: 'linear' } }))
      expect(toned.facts.command).toContain(' --exposure 3 --tone-mapping linear --eye=')
      await page.client.close()
    })
  })

  it('of another scene is refused in words where it cannot be had, and the view goes on', async () => {
    await offered(async link => {
      const page = await open(link())
      expect(page.view.light).toEqual({ exposure: shown.order.exposure, toneMapping: 'aces' })
      expect(page.view.files).toEqual([])
      look(page, { hand: { sun: 'none' } })
      const { text } = await page.until(() =>
        page.heard.find((each): each is Extract<ToPage, { type: 'status' }> => each.type === 'status' && each.isError),
      )
      expect(text).toContain('sun and time')
      await page.finished(look(page))
      expect(await page.ask({ type: 'want-file', format: 'png' }, 'no-file')).toMatchObject({
        why: expect.stringContaining('runs elsewhere'),
      })
      await page.client.close()
    })
  })
})

describe('a picture that is finished', () => {
  it('is traced again by a strategy that is chosen then, with the same bytes and no other picture in between', async () => {
    await offered(async link => {
      const page = await open(link())
      const seq = look(page)
      const { facts } = await page.finished(seq)
      page.client.say({ type: 'dashboard', ask: { for: 'news', isWatched: true } })
      const strategies = () =>
        page.heard.flatMap(each => (each.type === 'dashboard' && each.said.is === 'state' ? each.said.state.runs : []))
      const { run } = await page.until(() => strategies().at(-1))
      const before = page.came.length
      page.client.say({ type: 'dashboard', ask: { for: 'strategy', run, strategy: 'scatter' } })
      const again = await page.until(() => page.came[before])
      expect(again.facts).toMatchObject({ seq, stage: 'finished', sha256: facts.sha256, command: facts.command })
      await page.until(() => strategies().find(({ strategy }) => strategy === 'scatter'))
      // One that is there is not made again, and moves go on.
      page.client.say({ type: 'dashboard', ask: { for: 'strategy', run, strategy: 'scatter' } })
      await page.finished(look(page, { hand: { exposure: 4 } }))
      expect(page.came.filter(each => each.facts.seq === seq && each.facts.stage === 'finished')).toHaveLength(2)
      await page.client.close()
    })
  })
})

describe('several pages of a view', () => {
  it('see what one of them moves, and are each shown the same file; one may take over', async () => {
    await offered(async link => {
      const driver = await open(link())
      await driver.finished(look(driver))
      const { ticket } = await driver.ask({ type: 'want-link', maySteer: true }, 'link')
      const guest = await open(linkOf(master.url, ticket))
      expect(guest.view.rights).toEqual(['watch', 'steer'])
      // What stands still is there at once, without another view.
      const there = await guest.until(() => guest.came.find(({ facts }) => facts.stage === 'finished'))
      expect(Buffer.from(there.file).equals(Buffer.from(driver.came.at(-1)!.file))).toBe(true)
      expect(there.facts.followed).toEqual({ viewpoint: driver.view.viewpoint, hand: {} })
      const seq = look(driver, { hand: { exposure: 4 } })
      const [mine, theirs] = [await driver.finished(seq), await guest.finished(seq)]
      expect(theirs.facts.sha256).toBe(mine.facts.sha256)
      expect(theirs.facts.followed!.hand).toEqual({ exposure: 4 })
      expect(mine.facts.followed).toBeUndefined()
      // A view of who does not drive is not traced.
      const { viewpoint } = guest.view
      const unheard = { type: 'look', seq: 1, viewpoint, size: [...size], tiles: false } as const
      guest.client.say({ ...unheard, hand: { exposure: 8 } })
      expect(await guest.ask({ type: 'take-over' }, 'room')).toMatchObject({ you: 2, driver: 2, pages: 2 })
      const next = look(guest, { hand: { exposure: 16 } })
      const own = await guest.until(() =>
        guest.came.find(({ facts: f }) => f.seq === next && f.stage === 'finished' && !f.followed),
      )
      expect(own.facts.command).toContain('--exposure 16')
      const followed = await driver.until(() =>
        driver.came.find(({ facts }) => facts.stage === 'finished' && facts.followed?.hand.exposure === 16),
      )
      expect(followed.facts.command).toContain('--exposure 16')
      const all = [...guest.came, ...driver.came]
      expect(all.filter(({ facts }) => facts.followed?.hand.exposure === 8)).toEqual([])
      // Who drives leaves: the other one does.
      const from = driver.heard.length
      await guest.client.close()
      expect(await driver.said('room', from)).toMatchObject({ you: 1, driver: 1, pages: 1 })
      await driver.finished(look(driver, { hand: { exposure: 2 } }))
      await driver.client.close()
    })
  })

  it('may watch without a right to steer: who tries is told, and dropped', async () => {
    await offered(async link => {
      const driver = await open(link())
      const { ticket } = await driver.ask({ type: 'want-link', maySteer: false }, 'link')
      const guest = await open(linkOf(master.url, ticket))
      expect(guest.view.rights).toEqual(['watch'])
      guest.client.say({ type: 'take-over' })
      expect(await guest.client.closed).toContain('may not steer')
      await driver.finished(look(driver))
      await driver.client.close()
    })
  })

  it('are not held up by one that draws nothing', async () => {
    await offered(async link => {
      const driver = await open(link())
      const guest = await open(link())
      guest.client.stall()
      let seq = 0
      for (let i = 1; i <= 5; i++) {
        seq = look(driver, { hand: { exposure: i } })
        await driver.finished(seq)
      }
      // One was on its way; the newest waits.
      await guest.until(() => guest.came[0])
      expect(guest.came).toHaveLength(1)
      guest.client.resume()
      await guest.finished(seq)
      expect(guest.came).toHaveLength(2)
      await Promise.all([driver.client.close(), guest.client.close()])
    })
  })
})

/** A box that goes aside, for a second. */
const MOVING = `
  import * as THREE from 'three'
  const scene = new THREE.Scene()
  const paint = new THREE.MeshStandardMaterial({ color: 'red', name: 'red paint' })
  const box = new THREE.Mesh(new THREE.BoxGeometry(4, 4, 4), paint)
  box.name = 'the box'
  scene.add(box)
  const camera = new THREE.PerspectiveCamera(40)
  camera.position.set(0, 3, 12)
  camera.lookAt(0, 0, 0)
  const update = seconds => box.position.set(seconds, 0, 0)
  export default { scene, camera, update, seconds: 1, name: 'moving' }
`

describe('sortfirst view', () => {
  it('gives files that are those of render, and scenes under another sun and at another time', async () => {
    const module = join(folder, 'moving.mjs')
    writeFileSync(module, MOVING)
    const words = [
      '--size',
      '96x54',
      '--integrator',
      'ambient',
      '--samples',
      '4',
      '--threads',
      '1',
      '--no-cache',
      '--json',
    ]
    const child = spawn(process.execPath, [PROGRAM, 'view', module, ...words], { stdio: ['pipe', 'pipe', 'ignore'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
    const { link } = JSON.parse(line) as { link: string }
    const page = await open(link)
    expect(page.view.light).toMatchObject({ sun: [-54, 39.6], film: { frames: 24, fps: 24 } })
    const plain = await page.finished(look(page))
    const { facts } = await page.finished(look(page, { hand: { frame: 12, sun: [120, 30] } }))
    expect(facts.command).toContain(' --sun=120,30 --frames 12..12 --eye=')
    expect(facts.sha256).not.toBe(plain.facts.sha256)
    const { seen } = await page.ask({ type: 'pick', x: 48, y: 27 }, 'picked')
    expect(seen).toMatchObject({ object: 'the box', material: 'red paint' })
    const files = new Map<string, Buffer>()
    for (const format of ['png', 'exr'] as const) {
      const { address, name } = await page.ask({ type: 'want-file', format }, 'file')
      expect(name).toBe(`moving-0012.${format}`)
      const at = new URL(address, link.split('#')[0])
      const answer = await fetch(at)
      expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${name}"`)
      files.set(format, Buffer.from(await answer.arrayBuffer()))
      // Once.
      expect((await fetch(at)).ok).toBe(false)
    }
    await page.client.close()
    const ended = once(child, 'exit')
    child.kill('SIGINT')
    await ended
    expect(await rendered(facts.command!, '--output', 'png,exr')).toBe(facts.sha256)
    for (const [format, bytes] of files)
      expect(readFileSync(join(folder, `0012.${format}`)).equals(bytes), format).toBe(true)
  })

  it('makes scenes for a master elsewhere under another sun and at another time, and says why one cannot be made', async () => {
    const module = join(folder, 'elsewhere.mjs')
    const text = MOVING.replace("name: 'moving'", "name: 'elsewhere'")
    writeFileSync(module, text)
    const quality = '--size 96x54 --integrator ambient --samples 4 --no-cache --json'.split(' ')
    const child = spawn(process.execPath, [PROGRAM, 'view', module, '--master', master.url, ...quality], {
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
    const { link } = JSON.parse(line) as { link: string }
    const page = await open(link)
    expect(page.view.light).toMatchObject({ sun: [-54, 39.6], film: { frames: 24, fps: 24 } })
    expect(page.view.files).toEqual([])
    expect(page.view.noSceneFiles).toContain('elsewhere')
    const plain = await page.finished(look(page))
    // More of them than a master keeps of a client, and back.
    const hashes = new Set([plain.facts.sha256])
    for (const hand of [{ frame: 6 }, { frame: 12 }, { frame: 18 }, { sun: [120, 30] }, { sun: [200, 60] }] as const) {
      const { facts } = await page.finished(look(page, { hand }))
      hashes.add(facts.sha256)
    }
    expect(hashes.size).toBe(6)
    const again = await page.finished(look(page))
    expect(again.facts.sha256).toBe(plain.facts.sha256)
    const { facts } = await page.finished(look(page, { hand: { frame: 12, sun: [120, 30] } }))
    expect(facts.command).toContain(' --sun=120,30 --frames 12..12 --eye=')
    expect(await rendered(facts.command!)).toBe(facts.sha256)
    // It is read again for another sun.
    rmSync(module)
    look(page, { hand: { sun: [10, 10] } })
    const { text: why } = await page.until(() =>
      page.heard.find((each): each is Extract<ToPage, { type: 'status' }> => each.type === 'status' && each.isError),
    )
    expect(why).toContain('elsewhere.mjs')
    await page.finished(look(page))
    const ended = once(child, 'exit')
    child.kill('SIGINT')
    await ended
    expect(await page.client.closed).toContain('has ended')
  })
})
