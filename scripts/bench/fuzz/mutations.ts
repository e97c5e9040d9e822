/** Harms messages: the fields of JSON, the bytes of binary frames, and above all the numbers that say how long something is. */
import type { Dice } from './dice.ts'

/** Numbers at which something may overflow. */
const EDGES = [
  ...[-1, 0, 1, 2, 63, 64, 255, 256, 16384, 16385, 65535, 65536, 2 ** 20, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32],
  ...[2 ** 53 - 1, 2 ** 53, 1e308, -1e308, 5e-324, 0.5, -0, 1e-7],
] as const

const TEXTS = [
  '',
  'x',
  '\u0000',
  '\u202e',
  '\ud800',
  '__proto__',
  'constructor',
  'NaN',
  '0',
  'a'.repeat(64),
  'f'.repeat(64),
]

/** A value of any kind that no schema expects. */
export function anyValue(dice: Dice): unknown {
  switch (dice.below(9)) {
    case 0:
      return null
    case 1:
      return dice.chance(0.5)
    case 2:
      return dice.pick(EDGES)
    case 3:
      return dice.pick(TEXTS)
    case 4:
      return []
    case 5:
      return {}
    case 6:
      return 'x'.repeat(2 ** dice.below(14))
    case 7:
      return Array.from({ length: 2 ** dice.below(11) }, () => dice.pick(EDGES))
    default:
      return nested(2 ** dice.below(12))
  }
}

function nested(depth: number): unknown {
  let value: unknown = 0
  for (let i = 0; i < depth; i++) value = i % 2 ? [value] : { a: value }
  return value
}

/** A copy of plain data with one harm, somewhere in it. */
export function harmed(value: unknown, dice: Dice): unknown {
  if (dice.chance(0.08) || typeof value !== 'object' || value === null) return harmedLeaf(value, dice)
  if (Array.isArray(value)) {
    const copy = [...value]
    const at = dice.below(copy.length + 1)
    const harm = dice.below(6)
    if (harm === 5) return dice.chance(0.5) ? [] : copy.reverse()
    if (at === copy.length || harm === 0) copy.splice(at, 0, anyValue(dice))
    else if (harm === 1) copy.splice(at, 1)
    else if (harm === 2) copy.push(...copy.slice(0, 64))
    else copy[at] = harmed(copy[at], dice)
    return copy
  }
  const copy: Record<string, unknown> = { ...value }
  const names = Object.keys(copy)
  const name = dice.pick([...names, 'extra'])
  const harm = dice.below(8)
  if (harm === 0) delete copy[name]
  else if (harm === 1) copy[dice.pick([...TEXTS, 'more', 'built', 'end', 'pattern', 'part'])] = anyValue(dice)
  else if (harm === 2 && names.length > 1) copy[name] = copy[dice.pick(names)]
  else copy[name] = harmed(copy[name], dice)
  return copy
}

function harmedLeaf(value: unknown, dice: Dice): unknown {
  if (dice.chance(0.3)) return anyValue(dice)
  if (typeof value === 'number') {
    if (dice.chance(0.5)) return dice.pick(EDGES)
    return dice.pick([value + 1, value - 1, -value, value * 2, value / 3, value + 2 ** 32])
  }
  if (typeof value === 'string') {
    if (dice.chance(0.4)) return dice.pick(TEXTS)
    const at = dice.below(value.length + 1)
    return (
      value.slice(0, at) + dice.pick(['', '0', 'z', '\n', '\u001b[31m', '\udc00']) + value.slice(at + dice.below(2))
    )
  }
  return anyValue(dice)
}

/** A copy of bytes, harmed without regard to what they mean. */
export function harmedBytes(bytes: Uint8Array, dice: Dice): Uint8Array<ArrayBuffer> {
  switch (dice.below(6)) {
    case 0:
      return bytes.slice(0, dice.below(bytes.length + 1))
    case 1:
      return joined(bytes, dice.bytes(1 + dice.below(64)))
    case 2: {
      const at = dice.below(bytes.length + 1)
      return joined(bytes.subarray(0, at), dice.bytes(dice.below(9)), bytes.subarray(at + dice.below(9)))
    }
    default: {
      const copy = Uint8Array.from(bytes)
      for (let times = 1 + dice.below(4); times > 0 && copy.length > 0; times--) {
        const at = dice.below(copy.length)
        copy[at] = dice.chance(0.5) ? dice.pick([0, 1, 0x7f, 0x80, 0xff]) : copy[at]! ^ (1 << dice.below(8))
      }
      return copy
    }
  }
}

/** Where a binary frame's header has its words (`codec.ts`). */
const HEADER_WORDS = [0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44] as const

/** A copy of a binary frame with one word of its header replaced, as by a peer that lies about what follows. */
export function lyingHeader(frame: Uint8Array, dice: Dice): Uint8Array<ArrayBuffer> {
  const copy = Uint8Array.from(frame)
  const view = new DataView(copy.buffer)
  const at = dice.pick(HEADER_WORDS)
  if (at + 4 > copy.length) return copy
  const before = view.getUint32(at, true)
  view.setUint32(at, dice.chance(0.5) ? dice.pick(EDGES) : before + dice.pick([1, -1, 4, -4, 65536]), true)
  return copy
}

export function joined(...pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}
