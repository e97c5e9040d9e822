/** A remote cluster, as a client of its master: sends the scene once, opens sessions, receives frames. */

import { CancelledError, messageOf, SortfirstError } from '../../shared/errors.ts'
import { type Channel, CLOSE_CODES } from '../../shared/protocol/channel.ts'
import { parseToClient, type ToClient } from '../../shared/protocol/client-messages.ts'
import type { BinaryMessage } from '../../shared/protocol/codec.ts'
import { BusyMasterError } from '../../shared/protocol/node/connect-failure.ts'
import { type LineOptions, MasterLine } from '../../shared/protocol/node/master-line.ts'
import { AVAILABLE_ENCODINGS, decodePixels } from '../../shared/protocol/node/pixel-encoding.ts'
import { unpackReport } from '../../shared/protocol/node/report-packing.ts'
import { PartSender } from '../../shared/protocol/part-transfer.ts'
import { MAX_UNDELIVERED_FRAMES, MAX_UNDELIVERED_PREVIEWS } from '../../shared/protocol/peer-limits.ts'
import { ProtocolError } from '../../shared/protocol/protocol-error.ts'
import { type NamedFrame, SESSION_VERSION, type SessionOrder } from '../../shared/protocol/session-order.ts'
import { PROTOCOL_VERSION } from '../../shared/protocol/version.ts'
import type { NamedScene } from '../../shared/scene/held-scene.ts'
import { manifestBytes } from '../../shared/scene/manifest.ts'
import type { FrameSource, SessionRunner, SessionSink, WantedFrame } from '../../shared/session.ts'
import { untilAborted } from '../../shared/until-aborted.ts'
import { ArrivingPlanes } from './arriving-planes.ts'

/** The master could not be reached, or its connection was lost. */
export class MasterConnectionError extends SortfirstError {
  readonly code = 'MASTER_UNREACHABLE'
  readonly why: string
  /** Whether it is there, and has too many connections. */
  readonly isBusy: boolean
  constructor(url: string, why: string, isBusy = false) {
    super(`master ${url}: ${why}; check that 'sortfirst master' runs there`)
    this.why = why
    this.isBusy = isBusy
  }
}

/** The master failed a session, or refused the connection. `code` is the master's. */
export class RemoteError extends SortfirstError {
  readonly code: string
  constructor(code: string, reason: string) {
    super(reason)
    this.code = code
  }
}

/**
 * Connects to a running master; `signal` cancels it.
 * Rejects with MasterConnectionError, AccessDeniedError or TlsError, with RemoteError when the master refuses, or with CancelledError.
 */
export async function connectToCluster(
  url: string,
  options: LineOptions = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<SessionRunner> {
  if (signal.aborted) throw new CancelledError()
  const line = new MasterLine(url, options)
  const giveUp = () => line.channel.terminate()
  signal.addEventListener('abort', giveUp)
  let link: MasterLink
  try {
    link = await welcomedLink(url, line)
  } catch (error) {
    throw signal.aborted ? new CancelledError() : error
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
  return {
    run: (order, scene, source, sink, signal) => link.run(order, scene, source, sink, signal),
    close: () => link.close(),
  }
}

async function welcomedLink(url: string, line: MasterLine): Promise<MasterLink> {
  try {
    await line.opened
  } catch (error) {
    // These say themselves what to do.
    if (error instanceof SortfirstError) throw error
    throw new MasterConnectionError(url, messageOf(error), error instanceof BusyMasterError)
  }
  const link = new MasterLink(url, line.channel)
  await link.welcomed
  line.welcomed()
  return link
}

/** Scenes that the master is sent before their frames begin, unless those of the next frame alone are more. */
const SCENES_AHEAD = 2

/** Whether a session's source has another frame; false if it fails. */
async function readyOf(running: Running): Promise<boolean> {
  try {
    return await running.source.ready()
  } catch (error) {
    running.broken = { error }
    return false
  }
}

interface Running {
  readonly number: number
  readonly order: SessionOrder
  readonly planes: ArrivingPlanes
  readonly sink: SessionSink
  /** Chains the master's requests for frames, so that they are answered in order. */
  naming: Promise<void>
  /** Numbers of scenes of the frames named and not yet delivered. */
  readonly undelivered: number[]
  /** Called when a frame has been delivered. */
  roomWanted: (() => void) | undefined
  /** Whether the master knows that there are no more frames. */
  isNamed: boolean
  /** Why the source has no more frames; the session ends with it after those before. */
  broken: { readonly error: unknown } | undefined
  /** Frames and previews that have arrived and are not delivered. */
  readonly waiting: { frames: number; previews: number }
  readonly source: FrameSource
  readonly done: () => void
  readonly failed: (error: unknown) => void
}

/** A client's end of a channel to a master. */
export class MasterLink implements SessionRunner {
  readonly #url: string
  readonly #channel: Channel
  readonly welcomed: Promise<void>
  readonly #closed: Promise<void>
  readonly #running = new Map<number, Running>()
  #sessions = 0
  /** The scene being sent, its session, and callbacks for when the master requests parts of it and when it has all of them. */
  #offer:
    | { readonly number: number; readonly scene: string; wanted(parts: readonly string[]): void; settled(): void }
    | undefined
  readonly #sender: PartSender
  /** Scenes are sent one after the other. */
  #bringing: Promise<void> = Promise.resolve()
  /** Why this connection can no longer be used. */
  #ended: SortfirstError | undefined
  /** Frames are passed to their sinks one after the other. */
  #delivery: Promise<void> = Promise.resolve()

  constructor(url: string, channel: Channel) {
    this.#url = url
    this.#channel = channel
    this.#sender = new PartSender(channel)
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
          if (said.type === 'welcome') welcome()
          else this.#hear(said)
        },
        binary: message => this.#take(message),
        closed: (_, reason) => {
          this.#ended ??= new MasterConnectionError(url, `the connection was lost${reason ? ` (${reason})` : ''}`)
          refuse(this.#ended)
          for (const { failed } of this.#running.values()) failed(this.#ended)
          this.#sender.end()
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
    let stopHearing = () => {}
    let cancel = () => {}
    try {
      await new Promise<void>((done, failed) => {
        const planes = new ArrivingPlanes(order.size, order.channels ?? [])
        const naming = Promise.resolve()
        const waiting = { frames: 0, previews: 0 }
        const before = { naming, undelivered: [], roomWanted: undefined, isNamed: false, broken: undefined, waiting }
        const running: Running = { number, order, planes, sink, source, ...before, done, failed }
        this.#running.set(number, running)
        cancel = () => failed(new CancelledError())
        signal.addEventListener('abort', cancel)
        const isWanted = () => this.#running.has(number) && !this.#ended
        this.#bring(scene, running).then(() => {
          if (!isWanted()) return
          this.#channel.send({ type: 'open-session', session: number, version: SESSION_VERSION, order })
          if (order.kind === 'viewer') running.naming = this.#followViewer(running).catch(failed)
          stopHearing = source.onAbandon?.(() => this.#abandon(number)) ?? stopHearing
        })
      })
      await this.#delivery
    } catch (error) {
      this.#channel.send({ type: 'close-session', session: number })
      // Frames that had arrived when the connection was lost need not be made again.
      if (this.#ended) await untilAborted(signal, this.#delivery).catch(() => {})
      this.#forget(number)
      // Let a complete frame that is being delivered arrive.
      await this.#delivery
      throw error
    } finally {
      this.#forget(number)
      if (this.#offer?.number === number) {
        this.#sender.stop(this.#offer.scene)
        this.#offer.settled()
      }
      signal.removeEventListener('abort', cancel)
      stopHearing()
    }
  }

  #forget(session: number): void {
    const running = this.#running.get(session)
    this.#running.delete(session)
    running?.roomWanted?.()
  }

  async close(): Promise<void> {
    this.#channel.close(CLOSE_CODES.done, 'done')
    await this.#closed
  }

  /** Resolves when the master has all parts of a scene of a session, or when the session has ended. */
  #bring(scene: NamedScene, running: Running): Promise<void> {
    this.#bringing = this.#bringing.then(() => this.#bringNow(scene, running)).catch(running.failed)
    return this.#bringing
  }

  async #bringAll(scenes: readonly NamedScene[], running: Running): Promise<void> {
    for (const scene of scenes) await this.#bring(scene, running)
  }

  async #bringNow(scene: NamedScene, { number, sink, failed }: Running): Promise<void> {
    if (!this.#running.has(number) || this.#ended) return
    await new Promise<void>(settled => {
      const wanted = (parts: readonly string[]) => {
        if (parts.length > 0) scene.content().catch(failed)
        try {
          this.#sender.send(scene, parts)
        } catch (error) {
          return failed(error)
        }
        const asked = new Set(parts)
        const bytes = manifestBytes({ parts: scene.manifest.parts.filter(({ sha256 }) => asked.has(sha256)) })
        if (bytes > 0) sink.status(`sending the scene to the master, ${(bytes / 2 ** 20).toFixed(0)} MiB`)
      }
      this.#offer = { number, scene: scene.hash, wanted, settled }
      this.#channel.send({ type: 'offer-scene', scene: scene.hash, manifest: scene.manifest })
    })
    this.#offer = undefined
  }

  /** Sends the next `count` frames of a film to the master; those with scenes of their own not long before they are made. */
  async #nameFrames(running: Running, count: number): Promise<void> {
    const { number, source } = running
    const frames: NamedFrame[] = []
    // The master may have asked for more before it heard of the end.
    if (running.isNamed) return
    const say = (end?: true) => {
      running.isNamed = end === true
      this.#channel.send({ type: 'frames', session: number, frames: frames.splice(0), ...(end ? { end } : {}) })
    }
    for (let named = 0; named < count; named++) {
      if (!(await readyOf(running))) return say(true)
      if (!this.#running.has(number)) return
      const wanted = source.take()
      const scenes = scenesOf(wanted)
      running.undelivered.push(scenes.length)
      frames.push(nameOf(wanted))
      if (scenes.length === 0) continue
      await this.#room(running)
      await this.#bringAll(scenes, running)
      say()
    }
    if (frames.length > 0) say()
  }

  /** Resolves when the master holds no more scenes of frames than it needs to go on without waiting, or when the session has ended. */
  async #room(running: Running): Promise<void> {
    const { number, order, undelivered } = running
    const scenes = () => undelivered.reduce((sum, each) => sum + each, 0)
    const isFull = () => undelivered.length > order.inFlight + 1 && scenes() > order.inFlight + SCENES_AHEAD
    while (isFull() && this.#running.has(number))
      await new Promise<void>(resolve => {
        running.roomWanted = resolve
      })
  }

  /** Forwards a viewer's cameras as they come. */
  async #followViewer(running: Running): Promise<void> {
    const { number, source } = running
    while (await source.ready()) {
      const wanted = source.take()
      await this.#bringAll(scenesOf(wanted), running)
      this.#channel.send({ type: 'frames', session: number, frames: [nameOf(wanted)] })
    }
    this.#channel.send({ type: 'frames', session: number, frames: [], end: true })
  }

  #abandon(session: number): void {
    this.#channel.send({ type: 'frames', session, frames: [], abandon: true })
  }

  #hear(said: Exclude<ToClient, { type: 'welcome' }>): void {
    const running = 'session' in said ? this.#running.get(said.session) : undefined
    switch (said.type) {
      case 'parts-wanted':
        if (this.#offer?.scene === said.scene) this.#offer.wanted(said.parts)
        return
      case 'scene-held':
        if (this.#offer?.scene === said.scene) this.#offer.settled()
        return
      case 'frames-wanted':
        if (running)
          running.naming = running.naming.then(() => this.#nameFrames(running, said.count)).catch(running.failed)
        return
      case 'session-status':
        return running?.sink.status(said.text)
      case 'session-started':
        return running?.sink.started(said.workers)
      case 'session-done':
        return running?.broken ? running.failed(running.broken.error) : running?.done()
      case 'session-failed':
        return running?.failed(new RemoteError(said.code, said.reason))
      case 'goodbye':
        this.#ended =
          said.code === 'DONE'
            ? new MasterConnectionError(this.#url, said.reason)
            : new RemoteError(said.code, said.reason)
    }
  }

  #take(message: BinaryMessage): void {
    if (message.kind === 'tile-done' || message.kind === 'part-chunk')
      throw new ProtocolError(`the master sent ${message.kind}, expected a frame`)
    const { session } = message
    const running = this.#running.get(session)
    // Frames of a closed session may still arrive.
    if (!running) return
    if (message.kind === 'frame-plane') return running.planes.take(message)
    const [w, h] = running.order.size
    if (message.rawBytes !== w * h * 3)
      throw new ProtocolError(`a frame of session ${session}: ${message.rawBytes} bytes for ${w}x${h} pixels`)
    const { sink, waiting } = running
    // A preview that nobody has time for is left out; frames are acknowledged, and there is a bound to those that are not.
    if (message.kind === 'frame-preview' && waiting.previews >= MAX_UNDELIVERED_PREVIEWS) return
    if (message.kind === 'frame-done' && waiting.frames >= MAX_UNDELIVERED_FRAMES)
      throw new ProtocolError(`session ${session}: more than ${MAX_UNDELIVERED_FRAMES} frames came unacknowledged`)
    const pixels = decodePixels(message.encoding, 'rgb', message.body, message.rawBytes)
    const kept = message.kind === 'frame-done' ? 'frames' : 'previews'
    const planes = message.kind === 'frame-done' ? running.planes.finish(message.frame) : {}
    waiting[kept]++
    this.#delivery = this.#delivery
      .then(async () => {
        if (!this.#running.has(session)) return
        if (message.kind === 'frame-preview') {
          const { frame, samples } = message
          return sink.preview?.({ frame, samples, pixels })
        }
        const report = unpackReport(message.report)
        await sink.frame(report, pixels, planes)
        running.undelivered.shift()
        running.roomWanted?.()
        this.#channel.send({ type: 'frame-taken', session, frame: report.frame })
      })
      .catch(running.failed)
      .finally(() => {
        waiting[kept]--
      })
  }
}

/** The scenes of a frame and of its moments, each once. */
function scenesOf({ scene, moments = [] }: WantedFrame): NamedScene[] {
  const all = [{ scene }, ...moments].flatMap(({ scene }) => (scene ? [scene] : []))
  return [...new Map(all.map(scene => [scene.hash, scene])).values()]
}

/** A frame with the names of its scenes. */
function nameOf({ moments, ...frame }: WantedFrame): NamedFrame {
  const named = <T extends { readonly scene?: NamedScene }>({ scene, ...rest }: T) =>
    scene ? { ...rest, scene: scene.hash } : rest
  return { ...named(frame), ...(moments ? { moments: moments.map(named) } : {}) }
}
