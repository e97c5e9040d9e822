/** Whole numbers in as few bytes as they need: seven bits each, the lowest first, as in Google's protocol buffers. As text in base64. */

/** Characters that are made of bytes at once. */
const AT_ONCE = 4096

export class NumberWriter {
  #bytes = new Uint8Array(512)
  #length = 0

  /** Each rounded; below 0 it is 0. */
  put(...values: readonly number[]): void {
    for (const value of values) this.one(value)
  }

  /** As `put`, without a list: a frame of hundreds of areas has thousands. */
  one(value: number): void {
    let rest = Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, Math.round(value) || 0))
    // Bit operations have 32 bits.
    for (; rest > 127; rest = Math.floor(rest / 128)) this.#byte((rest % 128) + 128)
    this.#byte(rest)
  }

  get text(): string {
    let text = ''
    for (let at = 0; at < this.#length; at += AT_ONCE)
      text += String.fromCharCode.apply(
        undefined,
        this.#bytes.subarray(at, Math.min(this.#length, at + AT_ONCE)) as unknown as number[],
      )
    return btoa(text)
  }

  #byte(byte: number): void {
    if (this.#length === this.#bytes.length) {
      const more = new Uint8Array(2 * this.#length)
      more.set(this.#bytes)
      this.#bytes = more
    }
    this.#bytes[this.#length++] = byte
  }
}

export class NumberReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = atob(text)
  }

  /** 0 beyond the end. */
  take(): number {
    let value = 0
    for (let unit = 1; this.#at < this.#text.length; unit *= 128) {
      const byte = this.#text.charCodeAt(this.#at++)
      value += (byte % 128) * unit
      if (byte < 128) break
    }
    return value
  }
}
