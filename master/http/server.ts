/** The master's port: plain HTTP for its health, and WebSockets, which pages of other origins cannot open. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { messageOf, SortfirstError } from '../../shared/errors.ts'
import { printable } from '../../shared/printable.ts'
import { SOCKET_OPTIONS, WebSocketChannel } from '../../shared/protocol/node/websocket-channel.ts'
import { MAX_CONTROL_BYTES } from '../../shared/protocol/peer-limits.ts'
import { type Door, type DoorPorts, guardDoor } from './door.ts'
import { answer, type ClusterHealth } from './health.ts'
import { originAllowed } from './origin.ts'

/** Listening on the address failed. */
export class ListenError extends SortfirstError {
  readonly code = 'CANNOT_LISTEN'
  constructor(address: string, cause: NodeJS.ErrnoException) {
    const why =
      cause.code === 'EADDRINUSE' ? 'the port is in use; stop that program or choose another' : messageOf(cause)
    super(`cannot listen on ${address}: ${why} (--listen host:port; port 0 picks a free one)`, { cause })
  }
}

export interface ServerPorts {
  readonly health: () => Omit<ClusterHealth, 'connections'>
  /** Whether there is room for another connection from an address that has not said hello. */
  readonly hasRoomFor: (address: string) => boolean
  readonly door: DoorPorts
  /** A peer connected; it has not yet said what it is. `wire` is the connection under its channel. */
  readonly connected: (channel: WebSocketChannel, wire: Socket) => void
}

export interface Server {
  /** WebSocket address for workers and clients on this machine. */
  readonly url: string
  /** Frees the port; resolves when the last connection is gone. */
  close(): Promise<void>
}

/** Limits on slow HTTP requests, ms. */
const SLOW_REQUESTS = { headersTimeout: 5000, requestTimeout: 5000, connectionsCheckingInterval: 1000 } as const

/** @throws ListenError */
export async function listen(host: string, port: number, ports: ServerPorts): Promise<Server> {
  const { health, hasRoomFor, connected } = ports
  const http = createServer(SLOW_REQUESTS, (request, response) =>
    answer(request, response, () => ({ ...health(), connections: door.connections })),
  )
  const door: Door = guardDoor(http, ports.door)
  const { refusals } = ports.door
  const sockets = new WebSocketServer({
    server: http,
    ...SOCKET_OPTIONS,
    verifyClient: ({ req: { headers, socket } }, decide) => {
      if (!originAllowed(headers, host)) {
        refusals.add('other-origin', `a web page of another origin (${printable(String(headers.origin))})`)
        decide(false, 403, 'a web page of another origin cannot use this master')
      } else if (!hasRoomFor(socket.remoteAddress ?? '')) {
        refusals.add('too-many-connections', 'too many connections have not said hello yet')
        decide(false, 503, 'too many connections have not said hello yet; try again')
      } else decide(true)
    },
  })
  sockets.on('connection', (socket: WebSocket, { socket: wire }: IncomingMessage) => {
    // Pixels go out immediately; waiting to fill a packet would only delay them.
    wire.setNoDelay(true)
    door.upgraded(wire)
    connected(new WebSocketChannel(socket, wire, MAX_CONTROL_BYTES), wire)
  })
  // The socket server re-emits its HTTP server's errors; unhandled, they would end the process.
  sockets.on('error', () => {})
  await new Promise<void>((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) => reject(new ListenError(`${host}:${port}`, error))
    http.once('error', refuse).listen(port, host, () => {
      http.off('error', refuse)
      resolve()
    })
  })
  const { family, address, port: bound } = http.address() as AddressInfo
  return {
    url: `ws://${family === 'IPv6' ? `[${address}]` : address}:${bound}`,
    async close() {
      const closed = new Promise(resolve => http.close(resolve))
      sockets.close()
      http.closeAllConnections()
      await closed
    },
  }
}
