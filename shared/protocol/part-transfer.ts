/**
 * Moves parts of scenes over a channel in chunks. The sending end has one loop per channel, so that chunks of two scenes never mix, and
 * stops with a scene that nobody wants any more. The receiving end takes what it asked for, in order, makes room as bytes
 * come and not as they are announced, and believes a part when its hash is right.
 */
import { keepNewest } from '../keep-newest.ts'
import type { HeldScene } from '../scene/held-scene.ts'
import type { ScenePart, Sha256 } from '../scene/manifest.ts'
import type { Channel } from './channel.ts'
import type { PartChunk } from './codec.ts'
import { ProtocolError } from './protocol-error.ts'
import { PART_CHUNK_BYTES } from './version.ts'

/** Sends parts, scene after scene, in the order in which they were asked for. */
export class PartSender {
  readonly #channel: Channel
  readonly #handedOver: (scene: string) => void
  /** Parts that are to be sent of each scene, the scene whose turn it is first. */
  readonly #queue = new Map<string, Map<string, Uint8Array>>()
  #running = false

  /** @param handedOver is told whenever a chunk of a scene was handed to the system */
  constructor(channel: Channel, handedOver: (scene: string) => void = () => {}) {
    this.#channel = channel
    this.#handedOver = handedOver
  }

  /**
   * Sends parts of a scene after all that are being sent, those among them only once.
   * @throws ProtocolError for parts that the scene does not have; then none is sent
   */
  send(scene: HeldScene, parts: readonly string[]): void {
    const content = parts.map((part): [string, Uint8Array] => {
      const bytes = scene.parts.get(part)
      if (!bytes) throw new ProtocolError(`scene ${short(scene.hash)} has no part ${short(part)}`)
      return [part, bytes]
    })
    this.#queue.set(scene.hash, new Map(content))
    void this.#run()
  }

  /** Sends nothing more of a scene, but for what others need of it. */
  stop(scene: string): void {
    this.#queue.delete(scene)
  }

  /** Sends nothing more. */
  end(): void {
    this.#queue.clear()
  }

  async #run(): Promise<void> {
    if (this.#running) return
    this.#running = true
    for (;;) {
      const [scene, parts] = this.#queue.entries().next().value ?? []
      if (scene === undefined || !parts) break
      const [part, bytes] = parts.entries().next().value ?? []
      if (part === undefined || !bytes) this.#queue.delete(scene)
      else if (await this.#sendPart(part, bytes, scene, () => this.#queue.get(scene) === parts))
        for (const others of this.#queue.values()) others.delete(part)
    }
    this.#running = false
  }

  /**
   * Each chunk when the one before was handed to the system: a slow peer slows the loop down and never fills the memory. False when
   * it is not wanted any more.
   */
  async #sendPart(part: string, bytes: Uint8Array, scene: string, wanted: () => boolean): Promise<boolean> {
    for (let index = 0; index * PART_CHUNK_BYTES < bytes.length; index++) {
      if (!wanted()) return false
      const body = bytes.subarray(index * PART_CHUNK_BYTES, (index + 1) * PART_CHUNK_BYTES)
      await this.#channel.sendBinary({ kind: 'part-chunk', part, index, body })
      this.#handedOver(scene)
    }
    return true
  }
}

/** Parts that were asked for and are remembered: far more than can be on their way. */
const MAX_ASKED = 1024

/** Puts parts together again. */
export class PartReceiver {
  readonly #sha256: Sha256
  /** Asked for and not there yet: their sizes. */
  readonly #expected = new Map<string, number>()
  /** The newest that were asked for, the newest last: who asks for a part twice may be sent it twice. */
  readonly #asked = new Set<string>()
  #current: { readonly part: string; bytes: Uint8Array<ArrayBuffer>; received: number } | undefined

  constructor(sha256: Sha256) {
    this.#sha256 = sha256
  }

  /** This part was asked for. */
  expect({ sha256, bytes }: ScenePart): void {
    this.#expected.set(sha256, bytes)
    this.#asked.delete(sha256)
    this.#asked.add(sha256)
    keepNewest(this.#asked, MAX_ASKED)
  }

  /** Nobody wants this part any more. */
  forget(part: string): void {
    this.#expected.delete(part)
    if (this.#current?.part === part) this.#current = undefined
  }

  /**
   * Takes the next chunk; the answer is its part, if that is whole now. A part that is begun anew, or left for another, begins again.
   * @throws ProtocolError for a chunk that nobody asked for, does not continue its part, or ends one that is not what it is named
   */
  take({ part, index, body }: PartChunk): { readonly part: string; readonly bytes: Uint8Array } | undefined {
    const total = this.#expected.get(part)
    if (total === undefined) {
      if (this.#asked.has(part)) return undefined
      throw new ProtocolError(`part ${short(part)} came that nobody asked for`)
    }
    if (index === 0) this.#current = { part, bytes: new Uint8Array(0), received: 0 }
    const current = this.#current
    const at = index * PART_CHUNK_BYTES
    if (current?.part !== part || at !== current.received || body.length !== Math.min(PART_CHUNK_BYTES, total - at))
      throw new ProtocolError(`part ${short(part)}: chunk ${index} of ${body.length} bytes does not continue it`)
    current.bytes = grown(current.bytes, at + body.length, total)
    current.bytes.set(body, at)
    current.received += body.length
    if (current.received < total) return undefined
    this.#current = undefined
    if (this.#sha256(current.bytes) !== part)
      throw new ProtocolError(`part ${short(part)}: what came is not what was announced`)
    this.#expected.delete(part)
    return { part, bytes: current.bytes }
  }
}

/** Room for `needed` bytes of `total`: twice what there was, so that a part that is announced and never comes takes next to nothing. */
function grown(bytes: Uint8Array<ArrayBuffer>, needed: number, total: number): Uint8Array<ArrayBuffer> {
  if (bytes.length >= needed) return bytes
  const larger = new Uint8Array(Math.min(total, Math.max(needed, 2 * bytes.length)))
  larger.set(bytes)
  return larger
}

const short = (sha256: string): string => sha256.slice(0, 12)
