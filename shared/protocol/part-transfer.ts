/**
 * Transfers parts of scenes over a channel in chunks. The sending end has one loop per channel, so that chunks of two scenes never
 * mix, and stops sending a scene that is no longer wanted. The receiving end accepts only what it requested, in order, allocates as
 * bytes arrive and not as they are announced, and accepts a part only if its hash is right.
 */
import { keepNewest } from '../keep-newest.ts'
import type { NamedScene } from '../scene/held-scene.ts'
import type { ScenePart } from '../scene/manifest.ts'
import type { Channel } from './channel.ts'
import type { PartChunk } from './codec.ts'
import { MAX_EXPECTED_PARTS } from './peer-limits.ts'
import { ProtocolError } from './protocol-error.ts'
import { PART_CHUNK_BYTES } from './version.ts'

/** Sends parts, scene by scene, in the order in which they were requested. */
export class PartSender {
  readonly #channel: Channel
  readonly #handedOver: (scene: string) => void
  /** The scenes of which parts are still to be sent, the current one first. */
  readonly #queue = new Map<string, { readonly scene: NamedScene; readonly parts: Set<string> }>()
  #running = false

  /** @param handedOver called whenever a chunk of a scene has been handed to the system */
  constructor(channel: Channel, handedOver: (scene: string) => void = () => {}) {
    this.#channel = channel
    this.#handedOver = handedOver
  }

  /**
   * Sends parts of a scene after all queued ones; a part that is in both is sent once. Sends none of a scene whose content cannot be had.
   * @throws ProtocolError if the scene does not have one of the parts; then none is sent
   */
  send(scene: NamedScene, parts: readonly string[]): void {
    const own = new Set(scene.manifest.parts.map(({ sha256 }) => sha256))
    for (const part of parts)
      if (!own.has(part)) throw new ProtocolError(`scene ${short(scene.hash)} has no part ${short(part)}`)
    this.#queue.set(scene.hash, { scene, parts: new Set(parts) })
    void this.#run()
  }

  /** Whether parts of a scene are still to be sent. */
  isSending(scene: string): boolean {
    return this.#queue.has(scene)
  }

  /** Stops sending a scene, except for parts that other queued scenes need. */
  stop(scene: string): void {
    this.#queue.delete(scene)
  }

  /** Stops sending anything. */
  end(): void {
    this.#queue.clear()
  }

  async #run(): Promise<void> {
    if (this.#running) return
    this.#running = true
    for (let next = this.#next(); next; next = this.#next()) {
      const { scene, parts } = next
      const { hash } = scene
      const isWanted = () => this.#queue.get(hash) === next
      const [part] = parts
      const bytes = part === undefined ? undefined : await partOf(scene, part)
      if (part === undefined || !bytes) {
        if (isWanted()) this.#queue.delete(hash)
      } else if (await this.#sendPart(part, bytes, hash, isWanted))
        for (const others of this.#queue.values()) others.parts.delete(part)
    }
    this.#running = false
  }

  #next(): { readonly scene: NamedScene; readonly parts: Set<string> } | undefined {
    return this.#queue.values().next().value
  }

  /**
   * Sends each chunk once the previous one has been handed to the system: a slow peer slows the loop down and never fills the
   * memory. False if the part is no longer wanted.
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

/** Undefined if the content cannot be had: the client that provided the scene learns of that, too. */
async function partOf(scene: NamedScene, part: string): Promise<Uint8Array | undefined> {
  const content = await scene.content().catch(() => undefined)
  return content?.parts.get(part)
}

/** How many requested parts are remembered: far more than can be in flight. */
const MAX_ASKED = 1024

/** SHA-256 of bytes that come one after the other; the implementation depends on the platform. */
export interface RunningHash {
  update(bytes: Uint8Array): void
  /** In hex. Called once, at the end. */
  digest(): string
}

/** Reassembles parts. */
export class PartReceiver {
  readonly #startHash: () => RunningHash
  /** Sizes of the parts that were requested and are not complete yet. */
  readonly #expected = new Map<string, number>()
  /** The most recently requested parts, newest last: a part that is requested twice may arrive twice. */
  readonly #asked = new Set<string>()
  #current: Arriving | undefined

  constructor(startHash: () => RunningHash) {
    this.#startHash = startHash
  }

  /** Registers a requested part. */
  expect({ sha256, bytes }: ScenePart): void {
    this.#expected.set(sha256, bytes)
    keepNewest(this.#expected, MAX_EXPECTED_PARTS)
    this.#asked.delete(sha256)
    this.#asked.add(sha256)
    keepNewest(this.#asked, MAX_ASKED)
  }

  /** The part is no longer wanted. */
  forget(part: string): void {
    this.#expected.delete(part)
    if (this.#current?.part === part) this.#current = undefined
  }

  /**
   * Takes the next chunk; returns its part if it is complete now. A part that restarts or was interrupted begins at chunk 0 again.
   * @throws ProtocolError for a chunk that was not requested, does not continue its part, or completes one with the wrong hash
   */
  take({ part, index, body }: PartChunk): { readonly part: string; readonly bytes: Uint8Array } | undefined {
    const total = this.#expected.get(part)
    if (total === undefined) {
      if (this.#asked.has(part)) return undefined
      throw new ProtocolError(`part ${short(part)} came but was not requested`)
    }
    if (index === 0) this.#current = { part, first: [], received: 0, hash: this.#startHash() }
    const current = this.#current
    const at = index * PART_CHUNK_BYTES
    if (current?.part !== part || at !== current.received || body.length !== Math.min(PART_CHUNK_BYTES, total - at))
      throw new ProtocolError(`part ${short(part)}: chunk ${index} of ${body.length} bytes does not continue it`)
    const bytes = place(current, body, total)
    // Chunk by chunk: a large part at once would hold up everything else.
    current.hash.update(body)
    current.received += body.length
    if (!bytes || current.received < total) return undefined
    this.#current = undefined
    if (current.hash.digest() !== part)
      throw new ProtocolError(`part ${short(part)}: its content does not match its hash`)
    this.#expected.delete(part)
    return { part, bytes }
  }
}

interface Arriving {
  readonly part: string
  /** Its first chunks, until there is room for all. */
  first: Uint8Array[]
  bytes?: Uint8Array<ArrayBuffer>
  received: number
  readonly hash: RunningHash
}

/** Room for a whole part is allocated when one byte in so many has come: a part that is announced but never sent takes little memory. */
const ROOM_PER_BYTE = 8

/** Puts the next chunk of `total` bytes in its place; returns the part as far as it is there, once there is room for all of it. */
function place(arriving: Arriving, body: Uint8Array, total: number): Uint8Array<ArrayBuffer> | undefined {
  const { first, received } = arriving
  if (!arriving.bytes && (received + body.length) * ROOM_PER_BYTE < total) {
    first.push(body)
    return undefined
  }
  if (!arriving.bytes) {
    arriving.bytes = new Uint8Array(total)
    for (const [i, chunk] of first.entries()) arriving.bytes.set(chunk, i * PART_CHUNK_BYTES)
    arriving.first = []
  }
  arriving.bytes.set(body, received)
  return arriving.bytes
}

const short = (sha256: string): string => sha256.slice(0, 12)
