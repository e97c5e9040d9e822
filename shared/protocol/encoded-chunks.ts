/**
 * Messages with chunks of parts, encoded once for all peers that are sent them: a master sends a scene to all of its workers at about
 * the same pace. A name of a part stands for its content, so equal names are equal messages.
 */
import { encodeBinary, type PartChunk } from './codec.ts'

/** A chunk has 1 MiB. Peers are as far apart as what the system takes for them before they read it. */
const MAX_KEPT = 16
/** While none is being sent: a peer is about to ask for the next one, or no one is for a long time. */
const MAX_IDLE = 4

/** A message; it must not be written to. */
export interface EncodedChunk {
  readonly bytes: Uint8Array<ArrayBuffer>
}

interface Kept extends EncodedChunk {
  /** How many peers are being sent it. */
  uses: number
}

export class EncodedChunks {
  /** The newest last. */
  readonly #kept = new Map<string, Kept>()
  /** How many peers are being sent one. */
  #uses = 0

  /** Bytes of memory that it holds. */
  get bytes(): number {
    return [...this.#kept.values()].reduce((sum, { bytes }) => sum + bytes.buffer.byteLength, 0)
  }

  /** To be given back when it has been sent. */
  take(chunk: PartChunk): EncodedChunk {
    const name = `${chunk.part} ${chunk.index}`
    const kept = this.#kept.get(name) ?? { bytes: encodeBinary(chunk, bytes => this.#room(bytes)), uses: 0 }
    kept.uses++
    this.#uses++
    this.#kept.delete(name)
    this.#kept.set(name, kept)
    return kept
  }

  give(chunk: EncodedChunk): void {
    ;(chunk as Kept).uses--
    this.#uses--
    for (const [name, { uses }] of this.#kept) {
      if (this.#kept.size <= this.#most) break
      if (uses === 0) this.#kept.delete(name)
    }
  }

  get #most(): number {
    return this.#uses > 0 ? MAX_KEPT : MAX_IDLE
  }

  /** The memory of the oldest that is not being sent, which the system need not provide again. */
  #room(bytes: number): Uint8Array<ArrayBuffer> {
    const oldest = this.#kept.size >= this.#most ? [...this.#kept].find(([, { uses }]) => uses === 0) : undefined
    if (oldest) this.#kept.delete(oldest[0])
    const buffer = oldest?.[1].bytes.buffer
    return buffer && buffer.byteLength >= bytes ? new Uint8Array(buffer, 0, bytes) : new Uint8Array(bytes)
  }
}
