/** Parses CSS colour names and hexadecimal sRGB. three's own parser depends on the platform's `pow`. */
import { Color } from 'three'
import type { Vec3 } from '../../shared/frame/view.ts'
import { linearFromSrgb } from '../../shared/math/srgb.ts'

/** Linear RGB, 0 to 1; undefined if `text` is not a colour. */
export function colorFromWords(text: string): Vec3 | undefined {
  const word = text.trim().toLowerCase()
  const named = Object.hasOwn(Color.NAMES, word) ? Color.NAMES[word as keyof typeof Color.NAMES] : undefined
  const hex = named ?? hexadecimal(word)
  return hex === undefined ? undefined : [channel(hex >> 16), channel(hex >> 8), channel(hex)]
}

function hexadecimal(word: string): number | undefined {
  const [, long, short] = /^#(?:([\da-f]{6})|([\da-f]{3}))$/.exec(word) ?? []
  const digits = long ?? short?.replaceAll(/./g, '$&$&')
  return digits === undefined ? undefined : Number.parseInt(digits, 16)
}

const channel = (bits: number): number => linearFromSrgb((bits & 255) / 255)
