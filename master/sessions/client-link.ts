/**
 * A client of a running master: brings a scene, orders jobs, takes frames. At most a few frames are on their way to a
 * client at a time; a slow one slows its own job down and fills nobody's memory.
 */
import { assertNever, messageOf, SortfirstError } from '../../shared/errors.ts'
import { sha256 } from '../../shared/node/sha256.ts'
import type { Channel } from '../../shared/protocol/channel.ts'
import { type FromClient, parseFromClient } from '../../shared/protocol/client-messages.ts'
import type { BinaryMessage } from '../../shared/protocol/codec.ts'
import type { Job } from '../../shared/protocol/job.ts'
import { type Encoding, ProtocolError } from '../../shared/protocol/messages.ts'
import { encodePixels } from '../../shared/protocol/node/pixel-encoding.ts'
import { type HeldScene, SceneReceiver } from '../../shared/protocol/scene-transfer.ts'
import type { JobSink } from './run-session.ts'

/** What a client may ask of its master. */
export interface JobDesk {
  run(job: Job, scene: HeldScene, sink: JobSink, signal: AbortSignal): Promise<void>
  /** Jobs running or waiting. */
  readonly pending: number
}

const FRAMES_IN_FLIGHT = 4

export class ClientLink {
  readonly #channel: Channel
  readonly #encoding: Encoding
  readonly #desk: JobDesk
  #scene: HeldScene | undefined
  #receiving: SceneReceiver | undefined
  readonly #jobs = new Map<number, AbortController>()
  #inFlight = 0
  #roomWanted: (() => void) | undefined

  constructor(id: string, encoding: Encoding, channel: Channel, desk: JobDesk) {
    this.#channel = channel
    this.#encoding = encoding
    this.#desk = desk
    channel.send({ type: 'welcome', id, encoding })
  }

  control(message: unknown): void {
    const said = parseFromClient(message)
    switch (said.type) {
      case 'offer-scene':
        return this.#offered(said.scene, said.bytes)
      case 'submit-job':
        return void this.#run(said)
      case 'cancel-job':
        return this.#jobs.get(said.job)?.abort()
      case 'frame-taken':
        this.#inFlight--
        this.#roomWanted?.()
        return
      default:
        assertNever(said)
    }
  }

  /** Takes a chunk of the offered scene. @throws ProtocolError */
  binary(chunk: BinaryMessage): void {
    if (chunk.kind !== 'scene-chunk') throw new ProtocolError(`a client sent ${chunk.kind}, expected scene-chunk`)
    if (!this.#receiving) throw new ProtocolError('a scene chunk came that nobody asked for')
    if (!this.#receiving.take(chunk)) return
    const { hash, bytes } = this.#receiving
    this.#receiving = undefined
    if (sha256(bytes) !== hash) throw new ProtocolError('the scene that came is not the one that was announced')
    this.#scene = { hash, bytes }
    this.#channel.send({ type: 'scene-held', scene: hash })
  }

  closed(): void {
    for (const job of this.#jobs.values()) job.abort()
    this.#roomWanted?.()
  }

  #offered(hash: string, bytes: number): void {
    if (this.#scene?.hash === hash) return this.#channel.send({ type: 'scene-held', scene: hash })
    this.#receiving = new SceneReceiver(hash, bytes)
    this.#channel.send({ type: 'scene-wanted', scene: hash })
  }

  async #run({ job, order }: Extract<FromClient, { type: 'submit-job' }>): Promise<void> {
    const abort = new AbortController()
    this.#jobs.set(job, abort)
    const channel = this.#channel
    try {
      const scene = this.#scene
      if (scene?.hash !== order.scene) throw new ProtocolError('the job names a scene that was not sent')
      if (this.#desk.pending > 0)
        channel.send({
          type: 'job-status',
          job,
          text: `waiting for ${this.#desk.pending} other ${this.#desk.pending === 1 ? 'job' : 'jobs'}`,
        })
      const sink: JobSink = {
        started: workers => channel.send({ type: 'job-started', job, workers: [...workers] }),
        status: text => channel.send({ type: 'job-status', job, text }),
        frame: async (report, pixels) => {
          this.#inFlight++
          const body = encodePixels(this.#encoding, pixels)
          await channel.sendBinary({
            kind: 'frame-done',
            job,
            encoding: this.#encoding,
            rawBytes: pixels.length,
            report,
            body,
          })
          await this.#room(abort.signal)
        },
      }
      await this.#desk.run(order, scene, sink, abort.signal)
      channel.send({ type: 'job-done', job })
    } catch (error) {
      const code = error instanceof SortfirstError ? error.code : 'INTERNAL'
      channel.send({ type: 'job-failed', job, code, reason: messageOf(error) })
    } finally {
      this.#jobs.delete(job)
    }
  }

  /** Resolves when few enough frames are unacknowledged, or nobody waits for them any more. */
  async #room(signal: AbortSignal): Promise<void> {
    while (this.#inFlight >= FRAMES_IN_FLIGHT && !signal.aborted) {
      await new Promise<void>(resolve => {
        this.#roomWanted = resolve
      })
    }
  }
}
