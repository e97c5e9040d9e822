/** Whole numbers in as few bytes as they need: seven bits each, the lowest first, as in Google's protocol buffers. As text in base64. */

export class NumberWriter {
  readonly #bytes: number[] = []

  /** @param value rounded; below 0 it is 0 */
  put(...values: readonly number[]): void {
    for (const value of values) {
      let rest = Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, Math.round(value) || 0))
      // Bit operations have 32 bits.
      for (; rest > 127; rest = Math.floor(rest / 128)) this.#bytes.push((rest % 128) + 128)
      this.#bytes.push(rest)
    }
  }

  get text(): string {
    let text = ''
    for (const byte of this.#bytes) text += String.fromCharCode(byte)
    return btoa(text)
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
