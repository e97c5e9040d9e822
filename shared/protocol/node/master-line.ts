/**
 * The connection of a worker or client to its master: opened, welcomed within a deadline, and watched until it closes. A master
 * that loses power closes no socket, so its peers detect that themselves; their handlers see the channel close.
 */
import type { MasterAccess } from '../../access/node/master-access.ts'
import { DEFAULT_DEADLINES, type Deadlines } from '../deadlines.ts'
import { DEFAULT_HEARTBEAT, Heartbeat, type HeartbeatOptions } from '../heartbeat.ts'
import { LEAST_PACE } from '../peer-limits.ts'
import { SlowPeers } from '../slow-peers.ts'
import { connectFailure } from './connect-failure.ts'
import { dial, WebSocketChannel } from './websocket-channel.ts'

/** How a master is waited for and watched; absent options have their defaults. */
export interface LineOptions extends MasterAccess {
  readonly heartbeat?: Partial<HeartbeatOptions>
  readonly deadlines?: Partial<Deadlines>
}

export class MasterLine {
  readonly channel: WebSocketChannel
  /**
   * Resolves when hello can be sent; call `listen` before awaiting anything else. Rejects with an AccessDeniedError or a TlsError if
   * the master will not have this peer, or cannot be trusted; with another error if there is no answer.
   */
  readonly opened: Promise<void>
  #welcomed: () => void = () => {}

  constructor(url: string, options: LineOptions) {
    const { handshakeMs, welcomeMs } = { ...DEFAULT_DEADLINES, ...options.deadlines }
    const { intervalMs, longPatience } = { ...DEFAULT_HEARTBEAT, ...options.heartbeat }
    const socket = dial(url, handshakeMs, options)
    this.channel = new WebSocketChannel(socket)
    const heartbeat = new Heartbeat(intervalMs)
    heartbeat.watch(this.channel, longPatience)
    const slowPeers = new SlowPeers(heartbeat.everyMs, LEAST_PACE)
    slowPeers.watch(this.channel)
    this.opened = new Promise((resolve, reject) => {
      socket.once('error', error => reject(connectFailure(url, error, options.token !== undefined)))
      socket.once('open', () => {
        const beats = setInterval(() => {
          heartbeat.beat()
          slowPeers.beat()
        }, heartbeat.everyMs)
        const late = () => this.channel.terminate(`no welcome within ${welcomeMs / 1000} s`)
        const deadline = setTimeout(late, welcomeMs)
        this.#welcomed = () => clearTimeout(deadline)
        socket.once('close', () => {
          clearInterval(beats)
          clearTimeout(deadline)
        })
        resolve()
      })
    })
  }

  /** To be called when the master has sent its welcome. */
  welcomed(): void {
    this.#welcomed()
  }
}
