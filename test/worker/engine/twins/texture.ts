/** Twin of the kernel's `surface/texture.ts`: the colour of a texture at a point, in single precision, from rows of texels. */
import { linearFromSrgb } from '../../../../shared/math/srgb.ts'
import type { Texture, Wrap } from '../../../../shared/scene/texture.ts'

const f = Math.fround

/** A texture's level: every texel is the mean of what it covers of the level before, by the areas of the overlaps. */
export function levelOf(texture: Texture, number: number): Texture {
  if (number === 0) return texture
  const before = levelOf(texture, number - 1)
  const [width, height] = [Math.max(1, before.width >> 1), Math.max(1, before.height >> 1)]
  const texels = Uint8Array.from({ length: width * height * 4 }, (_, i) => {
    const [channel, x, y] = [i % 4, (i >> 2) % width, Math.floor((i >> 2) / width)]
    const isLight = texture.srgb && channel < 3
    let sum = 0
    for (let row = 0; row < before.height; row++)
      for (let column = 0; column < before.width; column++) {
        const overlap = overlapOf(column, before.width, x, width) * overlapOf(row, before.height, y, height)
        const byte = before.texels[(row * before.width + column) * 4 + channel]!
        sum += overlap * (isLight ? Math.round(linearFromSrgb(byte / 255) * 65535) : byte)
      }
    const mean = Math.floor(sum / (before.width * before.height) + 0.5)
    return isLight ? nearestSrgb(mean / 65535) : mean
  })
  return { ...texture, width, height, texels }
}

/** Of one of `many` equal parts of a length, and one of `few`: how much they share, in units of 1 / (many few). */
function overlapOf(one: number, many: number, other: number, few: number): number {
  return Math.max(0, Math.min((one + 1) * few, (other + 1) * many) - Math.max(one * few, other * many))
}

function nearestSrgb(light: number): number {
  let byte = 0
  while (byte < 255 && linearFromSrgb((byte + 0.5) / 255) <= light) byte++
  return byte
}

/** Linear red, green and blue, and opacity. */
export function textureAt(texture: Texture, u: number, v: number): number[] {
  const [left, right, across] = around(f(u), texture.width, texture.wrapU, texture.nearest)
  const [top, bottom, down] = around(f(v), texture.height, texture.wrapV, texture.nearest)
  return [0, 1, 2, 3].map(channel => {
    const at = (x: number, y: number) => value(texture, (y * texture.width + x) * 4 + channel, channel)
    const upper = mixed(at(left, top), at(right, top), across)
    const lower = mixed(at(left, bottom), at(right, bottom), across)
    return mixed(upper, lower, down)
  })
}

const mixed = (a: number, b: number, share: number): number => f(a + f(f(b - a) * share))

function value({ texels, srgb }: Texture, at: number, channel: number): number {
  const byte = texels[at]!
  return srgb && channel < 3 ? f(linearFromSrgb(byte / 255)) : f(byte * f(1 / 255))
}

/** The texels on both sides of a coordinate, and how far it is from the middle of the first towards that of the second. */
function around(
  coordinate: number,
  size: number,
  wrap: Wrap,
  nearest: boolean,
): [first: number, second: number, share: number] {
  let place = coordinate
  if (wrap === 'repeat') place = f(place - Math.floor(place))
  if (wrap === 'mirror') {
    place = f(place - f(2 * Math.floor(f(place * 0.5))))
    if (place > 1) place = f(2 - place)
  }
  place = place > 0 ? Math.min(place, 1) : 0
  const at = f(f(place * size) - 0.5)
  const low = Math.floor(at)
  const inside = (x: number): number => (wrap === 'repeat' ? (x + size) % size : Math.min(Math.max(x, 0), size - 1))
  // A coordinate that is rounded up to the far edge lies beside the last texel.
  const first = Math.min(low, size - 1)
  const share = f(at - low)
  return [inside(first), inside(low + 1), nearest ? Math.floor(share + 0.5) : share]
}
