/** The master's port: plain HTTP for its health, and WebSockets, of which no page of another origin gets one. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { messageOf, SortfirstError } from '../../shared/errors.ts'
import { SOCKET_OPTIONS, WebSocketChannel } from '../../shared/protocol/node/websocket-channel.ts'
import { answer, type ClusterHealth } from './health.ts'
import { originAllowed } from './origin.ts'

/** The address cannot be listened on. */
export class ListenError extends SortfirstError {
  readonly code = 'CANNOT_LISTEN'
  constructor(address: string, cause: NodeJS.ErrnoException) {
    const why =
      cause.code === 'EADDRINUSE' ? 'the port is in use; stop what uses it or choose another' : messageOf(cause)
    super(`cannot listen on ${address}: ${why} (--listen host:port; port 0 takes any free one)`, { cause })
  }
}

export interface ServerPorts {
  readonly health: () => ClusterHealth
  /** Whether no more connections are taken at the moment. */
  readonly full: () => boolean
  /** A peer is there; whoever is behind it has not said a word. `wire` is the connection under its channel. */
  readonly connected: (channel: WebSocketChannel, wire: Socket) => void
}

export interface Server {
  /** WebSocket address for workers and clients on this machine. */
  readonly url: string
  /** Frees the port; resolves when the last connection is gone. */
  close(): Promise<void>
}

/** Whoever is slow to say what it wants over HTTP is not waited for, ms. */
const SLOW_REQUESTS = { headersTimeout: 5000, requestTimeout: 5000, connectionsCheckingInterval: 1000 } as const

/** @throws ListenError */
export async function listen(host: string, port: number, { health, full, connected }: ServerPorts): Promise<Server> {
  const http = createServer(SLOW_REQUESTS, (request, response) => answer(request, response, health))
  const sockets = new WebSocketServer({
    server: http,
    ...SOCKET_OPTIONS,
    verifyClient: ({ req: { headers } }, decide) => {
      if (!originAllowed(headers, host)) decide(false, 403, 'a web page of another origin cannot talk to this master')
      else if (full()) decide(false, 503, 'too many connections that have not said hello; try again')
      else decide(true)
    },
  })
  sockets.on('connection', (socket: WebSocket, { socket: wire }: IncomingMessage) => {
    // Pixels go out as soon as they are there; waiting to fill a packet would only delay them.
    wire.setNoDelay(true)
    connected(new WebSocketChannel(socket, wire), wire)
  })
  // The socket server repeats its HTTP server's errors; unheard they would end the process.
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
