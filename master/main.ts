/**
 * The master: listens, performs handshakes with workers and clients, and runs sessions. The one place where its clock,
 * sockets and parts are created and wired together.
 */
import { randomInt } from 'node:crypto'
import type { Socket } from 'node:net'
import { availableParallelism } from 'node:os'
import type { WebSocket } from 'ws'
import type { Right } from '../shared/access/tokens.ts'
import { messageOf } from '../shared/errors.ts'
import { alarmsBy } from '../shared/node/alarm.ts'
import { PAGE_RIGHTS, PAGE_RIGHTS_OF, type PageRight } from '../shared/page/page-messages.ts'
import { type Channel, CLOSE_CODES } from '../shared/protocol/channel.ts'
import { Heartbeat } from '../shared/protocol/heartbeat.ts'
import { type Encoding, type Hello, parseHello } from '../shared/protocol/messages.ts'
import { chooseEncoding } from '../shared/protocol/node/pixel-encoding.ts'
import type { WebSocketChannel } from '../shared/protocol/node/websocket-channel.ts'
import { LOG_LINES, REFUSAL_LOG_MS } from '../shared/protocol/peer-limits.ts'
import { SlowPeers } from '../shared/protocol/slow-peers.ts'
import { PROTOCOL_VERSION } from '../shared/protocol/version.ts'
import type { NamedScene } from '../shared/scene/held-scene.ts'
import { PartStore } from '../shared/scene/part-store.ts'
import type { SessionRunner, SessionSink } from '../shared/session/session.ts'
import { guardedLog, type Log } from '../shared/text/log.ts'
import { CheckedScenes } from './clients/checked-scenes.ts'
import { ClientLink } from './clients/client-link.ts'
import { LastFrames } from './clients/last-frames.ts'
import { checkOrder } from './clients/order-cost.ts'
import type { AreaHealth } from './cluster/area-health.ts'
import { boundedLog } from './cluster/bounded-log.ts'
import { challenge } from './cluster/challenge.ts'
import { Cluster } from './cluster/cluster.ts'
import { drain } from './cluster/drain.ts'
import { handshake, LongMessageError, type Peer } from './cluster/handshake.ts'
import { Refusals } from './cluster/refusals.ts'
import { Strangers } from './cluster/strangers.ts'
import { Access, checkRole } from './http/access.ts'
import { isLoopback } from './http/loopback.ts'
import { listen } from './http/server.ts'
import { FrameMetrics } from './metrics/frame-metrics.ts'
import { metricsText } from './metrics/master-metrics.ts'
import { ProcessMeter } from './metrics/process-use.ts'
import { type MasterOptions, resolveMasterOptions } from './options.ts'
import { DashboardHub } from './page/dashboard/hub.ts'
import { OfferedFiles } from './page/offered-files.ts'
import { PageDoor } from './page/page-door.ts'
import { type PagePorts, showPage } from './page/page-socket.ts'
import { encodePicture } from './page/picture-files.ts'
import { MOST_OF_A_VIEW } from './page/scene-pictures.ts'
import type { Grant } from './page/tickets.ts'
import type { ShownView } from './page/view-source.ts'
import { MOST_PAGES, type OfferedView, Views } from './page/views.ts'
import { startGuesses } from './page/what-if/start-thread.ts'
import { PlanePool } from './planes/plane-pool.ts'
import { startPlaneThread } from './planes/start-thread.ts'
import { unpackWith } from './planes/unpack-tiles.ts'
import { leaseNumbers } from './scheduling/lease-numbers.ts'
import { Closing } from './sessions/closing.ts'
import { type LocalRunner, methodsOf } from './sessions/methods.ts'
import { Rehearsals } from './sessions/rehearsals.ts'
import { runSession } from './sessions/session.ts'
import { Thumbnails } from './sessions/thumbnails.ts'
import { Turns } from './sessions/turns.ts'
import { Workload } from './sessions/workload.ts'
import { strategyByName } from './strategies/index.ts'

/** A running master. */
export interface Master extends LocalRunner {
  /** WebSocket address for workers and clients on this machine. */
  readonly url: string
  /** Shows a scene on its page, to who has a link. @throws OptionError for an order that costs too much */
  offerView(shown: ShownView): OfferedView
  /** A ticket for a tab that is to trace: it counts once, for ten minutes. */
  workTicket(): string
  /** Shows what clients render on its page, and its workers, to who has a link: sessions that begin from now on are recorded for it. */
  offerFilms(rights: readonly PageRight[]): OfferedView
  /** Fingerprint of the workers with an engine, when there is one. Rejects with the signal's reason. */
  kernelOf(engine: string, signal: AbortSignal): Promise<string>
  /** Areas of all connected workers, and what each is doing. */
  workers(): AreaHealth[]
  /**
   * Refuses newcomers and begins nothing more; resolves when the frames in progress are made, and clients have taken them.
   * @param why for the log
   */
  finish(why: string): Promise<void>
  /** Says goodbye to everyone and frees the port. */
  close(): Promise<void>
}

/** @throws OptionError, ListenError */
export async function startMaster(options: MasterOptions, plainLog: Log): Promise<Master> {
  const {
    host,
    port,
    tokens,
    tls,
    warnings,
    kernels,
    ownNames,
    buildPatienceMs,
    reliability,
    mostExpelledPerAddress,
    targets,
    partBytes,
    encoding,
    heartbeat: beat,
    limits,
    closing: takeLimits,
    ...bounds
  } = resolveMasterOptions(options, Date.now())
  const clock = performance
  const log = boundedLog(guardedLog(plainLog), clock, LOG_LINES)
  const ticker = (tick: () => void) => {
    const timer = setInterval(tick, 250)
    return () => clearInterval(timer)
  }
  const alarm = alarmsBy(clock)
  const planes = new PlanePool({
    start: startPlaneThread,
    threads: Math.min(MOST_THREADS, availableParallelism()),
    alarm,
  })
  const unpack = unpackWith(planes)
  const cluster = new Cluster({
    log,
    clock,
    kernels,
    alarm,
    unpack,
    ownNames,
    buildPatienceMs,
    reliability,
    mostExpelledPerAddress,
  })
  const turns = new Turns(() => clock.now())
  const remembered = { thumbnails: new Thumbnails(), rehearsals: new Rehearsals() }
  const random = () => randomInt(2 ** 32) / 2 ** 32
  const ports = { cluster, clock, ticker, alarm, limits, turns, numbers: leaseNumbers(), random, planes, ...remembered }
  const closing = new Closing(turns.closing)
  const frames = new FrameMetrics()
  const meter = new ProcessMeter()
  const workload = new Workload({
    clock,
    areas: () => cluster.workers(),
    targets: { ...targets, mostWorkers: bounds.door.total },
  })
  const run: Master['run'] = async (order, scene, source, sink, signal, plugIns) => {
    const what = `${order.kind} of ${order.sceneName}, ${order.size.join('x')}, ${order.strategy}`
    closing.check()
    const methods = methodsOf(order, plugIns)
    checkOrder({ ...order, strategy: methods.strategy })
    log.info(`session started: ${what}`)
    const work = workload.join(order)
    try {
      const metered: SessionSink = {
        ...sink,
        progress: progress => {
          work.progress(progress)
          sink.progress?.(progress)
        },
        frame: (report, ...channels) => {
          frames.add(order.kind, report)
          work.frame(report)
          return sink.frame(report, ...channels)
        },
      }
      await closing.run(order, metered, counted => runSession(order, methods, scene, ports, source, counted, signal))
      log.info(`session done: ${what}`)
    } catch (error) {
      log.warn(`session ended: ${what}: ${messageOf(error)}`)
      throw error
    } finally {
      work.leave()
    }
  }
  const checked = new CheckedScenes()
  const hub = new DashboardHub({
    ...{ now: () => clock.now(), alarm, workers: () => cluster.health() },
    drain: async worker => (await drain(cluster, worker, () => clock.now(), alarm)).left.length,
    setQuarantine: (worker, isQuarantined) => cluster.setQuarantine(worker, isQuarantined),
    checkStrategy: (order, name) => {
      const most = order.kind === 'viewer' ? MOST_OF_A_VIEW : {}
      checkOrder({ ...order, ...most, strategy: strategyByName(name) })
    },
    startGuesses,
  })
  cluster.subscribe({ moved: change => hub.moved(change) })
  const checkScene = async (scene: NamedScene): Promise<void> => {
    const { hash, manifest } = scene
    const { parts } = await scene.content()
    await checked.check({ hash, manifest, parts })
  }
  const runForClient: SessionRunner['run'] = hub.recorded(async (order, scene, ...rest) => {
    // Sessions from this process have packed their scenes themselves.
    await checkScene(scene)
    return run(order, scene, ...rest)
  })
  const views = new Views(() => clock.now())
  const offered = new OfferedFiles(alarm)
  const workTicket = () => views.workTickets.issue({ right: 'work' })
  const checkView = ({ order }: ShownView) =>
    checkOrder({ ...order, ...MOST_OF_A_VIEW, strategy: methodsOf(order).strategy })
  const show = (shown: ShownView, rights: readonly PageRight[]): OfferedView => {
    checkView(shown)
    return views.offer(shown, rights)
  }
  const jobs = {
    run: runForClient,
    async offerView(shown: ShownView, rights: ReadonlySet<Right>) {
      await checkScene(shown.scene)
      const own = new Set([...PAGE_RIGHTS_OF.client, ...(rights.has('operate') ? PAGE_RIGHTS_OF.operate : [])])
      return show(shown, [...own])
    },
    checkScene,
    parts: new PartStore(partBytes),
    kernels,
    drain: (worker: string) => drain(cluster, worker, () => clock.now(), alarm),
    get sessions() {
      return turns.sessions
    },
  }
  const heartbeat = new Heartbeat(beat.intervalMs)

  let clients = 0
  const links = new Map<ClientLink, WebSocketChannel>()
  const admit = (
    hello: Hello,
    channel: WebSocketChannel,
    encoding: Encoding,
    address: string,
    rights: ReadonlySet<Right>,
    isTab: boolean,
  ): MasterPeer => {
    closing.check()
    if (hello.role === 'worker') {
      const link = cluster.admit(channel, hello, encoding, address, isTab)
      return {
        control: message => link.control(message),
        binary: message => link.binary(message),
        closed: (reason, isRefused) => link.closed(reason, isRefused),
        mostBytes: () => link.mostBytes,
      }
    }
    heartbeat.watch(channel, beat.longPatience)
    const link = new ClientLink(`c${++clients}`, encoding, channel, jobs, rights)
    links.set(link, channel)
    return {
      control: message => link.control(message),
      binary: message => link.binary(message),
      closed: () => {
        links.delete(link)
        link.closed()
      },
      mostBytes: () => link.mostBytes,
    }
  }

  const channels = new Set<Channel>()
  const refusals = new Refusals(log, alarm, REFUSAL_LOG_MS)
  const slowPeers = new SlowPeers(heartbeat.everyMs, bounds.leastPace)
  const strangers = new Strangers(bounds.strangers, alarm, clock)
  const connected = (channel: WebSocketChannel, wire: Socket, rights: ReadonlySet<Right>, isTab: boolean): void => {
    const local = isLoopback(wire.remoteAddress)
    channels.add(channel)
    // A browser answers pings in a process of its own, which on a busy machine comes late; what waits for a tab may go to others before that.
    heartbeat.watch(channel, isTab ? beat.longPatience : beat.patience)
    slowPeers.watch(channel)
    const count = (chunk: Buffer) => stranger.heard(chunk.length)
    const known = () => {
      stranger.done()
      wire.off('data', count)
    }
    const refuse = handshake(channel, {
      parse: message => parseHello(message, PROTOCOL_VERSION),
      challenge: hello => challenge(channel, hello),
      admit: hello => {
        checkRole(hello.role, rights)
        const suits = encoding ?? chooseEncoding(hello.encodings, local)
        const peer = admit(hello, channel, suits, wire.remoteAddress ?? '', rights, isTab)
        known()
        channel.limitMessages(peer.mostBytes, bytes => refuse(new LongMessageError(bytes, peer.mostBytes())))
        return peer
      },
      closed: () => {
        known()
        channels.delete(channel)
        heartbeat.forget(channel)
        slowPeers.forget(channel)
      },
      refused: why => refusals.addError(why),
    })
    const stranger = strangers.enter(wire.remoteAddress ?? '', refuse)
    wire.on('data', count)
  }

  const page = new PageDoor({
    tickets: views.tickets,
    workTickets: views.workTickets,
    takeFile: address => offered.take(address),
    isSecure: tls !== undefined,
    refused: (why, address) => refusals.add('no-access', `a page of ${address}: ${why}`),
  })
  const pageOpened = (socket: WebSocket, grant: Grant): void => {
    const shown = views.shownTo(grant)
    if (!shown) return socket.close(CLOSE_CODES.done, VIEW_OVER)
    if (!views.hasRoom(grant)) return socket.close(CLOSE_CODES.refused, TOO_MANY_PAGES)
    const seen = shown === 'films' ? undefined : grant.view
    const dashboard: PagePorts['dashboard'] = (send, pictures) => {
      const watcher = hub.watch(seen, grant.rights, send, pictures)
      return { hear: watcher.hear.bind(watcher), close: () => hub.unwatch(watcher) }
    }
    const ports: PagePorts = {
      ...{
        run: hub.recorded(run, grant.view, () => opened.again()),
        ask: run,
        clock,
        alarm,
        encode: encodePicture,
        dashboard,
      },
      ...{ workTicket, offerFile: file => offered.offer(file), room: views.roomOf(grant) },
      changeView: next => {
        checkView(next)
        views.change(grant, next)
      },
      viewTicket: rights => views.tickets.issue({ view: grant.view, rights }),
    }
    const opened = showPage(socket, shown, grant.rights, ports, () => leave(), views.sceneOf(grant))
    const leave = views.enter(grant, {
      changed: opened.changed,
      ended: () => opened.end(shown === 'films' ? MASTER_OVER : VIEW_OVER),
    })
  }

  const workers = () => cluster.health()
  const server = await listen(host, port, {
    health: () => ({
      ...{ workers: workers(), workersWanted: workload.wanted(), sessions: turns.sessions, refused: refusals.counts },
    }),
    metrics: connections =>
      metricsText({
        ...{
          frames,
          areas: workers,
          workersWanted: () => workload.wanted(),
          sessions: () => turns.sessions,
          queues: () => turns.queues,
        },
        ...{ connections: () => connections, refused: () => refusals.counts, traffic: () => cluster.traffic() },
        ...{ lateAnswers: () => cluster.lateAnswers, process: () => meter.use() },
      }),
    hasRoomFor: address => strangers.hasRoomFor(address),
    door: { limits: bounds.door, refusals, clock, alarm },
    access: new Access({ tokens, listensOn: host }),
    tls,
    page,
    pageOpened,
    connected,
  })
  const beats = setInterval(() => {
    heartbeat.beat()
    cluster.lookForQuiet(channel => heartbeat.silentMs(channel) >= beat.intervalMs)
    slowPeers.beat()
  }, heartbeat.everyMs)
  log.info(`master listens on ${server.url}`)
  for (const warning of warnings) log.warn(warning)

  return {
    url: server.url,
    // Who runs a master may do everything with it.
    offerView: shown => show(shown, PAGE_RIGHTS),
    workTicket,
    offerFilms(rights) {
      hub.isOpen = true
      return views.offer('films', rights)
    },
    kernelOf: (engine, signal) => cluster.kernelOf(engine, signal),
    workers,
    run,
    async finish(why) {
      const count = turns.sessions
      if (count > 0)
        log.info(
          `the master closes (${why}): it finishes the frames in progress of ${count} ${count === 1 ? 'session' : 'sessions'}; a second signal ends it at once`,
        )
      turns.close()
      for (const link of links.keys()) link.closing()
      const last = new LastFrames(takeLimits)
      const takers = [...links].map(([link, channel]) => takerOf(link, channel))
      const stop = ticker(() => {
        for (const [{ link }, why] of last.late(takers, clock.now()))
          log.warn(`client ${link.id} ${why}: ${link.giveUp()}`)
      })
      await closing.ended()
      await Promise.all(takers.map(({ link }) => link.ended()))
      stop()
    },
    async close() {
      clearInterval(beats)
      views.close()
      offered.close()
      for (const link of links.keys()) link.dismiss('the master is shutting down')
      cluster.dismiss('the master is shutting down')
      for (const channel of channels) channel.close(CLOSE_CODES.done, 'the master is shutting down')
      await server.close()
      refusals.close()
      meter.close()
      planes.close()
    },
  }
}

/** What pages are told. */
const TOO_MANY_PAGES = `the view is open in ${MOST_PAGES} pages already: close one, and reload this one`
const MASTER_OVER = 'the master has ended; start it again for another link'
const VIEW_OVER = 'sortfirst view has ended; start it again for another link'

/** Threads for large frames: memory is what they wait for beyond that. */
const MOST_THREADS = 4

/** A client takes something: a frame that it says it has, or so many bytes that its system has accepted. */
const TAKEN_BYTES = 2 ** 20

const takerOf = (link: ClientLink, channel: WebSocketChannel) => ({
  link,
  get untaken() {
    return link.untaken
  },
  get given() {
    return link.given
  },
  get progress() {
    return link.taken + Math.floor(channel.pace.sent / TAKEN_BYTES)
  },
})

/** A peer with the longest message that it may send now, bytes. */
interface MasterPeer extends Peer {
  readonly mostBytes: () => number
}
