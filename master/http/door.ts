/**
 * The door of the master's port: counts connections, and closes those that do not become WebSockets in time. A plain request
 * has one answer, and its connection ends.
 */
import type { Server as HttpServer } from 'node:http'
import type { Socket } from 'node:net'
import { Server as TlsServer } from 'node:tls'
import type { Refusals } from '../cluster/refusals.ts'
import { type ConnectionLimits, Connections } from './connections.ts'

export interface DoorLimits extends ConnectionLimits {
  /** How long a connection may take to become a WebSocket, ms. */
  readonly upgradeMs: number
}

export interface DoorPorts {
  readonly limits: DoorLimits
  readonly refusals: Pick<Refusals, 'add'>
  /** Calls `wake` after `inMs` unless the returned function is called first. */
  readonly alarm: (wake: () => void, inMs: number) => () => void
}

export interface Door {
  /** Connections of all kinds. */
  readonly connections: number
  /** A connection has become a WebSocket. */
  upgraded(wire: Socket): void
}

export function guardDoor(server: HttpServer, { limits, refusals, alarm }: DoorPorts): Door {
  const connections = new Connections(limits)
  const deadlines = new Map<Socket, () => void>()
  const isTls = server instanceof TlsServer
  server.prependListener('request', (_, response) => {
    response.shouldKeepAlive = false
  })

  const upgraded = (wire: Socket): void => {
    deadlines.get(wire)?.()
    deadlines.delete(wire)
  }
  const turnAway = (wire: Socket, why: string): void => {
    refusals.add('too-many-connections', why)
    // In words, if the peer can read them before it has said anything.
    if (!isTls)
      wire.write(`HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Type: text/plain\r\n\r\n${why}\n`)
    wire.destroySoon()
  }
  // Before Node.js begins to read requests from it.
  server.prependListener('connection', (wire: Socket) => {
    const { remoteAddress = 'nowhere' } = wire
    const why = connections.enter(remoteAddress)
    if (why !== undefined) return turnAway(wire, why)
    wire.once('close', () => connections.leave(remoteAddress))
  })
  server.prependListener(isTls ? 'secureConnection' : 'connection', (wire: Socket) => {
    if (wire.destroyed || wire.writableEnded) return
    const late = () => {
      deadlines.delete(wire)
      refusals.add(
        'no-upgrade',
        `a connection from ${wire.remoteAddress} asked for no WebSocket within ${limits.upgradeMs / 1000} s`,
      )
      wire.destroy()
    }
    deadlines.set(wire, alarm(late, limits.upgradeMs))
    wire.once('close', () => upgraded(wire))
  })
  server.on('clientError', (error: Error & { code?: string }, wire) => {
    if (error.code === 'ECONNRESET' || !wire.writable) return void wire.destroy()
    refusals.add('bad-request', `what came is not HTTP that a master reads (${error.code ?? error.message})`)
    wire.end(`HTTP/1.1 ${STATUS[error.code ?? ''] ?? '400 Bad Request'}\r\nConnection: close\r\n\r\n`, () =>
      wire.destroy(),
    )
  })
  return {
    get connections() {
      return connections.count
    },
    upgraded,
  }
}

const STATUS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}
