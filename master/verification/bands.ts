/**
 * Which rows of an answer are checked: a band of rows, at a place that is drawn after the answer has come. Every row is as likely as
 * any other, so there is none in which a wrong pixel is safer.
 */
import { bytesPerPixel, bytesPerPixelOf, type ChannelName, splitPlanes } from '../../shared/frame/channels.ts'
import { forEachRun, type PixelSet, pixelCount } from '../../shared/frame/pixel-set.ts'

/** A band of fewer pixels costs more to order than to trace: of small tiles, fewer are checked, each of them more. */
const MIN_BAND_PX = 1024

/**
 * A share of the rows of a set: one band, or two if it wraps from the last row to the first.
 * @param share of the rows, 0 to 1
 * @param random uniform in [0, 1)
 */
export function bandsOf(set: PixelSet, share: number, random: () => number): PixelSet[] {
  const { rows, count } = rowsOf(set)
  if (rows.length === 0 || share <= 0) return []
  const wanted = share * rows.length
  const least = Math.min(rows.length, Math.ceil((MIN_BAND_PX * rows.length) / count))
  const whole = Math.floor(wanted)
  // The expected number of rows is `wanted` in either case.
  const length = wanted < least ? (random() < wanted / least ? least : 0) : whole + (random() < wanted - whole ? 1 : 0)
  if (length === 0) return []
  if (length === rows.length) return [between(set, rows[0]!, rows.at(-1)!)]
  const start = Math.floor(random() * rows.length)
  const end = start + length
  if (end <= rows.length) return [between(set, rows[start]!, rows[end - 1]!)]
  return [between(set, rows[0]!, rows[end - rows.length - 1]!), between(set, rows[start]!, rows.at(-1)!)]
}

/**
 * A copy of the values of a band, packed like those of its set.
 * @param pixels of the set, and possibly of rows below it, channel after channel
 */
export function pixelsOf(
  band: PixelSet,
  set: PixelSet,
  channels: readonly ChannelName[],
  pixels: Uint8Array,
): Uint8Array {
  const above = pixelCount({ ...set, rect: { ...set.rect, h: band.rect.y - set.rect.y } })
  const count = pixelCount(band)
  const copy = new Uint8Array(count * bytesPerPixelOf(channels))
  let at = 0
  for (const [name, plane] of splitPlanes(channels, pixels.length / bytesPerPixelOf(channels), pixels)) {
    const size = bytesPerPixel(name)
    copy.set(plane.subarray(above * size, (above + count) * size), at)
    at += count * size
  }
  return copy
}

/** Rows of a set that have pixels, in order. */
export function rowsOf(set: PixelSet): { readonly rows: readonly number[]; readonly count: number } {
  const rows: number[] = []
  let count = 0
  forEachRun(set, (_x, y, length) => {
    if (rows.at(-1) !== y) rows.push(y)
    count += length
  })
  return { rows, count }
}

const between = (set: PixelSet, first: number, last: number): PixelSet => ({
  ...set,
  rect: { ...set.rect, y: first, h: last - first + 1 },
})
