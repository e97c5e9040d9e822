/** Keys of workers, over real connections: nobody takes over another's, and a stolen conversation is worth nothing. */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type Master, startMaster } from '../../master/main.ts'
import type { MasterOptions } from '../../master/options.ts'
import { type Log, silentLog } from '../../shared/text/log.ts'
import { runWorker } from '../../worker/main.ts'
import { freshKey, keptKey } from '../../worker/node/own-key.ts'
import { WORKER_HELLO } from '../support/bare-peer.ts'

const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

async function start(options: MasterOptions = {}, log: Log = silentLog): Promise<Master> {
  const master = await startMaster({ listen: '127.0.0.1:0', ...options }, log)
  endings.push(() => master.close())
  return master
}

type Words = Readonly<Record<string, string>>

/** A peer that says what a test has it say, and what it is told. */
async function dial(url: string) {
  const socket = new WebSocket(url, { perMessageDeflate: false })
  endings.push(() => socket.terminate())
  socket.on('error', () => {})
  await once(socket, 'open')
  return {
    socket,
    async say(message: object): Promise<Words> {
      const answer = once(socket, 'message')
      socket.send(JSON.stringify(message))
      return JSON.parse(String((await answer)[0])) as Words
    },
  }
}
const helloOf = (identity: string, name = 'anna') => ({ ...WORKER_HELLO, identity, name })
const refusals = async ({ url }: Master) =>
  ((await (await fetch(`${url.replace('ws', 'http')}/healthz`)).json()) as { refused: object }).refused

it('a worker that signs is welcome', async () => {
  const master = await start()
  const key = freshKey()
  const { say } = await dial(master.url)
  const { type, nonce } = await say(helloOf(key.identity))
  expect(type).toBe('challenge')
  expect(await say({ type: 'proof', signature: await key.sign(nonce!) })).toMatchObject({ type: 'welcome' })
  expect(master.workers()).toHaveLength(1)
})

it('what was said on one connection is worth nothing on another', async () => {
  const master = await start()
  const key = freshKey()
  const first = await dial(master.url)
  const { nonce } = await first.say(helloOf(key.identity))
  const proof = { type: 'proof', signature: await key.sign(nonce!) }
  await first.say(proof)
  const second = await dial(master.url)
  const other = await second.say(helloOf(key.identity))
  expect(other.nonce).not.toBe(nonce)
  expect(await second.say(proof)).toMatchObject({ type: 'goodbye', code: 'WRONG_PROOF' })
  expect(master.workers()).toHaveLength(1)
  expect(await refusals(master)).toEqual({ 'wrong-proof': 1 })
})

const nothing = 'A'.repeat(43)
it.each([
  ['signed by another key', 'WRONG_PROOF', (nonce: string) => ({ type: 'proof', signature: freshKey().sign(nonce) })],
  ['of zeros', 'WRONG_PROOF', () => ({ type: 'proof', signature: 'A'.repeat(86) })],
  ['too short', 'BAD_MESSAGE', () => ({ type: 'proof', signature: 'A'.repeat(85) })],
  ['no proof', 'BAD_MESSAGE', () => ({ type: 'tile-failed', lease: 0, reason: '' })],
  ['a second hello', 'BAD_MESSAGE', () => WORKER_HELLO],
])('a proof that is %s ends with %s', async (_, code, proof) => {
  const master = await start()
  const { say } = await dial(master.url)
  const { nonce } = await say(helloOf(freshKey().identity))
  expect(await say(proof(nonce!))).toMatchObject({ type: 'goodbye', code })
  expect(master.workers()).toEqual([])
})

it.each([
  ['no key', 'not a key'],
  ['too long', `${nothing}A`],
  ['empty', ''],
])('an identity that is %s is no hello', async (_, identity) => {
  const { say } = await dial((await start()).url)
  expect(await say(helloOf(identity))).toMatchObject({ type: 'goodbye', code: 'BAD_MESSAGE' })
})

it('a peer that is silent after its challenge is closed like any stranger', async () => {
  // A busy machine may not read the hello in time, so there is more of it until it does.
  for (let helloMs = 40; ; helloMs *= 2) {
    const master = await start({ deadlines: { helloMs } })
    const { socket, say } = await dial(master.url)
    const closed = once(socket, 'close')
    const answer = await Promise.race([say(helloOf(freshKey().identity)), closed])
    if (Array.isArray(answer) || answer.type === 'goodbye') continue
    expect(answer).toMatchObject({ type: 'challenge' })
    await closed
    expect(await refusals(master)).toEqual({ 'no-hello': 1 })
    return
  }
})

it('a thousand keys of one address are a thousand workers, one after the other, and keep nobody out', async () => {
  const master = await start()
  const join = async () => {
    const key = freshKey()
    const { socket, say } = await dial(master.url)
    const { nonce } = await say(helloOf(key.identity))
    expect(await say({ type: 'proof', signature: await key.sign(nonce!) })).toMatchObject({ type: 'welcome' })
    const gone = once(socket, 'close')
    socket.close()
    await gone
  }
  for (let i = 0; i < 1000; i++) await join()
  await join()
  expect(await refusals(master)).toEqual({})
})

it('a worker of this program proves its key, and has the same one when it is started anew', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
  endings.push(() => rmSync(folder, { recursive: true, force: true }))
  const lines: string[] = []
  const master = await start({}, { info: line => void lines.push(line), warn: line => void lines.push(line) })
  const seen: string[] = []
  for (let i = 0; i < 2; i++) {
    const stop = new AbortController()
    const joined = new Promise<void>(resolve => {
      const info = (line: string) => {
        if (line.startsWith('joined ')) resolve()
      }
      const log = { info, warn: () => {} }
      endings.push(() => stop.abort(new Error('over')))
      const ended = runWorker({ master: master.url, state: folder, name: 'kept' }, log, stop.signal)
      endings.push(() => ended)
    })
    await joined
    expect(master.workers().map(({ name }) => name)).toContain('kept')
    seen.push((await keptKey(folder)).identity)
    stop.abort(new Error('over'))
  }
  expect(seen[0]).toBe(seen[1])
  expect(await refusals(master)).toEqual({})
})
