/**
 * Records as a device has them that has no doubles: the fields that it reads, by the names that they are declared with, doubles as floats, laid out by the
 * rules of WGSL (https://www.w3.org/TR/WGSL/#alignment-and-size) for uniform buffers and storage alike.
 */
import { InvariantError } from '../../../shared/errors.ts'
import type { KernelMemory } from '../wasm/memory.ts'
import type { Field, RecordOf } from '../wasm/records/record.ts'

export interface DeviceRecord {
  readonly wgsl: string
  readonly words: number
  /** Words from its beginning to a field. */
  wordOf(field: string): number
  /** Writes the record at an address of the memory as the words from `to` on. */
  pack(memory: KernelMemory, at: number, words: Uint32Array, to: number): void
}

/** Words from the beginning of a vector of so many numbers to that of the next. */
const ALIGN = [0, 1, 2, 4, 4] as const

/** @throws InvariantError for a field that has no such type */
export function deviceRecord<F extends Readonly<Record<string, Field>>>(
  { name, fields }: RecordOf<F>,
  wanted: readonly (keyof F & string)[],
): DeviceRecord {
  let next = 0
  const placed = wanted.map(key => {
    const { scalar, count, offset } = fields[key]!
    const align = ALIGN[count]
    if (align === undefined || !(scalar === 'u32' || scalar === 'f32' || scalar === 'f64'))
      throw new InvariantError(`${name}.${key}: a device reads no ${count} ${scalar}`)
    const word = Math.ceil(next / align) * align
    next = word + count
    const type = scalar === 'u32' ? 'u32' : 'f32'
    const member = `  ${snake(key)}: ${count === 1 ? type : `vec${count}<${type}>`},`
    return { key, word, scalar, count, offset, member }
  })
  const words = Math.ceil(next / 4) * 4
  return {
    // A vector of four in it would align it so, too, but it may have none.
    wgsl: `struct ${name} {\n${placed.map(({ member }, i) => (i === 0 ? `  @align(16) ${member.trim()}` : member)).join('\n')}\n}\n`,
    words,
    wordOf: field => placed.find(({ key }) => key === field)!.word,
    pack: ({ words: from, doubles }, at, into, to) => {
      const floats = new Float32Array(into.buffer, into.byteOffset, into.length)
      for (const { word, scalar, count, offset } of placed)
        for (let i = 0; i < count; i++)
          if (scalar === 'f64') floats[to + word + i] = doubles[(at + offset) / 8 + i]!
          else into[to + word + i] = from[(at + offset) / 4 + i]!
    },
  }
}

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
