/**
 * The master's port: HTTP for its health, and WebSockets, both only for those who have access; the page, which looks after its own access; over TLS
 * with a certificate.
 */
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Right } from '../../shared/access/tokens.ts'
import { messageOf, SortfirstError } from '../../shared/errors.ts'
import { SOCKET_OPTIONS, WebSocketChannel } from '../../shared/protocol/node/websocket-channel.ts'
import { MAX_CONTROL_BYTES } from '../../shared/protocol/peer-limits.ts'
import type { PageDoor } from '../page/page-door.ts'
import { PAGE_SOCKET } from '../page/page-socket.ts'
import type { Grant, WorkGrant } from '../page/tickets.ts'
import type { Access, Caller, Passage, Refusal } from './access.ts'
import { type Door, type DoorPorts, guardDoor } from './door.ts'
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
  readonly health: () => Omit<ClusterHealth, 'connections'>
  /** What Prometheus reads. @param connections of all kinds */
  readonly metrics: (connections: number) => string
  /** Whether there is room for another connection from an address that has not said hello. */
  readonly hasRoomFor: (address: string) => boolean
  readonly door: DoorPorts
  /** Decides who may connect, or read. */
  readonly access: Access
  /** Undefined: without encryption. */
  readonly tls: MasterTls | undefined
  readonly page: PageDoor
  /** A page connected. */
  readonly pageOpened: (socket: WebSocket, grant: Grant) => void
  /** A peer connected that has these rights; it has not yet said what it is. `wire` is the connection under its channel; a tab came by a link. */
  readonly connected: (channel: WebSocketChannel, wire: Socket, rights: ReadonlySet<Right>, isTab: boolean) => void
}

export interface Server {
  /** WebSocket address for workers and clients on this machine. */
  readonly url: string
  /** Frees the port; resolves when the last connection is gone. */
  close(): Promise<void>
}

/** Limits on slow HTTP requests, ms. */
const SLOW_REQUESTS = { headersTimeout: 5000, requestTimeout: 5000, connectionsCheckingInterval: 1000 } as const
/** On which encryption a peer has to agree. For how long it may take, the door says. */
const TLS_LIMITS = { minVersion: 'TLSv1.2' } as const

/** @throws ListenError */
export async function listen(host: string, port: number, ports: ServerPorts): Promise<Server> {
  const { health, hasRoomFor, access, tls, page, pageOpened, connected } = ports
  const { refusals } = ports.door
  const say = ({ why, reason }: Refusal, { address }: Caller) =>
    refusals.add(why, `a request from ${address}: ${reason}`)
  const read: RequestListener = (request, response) => {
    if (page.answer(request, response)) return
    const caller = callerOf(request)
    const passage = access.reading(caller)
    if (!('refusal' in passage))
      return answer(
        request,
        response,
        () => ({ ...health(), connections: door.connections }),
        () => ports.metrics(door.connections),
      )
    say(passage.refusal, caller)
    refuse(response, passage.refusal)
  }
  const http = tls
    ? createTlsServer({ ...SLOW_REQUESTS, ...tls, ...TLS_LIMITS }, read)
    : createServer(SLOW_REQUESTS, read)
  const door: Door = guardDoor(http, ports.door)
  const rightsOf = new WeakMap<IncomingMessage, ReadonlySet<Right>>()
  const sockets = new WebSocketServer({
    noServer: true,
    ...SOCKET_OPTIONS,
    verifyClient: ({ req }, decide) => {
      const caller = callerOf(req)
      const passage = page.isTab(req) ? tabPassage(page.working(req)) : access.joining(caller)
      if ('refusal' in passage) {
        const { status, reason, headers } = passage.refusal
        say(passage.refusal, caller)
        return decide(false, status, reason, headers)
      }
      rightsOf.set(req, passage.rights)
      if (hasRoomFor(caller.address)) return decide(true)
      refusals.add('too-many-connections', 'too many connections have not said hello yet')
      decide(false, 503, 'too many connections have not said hello yet; try again')
    },
  })
  sockets.on('connection', (socket: WebSocket, request: IncomingMessage) => {
    const wire = request.socket
    // Pixels go out immediately; waiting to fill a packet would only delay them.
    wire.setNoDelay(true)
    door.upgraded(wire)
    const channel = new WebSocketChannel(socket, wire, MAX_CONTROL_BYTES)
    connected(channel, wire, rightsOf.get(request) ?? new Set(), page.isTab(request))
  })
  const pages = new WebSocketServer({ noServer: true, ...PAGE_SOCKET })
  const openPage = (request: IncomingMessage, wire: Socket, head: Buffer): void => {
    const grant = page.joining(request)
    if ('why' in grant) {
      say(grant, callerOf(request))
      wire.on('error', () => {})
      return void wire.end(`HTTP/1.1 ${grant.status} Unauthorized\r\nConnection: close\r\n\r\n`, () => wire.destroy())
    }
    pages.handleUpgrade(request, wire, head, socket => {
      // Also of a page that is turned away at once: unhandled, an error would end the process.
      socket.on('error', () => {})
      wire.setNoDelay(true)
      door.upgraded(wire)
      pageOpened(socket, grant)
    })
  }
  http.on('upgrade', (request, wire: Socket, head) => {
    if (page.isPage(request)) openPage(request, wire, head)
    else sockets.handleUpgrade(request, wire, head, socket => sockets.emit('connection', socket, request))
  })
  // Unhandled, errors would end the process.
  http.on('error', () => {})
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
      pages.close()
      http.closeAllConnections()
      door.close()
      await closed
    },
  }
}

/** A link grants to be a worker, and nothing else. */
const tabPassage = (grant: WorkGrant | Refusal): Passage =>
  'why' in grant ? { refusal: grant } : { rights: new Set(['worker'] as const) }

const callerOf = ({ headers, socket }: IncomingMessage): Caller => ({ headers, address: socket.remoteAddress ?? '' })
