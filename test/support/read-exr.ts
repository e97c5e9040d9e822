/** Reads EXR files that are scan lines of one type, packed with ZIP, as the format says: apart from the writer, and from three.js, which knows no layers. */
import { inflateSync } from 'node:zlib'
import { expect } from 'vitest'

export interface ReadExr {
  /** By name; the top row first. */
  readonly channels: Readonly<Record<string, Float32Array>>
  /** Of attributes that are strings. */
  readonly words: Readonly<Record<string, string>>
  /** First and last column and row, px: of what is there, and of the whole. */
  readonly windows: Readonly<Record<'data' | 'display', readonly number[]>>
}

/** Of 32-bit floats. */
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
  const names: string[] = []
  for (let entry = 0; list[entry] !== 0; ) {
    const end = list.indexOf(0, entry)
    names.push(list.toString('latin1', entry, end))
    // A type (2: float), reserved bytes, and both samplings.
    expect([1, 5, 9, 13].map(from => list.readUInt32LE(end + from))).toEqual([2, 0, 1, 1])
    entry = end + 17
  }
  expect(values.get('compression')!.value[0]).toBe(3)
  const windowOf = (name: string) => [0, 4, 8, 12].map(from => values.get(name)!.value.readInt32LE(from))
  const windows = { data: windowOf('dataWindow'), display: windowOf('displayWindow') }
  const [left, top, right, bottom] = windows.data as [number, number, number, number]
  const [width, height] = [right - left + 1, bottom - top + 1]
  const channels = Object.fromEntries(names.map(name => [name, new Float32Array(width * height)]))
  for (let block = 0; block < Math.ceil(height / 16); block++) {
    const from = Number(bytes.readBigUInt64LE(at + block * 8))
    const [y, length] = [bytes.readInt32LE(from) - top, bytes.readInt32LE(from + 4)]
    const rows = Math.min(16, height - y)
    const stored = bytes.subarray(from + 8, from + 8 + length)
    const lines = length === rows * width * names.length * 4 ? stored : together(inflateSync(stored))
    let place = 0
    for (let row = y; row < y + rows; row++)
      for (const name of names)
        for (let x = 0; x < width; x++, place += 4) channels[name]![row * width + x] = lines.readFloatLE(place)
  }
  const words = [...values].filter(([, { type }]) => type === 'string').map(([name, { value }]) => [name, `${value}`])
  return { channels, words: Object.fromEntries(words), windows }
}

function together(packed: Buffer): Buffer {
  for (let i = 1; i < packed.length; i++) packed[i] = packed[i]! + packed[i - 1]! - 128
  const half = (packed.length + 1) >> 1
  return Buffer.from(packed.map((_, i) => packed[(i >> 1) + (i % 2 === 0 ? 0 : half)]!))
}
