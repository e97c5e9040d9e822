/** Masters that take workers in and lose them at once, or cannot greet so many at a time. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { silentLog } from '../../shared/text/log.ts'
import { runWorker } from '../../worker/main.ts'

const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

/** A master that does this with whoever has said hello. */
async function master(greet: (socket: WebSocket) => void): Promise<string> {
  const http = createServer()
  const sockets = new WebSocketServer({ server: http })
  sockets.on('connection', socket => socket.once('message', () => greet(socket)))
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve))
  endings.push(() => {
    for (const socket of sockets.clients) socket.terminate()
    sockets.close()
    return new Promise(resolve => http.close(resolve))
  })
  return `ws://127.0.0.1:${(http.address() as AddressInfo).port}`
}

/** Runs a worker until it has said hello so often; the random numbers that it drew by then. */
async function drawnAfter(hellos: number, greet: (socket: WebSocket) => void): Promise<number> {
  const stop = new AbortController()
  let drawn = 0
  let heard = 0
  let before = 0
  const random = () => {
    drawn++
    return 0.999
  }
  const url = await master(socket => {
    if (++heard < hellos) return greet(socket)
    before = drawn
    stop.abort()
  })
  await runWorker({ master: url, engine: 'reference', random }, silentLog, stop.signal)
  return before
}

const say = (socket: WebSocket, message: object) => socket.send(JSON.stringify(message))

it('that drops every worker it has welcomed is called again after pauses of random length', async () => {
  const drawn = await drawnAfter(4, socket => {
    say(socket, { type: 'welcome', id: 'w1', encoding: 'raw' })
    socket.close(1001)
  })
  expect(drawn).toBe(3)
})

it('that had no time for a hello is called again', async () => {
  const drawn = await drawnAfter(3, socket => {
    say(socket, { type: 'goodbye', code: 'NO_HELLO', reason: 'no hello: it made room for another address' })
    socket.close(4001)
  })
  expect(drawn).toBe(2)
})
