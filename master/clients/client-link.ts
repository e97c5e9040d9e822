/**
 * A client of a running master: it sends scenes, opens sessions, names frames and takes them. At most a few frames are on
 * their way to a client at a time; a slow client slows down its own sessions and fills no memory.
 */
import type { Right } from '../../shared/access/tokens.ts'
import { assertNever, messageOf, SortfirstError } from '../../shared/errors.ts'
import { keepNewest } from '../../shared/keep-newest.ts'
import { type Channel, CLOSE_CODES } from '../../shared/protocol/channel.ts'
import { type Drained, type FromClient, parseFromClient } from '../../shared/protocol/client-messages.ts'
import type { BinaryMessage } from '../../shared/protocol/codec.ts'
import { type Encoding, MAX_REASON } from '../../shared/protocol/messages.ts'
import { encodeAside } from '../../shared/protocol/node/pixel-encoding.ts'
import { packReport } from '../../shared/protocol/node/report-packing.ts'
import { MAX_CLIENT_SESSIONS, MAX_CONTROL_BYTES } from '../../shared/protocol/peer-limits.ts'
import { ProtocolError } from '../../shared/protocol/protocol-error.ts'
import type { SessionOrder } from '../../shared/protocol/session-order.ts'
import type { NamedScene } from '../../shared/scene/held-scene.ts'
import type { PartStore } from '../../shared/scene/part-store.ts'
import type { SessionRunner, SessionSink } from '../../shared/session/session.ts'
import { MAX_QUOTED, shortened } from '../../shared/text/printable.ts'
import { ANY_KERNEL, type ExpectedKernels, KernelMismatchError } from '../cluster/kernel-check.ts'
import { checkRight } from '../http/access.ts'
import type { ShownView } from '../page/view-source.ts'
import type { OfferedView } from '../page/views.ts'
import { MasterClosingError } from '../sessions/errors.ts'
import { ClientKeeping } from './client-keeping.ts'
import { ClientViews } from './client-views.ts'
import { OfferedScenes } from './offered-scenes.ts'
import { RemoteFilm, type RemoteSource, RemoteViewer, resolving } from './remote-source.ts'
import { sendPlanes } from './send-planes.ts'

/** What a client may request from its master. */
export interface ClientJobs extends Pick<SessionRunner, 'run'> {
  /** Number of open sessions. */
  readonly sessions: number
  /** Shows a scene on the master's page, for a client with these rights. Rejects if the scene contradicts itself, or the order costs too much. */
  offerView(shown: ShownView, rights: ReadonlySet<Right>): Promise<OfferedView>
  /** Rejects if the scene contradicts itself. */
  checkScene(scene: NamedScene): Promise<void>
  /** Lets the workers of a name leave; resolves when they have. */
  drain(worker: string): Promise<Drained>
  /** Scene parts of all clients. */
  readonly parts: PartStore
  /** What workers trace with. @default whatever they say */
  readonly kernels?: ExpectedKernels | undefined
}

/** Maximum number of unacknowledged frames per session. */
const FRAMES_IN_FLIGHT = 4
/** More than can be sent while a preview is packed. */
const FRAMES_REMEMBERED = 16

interface OpenSession {
  /** For people: 'film of dragon'. */
  readonly name: string
  readonly abort: AbortController
  readonly source: RemoteSource
  /** Of a session that is kept. */
  readonly keeping: ClientKeeping | undefined
  /** Frames sent and not yet taken. */
  untaken: number
  roomWanted: (() => void) | undefined
}

export class ClientLink {
  /** For people. */
  readonly id: string
  readonly #channel: Channel
  readonly #encoding: Encoding
  readonly #jobs: ClientJobs
  readonly #rights: ReadonlySet<Right>
  readonly #scenes: OfferedScenes
  readonly #views: ClientViews
  readonly #sessions = new Map<number, OpenSession>()
  #isDraining = false
  readonly #runs = new Set<Promise<void>>()
  /** What sessions lacked that ended because the master does. */
  readonly #left: string[] = []
  /** Frames that it was given, and those that it has taken. */
  #given = 0
  #taken = 0
  /** All lower numbers have been used. */
  #nextNumber = 0

  constructor(id: string, encoding: Encoding, channel: Channel, jobs: ClientJobs, rights: ReadonlySet<Right>) {
    this.id = id
    this.#channel = channel
    this.#encoding = encoding
    this.#jobs = jobs
    this.#rights = rights
    this.#scenes = new OfferedScenes(channel, jobs.parts)
    const views = {
      offerView: (shown: ShownView) => jobs.offerView(shown, rights),
      checkScene: (scene: NamedScene) => jobs.checkScene(scene),
    }
    this.#views = new ClientViews(channel, views, scene => this.#scenes.get(scene))
    channel.send({ type: 'welcome', id, encoding })
  }

  /** The longest message that it can have a reason to send, bytes: JSON, or a chunk of a scene. */
  readonly mostBytes = MAX_CONTROL_BYTES + 1024

  /** @throws ProtocolError, AccessDeniedError */
  control(message: unknown): void {
    const said = parseFromClient(message)
    switch (said.type) {
      case 'offer-scene':
        checkRight('client', this.#rights, 'offer a scene')
        if (this.#views.count === 0 && [...this.#sessions.values()].every(({ abort }) => abort.signal.aborted))
          this.#scenes.rest(said.scene)
        return this.#scenes.offered(said.scene, said.manifest)
      case 'open-session':
        checkRight('client', this.#rights, 'open a session')
        return this.#opened(said)
      case 'frames':
        // May have been in transit when the session ended.
        return this.#sessions.get(said.session)?.source.hear(said)
      case 'close-session':
        return this.#sessions.get(said.session)?.abort.abort()
      case 'offer-view':
      case 'want-ticket':
      case 'end-view':
      case 'scene-made':
      case 'scene-not-made':
        checkRight('client', this.#rights, 'show a scene')
        return this.#views.hear(said)
      case 'drain':
        checkRight('operate', this.#rights, 'let a worker leave')
        return this.#drain(said.worker)
      case 'want-state': {
        const session = this.#sessions.get(said.session)
        if (session && !session.keeping) throw new ProtocolError(`session ${said.session} is not kept`)
        return session?.keeping?.want(said.frame)
      }
      case 'frame-kept':
        return this.#sessions.get(said.session)?.keeping?.kept(said.frame)
      case 'frame-taken': {
        const session = this.#sessions.get(said.session)
        if (!session || session.untaken === 0) return
        session.untaken--
        session.keeping?.taken(said.frame)
        this.#taken++
        session.roomWanted?.()
        return
      }
      default:
        assertNever(said)
    }
  }

  /** Takes a chunk of an offered scene, or of what there is of a frame. @throws ProtocolError */
  binary(chunk: BinaryMessage): void {
    if (chunk.kind === 'state-chunk') return this.#sessions.get(chunk.session)?.source.takeState(chunk)
    if (chunk.kind !== 'part-chunk')
      throw new ProtocolError(`a client sent ${chunk.kind}, expected part-chunk or state-chunk`)
    this.#scenes.take(chunk)
  }

  closed(): void {
    for (const { abort } of this.#sessions.values()) abort.abort()
    this.#views.end()
    this.#scenes.end()
  }

  #drain(worker: string): void {
    if (this.#isDraining) throw new ProtocolError(`worker ${worker} to leave: expected one such request at a time`)
    this.#isDraining = true
    void this.#jobs.drain(worker).then(({ left, remaining }) => {
      this.#isDraining = false
      this.#channel.send({ type: 'drained', left: [...left], remaining: [...remaining] })
    })
  }

  #opened({ session: number, order }: Extract<FromClient, { type: 'open-session' }>): void {
    if (number < this.#nextNumber)
      throw new ProtocolError(`session ${number}: expected a number of at least ${this.#nextNumber}, each used once`)
    if (this.#sessions.size >= MAX_CLIENT_SESSIONS)
      throw new ProtocolError(`session ${number}: expected at most ${MAX_CLIENT_SESSIONS} at a time, got one more`)
    this.#nextNumber = number + 1
    const wanted = (count: number) => this.#channel.send({ type: 'frames-wanted', session: number, count })
    const resolve = resolving(order, scene => this.#scenes.get(scene))
    const mismatch = kernelMismatch(order, this.#jobs.kernels)
    const source = order.kind === 'film' ? new RemoteFilm(wanted, resolve, order, mismatch) : new RemoteViewer(resolve)
    const name = `${order.kind} of ${order.sceneName}`
    const abort = new AbortController()
    const line = { session: number, channel: this.#channel, encoding: this.#encoding, signal: abort.signal }
    const keeping = order.keep && !mismatch ? new ClientKeeping(order.keep.tileSamples, line) : undefined
    const session: OpenSession = { name, abort, source, keeping, untaken: 0, roomWanted: undefined }
    this.#sessions.set(number, session)
    session.abort.signal.addEventListener('abort', () => session.roomWanted?.())
    const run = this.#run(number, session, order).finally(() => this.#runs.delete(run))
    this.#runs.add(run)
  }

  async #run(number: number, session: OpenSession, order: SessionOrder): Promise<void> {
    const channel = this.#channel
    const { signal } = session.abort
    try {
      const scene = this.#scenes.get(order.scene)
      if (!scene) throw new ProtocolError('the session names a scene that was not sent')
      const others = this.#jobs.sessions
      const sink = this.#sinkOf(number, session)
      if (others > 0)
        sink.status(`sharing the cluster with ${others} other ${others === 1 ? 'session' : 'sessions'}`, true)
      await this.#jobs.run(order, scene, session.source, sink, signal)
      channel.send({ type: 'session-done', session: number })
    } catch (error) {
      if (error instanceof MasterClosingError && error.hadBegun) return await this.#wait(session, error)
      const code = error instanceof SortfirstError ? error.code : 'INTERNAL'
      if (!signal.aborted)
        channel.send({ type: 'session-failed', session: number, code, reason: shortened(messageOf(error), MAX_REASON) })
    } finally {
      this.#sessions.delete(number)
    }
  }

  /** The master closes when its clients have what it has made for them. */
  async #wait(session: OpenSession, { message }: MasterClosingError): Promise<void> {
    this.#left.push(message)
    await room(session, 1)
  }

  /** The master closes: what there is of frames in the making is kept now, because whoever ends it may not wait for them. */
  closing(): void {
    for (const { keeping } of this.#sessions.values()) keeping?.closing()
  }

  /** Resolves when all sessions have ended, and their frames have been taken. */
  async ended(): Promise<void> {
    await Promise.all(this.#runs)
  }

  /** Frames that were given to it and that it has not taken; given, and taken, in all. */
  get untaken(): number {
    return [...this.#sessions.values()].reduce((sum, { untaken }) => sum + untaken, 0)
  }

  get given(): number {
    return this.#given
  }

  get taken(): number {
    return this.#taken
  }

  /** Ends the connection of a client that does not take its frames. Returns what is not delivered. */
  giveUp(): string {
    const held = [...this.#sessions.values()].filter(({ untaken }) => untaken > 0)
    const lost = held.map(({ untaken, name }) => `${untaken} ${untaken === 1 ? 'frame' : 'frames'} of the ${name}`)
    const what = shortened(`not delivered: ${lost.join(', ')}`, MAX_QUOTED)
    const reason = `the master was closed; ${what}`
    this.#channel.send({ type: 'goodbye', code: 'DONE', reason })
    this.#channel.close(CLOSE_CODES.done, reason)
    return what
  }

  /** Says goodbye, and which sessions are not complete. */
  dismiss(reason: string): void {
    this.#channel.send({
      type: 'goodbye',
      code: 'DONE',
      reason: shortened(this.#left.length > 0 ? [...new Set(this.#left)].join('; ') : reason, MAX_REASON),
    })
  }

  #sinkOf(session: number, open: OpenSession): SessionSink {
    const channel = this.#channel
    const encoding = this.#encoding
    /** The newest frames that were sent. */
    const sent = new Set<number>()
    return {
      started: workers => channel.send({ type: 'session-started', session, workers: [...workers] }),
      status: (text, isEvent) =>
        channel.send({
          type: 'session-status',
          session,
          text: shortened(text, MAX_REASON),
          ...(isEvent ? { isEvent } : {}),
        }),
      progress: progress => channel.send({ type: 'frame-progress', session, progress }),
      frame: async (report, pixels, planes) => {
        open.untaken++
        sent.add(report.frame)
        keepNewest(sent, FRAMES_REMEMBERED)
        this.#given++
        await sendPlanes(channel, encoding, { session, frame: report.frame, size: report.size }, planes)
        const body = await encodeAside(encoding, pixels)
        const facts = { session, frame: report.frame, report: packReport(report), encoding, rawBytes: pixels.length }
        await channel.sendBinary({ kind: 'frame-done', ...facts, body })
        // A kept frame that its client cannot take is kept instead.
        await room(open, open.keeping ? 1 : FRAMES_IN_FLIGHT)
      },
      ...(open.keeping ? { keeper: open.keeping } : {}),
      preview: async ({ frame, samples, pixels }) => {
        const body = await encodeAside(encoding, pixels)
        // It may have been completed meanwhile, and is not to be followed by what it was before.
        if (sent.has(frame)) return
        const rawBytes = pixels.length
        await channel.sendBinary({ kind: 'frame-preview', session, frame, samples, encoding, rawBytes, body })
      },
    }
  }
}

/** Why what its client keeps is not of the frames of this master, if it keeps anything. */
function kernelMismatch(
  { keep, engine }: SessionOrder,
  kernels: ExpectedKernels | undefined,
): KernelMismatchError | undefined {
  const own = kernels?.[engine]
  if (!keep || own === undefined || own === ANY_KERNEL || keep.kernel === own) return undefined
  return new KernelMismatchError('of the frame that goes on', own, keep.kernel, 'go on with the release that began it')
}

/** Resolves when fewer than `most` frames are unacknowledged, or when the session is aborted. */
async function room(session: OpenSession, most: number): Promise<void> {
  const { signal } = session.abort
  while (session.untaken >= most && !signal.aborted) {
    await new Promise<void>(resolve => {
      session.roomWanted = resolve
    })
  }
}
