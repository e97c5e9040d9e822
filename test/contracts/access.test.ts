/** Who may pass which door of a master: every right at every door, and those without any. */
import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type Master, startMaster } from '../../master/main.ts'
import type { MasterOptions } from '../../master/options.ts'
import { RIGHTS } from '../../shared/access/tokens.ts'
import { silentLog } from '../../shared/log.ts'
import { PROTOCOL_VERSION } from '../../shared/protocol/version.ts'

const tokens = { worker: 'worker'.repeat(4), client: 'client'.repeat(4), viewer: 'viewer'.repeat(4) }
const WRONG = 'wrong'.repeat(4)

const HELLOS = {
  worker: {
    ...{ type: 'hello', role: 'worker', protocol: PROTOCOL_VERSION, name: 'anna', encodings: ['raw'], holds: [] },
    areas: [{ engine: 'wasm', kernel: 'k', threads: 1, speed: 1, clock: 'cpu', grain: { rows: 8 } }],
  },
  client: { type: 'hello', role: 'client', protocol: PROTOCOL_VERSION, encodings: ['raw'] },
} as const

type Headers = Record<string, string>
const bearing = (token: string | undefined): Headers =>
  token === undefined ? {} : { authorization: `Bearer ${token}` }

/** Comes as a worker or client: `welcome`, the reason of a goodbye, or the status of the answer to the upgrade. */
async function join(url: string, role: 'worker' | 'client', headers: Headers): Promise<string> {
  const socket = new WebSocket(url, { perMessageDeflate: false, headers })
  try {
    const [kind, detail] = await new Promise<[string, unknown]>(resolve => {
      socket.once('unexpected-response', (_, response) => resolve(['status', response.statusCode]))
      socket.once('open', () => resolve(['open', undefined]))
    })
    if (kind === 'status') return `${detail}`
    socket.send(JSON.stringify(HELLOS[role]))
    const [text] = (await once(socket, 'message')) as [Buffer]
    const said = JSON.parse(text.toString()) as { type: string; code?: string; reason?: string }
    return said.type === 'goodbye' ? `${said.code}: ${said.reason}` : said.type
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
    url = await listen({ token: tokens, wrongTokens: { tries: 1000 } })
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

  it.each([
    ['/healthz', 'worker', 403],
    ['/healthz', 'client', 200],
    ['/healthz', 'viewer', 200],
    ['/healthz', undefined, 401],
    ['/healthz', 'wrong', 401],
    ['/', 'worker', 403],
    ['/', 'client', 404],
    ['/', 'viewer', 404],
    ['/', undefined, 401],
    ['/', 'wrong', 401],
  ] as const)('%s with the token of a %s: %d', async (path, right, status) => {
    const token = right === 'wrong' ? WRONG : right && tokens[right]
    const answer = await read(url, path, bearing(token))
    expect(answer.status).toBe(status)
    expect(answer.text.includes('workers"')).toBe(status === 200)
    expect(answer.headers['www-authenticate']).toBe(status === 401 ? 'Bearer realm="sortfirst"' : undefined)
    expect(answer.headers['cache-control']).toBe('no-store')
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
    expect((await read(url, '/healthz', { host: 'evil.example' })).status).toBe(403)
    const { headers } = await read(url, '/healthz', {})
    expect(headers['access-control-allow-origin']).toBeUndefined()
    expect(headers['cross-origin-resource-policy']).toBe('same-origin')
  })
})

describe('wrong tokens', () => {
  it('are looked at a few times, then not for a while', async () => {
    const url = await listen({ token: tokens, wrongTokens: { tries: 3, everyMs: 60_000 } })
    for (const status of ['401', '401', '401', '429', '429'])
      expect(await join(url, 'worker', bearing(WRONG))).toBe(status)
    // Otherwise it would be known which one is right.
    expect(await join(url, 'worker', bearing(tokens.worker))).toBe('429')
    const { status, headers } = await read(url, '/healthz', bearing(tokens.viewer))
    expect([status, Number(headers['retry-after'])]).toEqual([429, expect.closeTo(60, -1)])
    expect(await join(url, 'worker', {})).toBe('401')
  })

  it('do not count when there are none', async () => {
    const url = await listen({ token: tokens, wrongTokens: { tries: 1, everyMs: 60_000 } })
    for (let i = 0; i < 5; i++) expect(await join(url, 'worker', {})).toBe('401')
    expect(await join(url, 'worker', bearing(tokens.worker))).toBe('welcome')
  })
})
