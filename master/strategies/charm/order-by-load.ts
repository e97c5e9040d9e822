/**
 * Objects in order of their loads. Greedy repeatedly takes the heaviest object and puts none back, so a list sorted once
 * replaces the object heap of the pseudo-code. It uses an LSD radix sort, which for 10⁵ objects is several times as fast
 * as a comparison sort: the bits of non-negative doubles are in the order of their values.
 */

/** Bits of a digit; a 64-bit key has six. This many counters fit in a first-level cache. */
const DIGIT_BITS = 11
const DIGIT_VALUES = 1 << DIGIT_BITS

/** All objects, heaviest first, ties by lower number. `loads` are finite and not negative. */
export function heaviestFirst(loads: Float64Array): Uint32Array {
  let from = keysOf(loads)
  let to = emptyKeys(loads.length)
  for (const word of ['low', 'high'] as const) {
    for (let shift = 0; shift < 32; shift += DIGIT_BITS) {
      if (scatter(from, to, word, shift)) [from, to] = [to, from]
    }
  }
  return from.objects
}

/** All objects, lightest first, ties by lower number, derived from the order above. */
export function lightestFirst(loads: Float64Array, heaviest: Uint32Array): Uint32Array {
  const order = new Uint32Array(heaviest.length)
  let filled = 0
  for (let end = heaviest.length; end > 0; ) {
    const load = loads[heaviest[end - 1]!]!
    let start = end - 1
    while (start > 0 && loads[heaviest[start - 1]!] === load) start--
    for (let i = start; i < end; i++) order[filled++] = heaviest[i]!
    end = start
  }
  return order
}

/** The words of the keys, and the objects they belong to, in one order. */
interface Keys {
  readonly objects: Uint32Array
  readonly low: Uint32Array
  readonly high: Uint32Array
}

const emptyKeys = (count: number): Keys => ({
  objects: new Uint32Array(count),
  low: new Uint32Array(count),
  high: new Uint32Array(count),
})

/** Bits are inverted, so that the heaviest has the smallest key. */
function keysOf(loads: Float64Array): Keys {
  const keys = emptyKeys(loads.length)
  const { objects, low, high } = keys
  // Adding 0 turns a negative zero, whose bits are those of a large number, into a positive one.
  const plain = loads.map(load => load + 0)
  const words = new Uint32Array(plain.buffer, plain.byteOffset, plain.length * 2)
  const lowFirst = new Uint8Array(Uint32Array.of(1).buffer)[0]!
  for (let i = 0; i < loads.length; i++) {
    objects[i] = i
    low[i] = ~words[2 * i + 1 - lowFirst]!
    high[i] = ~words[2 * i + lowFirst]!
  }
  return keys
}

/** Stable sort of the keys by one digit; does nothing and returns false if all digits are equal. */
function scatter(from: Keys, to: Keys, word: 'low' | 'high', shift: number): boolean {
  const digits = from[word]
  const count = digits.length
  const places = new Uint32Array(DIGIT_VALUES)
  for (let i = 0; i < count; i++) places[(digits[i]! >>> shift) & (DIGIT_VALUES - 1)]!++
  if (count === 0 || places[(digits[0]! >>> shift) & (DIGIT_VALUES - 1)] === count) return false
  let place = 0
  for (let value = 0; value < DIGIT_VALUES; value++) {
    const many = places[value]!
    places[value] = place
    place += many
  }
  const { objects, low, high } = from
  const { objects: toObjects, low: toLow, high: toHigh } = to
  for (let i = 0; i < count; i++) {
    const at = places[(digits[i]! >>> shift) & (DIGIT_VALUES - 1)]!++
    toObjects[at] = objects[i]!
    toLow[at] = low[i]!
    toHigh[at] = high[i]!
  }
  return true
}
