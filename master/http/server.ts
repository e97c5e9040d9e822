/** The master's port: HTTP for its health, and WebSockets, both only for those who have access; over TLS with a certificate. */
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Right } from '../../shared/access/tokens.ts'
import { messageOf, SortfirstError } from '../../shared/errors.ts'
import type { Log } from '../../shared/log.ts'
import { SOCKET_OPTIONS, WebSocketChannel } from '../../shared/protocol/node/websocket-channel.ts'
import type { Access, Caller, Refusal } from './access.ts'
import { answer, type ClusterHealth, refuse } from './health.ts'
import type { MasterTls } from './tls.ts'

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
  /** Decides who may connect, or read. */
  readonly access: Access
  /** Undefined: without encryption. */
  readonly tls: MasterTls | undefined
  /** For what strangers cause. */
  readonly log: Log
  /** A peer connected that has these rights; it has not yet said what it is. `wire` is the connection under its channel. */
  readonly connected: (channel: WebSocketChannel, wire: Socket, rights: ReadonlySet<Right>) => void
}

export interface Server {
  /** WebSocket address for workers and clients on this machine. */
  readonly url: string
  /** Frees the port; resolves when the last connection is gone. */
  close(): Promise<void>
}

/** Limits on slow HTTP requests, ms. */
const SLOW_REQUESTS = { headersTimeout: 5000, requestTimeout: 5000, connectionsCheckingInterval: 1000 } as const
/** How long a peer may take to agree on encryption, ms, and on which. */
const TLS_LIMITS = { handshakeTimeout: 5000, minVersion: 'TLSv1.2' } as const

/** @throws ListenError */
export async function listen(host: string, port: number, ports: ServerPorts): Promise<Server> {
  const { health, full, access, tls, log, connected } = ports
  const say = ({ reason }: Refusal, { address }: Caller) => log.warn(`refused a request from ${address}: ${reason}`)
  const read: RequestListener = (request, response) => {
    const caller = callerOf(request)
    const passage = access.reading(caller)
    if (!('refusal' in passage)) return answer(request, response, health)
    say(passage.refusal, caller)
    refuse(response, passage.refusal)
  }
  const http = tls
    ? createTlsServer({ ...SLOW_REQUESTS, ...tls, ...TLS_LIMITS }, read)
    : createServer(SLOW_REQUESTS, read)
  const rightsOf = new WeakMap<IncomingMessage, ReadonlySet<Right>>()
  const sockets = new WebSocketServer({
    server: http,
    ...SOCKET_OPTIONS,
    verifyClient: ({ req }, decide) => {
      const caller = callerOf(req)
      const passage = access.joining(caller)
      if ('refusal' in passage) {
        const { status, reason, headers } = passage.refusal
        say(passage.refusal, caller)
        return decide(false, status, reason, headers)
      }
      rightsOf.set(req, passage.rights)
      if (full()) decide(false, 503, 'too many connections have not said hello yet; try again')
      else decide(true)
    },
  })
  sockets.on('connection', (socket: WebSocket, request: IncomingMessage) => {
    const wire = request.socket
    // Pixels go out immediately; waiting to fill a packet would only delay them.
    wire.setNoDelay(true)
    connected(new WebSocketChannel(socket, wire), wire, rightsOf.get(request) ?? new Set())
  })
  http.on('tlsClientError', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_SSL_HTTP_REQUEST')
      log.warn('refused a peer: expected TLS (wss://), got a connection without it')
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
    url: `${tls ? 'wss' : 'ws'}://${family === 'IPv6' ? `[${address}]` : address}:${bound}`,
    async close() {
      const closed = new Promise(resolve => http.close(resolve))
      sockets.close()
      http.closeAllConnections()
      await closed
    },
  }
}

const callerOf = ({ headers, socket }: IncomingMessage): Caller => ({ headers, address: socket.remoteAddress ?? '' })
