/** Portable float maps (PFM), the pictures that denoisers read and write: RGB, 32-bit floats, the bottom row first. Pure. */
import type { Size } from '../../shared/frame/rect.ts'

const COMPONENTS = 3
/** Negative: little-endian. */
const SCALE = -1

/** @param values RGB, row-major from the top */
export function pfmOf([width, height]: Size, values: Float32Array): Uint8Array {
  const header = Buffer.from(`PF\n${width} ${height}\n${SCALE.toFixed(1)}\n`)
  const file = new Uint8Array(header.length + values.length * 4)
  file.set(header)
  const rowBytes = width * COMPONENTS * 4
  for (let row = 0; row < height; row++) {
    const bytes = new Uint8Array(values.buffer, values.byteOffset + row * rowBytes, rowBytes)
    file.set(bytes, header.length + (height - 1 - row) * rowBytes)
  }
  return file
}

/** RGB, row-major from the top; undefined if it is no such file of that size. */
export function readPfm(file: Uint8Array, [width, height]: Size): Float32Array<ArrayBuffer> | undefined {
  const head = Buffer.from(file.subarray(0, MOST_HEADER)).toString('latin1')
  const [header, w, h, scale] = /^PF\s+(\d+)\s+(\d+)\s+(-[\d.eE+-]+)\s/.exec(head) ?? []
  const rowBytes = width * COMPONENTS * 4
  if (header === undefined || Number(w) !== width || Number(h) !== height) return undefined
  if (file.length !== header.length + height * rowBytes) return undefined
  const values = new Float32Array(width * height * COMPONENTS)
  const bytes = new Uint8Array(values.buffer)
  for (let row = 0; row < height; row++) {
    const from = header.length + (height - 1 - row) * rowBytes
    bytes.set(file.subarray(from, from + rowBytes), row * rowBytes)
  }
  const factor = Math.abs(Number(scale))
  return factor === 1 ? values : values.map(value => value * factor)
}

const MOST_HEADER = 64
