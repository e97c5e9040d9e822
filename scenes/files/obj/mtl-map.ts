/** A statement of a Wavefront material file that names a picture: options, then the name, which may have spaces. */

export interface MtlMap {
  /** With forward slashes, as the material file has it. */
  readonly file: string
  /** `-s`, u and v: how often the picture is repeated. */
  readonly scale: readonly [number, number]
  /** `-o`, u and v, after scaling. */
  readonly offset: readonly [number, number]
  /** `-clamp on`: its edges go on outside of it, instead of repetitions. */
  readonly clamped: boolean
  /** `-bm`: factor of the height of bumps. */
  readonly bumps: number
  /** `-imfchan`: red, green, blue, opacity (m) or luminance, for what has one number per texel. */
  readonly channel: Channel | undefined
  /** Options that would change what is seen, and do not. */
  readonly ignored: readonly string[]
}

export const CHANNELS = ['r', 'g', 'b', 'm', 'l'] as const
export type Channel = (typeof CHANNELS)[number]

/** An option is followed by another word. */
const OPTION = /^-([a-z]+)\s+(?=\S)/i
const NUMBER = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s+(?=\S)/i
const SWITCH = /^(on|off)\s+(?=\S)/i
const WORD = /^(\S+)\s+(?=\S)/

/** What follows the options that have not just numbers, and how many of it there are at most. */
const ARGUMENTS: Readonly<Record<string, readonly [pattern: RegExp, most: number]>> = {
  clamp: [SWITCH, 1],
  blendu: [SWITCH, 1],
  blendv: [SWITCH, 1],
  cc: [SWITCH, 1],
  imfchan: [WORD, 1],
  type: [WORD, 1],
  bm: [NUMBER, 1],
  boost: [NUMBER, 1],
  texres: [NUMBER, 1],
  mm: [NUMBER, 2],
  s: [NUMBER, 3],
  o: [NUMBER, 3],
  t: [NUMBER, 3],
}
/** Of an option that is not known: what looks like an argument. */
const ANY = [/^([+-]?\.?\d[\d.e+-]*|on|off)\s+(?=\S)/i, Number.POSITIVE_INFINITY] as const

/** Those of colour correction, brightness and turbulence. The others of those that are not read are about speed. */
const MISSED = ['cc', 'mm', 't']

/** @param text what follows the statement's first word; undefined if that is nothing */
export function parseMap(text: string): MtlMap | undefined {
  let rest = text.trim()
  const take = (pattern: RegExp): string | undefined => {
    const found = pattern.exec(rest)
    if (found) rest = rest.slice(found[0].length)
    return found?.[1]
  }
  const given = new Map<string, string[]>()
  for (let option = take(OPTION); option !== undefined; option = take(OPTION)) {
    const name = option.toLowerCase()
    const [pattern, most] = Object.hasOwn(ARGUMENTS, name) ? ARGUMENTS[name]! : ANY
    const values: string[] = []
    for (let value: string | undefined; values.length < most; values.push(value)) {
      value = take(pattern)
      if (value === undefined) break
    }
    given.set(name, values)
  }
  const file = rest.replace(/^"(.*)"$/, '$1').replaceAll('\\', '/')
  if (file === '') return undefined
  const numbers = (name: string) => (given.get(name) ?? []).map(Number)
  const [scale, offset] = [numbers('s'), numbers('o')]
  const channel = given.get('imfchan')?.[0]?.toLowerCase()
  return {
    file,
    scale: [scale[0] ?? 1, scale[1] ?? 1],
    offset: [offset[0] ?? 0, offset[1] ?? 0],
    clamped: given.get('clamp')?.[0]?.toLowerCase() === 'on',
    bumps: numbers('bm')[0] ?? 1,
    channel: CHANNELS.find(each => each === channel),
    ignored: MISSED.filter(name => given.has(name)),
  }
}
