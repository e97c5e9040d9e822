/**
 * The door of the master's port: counts connections, and destroys those that do not become WebSockets in time. A plain request
 * has one answer, and its connection ends. If there is no room for a newcomer, a connection that has had a while makes some.
 *
 * A connection is destroyed, not ended: a peer that does not read, or has not agreed on encryption, would never let it end.
 */
import type { Server as HttpServer } from 'node:http'
import type { Socket } from 'node:net'
import { TLSSocket, Server as TlsServer } from 'node:tls'
import type { Clock } from '../../shared/time/clock.ts'
import type { Refusals } from '../cluster/refusals.ts'
import { type ConnectionLimits, Connections, networkOf } from './connections.ts'

export interface DoorLimits extends ConnectionLimits {
  /** How long a connection may take to become a WebSocket, with encryption or without, ms. */
  readonly upgradeMs: number
}

export interface DoorPorts {
  readonly limits: DoorLimits
  readonly refusals: Pick<Refusals, 'add'>
  readonly clock: Clock
  /** Calls `wake` after `inMs` unless the returned function is called first. */
  readonly alarm: (wake: () => void, inMs: number) => () => void
}

export interface Door {
  /** Connections of all kinds. */
  readonly connections: number
  /** A connection has become a WebSocket. */
  upgraded(wire: Socket): void
  /** Destroys those that have not. */
  close(): void
}

/** A connection that is no WebSocket yet. */
interface Waiting {
  readonly network: string
  readonly since: number
  /** It is one now, or is gone. */
  done(): void
  /** Destroys it, and frees its place at once. */
  end(why: string): void
}

/** Within this time a connection becomes a WebSocket over any line; one that takes longer may still do so while there is room, ms. */
const ENOUGH_MS = 1000

export function guardDoor(server: HttpServer, { limits, refusals, clock, alarm }: DoorPorts): Door {
  const connections = new Connections(limits)
  /** By its ends, because TLS has a socket of its own for it; the oldest first. */
  const waiting = new Map<string, Waiting>()
  const isTls = server instanceof TlsServer
  /** Those that have agreed on encryption. */
  const isSecure = new WeakSet<Socket>()

  const hasRoomFor = (network: string): string | undefined => {
    const full = connections.enter(network)
    if (!full) return undefined
    const first = oldest(waiting.values(), full.network)
    if (!first || clock.now() - first.since < ENOUGH_MS) return full.sentence
    first.end(`a connection from ${first.network} that asked for no WebSocket made room for another`)
    return connections.enter(network)?.sentence
  }
  const turnAway = (wire: Socket, why: string): void => {
    refusals.add('too-many-connections', why)
    if (isTls) return void wire.destroy()
    // In words, because the peer can read them before it has said anything. Nothing waits for it: the system takes so few bytes.
    wire.write(`HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Type: text/plain\r\n\r\n${why}\n`)
    wire.destroySoon()
  }
  // Before Node.js begins to read requests from it.
  server.prependListener('connection', (wire: Socket) => {
    const ends = endsOf(wire)
    if (ends === undefined) return void wire.destroy()
    const network = networkOf(wire.remoteAddress ?? '')
    const why = hasRoomFor(network)
    if (why !== undefined) return turnAway(wire, why)
    let leave = () => {
      leave = () => {}
      connections.leave(network)
    }
    wire.once('close', () => leave())
    const done = () => {
      disarm()
      if (waiting.get(ends) === entry) waiting.delete(ends)
    }
    const end = (why: string) => {
      done()
      refusals.add('no-upgrade', why)
      wire.destroy()
      leave()
    }
    const late = () =>
      end(`a connection from ${wire.remoteAddress} asked for no WebSocket within ${limits.upgradeMs / 1000} s`)
    const disarm = alarm(late, limits.upgradeMs)
    const entry: Waiting = { network, since: clock.now(), done, end }
    waiting.set(ends, entry)
    wire.once('close', done)
  })
  server.on('secureConnection', (wire: Socket) => isSecure.add(wire))
  server.prependListener('request', (_, response) => {
    response.shouldKeepAlive = false
  })
  // Of HTTP, and of TLS before it.
  server.on('clientError', (error: Error & { code?: string }, wire) => {
    const { code } = error
    if (wire instanceof TLSSocket && !isSecure.has(wire)) {
      wire.destroy()
      if (code !== 'ECONNRESET') refusals.add('no-tls', NO_TLS[code ?? ''] ?? `TLS failed (${code ?? error.message})`)
      return
    }
    if (code === 'ECONNRESET' || !wire.writable) return void wire.destroy()
    refusals.add('bad-request', `what came is not HTTP that a master reads (${code ?? error.message})`)
    wire.end(`HTTP/1.1 ${STATUS[code ?? ''] ?? '400 Bad Request'}\r\nConnection: close\r\n\r\n`, () => wire.destroy())
  })
  return {
    get connections() {
      return connections.count
    },
    upgraded: wire => waiting.get(endsOf(wire) ?? '')?.done(),
    close: () => {
      for (const { end } of waiting.values()) end('the master is shutting down')
    },
  }
}

/** Of a network, or, if none is given, of the one with the most. */
function oldest(waiting: Iterable<Waiting>, network: string | undefined): Waiting | undefined {
  const first = new Map<string, { readonly waiting: Waiting; count: number }>()
  for (const each of waiting) {
    const known = first.get(each.network)
    if (known) known.count++
    else first.set(each.network, { waiting: each, count: 1 })
  }
  const most = [...first.values()].sort((a, b) => b.count - a.count)[0]
  return (network === undefined ? most : first.get(network))?.waiting
}

/** Both ends of a connection, which no other has at the same time; undefined if it is gone already. */
function endsOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string | undefined {
  return remotePort === undefined ? undefined : `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`
}

const NO_TLS: Readonly<Record<string, string>> = {
  ERR_SSL_HTTP_REQUEST: 'expected TLS (wss://), got a connection without it',
}

const STATUS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}
