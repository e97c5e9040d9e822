/**
 * The levels of a texture: each is half as wide and high as the one before, down to one texel, and its texels are the means of those that
 * they cover. In integers only, so that every machine has the same; colours are averaged as light, not as sRGB bytes.
 */
import { linearFromSrgb } from '../../../shared/math/srgb.ts'
import { TEXEL_BYTES, type TextureFacts } from '../../../shared/scene/texture.ts'

export interface Level {
  readonly width: number
  readonly height: number
  /** RGBA8, by rows from the top. */
  readonly texels: Uint8Array
}

/** Sizes of all levels, the whole texture first. */
export function levelSizes({
  width,
  height,
}: Pick<TextureFacts, 'width' | 'height'>): [width: number, height: number][] {
  const sizes: [number, number][] = [[width, height]]
  for (let [w, h] = [width, height]; w > 1 || h > 1; ) {
    ;[w, h] = [Math.max(1, w >> 1), Math.max(1, h >> 1)]
    sizes.push([w, h])
  }
  return sizes
}

/** The next level of one that has more than one texel. @param srgb whether red, green and blue are */
export const halved = (level: Level, srgb: boolean): Level =>
  level.width % 2 === 0 && level.height % 2 === 0 ? halvedEvenly(level, srgb) : halvedUnevenly(level, srgb)

/** Of even sides, as nearly all are: means of four texels. */
function halvedEvenly({ width: from, height: rows, texels }: Level, srgb: boolean): Level {
  const [width, height] = [from >> 1, rows >> 1]
  const half = new Uint8Array(width * height * TEXEL_BYTES)
  const row = from * TEXEL_BYTES
  let to = 0
  for (let y = 0; y < height; y++)
    for (let at = 2 * y * row, end = at + row; at < end; at += 2 * TEXEL_BYTES) {
      const below = at + row
      for (let channel = 0; channel < 3; channel++) {
        const [a, b] = [texels[at + channel]!, texels[at + channel + 4]!]
        const [c, d] = [texels[below + channel]!, texels[below + channel + 4]!]
        half[to + channel] = srgb
          ? NEAREST[(LINEAR[a]! + LINEAR[b]! + LINEAR[c]! + LINEAR[d]! + 2) >> 2]!
          : (a + b + c + d + 2) >> 2
      }
      half[to + 3] = (texels[at + 3]! + texels[at + 7]! + texels[below + 3]! + texels[below + 7]! + 2) >> 2
      to += TEXEL_BYTES
    }
  return { width, height, texels: half }
}

function halvedUnevenly(level: Level, srgb: boolean): Level {
  const width = Math.max(1, level.width >> 1)
  const height = Math.max(1, level.height >> 1)
  const texels = new Uint8Array(width * height * TEXEL_BYTES)
  const columns = coverOf(level.width)
  const rows = coverOf(level.height)
  // Weights of a row or a column add up to its side, or to 2.
  const total = columns.total * rows.total
  const values = srgb ? LINEAR : PLAIN
  let to = 0
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      let [red, green, blue, opacity] = [0, 0, 0, 0]
      for (let j = 0; j < rows.count; j++)
        for (let i = 0; i < columns.count; i++) {
          const weight = rows.weight(y, j) * columns.weight(x, i)
          const at = ((2 * y + j) * level.width + 2 * x + i) * TEXEL_BYTES
          red += weight * values[level.texels[at]!]!
          green += weight * values[level.texels[at + 1]!]!
          blue += weight * values[level.texels[at + 2]!]!
          opacity += weight * level.texels[at + 3]!
        }
      texels[to] = byteOf(red, total, srgb)
      texels[to + 1] = byteOf(green, total, srgb)
      texels[to + 2] = byteOf(blue, total, srgb)
      texels[to + 3] = rounded(opacity, total)
      to += TEXEL_BYTES
    }
  return { width, height, texels }
}

/** Which texels of a side one of the next level covers, from twice its number on: two, or of an odd side parts of three. */
interface Cover {
  readonly count: number
  readonly total: number
  /** Of the texel that is `i` after the first. */
  weight(number: number, i: number): number
}

function coverOf(side: number): Cover {
  if (side === 1) return { count: 1, total: 1, weight: () => 1 }
  if (side % 2 === 0) return { count: 2, total: 2, weight: () => 1 }
  const half = side >> 1
  return {
    count: 3,
    total: side,
    weight: (number, i) => (i === 0 ? half - number : i === 1 ? half : number + 1),
  }
}

/** Light of an sRGB byte in units of 1/65535. */
const LINEAR = Uint16Array.from({ length: 256 }, (_, byte) => Math.round(linearFromSrgb(byte / 255) * 65535))
const PLAIN = Uint16Array.from({ length: 256 }, (_, byte) => byte)

/** The sRGB byte that is nearest to light in units of 1/65535. */
const NEAREST = nearestBytes()

function nearestBytes(): Uint8Array {
  const bytes = new Uint8Array(65536)
  let light = 0
  for (let byte = 0; byte < 256; byte++) {
    const end = byte === 255 ? 65536 : Math.ceil(linearFromSrgb((byte + 0.5) / 255) * 65535)
    bytes.fill(byte, light, end)
    light = end
  }
  return bytes
}

const byteOf = (sum: number, total: number, srgb: boolean): number =>
  srgb ? NEAREST[rounded(sum, total)]! : rounded(sum, total)

/** Of whole numbers: exact up to 2^53. */
const rounded = (sum: number, total: number): number => Math.floor((2 * sum + total) / (2 * total))
