/** Tabs as workers, without a browser: who may come by a link, and that they make the bytes of any worker, or are found out. */
import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type Master, startMaster } from '../../scripts/library/master.ts'
import { render } from '../../scripts/library/render.ts'
import type { RenderOptions } from '../../scripts/library/render-options.ts'
import { type RunningWorker, startWorker } from '../../scripts/library/worker.ts'
import { CLIENT_HELLO, WORKER_HELLO } from '../support/bare-peer.ts'
import { copyingAreas, joinAsTab, type OpenTab, openTabSocket, sharingAreas } from '../support/tab.ts'

const token = 'tab-secret-'.repeat(4)
const FILM = { size: [96, 54], samples: 4, frames: 3, wait: 100 } as const satisfies RenderOptions

let master: Master
const said: string[] = []
let guests: (OpenTab | RunningWorker)[]

beforeEach(async () => {
  said.length = 0
  guests = []
  const hear = (text: string) => void said.push(text)
  master = await startMaster({ listen: '127.0.0.1:0', token, log: { info: hear, warn: hear } })
})
afterEach(async () => {
  await Promise.all(guests.map(guest => ('close' in guest ? guest.close() : leave(guest))))
  await master.close()
})

const leave = (tab: OpenTab) => {
  tab.worker.hear({ type: 'leave' })
  return tab.ended
}
const tab = async (
  ...args: Parameters<typeof joinAsTab> extends [infer N, infer _, ...infer R] ? [N, ...R] : never
) => {
  const [name, ...rest] = args
  const joined = await joinAsTab(name, master.joinLink(), ...rest)
  guests.push(joined)
  return joined
}
const worker = (name: string) => {
  const running = startWorker({ master: master.url, threads: 1, cache: false, token, name })
  guests.push(running)
  return running
}

/** A film with tiles so large that rows of each are checked; it may end before its last frame. */
const CHECKED = { size: [400, 240], samples: 1, ambientRays: 1, frames: 10_000 } as const

/** @param isEnough ends it */
async function film(options: Partial<RenderOptions> = {}, isEnough = (_: number) => false) {
  const frames: Uint8Array[] = []
  const checked: number[] = []
  for await (const { pixels, report } of render('corner', { ...FILM, cluster: master, ...options })) {
    frames.push(pixels)
    checked.push(report.verification?.rows ?? 0)
    if (isEnough(checked.at(-1)!)) break
  }
  return { frames, checked }
}

/** What the master answers to an upgrade: 101, or a refusal. */
async function statusOf(headers: Record<string, string>): Promise<number> {
  const socket = new WebSocket(`${master.url}/work`, { headers })
  socket.on('error', () => {})
  const status = await new Promise<number>(resolve => {
    socket.once('unexpected-response', (_, { statusCode = 0 }) => resolve(statusCode))
    socket.once('open', () => resolve(101))
  })
  socket.terminate()
  return status
}

describe('a link for a tab', () => {
  it('is needed, counts once, and only from the origin that exchanged it', async () => {
    const origin = new URL(master.url.replace('ws:', 'http:')).origin
    expect(await statusOf({ origin })).toBe(401)
    expect(await statusOf({ authorization: `Bearer ${token}` })).toBe(401)
    expect(await statusOf({ origin, cookie: `sortfirst-work-${new URL(origin).port}=${'a'.repeat(43)}` })).toBe(401)
    const link = master.joinLink()
    const socket = await openTabSocket(link)
    await once(socket, 'open')
    socket.terminate()
    await expect(openTabSocket(link)).rejects.toThrow('each is for one tab')
    const stranger = await openTabSocket(master.joinLink(), { origin: 'http://127.0.0.1:1' })
    const [, refused] = (await once(stranger, 'unexpected-response')) as [unknown, { statusCode: number }]
    expect(refused.statusCode).toBe(401)
  })

  it('is answered again to the page that used it, and to no other', async () => {
    const { origin, hash } = new URL(master.joinLink())
    const ask = async (word?: string, from = origin) => {
      const body = JSON.stringify({ ticket: hash.slice(1), word })
      const answer = await fetch(`${origin}/work-access`, { method: 'POST', body, headers: { origin: from } })
      return [answer.status, answer.headers.get('set-cookie')] as const
    }
    const word = 'ab'.repeat(16)
    const first = await ask(word)
    expect(first).toEqual([200, expect.stringContaining('sortfirst-work-')])
    expect(await ask(word)).toEqual(first)
    for (const [other, from] of [['cd'.repeat(16)], ['ab'], [undefined], [word, 'http://127.0.0.1:1']] as const)
      expect((await ask(other, from))[0]).toBe(401)
  })

  it('makes a worker, and nothing else', async () => {
    const answerTo = async (hello: object) => {
      const socket = await openTabSocket(master.joinLink())
      await once(socket, 'open')
      socket.send(JSON.stringify(hello))
      const [text] = (await once(socket, 'message')) as [Buffer]
      socket.terminate()
      return JSON.parse(text.toString()) as { type: string; code?: string }
    }
    expect(await answerTo(CLIENT_HELLO)).toMatchObject({ type: 'goodbye', code: 'ACCESS_DENIED' })
    // It would trace, if its kernel were the master's.
    expect(await answerTo(WORKER_HELLO)).toMatchObject({ type: expect.stringMatching('welcome|goodbye') })
  })

  it('is no way to a view', async () => {
    const { origin, hash } = new URL(master.joinLink())
    const body = JSON.stringify({ ticket: hash.slice(1) })
    const answer = await fetch(`${origin}/access`, { method: 'POST', body, headers: { origin } })
    expect(answer.status).toBe(401)
  })
})

describe('tabs', () => {
  it('make the film of another worker, with one copy of the scene or several', async () => {
    const other = worker('other')
    const { frames: expected } = await film()
    await other.close()
    const sharing = await tab('sharing', sharingAreas, 2)
    expect((await film()).frames).toEqual(expected)
    const copying = await tab('copying', copyingAreas, 2)
    expect((await film({ channels: ['depth', 'alpha'] })).frames).toEqual(expected)
    await leave(sharing)
    expect((await film()).frames).toEqual(expected)
    expect(copying.states.at(-1)!.tiles).toBeGreaterThan(0)
  })

  it('are checked without being asked for, and nobody else is', async () => {
    worker('a')
    expect((await film()).checked).toEqual([0, 0, 0])
    worker('b')
    await tab('guest')
    // The tab may be late.
    const { checked } = await film(CHECKED, rows => rows > 0)
    expect(checked.at(-1)).toBeGreaterThan(0)
    expect(checked.at(-1)).toBeLessThan(240 / 4)
  })

  it('are not held up where there is nobody to check them', async () => {
    await tab('alone')
    expect((await film()).frames).toHaveLength(3)
  })

  it.each([1, 2])('are expelled if they lie beside %i workers, and the film is right', async workers => {
    for (let i = 0; i < workers; i++) worker(`honest-${i}`)
    const { frames: expected } = await film({ ...CHECKED, frames: 2 })
    const lying = (threads: number) => {
      const { pools, ...areas } = sharingAreas(threads)
      const lies = pools.map(pool => ({
        loadScene: pool.loadScene.bind(pool),
        restoreScene: pool.restoreScene.bind(pool),
        unloadScene: pool.unloadScene.bind(pool),
        trace: async (...args: Parameters<typeof pool.trace>) => {
          const traced = await pool.trace(...args)
          return traced && { ...traced, pixels: traced.pixels.map(value => value ^ 1) }
        },
      }))
      return { ...areas, pools: lies }
    }
    const liar = await tab('liar', lying)
    const isExpelled = () => said.some(text => /liar.* is expelled/.test(text))
    const { frames } = await film(CHECKED, isExpelled)
    expect(frames.slice(0, 2)).toEqual(expected.slice(0, frames.length))
    await liar.ended
    expect(liar.states.at(-1)).toMatchObject({ phase: 'over', text: expect.stringContaining('expelled') })
  })

  it('pause and take other cores without losing anything', async () => {
    const guest = await tab('guest')
    const { frames } = await film()
    guest.worker.hear({ type: 'paused', isPaused: true })
    await guest.until('paused')
    guest.worker.hear({ type: 'threads', threads: 2 })
    guest.worker.hear({ type: 'paused', isPaused: false })
    expect(guest.states.at(-1)!.phase).toBe('paused')
    await leave(guest)
    expect(guest.states.at(-1)!.phase).toBe('over')
    expect(frames).toHaveLength(3)
  })
})
