/** Who may pass which door of a master: every right at every door, and those without any. */
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type Master, startMaster } from '../../master/main.ts'
import type { MasterOptions } from '../../master/options.ts'
import { RIGHTS } from '../../shared/access/tokens.ts'
import { SESSION_VERSION } from '../../shared/protocol/session-order.ts'
import { silentLog } from '../../shared/text/log.ts'
import { CLIENT_HELLO, WORKER_HELLO } from '../support/bare-peer.ts'
import { scene, smallSession } from '../support/session.ts'

const tokens = {
  worker: 'worker'.repeat(4),
  client: 'client'.repeat(4),
  viewer: 'viewer'.repeat(4),
  operate: 'operate'.repeat(4),
}
const WRONG = 'wrong'.repeat(4)

const HELLOS = { worker: WORKER_HELLO, client: CLIENT_HELLO } as const

type Headers = Record<string, string>
const bearing = (token: string | undefined): Headers =>
  token === undefined ? {} : { authorization: `Bearer ${token}` }

/**
 * Comes as a worker or client: `welcome`, the reason of a goodbye, or the status of the answer to the upgrade.
 * @param then said after a welcome; the answer to it counts
 */
async function join(url: string, role: 'worker' | 'client', headers: Headers, then?: object): Promise<string> {
  const socket = new WebSocket(url, { perMessageDeflate: false, headers })
  try {
    const [kind, detail] = await new Promise<[string, unknown]>(resolve => {
      socket.once('unexpected-response', (_, response) => resolve(['status', response.statusCode]))
      socket.once('open', () => resolve(['open', undefined]))
    })
    if (kind === 'status') return `${detail}`
    socket.send(JSON.stringify(HELLOS[role]))
    const answer = async (): Promise<string> => {
      const [text] = (await once(socket, 'message')) as [Buffer]
      const said = JSON.parse(text.toString()) as { type: string; code?: string; reason?: string }
      return said.type === 'goodbye' ? `${said.code}: ${said.reason}` : said.type
    }
    const first = await answer()
    if (first !== 'welcome' || !then) return first
    socket.send(JSON.stringify(then))
    return await answer()
  } finally {
    socket.on('error', () => {})
    socket.terminate()
  }
}

const read = (
  url: string,
  path: string,
  headers: Headers,
): Promise<{ status: number; text: string; headers: Headers }> =>
  new Promise((resolve, reject) => {
    const asked = request(`${url.replace('ws:', 'http:')}${path}`, { headers }, async response => {
      let text = ''
      for await (const chunk of response) text += chunk
      resolve({ status: response.statusCode ?? 0, text, headers: response.headers as Headers })
    })
    asked.once('error', reject).end()
  })

const started: Master[] = []
async function listen(options: MasterOptions, log = silentLog): Promise<string> {
  const master = await startMaster({ listen: '127.0.0.1:0', ...options }, log)
  started.push(master)
  return master.url
}
afterAll(() => Promise.all(started.map(master => master.close())))

describe('with a secret for each right', () => {
  let url = ''
  beforeAll(async () => {
    url = await listen({ token: tokens })
  })
  const notFor = (role: string, other: string) =>
    expect.stringMatching(`^ACCESS_DENIED: expected the token of a ${role}, got that of a ${other}`)

  it.each([
    ['worker', 'worker', 'welcome'],
    ['worker', 'client', notFor('worker', 'client')],
    ['worker', 'viewer', '403'],
    ['client', 'worker', notFor('client', 'worker')],
    ['client', 'client', 'welcome'],
    ['client', 'viewer', '403'],
    ['worker', 'operate', notFor('worker', 'operator')],
    ['client', 'operate', 'welcome'],
  ] as const)('as a %s with the token of a %s', async (role, right, outcome) => {
    expect(await join(url, role, bearing(tokens[right]))).toEqual(outcome)
  })

  it.each(['worker', 'client'] as const)('as a %s with none, or none that is known', async role => {
    for (const headers of [
      {},
      bearing(WRONG),
      bearing(''),
      bearing(`${tokens[role]}x`),
      bearing(tokens[role].slice(0, -1)),
      bearing(tokens[role].toUpperCase()),
      { authorization: tokens[role] },
      { authorization: `Basic ${btoa(`:${tokens[role]}`)}` },
    ])
      expect(await join(url, role, headers)).toBe('401')
  })

  const notTo = (what: string, right: string, role: string) =>
    `ACCESS_DENIED: to ${what}: expected a token with the right '${right}', got that of a ${role}; the master's tokens grant it in a line ${right}=…`
  const OFFER = { type: 'offer-scene', scene: scene.hash, manifest: scene.manifest }
  const { frames: _, ...order } = smallSession({})
  const OPEN = { type: 'open-session', session: 0, version: SESSION_VERSION, order }
  const DRAIN = { type: 'drain', worker: 'anna' }
  it.each([
    ['client', 'drain', DRAIN, notTo('let a worker leave', 'operate', 'client')],
    ['operate', 'drain', DRAIN, 'drained'],
    ['client', 'offer a scene', OFFER, 'parts-wanted'],
    ['operate', 'offer a scene', OFFER, notTo('offer a scene', 'client', 'operator')],
    ['client', 'open a session', OPEN, 'session-failed'],
    ['operate', 'open a session', OPEN, notTo('open a session', 'client', 'operator')],
  ] as const)('with the right %s, to %s', async (right, _, message, outcome) => {
    expect(await join(url, 'client', bearing(tokens[right]), message)).toBe(outcome)
  })

  it('a secret that stands in two lines grants both rights', async () => {
    const url = await listen({ token: { worker: tokens.worker, client: tokens.client, operate: tokens.client } })
    expect(await join(url, 'client', bearing(tokens.client), DRAIN)).toBe('drained')
    expect(await join(url, 'client', bearing(tokens.client), OFFER)).toBe('parts-wanted')
  })

  it.each([
    ['/healthz', 'worker', 403],
    ['/healthz', 'operate', 200],
    ['/healthz', 'client', 200],
    ['/healthz', 'viewer', 200],
    ['/healthz', undefined, 401],
    ['/healthz', 'wrong', 401],
    ['/metrics', 'worker', 403],
    ['/metrics', 'operate', 200],
    ['/metrics', 'client', 200],
    ['/metrics', 'viewer', 200],
    ['/metrics', undefined, 401],
    ['/metrics', 'wrong', 401],
    ['/elsewhere', 'worker', 403],
    ['/elsewhere', 'client', 404],
    ['/elsewhere', 'viewer', 404],
    ['/elsewhere', undefined, 401],
    ['/elsewhere', 'wrong', 401],
  ] as const)('%s with the token of a %s: %d', async (path, right, status) => {
    const token = right === 'wrong' ? WRONG : right && tokens[right]
    const answer = await read(url, path, bearing(token))
    expect(answer.status).toBe(status)
    expect(/workers"|sortfirst_workers/.test(answer.text)).toBe(status === 200)
    expect(answer.headers['www-authenticate']).toBe(status === 401 ? 'Bearer realm="sortfirst"' : undefined)
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  it.each(['worker', 'client', undefined] as const)('the page is for everybody, and says nothing: %s', async right => {
    const answer = await read(url, '/', bearing(right && tokens[right]))
    expect(answer.status).toBe(200)
    expect(answer.text).not.toContain('dragon')
    expect(answer.headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self';/)
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  it('a web page of another origin gets no connection, not even with a token', async () => {
    const page = { ...bearing(tokens.client), origin: 'https://evil.example' }
    expect(await join(url, 'client', page)).toBe('403')
  })

  it('says of strangers only from where they came and why they were refused', async () => {
    const said: string[] = []
    const warn = (text: string) => void said.push(text)
    const own = await listen({ token: tokens }, { info: warn, warn })
    await join(own, 'worker', bearing(WRONG))
    await join(own, 'worker', bearing(tokens.client))
    await read(own, `/healthz?token=${tokens.viewer}`, {})
    expect(said.filter(text => text.includes('refused'))).toEqual([
      'refused a peer: a request from 127.0.0.1: the token is wrong',
      expect.stringContaining('refused a peer: expected the token of a worker'),
    ])
    for (const secret of [WRONG, ...Object.values(tokens)]) expect(said.join('\n')).not.toContain(secret)
  })
})

it('a flood of strangers is a line in the log', async () => {
  const said: string[] = []
  const url = await listen({ token: tokens }, { info: () => {}, warn: text => void said.push(text) })
  for (let i = 0; i < 60; i++) expect((await read(url, '/healthz', {})).status).toBe(401)
  expect(said).toEqual(['refused a peer: a request from 127.0.0.1: a token is needed'])
})

it.each(['worker', 'client'] as const)('a secret for everything is enough for a %s, and to read', async role => {
  const url = await listen({ token: tokens.viewer })
  expect(await join(url, role, bearing(tokens.viewer))).toBe('welcome')
  expect((await read(url, '/healthz', bearing(tokens.viewer))).status).toBe(200)
  expect(await join(url, 'client', bearing(tokens.viewer), { type: 'drain', worker: 'anna' })).toBe('drained')
})

it('a right without a secret is nobody’s', async () => {
  const url = await listen({ token: { worker: tokens.worker } })
  expect(await join(url, 'worker', bearing(tokens.worker))).toBe('welcome')
  for (const right of RIGHTS) expect(await join(url, 'client', bearing(tokens[right]))).not.toBe('welcome')
  for (const right of RIGHTS) expect((await read(url, '/healthz', bearing(tokens[right]))).status).not.toBe(200)
})

describe('without tokens, on this machine', () => {
  let url = ''
  beforeAll(async () => {
    url = await listen({})
  })

  it('everybody may do everything, and tokens do not matter', async () => {
    expect(await join(url, 'worker', {})).toBe('welcome')
    expect(await join(url, 'client', bearing(WRONG))).toBe('welcome')
    expect((await read(url, '/healthz', {})).status).toBe(200)
  })

  it('but web pages of others, whatever name they were given', async () => {
    expect(await join(url, 'client', { origin: 'http://evil.example' })).toBe('403')
    expect(await join(url, 'client', { origin: 'http://evil.example', host: 'evil.example' })).toBe('403')
    for (const path of ['/healthz', '/metrics'])
      expect((await read(url, path, { host: 'evil.example' })).status).toBe(403)
    const { headers } = await read(url, '/healthz', {})
    expect(headers['access-control-allow-origin']).toBeUndefined()
    expect(headers['cross-origin-resource-policy']).toBe('same-origin')
  })
})

describe('wrong tokens', () => {
  it('lock nobody out who has a right one, not even at the same address', async () => {
    const url = await listen({ token: tokens })
    for (let i = 0; i < 50; i++) {
      expect(await join(url, 'worker', bearing(`${WRONG}${i}`))).toBe('401')
      expect(await join(url, 'worker', bearing(tokens.worker))).toBe('welcome')
      expect((await read(url, '/healthz', bearing(tokens.viewer))).status).toBe(200)
    }
  })

  it('are presented one by connection, whatever comes after it', async () => {
    const url = await listen({ token: tokens })
    const wire = connect(Number(new URL(url).port), '127.0.0.1')
    const request = (token: string) =>
      `GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n\r\n`
    wire.write([WRONG, WRONG, tokens.viewer].map(request).join(''))
    let text = ''
    for await (const chunk of wire) text += chunk
    expect(text.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 401'])
  })
})
