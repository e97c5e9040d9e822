/** The page of a master: who may see it, what it is shown, and that a picture that stands still is the one that `render` makes. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { startMaster } from '../../master/main.ts'
import { MOST_PAGES, type OfferedView } from '../../master/page/views.ts'
import { type Came, exchangeTicket, PageClient } from '../../scripts/bench/view/page-client.ts'
import { connectToCluster } from '../../scripts/library/remote-cluster.ts'
import { linkOf } from '../../scripts/library/shown-view.ts'
import { startWorker } from '../../scripts/library/worker.ts'
import { firstViewpoint } from '../../scripts/run/first-viewpoint.ts'
import { prepareScene } from '../../scripts/run/prepare-scene.ts'
import { wholeFrame } from '../../shared/dashboard/compact-frame.ts'
import type { DashboardRun, ToDashboard } from '../../shared/dashboard/dashboard-messages.ts'
import { whySlow } from '../../shared/dashboard/why-slow.ts'
import type { PageView } from '../../shared/page/page-messages.ts'
import type { SessionOrder } from '../../shared/protocol/session-order.ts'
import { silentLog } from '../../shared/text/log.ts'
import { open as openPage } from '../support/open-page.ts'
import { sortfirst } from '../support/program.ts'
import { smallSession } from '../support/session.ts'

const token = 'page-secret-'.repeat(4)
const size = [96, 54] as const

type Master = Awaited<ReturnType<typeof startMaster>>
let master: Master
let worker: ReturnType<typeof startWorker>
let shown: Parameters<Master['offerView']>[0]
let view: OfferedView
const link = () => linkOf(master.url, view.ticket())

beforeAll(async () => {
  master = await startMaster({ listen: '127.0.0.1:0', token }, silentLog)
  worker = startWorker({ master: master.url, threads: 1, cache: false, token })
  const scene = await prepareScene('corner', size, undefined, silentLog)
  const { frames: _, ...small } = smallSession({})
  const order: SessionOrder = {
    ...small,
    kind: 'viewer',
    sceneName: 'corner',
    scene: scene.held.hash,
    size,
    quality: { samples: 4, ambientRays: 1, maxDepth: 3 },
    exposure: scene.exposure,
    spans: false,
    strategy: 'predictive',
  }
  const command = 'sortfirst render corner --integrator ambient --samples 4 --ambient-rays 1 --max-depth 3'
  const facts = { triangles: scene.triangles, ...firstViewpoint(scene, scene.cameraAt(0)), command }
  shown = { order, scene: scene.held, facts }
  view = master.offerView(shown)
})

afterAll(async () => {
  view.close()
  await worker.close()
  await master.close()
})

/** A page, with what it is sent; `until` resolves with the first picture that suits. */
async function open(at = link()) {
  const page = await openPage(at)
  return { ...page, until: (suits: (each: Came) => boolean) => page.until(() => page.came.find(suits)) }
}

const turned = ({ viewpoint }: PageView, by: number): PageView['viewpoint'] => {
  const [x, y, z] = viewpoint.eye
  return { ...viewpoint, eye: [x + by, y + by / 2, z] }
}

const pixelsOf = (file: Uint8Array): Promise<Buffer> => sharp(file).raw().toBuffer()
const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

describe('a view', () => {
  it('that stands still ends with a lossless picture, whose pixels are those of its command line', async () => {
    const { client, until, view } = await open()
    const seq = client.look({ viewpoint: turned(view, 0.25), size: [...size] })
    const { facts, file } = await until(({ facts }) => facts.seq === seq && facts.stage === 'finished')
    await client.close()
    const pixels = await pixelsOf(file)
    expect(facts).toMatchObject({ size, samples: 4, mostSamples: 4 })
    expect(hashOf(pixels)).toBe(facts.sha256)
    const [program, ...words] = facts.command!.split(' ')
    expect(program).toBe('sortfirst')
    const out = join(tmpdir(), `page-${process.pid}`)
    const env = { SORTFIRST_TOKEN: token }
    const { code, stdout, stderr } = await sortfirst([...words, '--out', out, '--json', '--master', master.url], {
      env,
    })
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout).strategies[0].frameSha256).toEqual([facts.sha256])
  })

  it('that moves is shown coarsely, and then with more samples', async () => {
    const { client, came, until, view } = await open()
    for (let i = 1; i <= 3; i++) client.look({ viewpoint: turned(view, i / 10), size: [...size] }, true)
    await until(({ facts }) => facts.seq === 3 && facts.stage === 'finished')
    await client.close()
    const stages = came.map(({ facts }) => facts.stage)
    expect(stages[0]).toBe('moving')
    expect(stages).toContain('preview')
    expect(stages.at(-1)).toBe('finished')
    const { facts } = came[0]!
    expect(facts.size[0]).toBeLessThan(size[0])
    expect(facts.samples).toBe(1)
    const area = facts.tiles!.reduce((sum, [, , w, h]) => sum + w * h, 0)
    expect(area).toBe(facts.size[0] * facts.size[1])
    expect(facts.workers).toHaveLength(1)
    const seqs = came.map(({ facts }) => facts.seq)
    expect(seqs).toEqual([...seqs].sort((a, b) => a - b))
  })

  it('has the proportions of its page, and no more pixels than it may', async () => {
    const { client, until, view } = await open()
    client.look({ viewpoint: view.viewpoint, size: [400, 800] })
    const { facts } = await until(({ facts }) => facts.stage === 'finished')
    await client.close()
    const [w, h] = facts.size
    expect(w * h).toBeLessThanOrEqual(size[0] * size[1])
    expect(h / w).toBeCloseTo(2, 1)
    expect(facts.command).toContain(`--size ${w}x${h}`)
  })

  it('of a page that draws nothing goes on with the newest', async () => {
    const { client, came, until, view } = await open()
    client.look({ viewpoint: view.viewpoint, size: [...size] })
    await until(() => true)
    client.stall()
    let last = 0
    for (let i = 1; i <= 50; i++) last = client.look({ viewpoint: turned(view, i / 50), size: [...size] })
    await until(({ facts }) => facts.seq > 1)
    const before = came.length
    client.resume()
    await until(({ facts }) => facts.seq === last && facts.stage === 'finished')
    await client.close()
    const stale = came.slice(before).filter(({ facts }) => facts.seq < last)
    expect(stale.length).toBeLessThanOrEqual(1)
  })
})

/** Status of the answer to an upgrade, or 101. */
async function upgrade(headers: Record<string, string>, path = '/view'): Promise<number> {
  const socket = new WebSocket(master.url + path, { headers })
  socket.on('error', () => {})
  try {
    return await new Promise<number>(resolve => {
      socket.once('unexpected-response', (_, response) => resolve(response.statusCode!))
      socket.once('open', () => resolve(101))
    })
  } finally {
    socket.terminate()
  }
}

describe('who may see it', () => {
  const origin = () => new URL(linkOf(master.url, '')).origin

  it('has a ticket, which counts once', async () => {
    const used = link()
    const cookie = await exchangeTicket(used)
    expect(cookie).toMatch(/^sortfirst-\d+=[\w-]{43}$/)
    expect(await upgrade({ cookie, origin: origin() })).toBe(101)
    await expect(exchangeTicket(used)).rejects.toThrow('this link was used already')
    await expect(exchangeTicket(linkOf(master.url, 'x'.repeat(43)))).rejects.toThrow('this link was used already')
  })

  it('is a page of the master itself, with a cookie of this master', async () => {
    const cookie = await exchangeTicket(link())
    const [name] = cookie.split('=')
    expect(await upgrade({ cookie, origin: 'http://127.0.0.1:3000' })).toBe(401)
    expect(await upgrade({ cookie })).toBe(401)
    expect(await upgrade({ origin: origin() })).toBe(401)
    expect(await upgrade({ cookie: `${name}=${'x'.repeat(43)}`, origin: origin() })).toBe(401)
    // The token of a client is none of a page.
    expect(await upgrade({ authorization: `Bearer ${token}`, origin: origin() })).toBe(401)
  })

  it('cannot read the cookie in a script, nor send it from elsewhere', async () => {
    const url = new URL(link())
    const answer = await fetch(new URL('access', url.origin), {
      method: 'POST',
      headers: { origin: url.origin },
      body: JSON.stringify({ ticket: url.hash.slice(1) }),
    })
    expect(answer.headers.get('set-cookie')).toMatch(/; HttpOnly; SameSite=Strict$/)
  })

  it.each([
    ['no ticket', '{}', 400],
    ['no JSON', 'ticket', 400],
    ['more than a ticket', JSON.stringify({ ticket: 'x'.repeat(2000) }), 400],
    ['an empty ticket and no cookie', '{"ticket":""}', 401],
  ])('is refused with %s', async (_, body, status) => {
    const answer = await fetch(`${origin()}/access`, { method: 'POST', headers: { origin: origin() }, body })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('set-cookie')).toBeNull()
  })

  it('may come through a proxy, under any path and name', async () => {
    const { port } = new URL(master.url)
    const proxy = createServer((request, response) => {
      const { method, headers, url = '' } = request
      const onward = httpRequest({ port, method, headers, path: url.replace('/lab', '') }, answer => {
        response.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(response)
      })
      request.pipe(onward)
    })
    proxy.on('upgrade', (request, wire) => {
      const onward = connect(Number(port), '127.0.0.1', () => {
        const lines = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`)
        onward.write(`GET ${request.url!.replace('/lab', '')} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
        wire.pipe(onward).pipe(wire)
      })
    })
    await once(proxy.listen(0, '127.0.0.1'), 'listening')
    const there = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/lab/`
    try {
      expect((await fetch(there)).headers.get('content-type')).toContain('text/html')
      expect((await fetch(`${there}page.js`)).status).toBe(200)
      const { client, until, view: seen } = await open(`${there}#${view.ticket()}`)
      client.look({ viewpoint: seen.viewpoint, size: [...size] })
      await until(({ facts }) => facts.stage === 'finished')
      await client.close()
    } finally {
      proxy.closeAllConnections()
      proxy.close()
    }
  })
})

describe('a page', () => {
  const closedWith = async (say: (socket: WebSocket) => void): Promise<string> => {
    const cookie = await exchangeTicket(link())
    const origin = new URL(linkOf(master.url, '')).origin
    const socket = new WebSocket(`${master.url}/view`, { headers: { cookie, origin } })
    await once(socket, 'open')
    say(socket)
    const [, reason] = (await once(socket, 'close')) as [number, Buffer]
    return reason.toString()
  }

  it.each([
    ['no JSON', 'look', 'JSON'],
    ['an unknown message', '{"type":"steer"}', 'unexpected message'],
    ['a camera at its own target', { eye: [0, 0, 0], target: [0, 0, 0] }, 'expected an eye that differs'],
    ['an up vector along the view', { eye: [0, 1, 0], target: [0, 0, 0] }, 'expected an up vector not parallel'],
  ])('that says %s is told, and dropped', async (_, said, why) => {
    const up = [0, 1, 0]
    const look = { type: 'look', seq: 1, viewpoint: { up, fov: 36, ...Object(said) }, size: [9, 9], tiles: false }
    expect(await closedWith(socket => socket.send(typeof said === 'string' ? said : JSON.stringify(look)))).toContain(
      why,
    )
  })

  it('that says more than pages do is dropped', async () => {
    await closedWith(socket => socket.send('x'.repeat(5000)))
  })

  it('is one of sixteen of its view at most', async () => {
    const other = master.offerView(shown)
    const ticket = linkOf(master.url, other.ticket())
    const cookie = await exchangeTicket(ticket)
    const pages: PageClient[] = []
    for (let i = 0; i < MOST_PAGES; i++) pages.push(await PageClient.open(ticket, {}, cookie))
    await Promise.all(pages.map(({ view }) => view))
    const extra = await PageClient.open(ticket, {}, cookie)
    expect(await extra.closed).toContain('close one, and reload')
    await pages[0]!.close()
    const next = await PageClient.open(ticket, {}, cookie)
    await next.view
    other.close()
  })

  it('that finds no room, and breaks the rules of WebSockets, ends nothing but itself', async () => {
    const other = master.offerView(shown)
    const ticket = linkOf(master.url, other.ticket())
    const cookie = await exchangeTicket(ticket)
    for (let i = 0; i < MOST_PAGES; i++) await PageClient.open(ticket, {}, cookie)
    const { hostname, port, host } = new URL(master.url)
    const wire = connect(Number(port), hostname)
    const lines = ['GET /view HTTP/1.1', `Host: ${host}`, 'Connection: Upgrade', 'Upgrade: websocket']
    const key = ['Sec-WebSocket-Version: 13', `Sec-WebSocket-Key: ${'A'.repeat(22)}==`]
    const who = [`Origin: ${new URL(ticket).origin}`, `Cookie: ${cookie}`]
    // In the same packet, a text that is not masked.
    const text = Buffer.from([0x81, 0x01, 0x78])
    wire.resume().write(Buffer.concat([Buffer.from(`${[...lines, ...key, ...who].join('\r\n')}\r\n\r\n`), text]))
    await once(wire, 'close')
    other.close()
    expect((await fetch(new URL('page.js', new URL(ticket).origin))).status).toBe(200)
  })

  it('is told when its view is over', async () => {
    const other = master.offerView(shown)
    const client = await PageClient.open(linkOf(master.url, other.ticket()))
    await client.view
    const closed = client.closed
    other.close()
    expect(await closed).toBe('sortfirst view has ended; start it again for another link')
  })

  it('shows what a client of the master brings, until it leaves', async () => {
    const cluster = await connectToCluster(master.url, { token })
    const { order, scene, facts } = shown
    const brought = await cluster.show(order, scene, facts, new AbortController().signal)
    const { client, until, view: seen } = await open(await brought.link())
    client.look({ viewpoint: seen.viewpoint, size: [...size] })
    await until(({ facts }) => facts.stage === 'finished')
    expect(await brought.link()).not.toBe(await brought.link())
    const closed = client.closed
    await cluster.close()
    expect(await closed).toContain('sortfirst view has ended')
    await expect(brought.link()).rejects.toThrow('the connection was lost')
  })
})

describe('a dashboard', () => {
  const watched = (at: string, cookie?: string) => {
    const heard: ToDashboard[] = []
    let wake = () => {}
    const opened = PageClient.open(
      at,
      {
        said: message => {
          if (message.type !== 'dashboard') return
          heard.push(message.said)
          wake()
        },
      },
      cookie,
    )
    const until = async <K extends ToDashboard['is']>(
      is: K,
      suits: (said: Extract<ToDashboard, { is: K }>) => boolean = () => true,
    ): Promise<Extract<ToDashboard, { is: K }>> => {
      for (;;) {
        const found = heard.find(each => each.is === is && suits(each as Extract<ToDashboard, { is: K }>))
        if (found) return found as Extract<ToDashboard, { is: K }>
        await new Promise<void>(resolve => {
          wake = resolve
        })
      }
    }
    return { opened, heard, until }
  }

  it('has the frames of its view, whose tiles cover the picture, and whose ledger adds up', async () => {
    const { opened, until } = watched(link())
    const client = await opened
    const seen = await client.view
    client.say({ type: 'dashboard', ask: { for: 'news', isWatched: true } })
    client.look({ viewpoint: turned(seen, 0.75), size: [...size] })
    const { frame: compact, run } = await until('frame')
    const frame = wholeFrame(compact)
    const tiles = frame.areas.flatMap(area => area.tiles)
    const count = frame.areas.reduce((all, { tileCount }) => all + tileCount, 0)
    expect(count).toBeGreaterThan(0)
    expect(tiles.length).toBeLessThanOrEqual(count)
    // Once for each pass. Of a frame with many, there is room for the largest only.
    const px = tiles.reduce((all, { rect: { w, h } }) => all + w * h, 0)
    if (tiles.length === count) expect(px % (frame.size[0] * frame.size[1])).toBe(0)
    for (const { ledger } of frame.areas) {
      const sum = Object.values(ledger).reduce((all, ms) => all + ms, 0)
      expect(Math.abs(sum - frame.figures.frameMs)).toBeLessThanOrEqual(0.01 * frame.figures.frameMs)
    }
    const { names } = await until('roster', said => said.run === run)
    expect(whySlow(frame, area => names[area]!).text).toMatch(/^frame \d+: /)
    // Who started the master may do everything with it.
    expect((await until('state')).state.mayAct).toBe(true)
    await client.close()
  })

  it('of films shows what clients render, and lets an operator end it; a link to watch does not', async () => {
    const films = master.offerFilms(['watch', 'operate'])
    const readers = master.offerFilms(['watch'])
    const page = watched(linkOf(master.url, films.ticket()))
    const reader = watched(linkOf(master.url, readers.ticket()))
    const clients = [await page.opened, await reader.opened]
    for (const client of clients) client.say({ type: 'dashboard', ask: { for: 'news', isWatched: true } })
    // It would take an hour.
    const words = ['render', 'corner', '--frames', '3000', '--size', '96x54', '--samples', '4', '--master', master.url]
    const film = sortfirst([...words, '--out', join(tmpdir(), `film-${process.pid}`)], {
      env: { SORTFIRST_TOKEN: token },
    })
    // Views of other tests may just have ended.
    const isFilm = ({ kind, state }: DashboardRun) => kind === 'film' && state !== 'ended'
    const { state: begun } = await page.until('state', ({ state }) => state.runs.some(isFilm))
    const { run } = begun.runs.find(isFilm)!
    await page.until('frame', said => said.run === run)
    expect((await reader.until('state', ({ state }) => state.runs.length > 0)).state.mayAct).toBe(false)
    clients[1]!.say({ type: 'dashboard', ask: { for: 'act', act: 'cancel', on: `${run}` } })
    expect(await reader.until('answer')).toMatchObject({ isError: true })
    clients[0]!.say({ type: 'dashboard', ask: { for: 'act', act: 'cancel', on: `${run}` } })
    expect(await page.until('answer')).toMatchObject({ isError: false })
    const { code, stderr } = await film
    expect(code).not.toBe(0)
    expect(stderr).toContain('an operator cancelled it')
    const { state } = await page.until('state', ({ state }) => state.runs.some(({ problem }) => problem !== undefined))
    expect(state.runs.at(-1)).toMatchObject({ kind: 'film', name: 'corner', frameCount: 3000, state: 'ended' })
    for (const client of clients) await client.close()
    films.close()
    readers.close()
  })
})
