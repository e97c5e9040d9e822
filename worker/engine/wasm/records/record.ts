/**
 * How records in the kernel's memory are declared: names, types and meanings of their fields, once. Offsets follow from the order and the
 * types; the host reads and writes by them (`access.ts`), the kernel by functions that are generated from them
 * (`scripts/build/kernel-records.ts`). All is little-endian.
 */

const SCALAR_BYTES = { i16: 2, u16: 2, u32: 4, f32: 4, u64: 8, f64: 8 } as const
export type Scalar = keyof typeof SCALAR_BYTES

/**
 * A field before it has a place. A vector has a name for each number, lanes are the same number of four neighbours, and a list's numbers are found by
 * index or by address. `Value` is what the host writes.
 */
export interface Field<Value = unknown> {
  readonly meaning: string
  readonly kind: 'number' | 'vector' | 'lanes' | 'list' | 'records'
  readonly scalar: Scalar
  readonly count: number
  /** Of a vector's numbers, as they end the names of accessors. */
  readonly parts: readonly string[]
  /** What a list of records has. */
  readonly of?: RecordOf
  readonly bytes: number
  readonly align: number
  /** Another reading of bytes: of those that are `after` bytes behind the beginning of field `name`. */
  readonly over?: { readonly name: string; readonly after: number }
  /** Exists in types only. */
  readonly value?: Value
}

/** A field with its place, bytes from the record's address. */
export type Placed<F extends Field = Field> = F & { readonly offset: number }

export type Fields = Readonly<Record<string, Field>>

export interface RecordOf<F extends Fields = Fields> {
  /** The namespace of its accessors in the kernel. */
  readonly name: string
  readonly meaning: string
  readonly fields: { readonly [Name in keyof F]: Placed<F[Name]> }
  /** From one to the next in a list. */
  readonly bytes: number
  readonly align: number
  /** The address of a record of which there is one. */
  readonly at: number | undefined
}

/** Places the fields one after the other, each at the next multiple of its alignment. `align`, if larger, is that of the whole record. */
export function record<F extends Fields>(
  name: string,
  meaning: string,
  fields: F,
  { at, align = 1 }: { readonly at?: number; readonly align?: number } = {},
): RecordOf<F> {
  const placed: Record<string, Placed> = {}
  let next = 0
  let widest = align
  for (const [key, field] of Object.entries(fields)) {
    const { over } = field
    const offset = over ? placed[over.name]!.offset + over.after : roundUp(next, field.align)
    if (offset % field.align !== 0) throw new Error(`${name}.${key}: ${offset} is no multiple of ${field.align}`)
    placed[key] = { ...field, offset }
    next = Math.max(next, offset + field.bytes)
    widest = Math.max(widest, field.align)
  }
  return { name, meaning, fields: placed as RecordOf<F>['fields'], bytes: roundUp(next, widest), align: widest, at }
}

const roundUp = (bytes: number, multiple: number): number => Math.ceil(bytes / multiple) * multiple

/** A field that has one number. */
const number =
  (scalar: Scalar) =>
  (meaning: string): Field<number> => ({ ...several(scalar, 1, meaning), kind: 'number', parts: [] })

/** Counts, flags, and addresses of what `meaning` names. */
export const u32 = number('u32')
export const u16 = number('u16')
export const f32 = number('f32')
export const f64 = number('f64')
/** The host writes it as two words: `words`. */
export const u64 = number('u64')

/** Numbers with names of their own. */
export const vector = (scalar: Scalar, parts: readonly string[], meaning: string): Field<ArrayLike<number>> => ({
  ...several(scalar, parts.length, meaning),
  kind: 'vector',
  parts,
})

export const xyz = (scalar: Scalar, meaning: string) => vector(scalar, ['X', 'Y', 'Z'], meaning)
export const rgb = (scalar: Scalar, meaning: string) => vector(scalar, ['Red', 'Green', 'Blue'], meaning)

/** Four numbers that are loaded together. */
export const quad = (scalar: 'f32' | 'u32', parts: readonly string[], meaning: string): Field<ArrayLike<number>> => ({
  ...vector(scalar, parts, meaning),
  align: 16,
})

/** Four f32 of which three count. */
export const color4 = (meaning: string) => quad('f32', ['Red', 'Green', 'Blue', 'Rest'], meaning)
export const xyz4 = (meaning: string) => quad('f32', ['X', 'Y', 'Z', 'Rest'], meaning)

/** One number of each of four neighbours, whose addresses are 4 bytes apart. */
export const lanes = (scalar: 'f32' | 'u32', meaning: string): Field<ArrayLike<number>> => ({
  ...several(scalar, 4, meaning),
  kind: 'lanes',
  align: 16,
})

export const list = (scalar: Scalar, count: number, meaning: string): Field<ArrayLike<number>> =>
  several(scalar, count, meaning)

export const records = (of: RecordOf, count: number, meaning: string): Field<undefined> => ({
  meaning,
  kind: 'records',
  scalar: 'u32',
  count,
  parts: [],
  of,
  bytes: count * of.bytes,
  align: of.align,
})

/** Another reading of the bytes from field `name` on, or from `after` bytes behind its beginning on. */
export const reading = <Value>(name: string, field: Field<Value>, after = 0): Field<Value> => ({
  ...field,
  over: { name, after },
})

function several(scalar: Scalar, count: number, meaning: string): Omit<Field, 'value'> {
  const bytes = SCALAR_BYTES[scalar]
  return { meaning, kind: 'list', scalar, count, parts: [], bytes: count * bytes, align: bytes }
}

/** Numbers for words, in their order from 0. */
export const numbered = <Word extends string>(words: readonly Word[]): Readonly<Record<Word, number>> =>
  Object.fromEntries(words.map((word, i) => [word, i])) as Record<Word, number>

/** A bit for each word, in their order. */
export const bits = <Word extends string>(words: readonly Word[]): Readonly<Record<Word, number>> =>
  Object.fromEntries(words.map((word, i) => [word, 1 << i])) as Record<Word, number>
