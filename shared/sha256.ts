/**
 * SHA-256 (FIPS 180-4, "Secure Hash Standard", NIST 2015, §6.2) in plain JavaScript, for runtimes that have none which takes bytes piece by
 * piece: a browser's `crypto.subtle` wants them all at once, and is not there at all on pages without encryption. Some 150 MB/s; programs in Node.js
 * use its own (`node/sha256.ts`).
 */
import type { RunningHash } from './protocol/part-transfer.ts'

const BLOCK_BYTES = 64

const PRIMES = firstPrimes(64)
/** First 32 bits of the fractional part: of 36 significant bits, far fewer than a double has. */
const fraction = (value: number): number => Math.floor((value % 1) * 2 ** 32) | 0
/** Initial state (§5.3.3) and constants of the rounds (§4.2.2). */
const START = Int32Array.from(PRIMES.slice(0, 8), prime => fraction(Math.sqrt(prime)))
const ROUNDS = Int32Array.from(PRIMES, prime => fraction(Math.cbrt(prime)))

export function startSha256(): RunningHash {
  const state = START.slice()
  const words = new Int32Array(64)
  /** Bytes that do not fill a block yet. */
  const rest = new Uint8Array(BLOCK_BYTES)
  let length = 0
  const update = (bytes: Uint8Array): void => {
    let at = 0
    const held = length % BLOCK_BYTES
    length += bytes.length
    if (held > 0) {
      at = Math.min(BLOCK_BYTES - held, bytes.length)
      rest.set(bytes.subarray(0, at), held)
      if (held + at < BLOCK_BYTES) return
      takeBlock(state, words, rest, 0)
    }
    for (; at + BLOCK_BYTES <= bytes.length; at += BLOCK_BYTES) takeBlock(state, words, bytes, at)
    rest.set(bytes.subarray(at))
  }
  return {
    update,
    digest() {
      const bits = length * 8
      // §5.1.1: a one, zeros, and the length in bits fill the last block.
      const zeros = (BLOCK_BYTES + 55 - (length % BLOCK_BYTES)) % BLOCK_BYTES
      const end = new Uint8Array(1 + zeros + 8)
      end[0] = 0x80
      const view = new DataView(end.buffer, 1 + zeros)
      view.setUint32(0, Math.floor(bits / 2 ** 32))
      view.setUint32(4, bits % 2 ** 32)
      update(end)
      return [...state].map(word => (word >>> 0).toString(16).padStart(8, '0')).join('')
    },
  }
}

/** §6.2.2; the names are those of the standard. */
function takeBlock(state: Int32Array, words: Int32Array, bytes: Uint8Array, at: number): void {
  for (let t = 0; t < 16; t++) {
    const from = at + 4 * t
    words[t] = (bytes[from]! << 24) | (bytes[from + 1]! << 16) | (bytes[from + 2]! << 8) | bytes[from + 3]!
  }
  for (let t = 16; t < 64; t++) {
    const [early, late] = [words[t - 15]!, words[t - 2]!]
    const sigma0 = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3)
    const sigma1 = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10)
    words[t] = (sigma1 + words[t - 7]! + sigma0 + words[t - 16]!) | 0
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number]
  for (let t = 0; t < 64; t++) {
    const choice = (e & f) ^ (~e & g)
    const first = (h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + choice + ROUNDS[t]! + words[t]!) | 0
    const majority = (a & b) ^ (a & c) ^ (b & c)
    const second = ((rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + majority) | 0
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + second) | 0
  }
  state[0]! += a
  state[1]! += b
  state[2]! += c
  state[3]! += d
  state[4]! += e
  state[5]! += f
  state[6]! += g
  state[7]! += h
}

const rotated = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits))

function firstPrimes(count: number): number[] {
  const primes: number[] = []
  for (let next = 2; primes.length < count; next++) if (primes.every(prime => next % prime !== 0)) primes.push(next)
  return primes
}
