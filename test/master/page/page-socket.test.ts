/** Which pages are dropped; by a clock that is turned by hand. */
import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { WebSocket } from 'ws'
import { type PagePorts, showPage } from '../../../master/page/page-socket.ts'
import { SIGN_MS } from '../../../shared/page/page-messages.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A page of films that says something at each sign, and takes so many bytes until the next one. */
function talking(takes: number) {
  const socket = Object.assign(new EventEmitter(), {
    ...{ OPEN: 1, readyState: 1, bufferedAmount: 0, isTerminated: false },
    send: (message: string | Uint8Array) => {
      socket.bufferedAmount += message.length
    },
    ping() {},
    close() {},
    terminate() {
      socket.isTerminated = true
      socket.emit('close')
    },
  })
  let say = (_: string) => {}
  const ports = {
    clock: { now: () => 0 },
    dashboard: (send: (text: string) => void) => {
      say = send
      return { hear() {}, close() {} }
    },
  } as unknown as PagePorts
  showPage(socket as unknown as WebSocket, 'films', ['watch'], ports, () => {})
  for (let i = 0; i < 20 && !socket.isTerminated; i++) {
    say('x'.repeat(1000))
    socket.emit('message', Buffer.from('{"type":"drawn","picture":1}'), false)
    socket.bufferedAmount = Math.max(0, socket.bufferedAmount - takes)
    vi.advanceTimersByTime(SIGN_MS)
  }
  return socket
}

it('is dropped when it talks and takes nothing of what it is sent', () => {
  expect(talking(0).isTerminated).toBe(true)
})

it('stays as long as it takes something, however little', () => {
  expect(talking(100).isTerminated).toBe(false)
  expect(talking(1e6).isTerminated).toBe(false)
})
