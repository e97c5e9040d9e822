/** The messages in the bytes of a WebSocket connection (RFC 6455 §5.2), for a relay that is to know what passes it. */

/** A WebSocket frame, or the HTTP head before the first one. Peers of this project do not fragment, and mask with zeros. */
export interface Passing {
  readonly kind: 'head' | 'text' | 'binary' | 'sign'
  /** All of it, as it came. */
  readonly bytes: Buffer
  /** A view of `bytes`. */
  readonly payload: Buffer
}

const KINDS = { 1: 'text', 2: 'binary' } as const
const HEAD_END = '\r\n\r\n'

export class MessageReader {
  #rest: Buffer = Buffer.alloc(0)
  #isOpen = false

  /** What is complete with this chunk. */
  push(chunk: Buffer): Passing[] {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const all: Passing[] = []
    for (let next = this.#next(); next; next = this.#next()) all.push(next)
    return all
  }

  #next(): Passing | undefined {
    if (!this.#isOpen) {
      const end = this.#rest.indexOf(HEAD_END)
      if (end < 0) return undefined
      this.#isOpen = true
      const bytes = this.#take(end + HEAD_END.length)
      return { kind: 'head', bytes, payload: bytes }
    }
    const size = sizesOf(this.#rest)
    if (!size || this.#rest.length < size.head + size.payload) return undefined
    const bytes = this.#take(size.head + size.payload)
    const kind = KINDS[(bytes[0]! & 0x0f) as keyof typeof KINDS] ?? 'sign'
    return { kind, bytes, payload: bytes.subarray(size.head) }
  }

  #take(length: number): Buffer {
    const bytes = this.#rest.subarray(0, length)
    this.#rest = this.#rest.subarray(length)
    return bytes
  }
}

/** Bytes before the payload, and of it; undefined: not known yet. */
function sizesOf(bytes: Buffer): { head: number; payload: number } | undefined {
  if (bytes.length < 2) return undefined
  const mask = bytes[1]! & 0x80 ? 4 : 0
  const short = bytes[1]! & 0x7f
  if (short < 126) return { head: 2 + mask, payload: short }
  const wide = short === 126 ? 2 : 8
  if (bytes.length < 2 + wide) return undefined
  const payload = wide === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2))
  return { head: 2 + wide + mask, payload }
}

/** A message as a worker sends it: masked, with zeros. */
export function messageBytes(kind: 'text' | 'binary', payload: Uint8Array): Buffer {
  const head = Buffer.alloc(14)
  head[0] = kind === 'text' ? 0x81 : 0x82
  head[1] = 0x80 | 127
  head.writeBigUInt64BE(BigInt(payload.length), 2)
  return Buffer.concat([head, payload])
}
