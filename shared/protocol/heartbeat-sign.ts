/**
 * What a ping says beside that its sender lives: three unsigned 32-bit numbers, little-endian. Pings of others, which carry nothing
 * or something else, are pings all the same.
 */
export interface Sign {
  /** Number of this ping on its connection, from 1. */
  readonly ping: number
  /** Number of the newest ping of the other end that its sender has heard; 0: none. */
  readonly heard: number
  /** For how long its sender has heard nothing at all, ms. */
  readonly silentMs: number
}

const SIGN_BYTES = 12

export function signBytes({ ping, heard, silentMs }: Sign): Uint8Array {
  const view = new DataView(new ArrayBuffer(SIGN_BYTES))
  for (const [i, value] of [ping, heard, silentMs].entries()) view.setUint32(4 * i, value, true)
  return new Uint8Array(view.buffer)
}

/** Undefined for a ping that carries no sign. */
export function signOf(bytes: Uint8Array): Sign | undefined {
  if (bytes.length !== SIGN_BYTES) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, SIGN_BYTES)
  const [ping, heard, silentMs] = [0, 4, 8].map(at => view.getUint32(at, true)) as [number, number, number]
  return { ping, heard, silentMs }
}
