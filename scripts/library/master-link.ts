/** A client's end of a connection to a master: what comes goes to the session that it is for. */
import { CancelledError, type SortfirstError } from '../../shared/errors.ts'
import { type Channel, CLOSE_CODES } from '../../shared/protocol/channel.ts'
import { parseToClient, type ToClient } from '../../shared/protocol/client-messages.ts'
import type { BinaryMessage } from '../../shared/protocol/codec.ts'
import type { Encoding } from '../../shared/protocol/messages.ts'
import { AVAILABLE_ENCODINGS } from '../../shared/protocol/node/pixel-encoding.ts'
import { sendState } from '../../shared/protocol/node/state-transfer.ts'
import { ProtocolError } from '../../shared/protocol/protocol-error.ts'
import type { SessionOrder } from '../../shared/protocol/session-order.ts'
import { PROTOCOL_VERSION } from '../../shared/protocol/version.ts'
import type { NamedScene } from '../../shared/scene/held-scene.ts'
import type { FrameSource, SessionRunner, SessionSink } from '../../shared/session/session.ts'
import { untilAborted } from '../../shared/time/until-aborted.ts'
import { MasterConnectionError, RemoteError } from './remote-errors.ts'
import { RemoteSession, type SessionPorts } from './remote-session.ts'
import { RemoteViews } from './remote-views.ts'
import { SceneOffers } from './scene-offers.ts'
import type { ShowScene } from './shown-view.ts'

export class MasterLink implements SessionRunner {
  readonly #url: string
  readonly #channel: Channel
  readonly #offers: SceneOffers
  readonly #ports: SessionPorts
  readonly #views: RemoteViews
  readonly welcomed: Promise<void>
  readonly #closed: Promise<void>
  readonly #running = new Map<number, RemoteSession>()
  #sessions = 0
  /** As the master has chosen. */
  #encoding: Encoding = 'raw'
  /** Why this connection can no longer be used. */
  #ended: SortfirstError | undefined

  constructor(url: string, channel: Channel) {
    this.#url = url
    this.#channel = channel
    this.#offers = new SceneOffers(channel)
    this.#ports = {
      send: message => channel.send(message),
      sendState: (of, state, isWanted) => sendState(channel, this.#encoding, of, state, isWanted),
      bring: (scene, session) => this.#offers.bring(scene, session),
    }
    this.#views = new RemoteViews(url, message => channel.send(message), this.#offers)
    let welcome = () => {}
    let refuse = (_: unknown) => {}
    this.welcomed = new Promise((resolve, reject) => {
      welcome = resolve
      refuse = reject
    })
    this.#closed = new Promise(resolve => {
      channel.listen({
        control: message => {
          const said = parseToClient(message)
          if (said.type === 'welcome') {
            this.#encoding = said.encoding
            welcome()
          } else this.#hear(said)
        },
        binary: message => this.#take(message),
        closed: (_, reason) => {
          this.#ended ??= new MasterConnectionError(url, `the connection was lost${reason ? ` (${reason})` : ''}`)
          refuse(this.#ended)
          for (const session of this.#running.values()) session.lost(this.#ended)
          this.#views.lost(this.#ended)
          this.#offers.end()
          resolve()
        },
      })
    })
    channel.send({ type: 'hello', role: 'client', protocol: PROTOCOL_VERSION, encodings: [...AVAILABLE_ENCODINGS] })
  }

  /** Rejects with CancelledError as soon as the signal aborts, whatever the master is doing. */
  async run(
    order: SessionOrder,
    scene: NamedScene,
    source: FrameSource,
    sink: SessionSink,
    signal: AbortSignal,
  ): Promise<void> {
    if (this.#ended) throw this.#ended
    if (signal.aborted) throw new CancelledError()
    const number = this.#sessions++
    const session = new RemoteSession(number, order, source, sink, this.#ports)
    this.#running.set(number, session)
    const cancel = () => session.cancel()
    signal.addEventListener('abort', cancel)
    try {
      await session.run(scene)
    } catch (error) {
      // Its master may go on meanwhile.
      if (!this.#ended) await session.keep()
      this.#channel.send({ type: 'close-session', session: number })
      // Frames that had arrived when the connection was lost need not be made again.
      if (this.#ended) await untilAborted(signal, session.delivered).catch(() => {})
      this.#running.delete(number)
      // Let a complete frame that is being delivered arrive.
      await session.end()
      throw error
    } finally {
      this.#running.delete(number)
      void session.end()
      this.#offers.withdraw(session)
      signal.removeEventListener('abort', cancel)
    }
  }

  /** Shows a scene on the master's page. */
  readonly show: ShowScene = async (order, scene, facts, signal, source) => {
    if (this.#ended) throw this.#ended
    return this.#views.show(order, scene, facts, signal, source)
  }

  async close(): Promise<void> {
    this.#channel.close(CLOSE_CODES.done, 'done')
    await this.#closed
  }

  #hear(said: Exclude<ToClient, { type: 'welcome' }>): void {
    switch (said.type) {
      case 'parts-wanted':
        return this.#offers.wanted(said.scene, said.parts)
      case 'scene-held':
        return this.#offers.held(said.scene)
      case 'scene-refused':
        return this.#offers.refused(said.scene, new RemoteError(said.code, said.reason))
      case 'goodbye':
        this.#ended =
          said.code === 'DONE'
            ? new MasterConnectionError(this.#url, said.reason)
            : new RemoteError(said.code, said.reason)
        return
      case 'drained':
        return
      case 'view-shown':
      case 'view-refused':
      case 'want-scene':
        return this.#views.hear(said)
      default:
        // May have been in transit when the session ended.
        this.#running.get(said.session)?.hear(said)
    }
  }

  #take(message: BinaryMessage): void {
    if (message.kind === 'tile-done' || message.kind === 'part-chunk')
      throw new ProtocolError(`the master sent ${message.kind}, expected a frame`)
    this.#running.get(message.session)?.take(message)
  }
}
