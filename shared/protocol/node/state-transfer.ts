/**
 * What there is of a frame, from one end of a connection to the other: section by section, in chunks, each encoded in another thread and
 * sent when the one before has been handed to the system. The receiving end takes memory for a section when its first bytes come.
 */
import { bytesPerPixel } from '../../frame/channels.ts'
import { type FrameState, hasValue } from '../../frame/frame-state.ts'
import { type StateHead, sectionBytes, sectionsOf, stateOf } from '../../frame/state-head.ts'
import type { Channel } from '../channel.ts'
import type { StateChunk } from '../codec.ts'
import type { Encoding } from '../messages.ts'
import { ProtocolError } from '../protocol-error.ts'
import { PART_CHUNK_BYTES } from '../version.ts'
import { decodeBytes, encodeAside } from './pixel-encoding.ts'

/** @param isWanted whether to go on */
export async function sendState(
  channel: Channel,
  encoding: Encoding,
  of: { readonly session: number; readonly frame: number },
  state: FrameState,
  isWanted: () => boolean,
): Promise<void> {
  let index = 0
  for (const [i, section] of sectionsOf(state).entries()) {
    const plane = state.planes[i]
    const unit = plane ? bytesPerPixel(plane.channel) : 1
    const most = Math.floor(PART_CHUNK_BYTES / unit) * unit
    for (let at = 0; at < section.length; at += most) {
      if (!isWanted()) return
      // Memory of its own, which may be shared with no other thread.
      const bytes = Uint8Array.from(section.subarray(at, at + most))
      if (plane) blank(state, plane.isNewest, bytes, at / unit, unit)
      const body = await encodeAside(encoding, bytes)
      await channel.sendBinary({ kind: 'state-chunk', ...of, index: index++, encoding, rawBytes: bytes.length, body })
    }
  }
}

/** Pixels without samples have what was in that memory before, which is nobody else's business. */
function blank(state: FrameState, isNewest: boolean, bytes: Uint8Array, first: number, unit: number): void {
  const isThere = hasValue(state, isNewest)
  for (let i = 0; i * unit < bytes.length; i++) if (!isThere(first + i)) bytes.fill(0, i * unit, (i + 1) * unit)
}

export class ArrivingState {
  readonly #head: StateHead
  readonly #lengths: readonly number[]
  /** The last of them may not be complete. */
  readonly #sections: Uint8Array[] = []
  /** Bytes of the last that are there. */
  #at = 0
  #chunks = 0

  /** @param head which was compared with what may come */
  constructor(head: StateHead) {
    this.#head = head
    this.#lengths = sectionBytes(head)
    this.#next()
  }

  get isComplete(): boolean {
    return this.#sections.length === this.#lengths.length && this.#left === 0
  }

  /** All of it, in memory that threads share, once it is complete. */
  get state(): FrameState {
    return stateOf(this.#head, this.#sections)
  }

  /** @throws ProtocolError for bytes that do not follow those before */
  take({ frame, index, encoding, rawBytes, body }: StateChunk): void {
    if (index !== this.#chunks || rawBytes < 1 || rawBytes > Math.min(PART_CHUNK_BYTES, this.#left))
      throw new ProtocolError(
        `what there is of frame ${frame}: chunk ${index} of ${rawBytes} bytes does not continue it`,
      )
    const bytes = decodeBytes(encoding, body, rawBytes)
    const section = this.#sections.at(-1)!
    section.set(bytes, this.#at)
    this.#at += bytes.length
    this.#chunks++
    if (this.#left === 0) this.#next()
  }

  /** Bytes that the current section lacks. */
  get #left(): number {
    return this.#sections.at(-1)!.length - this.#at
  }

  /** Begins the next section that is not empty, if there is one. Pages of its memory are taken as they are written to. */
  #next(): void {
    while (this.#sections.length < this.#lengths.length) {
      const length = this.#lengths[this.#sections.length]!
      this.#sections.push(new Uint8Array(new SharedArrayBuffer(length)))
      this.#at = 0
      if (length > 0) return
    }
  }
}
