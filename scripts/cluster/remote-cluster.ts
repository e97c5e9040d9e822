/** A cluster elsewhere, as a client of its master: brings the scene once, orders jobs, takes frames. */

import { CancelledError } from '../../master/sessions/errors.ts'
import type { JobSink } from '../../master/sessions/run-session.ts'
import { messageOf, SortfirstError } from '../../shared/errors.ts'
import { CLOSE_CODES } from '../../shared/protocol/channel.ts'
import { parseToClient, type ToClient } from '../../shared/protocol/client-messages.ts'
import type { BinaryMessage } from '../../shared/protocol/codec.ts'
import { JOB_VERSION, type Job } from '../../shared/protocol/job.ts'
import { ProtocolError } from '../../shared/protocol/messages.ts'
import { type LineOptions, MasterLine } from '../../shared/protocol/node/master-line.ts'
import { AVAILABLE_ENCODINGS, decodePixels } from '../../shared/protocol/node/pixel-encoding.ts'
import type { WebSocketChannel } from '../../shared/protocol/node/websocket-channel.ts'
import { type HeldScene, sendScene } from '../../shared/protocol/scene-transfer.ts'
import { PROTOCOL_VERSION } from '../../shared/protocol/version.ts'
import type { JobRunner } from './job-runner.ts'

/** The master could not be reached, or the connection to it broke. */
export class MasterConnectionError extends SortfirstError {
  readonly code = 'MASTER_UNREACHABLE'
  constructor(url: string, why: string) {
    super(`master ${url}: ${why}; check that 'sortfirst master' runs there`)
  }
}

/** The master gave up on a job, or refused to talk. `code` is what it said. */
export class RemoteError extends SortfirstError {
  readonly code: string
  constructor(code: string, reason: string) {
    super(reason)
    this.code = code
  }
}

/** @throws MasterConnectionError, RemoteError when the master refuses */
export async function connectToCluster(url: string, options: LineOptions = {}): Promise<JobRunner> {
  const line = new MasterLine(url, options)
  try {
    await line.opened
  } catch (error) {
    throw new MasterConnectionError(url, messageOf(error))
  }
  const link = new MasterLink(url, line.channel)
  await link.welcomed
  line.welcomed()
  return {
    run: (job, scene, sink, signal) => link.run(job, scene, sink, signal),
    close: () => link.close(),
  }
}

interface RunningJob {
  readonly sink: JobSink
  readonly done: () => void
  readonly failed: (error: unknown) => void
}

class MasterLink {
  readonly #url: string
  readonly #channel: WebSocketChannel
  readonly welcomed: Promise<void>
  readonly #closed: Promise<void>
  #job: { readonly number: number; readonly running: RunningJob } | undefined
  #jobs = 0
  #sceneAnswer: ((answer: 'scene-wanted' | 'scene-held') => void) | undefined
  /** Why nothing can be asked of this connection any more. */
  #ended: SortfirstError | undefined
  /** Frames are handed to the sink one after the other. */
  #delivery: Promise<void> = Promise.resolve()

  constructor(url: string, channel: WebSocketChannel) {
    this.#url = url
    this.#channel = channel
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
        binary: message => this.#takeFrame(message),
        closed: (_, reason) => {
          this.#ended ??= new MasterConnectionError(url, `the connection was lost${reason ? ` (${reason})` : ''}`)
          refuse(this.#ended)
          this.#job?.running.failed(this.#ended)
          resolve()
        },
      })
    })
    channel.send({ type: 'hello', role: 'client', protocol: PROTOCOL_VERSION, encodings: [...AVAILABLE_ENCODINGS] })
  }

  async run(job: Job, scene: HeldScene, sink: JobSink, signal: AbortSignal): Promise<void> {
    if (this.#ended) throw this.#ended
    if (signal.aborted) throw new CancelledError()
    const number = this.#jobs++
    const cancel = () => this.#channel.send({ type: 'cancel-job', job: number })
    signal.addEventListener('abort', cancel)
    try {
      await new Promise<void>((done, failed) => {
        this.#job = { number, running: { sink, done, failed } }
        this.#bringScene(scene, sink)
          .then(() => this.#channel.send({ type: 'submit-job', job: number, version: JOB_VERSION, order: job }))
          .catch(failed)
      })
      await this.#delivery
    } finally {
      this.#job = undefined
      signal.removeEventListener('abort', cancel)
    }
  }

  async close(): Promise<void> {
    this.#channel.close(CLOSE_CODES.done, 'done')
    await this.#closed
  }

  async #bringScene(scene: HeldScene, sink: JobSink): Promise<void> {
    const ask = () =>
      new Promise<'scene-wanted' | 'scene-held'>(resolve => {
        this.#sceneAnswer = resolve
      })
    const offered = ask()
    this.#channel.send({ type: 'offer-scene', scene: scene.hash, bytes: scene.bytes.length })
    if ((await offered) === 'scene-held') return
    sink.status(`sending the scene to the master, ${(scene.bytes.length / 2 ** 20).toFixed(0)} MiB`)
    const taken = ask()
    await sendScene(this.#channel, scene, () => !this.#ended)
    await taken
  }

  #hear(said: Exclude<ToClient, { type: 'welcome' }>): void {
    const running = 'job' in said && said.job === this.#job?.number ? this.#job.running : undefined
    switch (said.type) {
      case 'scene-wanted':
      case 'scene-held':
        return this.#sceneAnswer?.(said.type)
      case 'job-status':
        return running?.sink.status(said.text)
      case 'job-started':
        return running?.sink.started(said.workers)
      case 'job-done':
        return running?.done()
      case 'job-failed':
        return running?.failed(
          said.code === 'JOB_CANCELLED' ? new CancelledError() : new RemoteError(said.code, said.reason),
        )
      case 'goodbye':
        this.#ended =
          said.code === 'DONE'
            ? new MasterConnectionError(this.#url, said.reason)
            : new RemoteError(said.code, said.reason)
    }
  }

  #takeFrame(message: BinaryMessage): void {
    if (message.kind !== 'frame-done') throw new ProtocolError(`the master sent ${message.kind}, expected frame-done`)
    const { report, job } = message
    const running = job === this.#job?.number ? this.#job.running : undefined
    const [w, h] = report.size
    if (message.rawBytes !== w * h * 3)
      throw new ProtocolError(`frame ${report.frame}: ${message.rawBytes} bytes for ${w}x${h} pixels`)
    const pixels = decodePixels(message.encoding, message.body, message.rawBytes)
    this.#delivery = this.#delivery
      .then(() => running?.sink.frame(report, pixels))
      .then(() => this.#channel.send({ type: 'frame-taken', job, frame: report.frame }))
      .catch(error => {
        this.#channel.send({ type: 'cancel-job', job })
        running?.failed(error)
      })
  }
}
