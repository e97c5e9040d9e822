/**
 * The exposure that shows a picture's light: its log-average luminance becomes middle grey (Reinhard et al., "Photographic Tone Reproduction
 * for Digital Images", 2002, §3.1). What is black does not count, and neither do the darkest and the brightest few pixels: a lamp in the
 * picture is not what it is of. Pure; with the arithmetic of every machine.
 */
import { EXPOSURES } from '../frame/frame-limits.ts'
import { exp2, log2 } from '../math/exponential.ts'

/** Reflects as much as the mean of most scenes. */
const MIDDLE_GREY = 0.18
/** Share of the pixels with light that is left out at either end. */
const ENDS = 0.05

/** Luminance of linear light with the primaries of sRGB (ITU-R BT.709). */
const luminance = (red: number, green: number, blue: number): number => 0.2126 * red + 0.7152 * green + 0.0722 * blue

/**
 * Every view shows light of middle grey as a middle grey of its own, so it does not matter which one the picture has.
 *
 * @param pictures linear radiance, RGB, as their white balance shows it
 * @returns a linear scale of three digits, so that it can be written down; undefined where there is no light
 */
export function autoExposure(pictures: readonly Float32Array[]): number | undefined {
  const logs = litPixels(pictures).map(log2)
  if (logs.length === 0) return undefined
  logs.sort((a, b) => a - b)
  const cut = Math.floor(logs.length * ENDS)
  const kept = logs.slice(cut, logs.length - cut)
  const mean = kept.reduce((sum, each) => sum + each, 0) / kept.length
  const exposure = Number((MIDDLE_GREY / exp2(mean)).toPrecision(3))
  return Math.min(EXPOSURES.most, Math.max(EXPOSURES.least, exposure))
}

/** Light that the first byte above black stands for, half of it: sRGB is linear there. */
const BLACK = 0.5 / 255 / 12.92

/** Whether most pixels that have light are black with an exposure. */
export function isMostlyDark(pictures: readonly Float32Array[], exposure: number): boolean {
  const lit = litPixels(pictures)
  return lit.filter(value => value * exposure < BLACK).length * 2 > lit.length
}

/** Luminance of the pixels that have some. */
function litPixels(pictures: readonly Float32Array[]): number[] {
  const lit: number[] = []
  for (const light of pictures)
    for (let at = 0; at < light.length; at += 3) {
      const value = luminance(light[at]!, light[at + 1]!, light[at + 2]!)
      if (value > 0) lit.push(value)
    }
  return lit
}
