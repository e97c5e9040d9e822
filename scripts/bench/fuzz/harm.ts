/** Makes of honest messages what a hostile peer sends: one of them harmed, at the wrong time, twice, or of another conversation. */
import { type BinaryMessage, encodeBinary, HEADER_BYTES } from '../../../shared/protocol/codec.ts'
import type { Dice } from './dice.ts'
import { anyValue, harmed, harmedBytes, joined, lyingHeader } from './mutations.ts'
import { ALL, isBinary, type Said, wireOf } from './scripts.ts'
import type { Wire } from './tape.ts'

/** What a hostile peer says: an honest beginning, and then a few messages, most of them harmed. */
export function hostile(script: readonly Said[], dice: Dice): Wire[] {
  const begin = script.slice(0, dice.below(script.length + 1)).map(wireOf)
  const then = Array.from({ length: 1 + dice.below(3) }, () => {
    // Often the message whose turn it is.
    const said = dice.chance(0.6)
      ? (script[begin.length] ?? dice.pick(script))
      : dice.pick(dice.chance(0.8) ? script : ALL)
    return dice.chance(0.15) ? wireOf(said) : harmedWire(said, dice)
  })
  return [...begin, ...then]
}

/** A message with one harm or two. */
export function harmedWire(said: Said, dice: Dice): Wire {
  if (dice.chance(0.02)) return dice.chance(0.5) ? JSON.stringify(anyValue(dice)) : dice.bytes(dice.below(256))
  if (!isBinary(said)) {
    if (dice.chance(0.05)) return textOf(harmedBytes(new TextEncoder().encode(JSON.stringify(said)), dice))
    const once = harmed(said, dice)
    return JSON.stringify(dice.chance(0.2) ? harmed(once, dice) : once) ?? 'null'
  }
  switch (dice.below(5)) {
    case 0:
      return harmedBytes(encodeBinary(said), dice)
    case 1:
      return lyingHeader(encodeBinary(said), dice)
    case 2:
      return withMeta(encodeBinary(said), meta => harmed(meta, dice))
    case 3:
      return encodeBinary({ ...said, body: harmedBytes(said.body, dice) })
    default:
      return encodeBinary(resized(said, dice))
  }
}

/** A message that agrees with itself, and has another size than was asked for. */
function resized(said: BinaryMessage, dice: Dice): BinaryMessage {
  const length = dice.chance(0.5)
    ? 2 ** dice.below(15)
    : Math.max(0, said.body.length + dice.pick([-72, -3, -1, 1, 3, 72]))
  const body = new Uint8Array(length)
  return said.kind === 'part-chunk' ? { ...said, body } : { ...said, encoding: 'raw', rawBytes: length, body }
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

const META_BYTES_AT = 36

/** A binary frame whose meta is another, with the right length. */
function withMeta(frame: Uint8Array, change: (meta: unknown) => unknown): Uint8Array<ArrayBuffer> {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength)
  const end = HEADER_BYTES + view.getUint32(META_BYTES_AT, true)
  const meta = new TextEncoder().encode(
    JSON.stringify(change(JSON.parse(textOf(frame.subarray(HEADER_BYTES, end))))) ?? 'null',
  )
  const changed = joined(frame.subarray(0, HEADER_BYTES), meta, frame.subarray(end))
  new DataView(changed.buffer).setUint32(META_BYTES_AT, meta.length, true)
  return changed
}
