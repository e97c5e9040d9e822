/** Twin of the kernel's `shade/texture.ts`: the colour of a texture at a point, in single precision, from rows of texels. */
import { linearFromSrgb } from '../../../../shared/math/srgb.ts'
import type { Texture, Wrap } from '../../../../shared/scene/texture.ts'

const f = Math.fround

/** Linear red, green and blue, and opacity. */
export function textureAt(texture: Texture, u: number, v: number): number[] {
  const [left, right, across] = around(f(u), texture.width, texture.wrapU)
  const [top, bottom, down] = around(f(v), texture.height, texture.wrapV)
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
function around(coordinate: number, size: number, wrap: Wrap): [first: number, second: number, share: number] {
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
  return [inside(first), inside(low + 1), f(at - low)]
}
