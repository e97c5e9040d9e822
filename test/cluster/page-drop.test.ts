/** A scene file that a page drops onto `sortfirst view`: all pages see it, and a wrong one changes nothing. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { linkOf } from '../../scripts/library/shown-view.ts'
import { MAX_DROPPED_BYTES, MAX_PIECE_BYTES } from '../../shared/page/scene-pieces.ts'
import { textPly } from '../scenes/files/ply/ply-bytes.ts'
import { open, type Page } from '../support/open-page.ts'
import { PROGRAM, sortfirst } from '../support/program.ts'

/** A busy machine takes its time. */
const PATIENT = { timeout: 300_000 }
const folder = mkdtempSync(join(tmpdir(), 'page-drop-'))
afterAll(() => rmSync(folder, { recursive: true }))

const size = [64, 36] as const
const QUALITY = ['--size', '64x36', '--samples', '2', '--threads', '1', '--no-cache']
/** Far from where the corner is, and of another size. */
const tent = (x: number) =>
  textPly({
    vertices: [
      [x, 0, 0],
      [x + 40, 0, 0],
      [x, 0, 40],
      [x, 30, 0],
    ],
    faces: [
      [0, 2, 1],
      [0, 1, 3],
      [1, 2, 3],
      [0, 3, 2],
    ],
  })

/** What is left of temporary folders. */
const temporary = join(folder, 'tmp')
mkdirSync(temporary)
const left = () => readdirSync(temporary).filter(name => name.startsWith('sortfirst-view-'))

let child: ChildProcess
afterEach(() => void child.kill('SIGKILL'))

async function view(...words: string[]): Promise<string> {
  child = spawn(process.execPath, [PROGRAM, 'view', 'corner', ...QUALITY, '--json', ...words], {
    ...{ stdio: ['pipe', 'pipe', 'ignore'], env: { ...process.env, TMPDIR: temporary } },
  })
  const [line] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string]
  return (JSON.parse(line) as { link: string }).link
}

async function end(): Promise<number | null> {
  const ended = once(child, 'exit')
  child.kill('SIGINT')
  return (await ended)[0]
}

const look = (page: Page, viewpoint: Page['view']['viewpoint'], hand = {}) =>
  page.client.look({ viewpoint, size: [...size], hand } as Parameters<Page['client']['look']>[0])

/** Sends all of it, as fast as it is taken. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  const bytes = Buffer.from(text)
  const from = page.heard.length
  page.client.say({ type: 'drop-file', name, bytes: bytes.length })
  const answer = await page.until(() =>
    page.heard.slice(from).find(({ type }) => type === 'file-taken' || type === 'no-scene'),
  )
  if (answer.type === 'no-scene') return
  for (let at = 0; at < bytes.length; at += MAX_PIECE_BYTES) page.client.piece(bytes.subarray(at, at + MAX_PIECE_BYTES))
}

const sceneOf = (page: Page, number: number) =>
  page.until(() => page.heard.find(each => each.type === 'view' && each.scene === number)) as Promise<Page['view']>

const refusal = async (page: Page, name: string, text: string): Promise<string> => {
  const from = page.heard.length
  await drop(page, name, text)
  return (await page.said('no-scene', from)).why
}

it('is shown on all pages of the view, as view and render show it, and another one after it', async () => {
  // What was said of the corner is not said of the file.
  const link = await view('--eye', '0.5,0.5,3', '--exposure', '2', '--integrator', 'ambient', '--ambient-rays', '1')
  const page = await open(link)
  const corner = await page.finished(look(page, page.view.viewpoint))
  expect(page.view).toMatchObject({ scene: 0, sceneName: 'corner' })
  expect(page.view).not.toHaveProperty('noSceneFiles')
  const { ticket } = await page.ask({ type: 'want-link', maySteer: true }, 'link')
  const guest = await open(linkOf(link.replace('http', 'ws').split('#')[0]!, ticket))
  expect(guest.view.noSceneFiles).toContain('link that sortfirst view itself')
  for (const [number, x] of [
    [1, 1000],
    [2, -50],
  ] as const) {
    const name = `tent ${number}.ply`
    await drop(page, name, tent(x))
    const [mine, theirs] = [await sceneOf(page, number), await sceneOf(guest, number)]
    expect(mine).toMatchObject({ sceneName: name, light: { sun: [-54, 39.6] } })
    expect(mine.triangles).toBe(theirs.triangles)
    expect(mine.centre[0]).toBeCloseTo(x + 20, 0)
    expect(theirs.viewpoint).toEqual(mine.viewpoint)
    const came = guest.came.length
    const { facts } = await page.finished(look(page, mine.viewpoint))
    expect(facts.sha256).not.toBe(corner.facts.sha256)
    const seen = await guest.until(() => guest.came.slice(came).find(({ facts: f }) => f.stage === 'finished'))
    expect(seen.facts.sha256).toBe(facts.sha256)
    // It is a line for a folder with the file.
    expect(facts.command).toMatch(/^sortfirst render '?tent \d\.ply'? /)
    expect(facts.command).not.toContain('--exposure')
    writeFileSync(join(folder, name), tent(x))
    const [, , ...words] = facts.command!.replaceAll(`'${name}'`, 'FILE').split(' ')
    const path = join(folder, name)
    const args = words.map(word => (word === 'FILE' ? path : word))
    const { code, stdout, stderr } = await sortfirst(['render', ...args, '--out', folder, '--json', '--no-cache'])
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout).strategies[0].frameSha256).toEqual([facts.sha256])
    // Under another sun, it is read again.
    const turned = await page.finished(look(page, mine.viewpoint, { sun: [90, 20] }))
    expect(turned.facts.command).toContain('--sun=90,20')
    expect(turned.facts.sha256).not.toBe(facts.sha256)
    expect(left()).toHaveLength(1)
  }
  // A page that comes later sees it, too.
  const later = page.ask({ type: 'want-link', maySteer: false }, 'link')
  const third = await open(linkOf(link.replace('http', 'ws').split('#')[0]!, (await later).ticket))
  expect(third.view).toMatchObject({ scene: 2, sceneName: 'tent 2.ply' })
  expect(await end()).toBe(130)
  expect(left()).toEqual([])
})

it('changes nothing when it is wrong, is not all there, or comes from who may not', async () => {
  const link = await view('--integrator', 'ambient', '--ambient-rays', '1')
  const page = await open(link)
  const { facts } = await page.finished(look(page, page.view.viewpoint))
  const { ticket } = await page.ask({ type: 'want-link', maySteer: true }, 'link')
  const guest = await open(linkOf(link.replace('http', 'ws').split('#')[0]!, ticket))
  expect(await refusal(page, 'notes.txt', 'text')).toMatch(/^notes\.txt: .*\.ply/)
  expect(await refusal(page, 'scene.mjs', 'export default 1')).toContain('scene.mjs')
  expect(await refusal(page, 'bad.glb', 'no glTF')).toMatch(/^bad\.glb: /)
  expect(await refusal(page, 'cut.ply', tent(0).slice(0, -4))).toMatch(/^cut\.ply: /)
  expect(await refusal(page, 'empty.obj', '# nothing\n')).toMatch(/^empty\.obj: /)
  // No page could look at it.
  expect(await refusal(page, 'huge.ply', tent(1e30))).toMatch(/^huge\.ply: .*1000000000000/)
  // Nothing beside it is read.
  expect(
    await refusal(page, 'away.gltf', '{"asset":{"version":"2.0"},"buffers":[{"uri":"../../a.bin","byteLength":4}]}'),
  ).toMatch(/^away\.gltf: /)
  await vi.waitUntil(() => left().length === 0, PATIENT)
  page.client.say({ type: 'drop-file', name: 'half.ply', bytes: 100 })
  await page.said('file-taken')
  page.client.piece(new Uint8Array(50))
  page.client.say({ type: 'drop-nothing' })
  expect(await refusal(page, 'after.txt', 'x')).toContain('after.txt')
  // It is the same scene.
  const again = await page.finished(look(page, page.view.viewpoint))
  expect(again.facts.sha256).toBe(facts.sha256)
  expect(page.heard.filter(({ type }) => type === 'view')).toHaveLength(1)
  guest.client.say({ type: 'drop-file', name: 'a.ply', bytes: 1 })
  expect(await guest.client.closed).toContain('may not operate')
  page.client.say({ type: 'drop-file', name: 'a.ply', bytes: MAX_DROPPED_BYTES + 1 })
  expect(await page.client.closed).toContain('bytes')
  await end()
  expect(left()).toEqual([])
})
