/**
 * Accessors of records in AssemblyScript: a namespace for each, whose functions are inlined. For a field `x` of a record at an address:
 *
 *     x(at), setX(at, value)              a number, or that of one of four neighbours
 *     xRed(at), setXRed(at, value)        of a vector the number of that name
 *     x(at), setX(at, value)              of a vector of four numbers these as lanes; of one of three, at a multiple of 16, the last lane is the next field
 *     xLanes(at), setXLanes(at, value)    those of four neighbours
 *     xLow(at), xHigh(at)                 the first two of a vector's doubles, and the next two if there are four
 *     x(at, index), setX(at, index, value) an entry of a list
 *     xNext(at, index)                    the entry that follows it
 *     x(at, index)                        where an entry of a list of records is
 *     xAddress(at)                        where it is
 *     X                                   its offset, for loads of a kind that only some loops need
 *
 * Records of which there is one take no address.
 */
import type { Placed, RecordOf } from '../../worker/engine/wasm/records/record.ts'

type Numbers = Readonly<Record<string, Readonly<Record<string, number>>>>

export function accessorsOf(records: readonly RecordOf[], numbers: Numbers): string {
  const groups = Object.entries(numbers).map(([name, values]) =>
    namespace(name, [
      ...Object.entries(values).map(([key, value]) => constant(upper(key), value)),
      constant('COUNT', Object.keys(values).length),
    ]),
  )
  const spaces = records.map(({ name, meaning, fields, bytes, at }) => {
    const members = Object.entries(fields).flatMap(([key, field]) => [
      `/** ${field.meaning} */`,
      ...membersOf(key, field, at),
    ])
    return `/** ${meaning} */\n${namespace(name, [constant('BYTES', bytes), ...members])}`
  })
  return `${[HEADER, ...groups, ...spaces].join('\n\n')}\n`
}

const HEADER =
  '/** Made by `npm run build:kernel` from the declarations in `worker/engine/wasm/records`: change those. */'

const namespace = (name: string, members: readonly string[]): string =>
  [`export namespace ${name} {`, ...members.map(member => member.replaceAll(/^/gm, '  ')), '}'].join('\n')

const constant = (name: string, value: number): string => `export const ${name}: u32 = ${value}`

/** As constants are written: `tMax` is T_MAX, `uv2` UV2. */
export const upper = (name: string): string => name.replaceAll(/[A-Z]/g, letter => `_${letter}`).toUpperCase()

export const capital = (name: string): string => name[0]!.toUpperCase() + name.slice(1)

function membersOf(name: string, field: Placed, at: number | undefined): string[] {
  const { offset, scalar, kind } = field
  const own = at === undefined ? ['at: u32'] : []
  const base = at === undefined ? 'at' : String(at)
  const get = (key: string, type: string, text: string, parameters: readonly string[] = []) =>
    inlined(key, [...own, ...parameters], type, `return ${text}`)
  const set = (key: string, type: string, text: string, parameters: readonly string[] = []) =>
    inlined(`set${capital(key)}`, [...own, ...parameters, `value: ${type}`], 'void', text)
  const number = (key: string, place: number, type = scalar) => [
    get(key, type, `load<${type}>(${base}, ${place})`),
    set(key, type, `store<${type}>(${base}, value, ${place})`),
  ]
  const vector = (key: string, place = offset) => [
    get(key, 'v128', `v128.load(${base}, ${place})`),
    set(key, 'v128', `v128.store(${base}, value, ${place})`),
  ]
  const bytes = field.bytes / field.count
  const entry = `${base} + index * ${bytes}`
  const members = [constant(upper(name), offset), get(`${name}Address`, 'u32', `${base} + ${offset}`)]
  switch (kind) {
    case 'number':
      return [...members, ...number(name, offset)]
    case 'lanes':
      return [...members, ...number(name, offset), ...vector(`${name}Lanes`)]
    case 'list':
      return [
        ...members,
        get(name, scalar, `load<${scalar}>(${entry}, ${offset})`, ['index: u32']),
        get(`${name}Next`, scalar, `load<${scalar}>(${entry}, ${offset + bytes})`, ['index: u32']),
        set(name, scalar, `store<${scalar}>(${entry}, value, ${offset})`, ['index: u32']),
      ]
    case 'records':
      if (field.count === 1) return [...members, get(name, 'u32', `${base} + ${offset}`)]
      return [...members, get(name, 'u32', `${entry} + ${offset}`, ['index: u32'])]
    case 'vector':
      return [
        ...members,
        ...field.parts.flatMap((part, i) => number(name + part, offset + i * bytes)),
        ...(isQuad(field) ? vector(name) : []),
        ...(bytes === 2
          ? [get(name, 'v128', `v128.load16x4_${scalar === 'i16' ? 's' : 'u'}(${base}, ${offset})`)]
          : []),
        ...(bytes === 8 ? vector(`${name}Low`) : []),
        ...(bytes === 8 && field.count === 4 ? vector(`${name}High`, offset + 16) : []),
      ]
  }
}

const isQuad = ({ scalar, count, offset }: Placed): boolean =>
  (scalar === 'f32' || scalar === 'u32') && (count === 4 || (count === 3 && offset % 16 === 0))

const inlined = (name: string, parameters: readonly string[], type: string, body: string): string =>
  `@inline export function ${name}(${parameters.join(', ')}): ${type} { ${body} }`
