/**
 * The master: listens, performs handshakes with workers and clients, and runs sessions. The one place where its clock,
 * sockets and parts are created and wired together.
 */
import { randomInt } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Right } from '../shared/access/tokens.ts'
import { messageOf } from '../shared/errors.ts'
import type { WorkerInfo } from '../shared/frame-report.ts'
import type { Log } from '../shared/log.ts'
import { type Channel, CLOSE_CODES } from '../shared/protocol/channel.ts'
import { Heartbeat } from '../shared/protocol/heartbeat.ts'
import { type Encoding, type Hello, parseHello } from '../shared/protocol/messages.ts'
import { chooseEncoding } from '../shared/protocol/node/pixel-encoding.ts'
import type { WebSocketChannel } from '../shared/protocol/node/websocket-channel.ts'
import { LOG_LINES, REFUSAL_LOG_MS } from '../shared/protocol/peer-limits.ts'
import { SlowPeers } from '../shared/protocol/slow-peers.ts'
import { PROTOCOL_VERSION } from '../shared/protocol/version.ts'
import { PartStore } from '../shared/scene/part-store.ts'
import type { SessionRunner } from '../shared/session.ts'
import type { Aside } from './cluster/aside-areas.ts'
import { boundedLog } from './cluster/bounded-log.ts'
import { Cluster } from './cluster/cluster.ts'
import { drain } from './cluster/drain.ts'
import { handshake, LongMessageError, type Peer } from './cluster/handshake.ts'
import { Refusals } from './cluster/refusals.ts'
import { Strangers } from './cluster/strangers.ts'
import { Access, checkRole } from './http/access.ts'
import { isLoopback } from './http/loopback.ts'
import { listen } from './http/server.ts'
import { WrongTokens } from './http/wrong-tokens.ts'
import { type MasterOptions, resolveMasterOptions } from './options.ts'
import { leaseNumbers } from './scheduling/lease-numbers.ts'
import { CheckedScenes } from './sessions/checked-scenes.ts'
import { ClientLink } from './sessions/client-link.ts'
import { Closing } from './sessions/closing.ts'
import { Rehearsals } from './sessions/rehearsals.ts'
import { runSession } from './sessions/session.ts'
import { Thumbnails } from './sessions/thumbnails.ts'
import { Turns } from './sessions/turns.ts'

/** A running master. */
export interface Master extends Pick<SessionRunner, 'run'> {
  /** WebSocket address for workers and clients on this machine. */
  readonly url: string
  /** Connected workers, ready or not, and who of them is set aside. */
  workers(): (WorkerInfo & { readonly aside?: Aside })[]
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
    wrongTokens,
    kernels,
    buildPatienceMs,
    reliability,
    partBytes,
    encoding,
    heartbeat: beat,
    limits,
    ...bounds
  } = resolveMasterOptions(options, Date.now())
  const clock = performance
  const log = boundedLog(plainLog, clock, LOG_LINES)
  const ticker = (tick: () => void) => {
    const timer = setInterval(tick, 250)
    return () => clearInterval(timer)
  }
  const alarm = (wake: () => void, inMs: number) => {
    const timer = setTimeout(wake, inMs)
    return () => clearTimeout(timer)
  }
  const cluster = new Cluster({ log, clock, kernels, alarm, buildPatienceMs, reliability })
  const turns = new Turns(() => clock.now())
  const remembered = { thumbnails: new Thumbnails(), rehearsals: new Rehearsals() }
  const random = () => randomInt(2 ** 32) / 2 ** 32
  const ports = { cluster, clock, ticker, alarm, limits, turns, numbers: leaseNumbers(), random, ...remembered }
  const closing = new Closing(turns.closing)
  const run: Master['run'] = async (order, scene, source, sink, signal) => {
    const what = `${order.kind} of ${order.sceneName}, ${order.size.join('x')}, ${order.strategy}`
    closing.check()
    log.info(`session started: ${what}`)
    try {
      await closing.run(order, sink, counted => runSession(order, scene, ports, source, counted, signal))
      log.info(`session done: ${what}`)
    } catch (error) {
      log.warn(`session ended: ${what}: ${messageOf(error)}`)
      throw error
    }
  }
  const checked = new CheckedScenes()
  const runForClient: Master['run'] = async (order, scene, ...rest) => {
    // Sessions from this process have packed their scenes themselves.
    const { hash, manifest } = scene
    const { parts } = await scene.content()
    await checked.check({ hash, manifest, parts })
    return run(order, scene, ...rest)
  }
  const jobs = {
    run: runForClient,
    parts: new PartStore(partBytes),
    drain: (worker: string) => drain(cluster, worker, () => clock.now(), alarm),
    get sessions() {
      return turns.guests
    },
  }
  const heartbeat = new Heartbeat(beat.intervalMs)

  let clients = 0
  const links = new Set<ClientLink>()
  const admit = (hello: Hello, channel: Channel, encoding: Encoding, address: string): MasterPeer => {
    closing.check()
    if (hello.role === 'worker') {
      const link = cluster.admit(channel, hello, encoding, address)
      return {
        control: message => link.control(message),
        binary: message => link.binary(message),
        closed: (reason, isRefused) => link.closed(reason, isRefused),
        mostBytes: () => link.mostBytes,
      }
    }
    heartbeat.watch(channel, beat.longPatience)
    const link = new ClientLink(`c${++clients}`, encoding, channel, jobs)
    links.add(link)
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
  const connected = (channel: WebSocketChannel, wire: Socket, rights: ReadonlySet<Right>): void => {
    const local = isLoopback(wire.remoteAddress)
    channels.add(channel)
    heartbeat.watch(channel, beat.patience)
    slowPeers.watch(channel)
    const count = (chunk: Buffer) => stranger.heard(chunk.length)
    const known = () => {
      stranger.done()
      wire.off('data', count)
    }
    const refuse = handshake(channel, {
      parse: message => parseHello(message, PROTOCOL_VERSION),
      admit: hello => {
        checkRole(hello.role, rights)
        const suits = encoding ?? chooseEncoding(hello.encodings, local)
        const peer = admit(hello, channel, suits, wire.remoteAddress ?? '')
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

  const workers = () => cluster.roster()
  const server = await listen(host, port, {
    health: () => ({ workers: workers(), sessions: turns.guests, refused: refusals.counts }),
    hasRoomFor: address => strangers.hasRoomFor(address),
    door: { limits: bounds.door, refusals, alarm },
    access: new Access({ tokens, listensOn: host, wrong: new WrongTokens(wrongTokens), now: () => clock.now() }),
    tls,
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
    workers,
    run,
    async finish(why) {
      const count = turns.guests
      if (count > 0)
        log.info(
          `the master closes (${why}): it finishes the frames in progress of ${count} ${count === 1 ? 'session' : 'sessions'}; a second signal ends it at once`,
        )
      turns.close()
      await closing.ended()
      const taken = Promise.all([...links].map(link => link.ended()))
      let giveUp = () => {}
      await Promise.race([
        taken,
        new Promise<void>(resolve => {
          giveUp = alarm(resolve, TAKE_MS)
        }),
      ])
      giveUp()
    },
    async close() {
      clearInterval(beats)
      for (const link of links) link.dismiss('the master is shutting down')
      cluster.dismiss('the master is shutting down')
      for (const channel of channels) channel.close(CLOSE_CODES.done, 'the master is shutting down')
      await server.close()
      refusals.close()
    },
  }
}

/** How long a master that closes waits for its clients to take the frames that they were sent, ms. */
const TAKE_MS = 10_000

/** A peer with the longest message that it may send now, bytes. */
interface MasterPeer extends Peer {
  readonly mostBytes: () => number
}
