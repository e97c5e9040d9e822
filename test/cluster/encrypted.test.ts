/** A cluster over TLS: with it everything works as without, and whatever is wrong with it ends in a sentence. */
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer, get } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect } from '../../scripts/library/cluster.ts'
import { type Master, startMaster } from '../../scripts/library/master.ts'
import { type RunningWorker, startWorker } from '../../scripts/library/worker.ts'
import { AccessDeniedError } from '../../shared/access/access-denied.ts'
import { messageOf } from '../../shared/errors.ts'
import { TlsError } from '../../shared/protocol/node/connect-failure.ts'
import { reportsOf, smallSession } from '../support/session.ts'
import { EXPIRED_CERT, OTHER_TLS, TLS } from '../support/tls.ts'

const token = { worker: 'worker'.repeat(4), client: 'client'.repeat(4) }
const tls = { ca: TLS.cert }

let master: Master
let worker: RunningWorker
/** Servers without TLS, and with a certificate that has expired. */
const others: Server[] = []
let plain = ''
let expired = ''

const listening = async (server: Server): Promise<number> => {
  others.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

beforeAll(async () => {
  master = await startMaster({ listen: '127.0.0.1:0', token, tls: TLS })
  worker = startWorker({ master: master.url, token: token.worker, tls, name: 'anna', cache: false })
  plain = `wss://127.0.0.1:${await listening(createHttpServer())}`
  expired = `wss://127.0.0.1:${await listening(createHttpsServer({ cert: EXPIRED_CERT, key: TLS.key }))}`
})
afterAll(async () => {
  await worker.close()
  await master.close()
  for (const server of others) server.close()
})

it('renders what it renders without TLS', async () => {
  expect(master.url).toMatch(/^wss:/)
  const client = await connect(master.url, { token: token.client, tls })
  const there = await reportsOf(client, smallSession({}))
  await client.close()
  const here = await reportsOf(master, smallSession({}))
  expect(there.map(report => report.sha256)).toEqual(here.map(report => report.sha256))
})

it('tells its health to those who may know', async () => {
  const status = (headers: Record<string, string>) =>
    new Promise(resolve =>
      get(`${master.url.replace('wss:', 'https:')}/healthz`, { ...tls, headers, agent: false }, response => {
        response.resume()
        resolve(response.statusCode)
      }),
    )
  expect(await status({ authorization: `Bearer ${token.client}` })).toBe(200)
  expect(await status({})).toBe(401)
})

describe.each([
  [
    'a certificate of nobody known',
    () => master.url,
    {},
    TlsError,
    /: expected a certificate from an authority that this machine trusts, got another; .* with --tls-ca$/,
  ],
  [
    'the certificate of another',
    () => master.url,
    { tls: { ca: OTHER_TLS.cert } },
    TlsError,
    /from an authority that this/,
  ],
  [
    'a certificate of another address',
    () => master.url.replace('127.0.0.1', 'localhost'),
    { tls },
    TlsError,
    /: expected a certificate for that address, got one for IP Address:127\.0\.0\.1;/,
  ],
  [
    'an expired certificate',
    () => expired,
    { tls: { ca: EXPIRED_CERT } },
    TlsError,
    /got one that has expired; renew it$/,
  ],
  ['a server without TLS', () => plain, { tls }, TlsError, /: expected TLS, got a connection without it; use ws:\/\//],
  ['no token', () => master.url, { tls }, AccessDeniedError, /: expected a token, got none; set SORTFIRST_TOKEN or/],
  [
    'a wrong token',
    () => master.url,
    { tls, token: 'wrong'.repeat(5) },
    AccessDeniedError,
    /: expected another token; set/,
  ],
])('%s', (_, url, access, kind, sentence) => {
  it('ends a client and a worker at once, in words', async () => {
    const client = await connect(url(), access).catch((error: unknown) => error)
    const { ended } = startWorker({ master: url(), ...access, cache: false, retryFor: 3600 })
    const fate = await ended.catch((error: unknown) => error)
    for (const error of [client, fate]) {
      expect(error).toBeInstanceOf(kind)
      expect(messageOf(error)).toMatch(sentence)
      expect(messageOf(error)).not.toMatch(/wrongwrong|workerworker|clientclient/)
    }
  })
})

it('is not trusted because the environment says so', async () => {
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  try {
    await expect(connect(master.url, { token: token.client })).rejects.toBeInstanceOf(TlsError)
  } finally {
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
  }
})

it('without TLS at a master that has it, it is said where that is', async () => {
  await expect(connect(master.url.replace('wss:', 'ws:'))).rejects.toThrow(
    'connection reset; a master with a certificate is at wss://',
  )
})

it.each([
  ['trust in somebody without TLS', 'ws://127.0.0.1:1', { tls }, '--tls-ca: expected a master at wss:// with it'],
  ['trust in nothing', 'wss://127.0.0.1:1', { tls: { ca: 'me' } }, '--tls-ca: expected a certificate in PEM form'],
  ['a secret that is none', 'ws://127.0.0.1:1', { token: 'short' }, 'token: expected a secret of 16 to 256 characters'],
])('%s is refused', async (_, url, access, sentence) => {
  await expect(connect(url, access)).rejects.toThrow(sentence)
  await expect(startWorker({ master: url, ...access, cache: false }).ended).rejects.toThrow(sentence)
})
