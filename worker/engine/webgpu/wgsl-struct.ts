/**
 * A record of the kernel's memory as a struct of WGSL, for a shader that reads the same bytes from a storage buffer (WGSL, "Memory Layout",
 * §14.4: https://www.w3.org/TR/WGSL/#memory-layouts). Vectors are those of WGSL where its alignment allows it, and arrays of numbers elsewhere;
 * gaps belong to the member before them. Other readings of the same bytes are left out.
 */
import type { Placed, RecordOf, Scalar } from '../wasm/records/record.ts'

/** Undefined if it has a field that WGSL has no type for, such as f64. */
export function wgslStruct({ name, fields, bytes, align }: RecordOf): string | undefined {
  const members = Object.entries(fields).filter(([, { over }]) => !over)
  if (members.some(([, field]) => !hasType(field))) return undefined
  const lines = members.map(([key, field], i) => {
    const end = members[i + 1]?.[1].offset ?? bytes
    const room = end - field.offset
    const attributes = [
      // The alignment of a struct is that of its strictest member.
      ...(i === 0 ? [`@align(${align})`] : []),
      ...(room > field.bytes ? [`@size(${room})`] : []),
    ]
    return `  ${[...attributes, `${snake(key)}: ${typeOf(field, align)},`].join(' ')}`
  })
  return [`struct ${name} {`, ...lines, '}'].join('\n')
}

const TYPES: Readonly<Partial<Record<Scalar, string>>> = { u32: 'u32', f32: 'f32' }

const hasType = ({ kind, scalar, of }: Placed): boolean =>
  kind === 'records' ? wgslStruct(of!) !== undefined : TYPES[scalar] !== undefined

function typeOf({ kind, scalar, count, offset, of }: Placed, align: number): string {
  if (kind === 'records') return `array<${of!.name}, ${count}>`
  const type = TYPES[scalar]!
  if (kind === 'number') return type
  const multiple = count === 2 ? 8 : 16
  const isAligned = offset % multiple === 0 && align % multiple === 0
  return kind !== 'list' && count <= 4 && isAligned ? `vec${count}<${type}>` : `array<${type}, ${count}>`
}

/** As WGSL names are written. */
const snake = (name: string): string => name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
