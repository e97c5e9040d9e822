/** The master's port: plain HTTP for its health, and WebSockets, which pages of other origins cannot open. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { messageOf, SortfirstError } from '../../shared/errors.ts'
import { SOCKET_OPTIONS, WebSocketChannel } from '../../shared/protocol/node/websocket-channel.ts'
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
  readonly health: () => ClusterHealth
  /** Whether new connections are currently refused. */
  readonly full: () => boolean
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
export async function listen(host: string, port: number, { health, full, connected }: ServerPorts): Promise<Server> {
  const http = createServer(SLOW_REQUESTS, (request, response) => answer(request, response, health))
  const sockets = new WebSocketServer({
    server: http,
    ...SOCKET_OPTIONS,
    verifyClient: ({ req: { headers } }, decide) => {
      if (!originAllowed(headers, host)) decide(false, 403, 'a web page of another origin cannot use this master')
      else if (full()) decide(false, 503, 'too many connections have not said hello yet; try again')
      else decide(true)
    },
  })
  sockets.on('connection', (socket: WebSocket, { socket: wire }: IncomingMessage) => {
    // Pixels go out immediately; waiting to fill a packet would only delay them.
    wire.setNoDelay(true)
    connected(new WebSocketChannel(socket, wire), wire)
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
