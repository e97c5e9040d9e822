/**
 * Records as a device has them that has no doubles: the fields that it reads, by the names that they are declared with, doubles as floats, laid out by the
 * rules of WGSL for uniform buffers (https://www.w3.org/TR/WGSL/#alignment-and-size). Shaders read them there, or word by word out of an array of words.
 */
import { InvariantError } from '../../../shared/errors.ts'
import type { KernelMemory } from '../wasm/memory.ts'
import type { Fields, RecordOf } from '../wasm/records/record.ts'

export interface DeviceRecord {
  readonly words: number
  /** The struct, and a constant with its words. */
  readonly wgsl: string
  /** A function that reads the struct from a place in the array `tables`. What its caller does not use of it, compilers do not load. */
  readonly reader: string
  /** Words from its beginning to a field. */
  wordOf(field: string): number
  /** Writes the record at an address of the memory as the words from `to` on. */
  pack(memory: KernelMemory, at: number, words: Uint32Array, to: number, moved?: Moved): void
}

/** Where a device has what is at an address of the kernel's memory. */
export type Moved = (address: number) => number

/** How so many numbers are held: types, of which a matrix has its rows of the host as columns, and words of which a place is a multiple. */
const SHAPES: Readonly<Record<number, { readonly type: (number: string) => string; readonly align: number }>> = {
  1: { type: number => number, align: 1 },
  2: { type: number => `vec2<${number}>`, align: 2 },
  3: { type: number => `vec3<${number}>`, align: 4 },
  4: { type: number => `vec4<${number}>`, align: 4 },
  6: { type: number => `mat2x3<${number}>`, align: 4 },
}
/** Where the numbers of these are. */
const wordIn = (count: number, i: number): number => (count === 6 && i >= 3 ? i + 1 : i)

type Names<F extends Fields> = readonly (keyof F & string)[]

/**
 * @param addresses those of the fields that are addresses, in whose place a device has its own
 * @param within the records that fields of several have
 * @throws InvariantError for a field that has no such type
 */
export function deviceRecord<F extends Fields>(
  { name, fields }: RecordOf<F>,
  wanted: Names<F>,
  addresses: Names<F> = [],
  within: Readonly<Record<string, DeviceRecord>> = {},
): DeviceRecord {
  let next = 0
  const place = (align: number, words: number): number => {
    const word = Math.ceil(next / align) * align
    next = word + words
    return word
  }
  const placed = wanted.map(key => {
    const { kind, scalar, count, offset, of } = fields[key]!
    const inner = within[key]
    if (kind === 'records' && of && inner) {
      const word = place(4, inner.words * count)
      return { key, word, scalar, count, offset, several: { of, inner }, type: `array<${of.name}, ${count}>` }
    }
    const shape = SHAPES[count]
    if (!shape || !(scalar === 'u32' || scalar === 'f32' || scalar === 'f64'))
      throw new InvariantError(`${name}.${key}: a device reads no ${count} ${scalar}`)
    const number = scalar === 'u32' ? 'u32' : 'f32'
    const word = place(shape.align, wordIn(count, count - 1) + 1)
    const parts = Array.from({ length: count }, (_, i) => READS[number](word + wordIn(count, i)))
    const type = shape.type(number)
    return { key, word, scalar, count, offset, type, read: count === 1 ? parts[0]! : `${type}(${parts.join(', ')})` }
  })
  const words = Math.ceil(next / 4) * 4
  const members = placed.map(({ key, type }, i) => `  ${i === 0 ? '@align(16) ' : ''}${memberOf(key)}: ${type},`)
  return {
    words,
    // A vector of four in it would align it so, too, but it may have none.
    wgsl: `struct ${name} {\n${members.join('\n')}\n}\nconst ${snake(name).slice(1).toUpperCase()}_WORDS = ${words}u;\n`,
    reader: `fn read${snake(name)}(at: u32) -> ${name} {\n  return ${name}(${placed.map(({ read }) => read).join(', ')});\n}\n`,
    wordOf: field => placed.find(({ key }) => key === field)!.word,
    pack: (memory, at, into, to, moved) => {
      const floats = new Float32Array(into.buffer, into.byteOffset, into.length)
      for (const { key, word, scalar, count, offset, several } of placed)
        for (let i = 0; i < count; i++)
          if (several)
            several.inner.pack(
              memory,
              at + offset + i * several.of.bytes,
              into,
              to + word + i * several.inner.words,
              moved,
            )
          else if (scalar === 'f64') floats[to + word + wordIn(count, i)] = memory.doubles[(at + offset) / 8 + i]!
          else {
            const value = memory.words[(at + offset) / 4 + i]!
            into[to + word + wordIn(count, i)] = moved && addresses.includes(key) ? moved(value) : value
          }
    },
  }
}

/** How a number behind so many words is read. */
const READS = {
  u32: (word: number) => `tables[at + ${word}u]`,
  f32: (word: number) => `float_at(at + ${word}u)`,
} as const

/** WGSL keeps some words for itself. */
const memberOf = (key: string): string => (key === 'set' ? 'set_' : snake(key))

/** As names in WGSL are written; of a name with a capital with an underscore before it. */
export const snake = (name: string): string => name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
