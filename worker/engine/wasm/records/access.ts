/** How the host reads and writes records in the kernel's memory, by their fields' names. */
import { InvariantError } from '../../../../shared/errors.ts'
import type { KernelMemory } from '../memory.ts'
import type { Field, Fields, RecordOf } from './record.ts'
import { SCENE, SCENE_AT } from './scene.ts'

type ValueOf<F> = F extends Field<infer Value> ? Value : never
type Values<F extends Fields> = { readonly [Name in keyof F]?: ValueOf<F[Name]> }
/** Names of the fields that have one number. */
type NumberNames<F extends Fields> = { [Name in keyof F]: F[Name] extends Field<number> ? Name : never }[keyof F]

type Views = Pick<KernelMemory, 'words' | 'floats' | 'doubles'>

/** Writes some fields of the record at an address. Of a vector, fewer numbers than it has leave the rest as it is. */
export function put<F extends Fields>(views: Views, record: RecordOf<F>, at: number, values: Values<F>): void {
  for (const name in values) {
    const value: unknown = values[name]
    const { scalar, offset, count } = record.fields[name]
    const numbers = arrayOf(views, scalar)
    const index = (at + offset) / numbers.BYTES_PER_ELEMENT
    if (typeof value === 'number') numbers[index] = value
    else {
      const several = value as ArrayLike<number>
      if (several.length > count)
        throw new InvariantError(`${record.name}.${name}: expected at most ${count} numbers, got ${several.length}`)
      numbers.set(several, index)
    }
  }
}

/** The number of a field of the record at an address. */
export function get<F extends Fields>(views: Views, record: RecordOf<F>, at: number, name: NumberNames<F>): number {
  const { scalar, offset } = record.fields[name]
  const numbers = arrayOf(views, scalar)
  return numbers[(at + offset) / numbers.BYTES_PER_ELEMENT]!
}

type FieldsOf<R> = R extends RecordOf<infer F> ? F : never
/** Names of the numbers in the scene's header. */
export type HeaderName = NumberNames<FieldsOf<typeof SCENE>>

/** A number of the scene's header. */
export const header = (views: Views, name: HeaderName): number => get(views, SCENE, SCENE_AT, name)

/** Writes some fields of the scene's header. */
export const putHeader = (views: Views, values: Values<FieldsOf<typeof SCENE>>): void =>
  put(views, SCENE, SCENE_AT, values)

/** Bytes from the beginning of a record to a field. */
export const offsetOf = <F extends Fields>({ fields }: RecordOf<F>, name: keyof F): number => fields[name].offset

/** Words, or floats, from the beginning of a record to a field. */
export const wordsTo = <F extends Fields>(record: RecordOf<F>, name: keyof F): number => offsetOf(record, name) / 4

function arrayOf(views: Views, scalar: Field['scalar']): Uint32Array | Float32Array | Float64Array {
  switch (scalar) {
    case 'u32':
      return views.words
    case 'f32':
      return views.floats
    case 'f64':
      return views.doubles
    default:
      throw new InvariantError(`the host writes no ${scalar}`)
  }
}
