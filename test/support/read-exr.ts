/** Reads EXR files that are scan lines packed with ZIP, as the format says: apart from the writer, and from three.js, which knows no layers. */
import { inflateSync } from 'node:zlib'
import { expect } from 'vitest'

export interface ReadExr {
  /** By name, in the order of the file; the top row first. */
  readonly channels: Readonly<Record<string, Float32Array>>
  /** The same for those of type UINT. */
  readonly whole: Readonly<Record<string, Uint32Array>>
  /** Of all channels. */
  readonly types: Readonly<Record<string, 'uint' | 'half' | 'float'>>
  /** Of attributes that are strings. */
  readonly words: Readonly<Record<string, string>>
  /** First and last column and row, px: of what is there, and of the whole. */
  readonly windows: Readonly<Record<'data' | 'display', readonly number[]>>
}

export function readExr(file: Uint8Array): ReadExr {
  const bytes = Buffer.from(file)
  expect([bytes.readUInt32LE(0), bytes.readUInt32LE(4)]).toEqual([20000630, 2])
  let at = 8
  const text = () => {
    const end = bytes.indexOf(0, at)
    const word = bytes.toString('latin1', at, end)
    at = end + 1
    return word
  }
  const values = new Map<string, { type: string; value: Buffer }>()
  for (let name = text(); name !== ''; name = text()) {
    const type = text()
    const length = bytes.readUInt32LE(at)
    values.set(name, { type, value: bytes.subarray(at + 4, at + 4 + length) })
    at += 4 + length
  }
  const list = values.get('channels')!.value
  const types: [string, 'uint' | 'half' | 'float'][] = []
  for (let entry = 0; list[entry] !== 0; ) {
    const end = list.indexOf(0, entry)
    types.push([list.toString('latin1', entry, end), (['uint', 'half', 'float'] as const)[list.readUInt32LE(end + 1)]!])
    // Reserved bytes, and both samplings.
    expect([5, 9, 13].map(from => list.readUInt32LE(end + from))).toEqual([0, 1, 1])
    entry = end + 17
  }
  const names = types.map(([name]) => name)
  // The format asks for this order.
  expect([...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))).toEqual(names)
  expect(values.get('compression')!.value[0]).toBe(3)
  const windowOf = (name: string) => [0, 4, 8, 12].map(from => values.get(name)!.value.readInt32LE(from))
  const windows = { data: windowOf('dataWindow'), display: windowOf('displayWindow') }
  const [left, top, right, bottom] = windows.data as [number, number, number, number]
  const [width, height] = [right - left + 1, bottom - top + 1]
  const all = new Map(
    types.map(([name, type]) => [name, new (type === 'uint' ? Uint32Array : Float32Array)(width * height)]),
  )
  const pixelBytes = types.reduce((sum, [, type]) => sum + (type === 'half' ? 2 : 4), 0)
  for (let block = 0; block < Math.ceil(height / 16); block++) {
    const from = Number(bytes.readBigUInt64LE(at + block * 8))
    const [y, length] = [bytes.readInt32LE(from) - top, bytes.readInt32LE(from + 4)]
    const rows = Math.min(16, height - y)
    const stored = bytes.subarray(from + 8, from + 8 + length)
    const lines = length === rows * width * pixelBytes ? stored : together(inflateSync(stored))
    let place = 0
    for (let row = y; row < y + rows; row++)
      for (const [name, type] of types)
        for (let x = 0; x < width; x++, place += type === 'half' ? 2 : 4)
          all.get(name)![row * width + x] =
            type === 'float'
              ? lines.readFloatLE(place)
              : type === 'uint'
                ? lines.readUInt32LE(place)
                : halfOf(lines.readUInt16LE(place))
  }
  const words = [...values].filter(([, { type }]) => type === 'string').map(([name, { value }]) => [name, `${value}`])
  const ofType = <T>(Type: new (...args: never[]) => T) =>
    Object.fromEntries([...all].filter(([, values]) => values instanceof Type)) as unknown as Record<string, T>
  return {
    channels: ofType(Float32Array),
    whole: ofType(Uint32Array),
    types: Object.fromEntries(types),
    words: Object.fromEntries(words),
    windows,
  }
}

/** IEEE 754 binary16. */
function halfOf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 31
  const fraction = bits & 1023
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25))
}

function together(packed: Buffer): Buffer {
  for (let i = 1; i < packed.length; i++) packed[i] = packed[i]! + packed[i - 1]! - 128
  const half = (packed.length + 1) >> 1
  return Buffer.from(packed.map((_, i) => packed[(i >> 1) + (i % 2 === 0 ? 0 : half)]!))
}
