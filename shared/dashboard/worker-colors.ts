/**
 * Colours for any number of workers, each as different as possible from all before it. Candidates are spread over Oklab
 * (Ottosson, "A perceptual color space for image processing", 2020), where distances match perception, and chosen
 * greedily by the largest distance to the nearest chosen one (Gonzalez, "Clustering to minimize the maximum intercluster
 * distance", 1985).
 */

/** sRGB, each channel 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number]

/** A colour per worker id, in order of first appearance; the same ids in the same order get the same colours. */
export function workerColors(ids: Iterable<string>): ReadonlyMap<string, Rgb> {
  const unique = [...new Set(ids)]
  const colors = distinctColors(unique.length)
  return new Map(unique.map((id, index) => [id, colors[index % colors.length]!]))
}

export const cssColor = ([red, green, blue]: Rgb): string =>
  `#${[red, green, blue].map(channel => channel.toString(16).padStart(2, '0')).join('')}`

let colors: readonly string[] | undefined

/** CSS colour of a worker, by its place among all of its run: the one that it has in `workerColors`. */
export function workerColor(place: number): string {
  colors ??= distinctColors(Number.POSITIVE_INFINITY).map(cssColor)
  return colors[place % colors.length]!
}

type Lab = readonly [l: number, a: number, b: number]

// Lightness avoids both extremes, so that a tint shows on dark and on bright images.
const LIGHTNESS = [0.72, 0.56, 0.84, 0.64, 0.48, 0.78] as const
const CHROMA = [0.16, 0.1, 0.22] as const
const HUES = 48

function distinctColors(count: number): Rgb[] {
  const candidates = LIGHTNESS.flatMap(l =>
    CHROMA.flatMap(c => Array.from({ length: HUES }, (_, step): Lab => polar(l, c, (step / HUES) * 2 * Math.PI + 0.5))),
  ).flatMap(lab => {
    const rgb = toSrgb(lab)
    return rgb ? [{ lab, rgb }] : []
  })
  const nearest = candidates.map(() => Number.POSITIVE_INFINITY)
  const chosen: Rgb[] = []
  let next = 0
  while (chosen.length < Math.min(Math.max(1, count), candidates.length)) {
    const taken = candidates[next]!
    chosen.push(taken.rgb)
    for (let i = 0; i < candidates.length; i++) {
      nearest[i] = Math.min(nearest[i]!, distance(taken.lab, candidates[i]!.lab))
    }
    next = nearest.indexOf(nearest.reduce((best, value) => Math.max(best, value)))
  }
  return chosen
}

const polar = (l: number, chroma: number, hue: number): Lab => [l, chroma * Math.cos(hue), chroma * Math.sin(hue)]

const distance = (p: Lab, q: Lab): number => Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2])

/** Undefined if the colour is outside sRGB. Constants are Ottosson's. */
function toSrgb([l, a, b]: Lab): Rgb | undefined {
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  const linear = [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ]
  if (linear.some(value => value < 0 || value > 1)) return undefined
  const [red, green, blue] = linear.map(gamma) as [number, number, number]
  return [red, green, blue]
}

const gamma = (value: number): number =>
  Math.round(255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055))
