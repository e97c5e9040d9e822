/**
 * The master: listens, greets workers and clients, runs jobs. The one place where its clock, sockets and parts are made
 * and wired together.
 */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { messageOf, SortfirstError } from '../shared/errors.ts'
import type { WorkerInfo } from '../shared/frame-report.ts'
import type { Log } from '../shared/log.ts'
import { type Channel, CLOSE_CODES } from '../shared/protocol/channel.ts'
import { Heartbeat } from '../shared/protocol/heartbeat.ts'
import type { Job } from '../shared/protocol/job.ts'
import { type Encoding, type Hello, parseHello } from '../shared/protocol/messages.ts'
import { chooseEncoding } from '../shared/protocol/node/pixel-encoding.ts'
import { SOCKET_OPTIONS, WebSocketChannel } from '../shared/protocol/node/websocket-channel.ts'
import type { HeldScene } from '../shared/protocol/scene-transfer.ts'
import { PROTOCOL_VERSION } from '../shared/protocol/version.ts'
import { Cluster } from './cluster/cluster.ts'
import { greet, type Peer } from './cluster/greeting.ts'
import { answer } from './http/health.ts'
import { type MasterOptions, resolveMasterOptions } from './options.ts'
import { ClientLink } from './sessions/client-link.ts'
import { JobQueue } from './sessions/job-queue.ts'
import { type JobSink, runJob } from './sessions/run-session.ts'

/** A running master. */
export interface Master {
  /** WebSocket address for workers and clients on this machine. */
  readonly url: string
  /** Workers that are connected, ready or not. */
  workers(): WorkerInfo[]
  /** Runs a job after those before it; see `runJob`. */
  run(job: Job, scene: HeldScene, sink: JobSink, signal: AbortSignal): Promise<void>
  /** Says goodbye to everyone and frees the port. */
  close(): Promise<void>
}

/** The address cannot be listened on. */
export class ListenError extends SortfirstError {
  readonly code = 'CANNOT_LISTEN'
  constructor(address: string, cause: NodeJS.ErrnoException) {
    const why =
      cause.code === 'EADDRINUSE' ? 'the port is in use; stop what uses it or choose another' : messageOf(cause)
    super(`cannot listen on ${address}: ${why} (--listen host:port; port 0 takes any free one)`, { cause })
  }
}

/** @throws OptionError, ListenError */
export async function startMaster(options: MasterOptions, log: Log): Promise<Master> {
  const { host, port, kernels, heartbeat: beat, limits } = resolveMasterOptions(options)
  const clock = performance
  const ticker = (tick: () => void) => {
    const timer = setInterval(tick, 250)
    return () => clearInterval(timer)
  }
  const alarm = (wake: () => void, inMs: number) => {
    const timer = setTimeout(wake, inMs)
    return () => clearTimeout(timer)
  }
  const cluster = new Cluster(log, kernels)
  const queue = new JobQueue()
  const run: Master['run'] = (job, scene, sink, signal) =>
    queue.run(async () => {
      const what = `${job.frames.length} frames of ${job.sceneName}, ${job.size.join('x')}, ${job.strategy}`
      log.info(`job begins: ${what}`)
      try {
        await runJob(job, scene, { cluster, clock, ticker, alarm, limits }, sink, signal)
        log.info(`job done: ${what}`)
      } catch (error) {
        log.warn(`job ended: ${what}: ${messageOf(error)}`)
        throw error
      }
    })
  const desk = {
    run,
    get pending() {
      return queue.length
    },
  }
  const heartbeat = new Heartbeat(beat.intervalMs)
  const beats = setInterval(() => heartbeat.beat(), beat.intervalMs)

  let clients = 0
  const admit = (hello: Hello, channel: Channel, encoding: Encoding): Peer => {
    if (hello.role === 'worker') {
      const link = cluster.admit(channel, hello, encoding)
      return {
        control: message => link.control(message),
        binary: message => link.binary(message),
        closed: reason => link.closed(reason),
      }
    }
    heartbeat.watch(channel, beat.longPatience)
    const link = new ClientLink(`c${++clients}`, encoding, channel, desk)
    return {
      control: message => link.control(message),
      binary: message => link.binary(message),
      closed: () => link.closed(),
    }
  }

  const workers = () => cluster.workers()
  const http = createServer((request, response) =>
    answer(request, response, () => ({ workers: workers(), pendingJobs: queue.length })),
  )
  const sockets = new WebSocketServer({ server: http, ...SOCKET_OPTIONS })
  sockets.on('connection', (socket: WebSocket, request: IncomingMessage) => {
    // Pixels go out as soon as they are there; waiting to fill a packet would only delay them.
    request.socket.setNoDelay(true)
    const channel = new WebSocketChannel(socket, request.socket)
    const local = isLoopback(request.socket.remoteAddress)
    heartbeat.watch(channel, beat.patience)
    greet(channel, {
      parse: message => parseHello(message, PROTOCOL_VERSION),
      admit: hello => admit(hello, channel, chooseEncoding(hello.encodings, local)),
      closed: () => heartbeat.forget(channel),
      log,
    })
  })
  await new Promise<void>((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) => {
      clearInterval(beats)
      reject(new ListenError(`${host}:${port}`, error))
    }
    // The socket server repeats its HTTP server's errors; unheard they would end the process.
    sockets.on('error', () => {})
    http.once('error', refuse).listen(port, host, () => {
      http.off('error', refuse)
      resolve()
    })
  })
  const bound = http.address() as AddressInfo
  const url = `ws://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`
  log.info(`master listens on ${url}`)

  return {
    url,
    workers,
    run,
    async close() {
      clearInterval(beats)
      cluster.dismiss('the master is shutting down')
      for (const socket of sockets.clients) socket.close(CLOSE_CODES.done, 'the master is shutting down')
      const closed = new Promise(resolve => http.close(resolve))
      sockets.close()
      http.closeAllConnections()
      await closed
    },
  }
}

const isLoopback = (address: string | undefined): boolean =>
  address === '::1' || address?.startsWith('127.') === true || address?.startsWith('::ffff:127.') === true
