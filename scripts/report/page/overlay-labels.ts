/**
 * Labels on a frame's tiles: the worker and its time, on a dark plate that is readable on any image. To fit its tile, a
 * label shrinks, then loses a line, then the end of its name, and is finally omitted.
 */
import type { Rect } from '../../../shared/frame/rect.ts'
import { escapeMarkup } from '../charts/markup.ts'
import { ellipsize, FONT_FAMILY, printable, textWidth } from '../charts/text-width.ts'
import { formatTime } from '../figures/numbers.ts'

export interface TileLabel {
  readonly rect: Rect
  readonly name: string
  readonly cpuMs: number
  /** CSS colour of the worker. */
  readonly color: string
}

/** SVG of labels for a frame of `width` × `height` px, or undefined if no tile has room for one. */
export function labelsSvg(
  labels: readonly TileLabel[],
  width: number,
  height: number,
  borderPx: number,
): string | undefined {
  const largest = Math.max(MIN_FONT, Math.min(26, Math.round(Math.min(width, height * 1.6) / 48)))
  const drawn = labels.flatMap(label => {
    const plate = fitted(label, largest, borderPx)
    return plate ? [draw(label, plate, borderPx)] : []
  })
  if (drawn.length === 0) return undefined
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="${FONT_FAMILY}">` +
    `${drawn.join('')}</svg>`
  )
}

/** Lines that fit into the tile, in the largest possible font. */
interface Plate {
  readonly lines: readonly string[]
  readonly fontPx: number
}

function fitted({ rect, name, cpuMs }: TileLabel, largest: number, borderPx: number): Plate | undefined {
  const shown = printable(name)
  const time = `${formatTime(cpuMs)}`
  for (let fontPx = largest; fontPx >= MIN_FONT; fontPx--) {
    const wide = rect.w - 2 * borderPx - barPx(fontPx) - 2 * padPx(fontPx)
    const high = rect.h - 2 * borderPx - padPx(fontPx)
    // A label may cover at most about half of its tile.
    const layouts = [[`${shown}  ${time}`], [shown, time]].filter(lines => lines.length * fontPx * LINE <= high / 1.6)
    const whole = layouts.find(lines => lines.every(line => textWidth(line, fontPx, 'bold') <= wide))
    if (whole) return { lines: whole, fontPx }
    if (fontPx > MIN_FONT) continue
    if (layouts.length > 0 && textWidth(time, fontPx, 'bold') <= wide) {
      const short = ellipsize(shown, wide / 1.1, fontPx)
      return { lines: layouts.length > 1 && [...short].length > 3 ? [short, time] : [time], fontPx }
    }
  }
  return undefined
}

function draw({ rect, color }: TileLabel, { lines, fontPx }: Plate, borderPx: number): string {
  const pad = padPx(fontPx)
  const bar = barPx(fontPx)
  const [x, y] = [rect.x + borderPx, rect.y + borderPx]
  const width = Math.ceil(bar + 2 * pad + Math.max(...lines.map(line => textWidth(line, fontPx, 'bold'))))
  const height = Math.ceil(lines.length * fontPx * LINE + pad * 0.6)
  const text = lines.map((line, row) => {
    const baseline = y + pad * 0.3 + (row + 0.78) * fontPx * LINE
    const weight = row === 0 ? 'bold' : 'normal'
    return `<text x="${x + bar + pad}" y="${baseline.toFixed(1)}" font-weight="${weight}" xml:space="preserve">${escapeMarkup(line)}</text>`
  })
  return (
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="#10151d" fill-opacity="0.82"/>` +
    `<rect x="${x}" y="${y}" width="${bar}" height="${height}" fill="${color}"/>` +
    `<g fill="#ffffff" font-size="${fontPx}">${text.join('')}</g>`
  )
}

const MIN_FONT = 8
const LINE = 1.25
const padPx = (fontPx: number): number => Math.round(fontPx * 0.45)
const barPx = (fontPx: number): number => Math.max(2, Math.round(fontPx * 0.3))
