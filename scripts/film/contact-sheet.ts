/** Frames of a film side by side, small and with their numbers: the whole film at a glance. */
import { join } from 'node:path'
import sharp, { type OverlayOptions } from 'sharp'
import { CONTACT_SHEET_FILE, frameFile } from '../files/frame-names.ts'
import { provideFonts } from '../report/charts/fonts.ts'
import { escapeMarkup } from '../report/charts/markup.ts'
import { ellipsize, FONT_FAMILY, printable, textWidth } from '../report/charts/text-width.ts'
import { plural } from '../report/figures/numbers.ts'
import { type FilmFrames, picture } from './frame-pictures.ts'
import { MARGIN_PX, type SheetLayout, sheetFrames, sheetLayout } from './sheet-layout.ts'

const BACKGROUND = '#10151d'
const OUTLINE = '#2a3443'
const BRIGHT = '#eef2f7'
const MUTED = '#94a1b2'
const TITLE_FONT_PX = 18
const LABEL_FONT_PX = 13

/**
 * A PNG with a title. The fonts of reports are made known to this process.
 * @throws FilmError if a frame's file is missing or damaged
 */
export async function contactSheet(
  title: string,
  film: FilmFrames,
  environment: NodeJS.ProcessEnv,
): Promise<Uint8Array> {
  provideFonts(environment)
  const shown = sheetFrames(film.firstFrame, film.frames)
  const layout = sheetLayout(shown.length, film.size)
  const [width, height] = layout.size
  const pictures: OverlayOptions[] = []
  for (const [index, frame] of shown.entries()) {
    const [left, top] = layout.at(index)
    const input = await picture(join(film.folder, frameFile(frame)), film.size, CONTACT_SHEET_FILE, bytes =>
      sharp(bytes)
        .resize(...layout.thumb, { fit: 'fill' })
        .png({ compressionLevel: 1 })
        .toBuffer(),
    )
    pictures.push({ input, left, top })
  }
  const text = { input: Buffer.from(textSvg(title, film, shown, layout)), left: 0, top: 0 }
  return sharp({ create: { width, height, channels: 3, background: BACKGROUND } })
    .composite([text, ...pictures])
    .removeAlpha()
    .png({ compressionLevel: 9 })
    .toBuffer()
}

/** The title, outlines, because a dark frame would have no edges, and labels. */
function textSvg(title: string, film: FilmFrames, shown: readonly number[], layout: SheetLayout): string {
  const { size, thumb, at } = layout
  const [left] = at(0)
  const room = size[0] - 2 * left
  const name = ellipsize(printable(title), room, TITLE_FONT_PX)
  const used = textWidth(name, TITLE_FONT_PX, 'bold') + TITLE_FONT_PX
  const facts = factsOf(film, shown.length).find(each => used + textWidth(each, LABEL_FONT_PX) <= room)
  const baseline = MARGIN_PX + TITLE_FONT_PX * 0.8
  const texts = [
    textAt(left, baseline, TITLE_FONT_PX, BRIGHT, name, 'bold'),
    ...(facts === undefined ? [] : [textAt(size[0] - left, baseline, LABEL_FONT_PX, MUTED, facts, 'normal', 'end')]),
  ]
  const cells = shown.map((frame, index) => {
    const [x, y] = at(index)
    const box = `x="${x - 0.5}" y="${y - 0.5}" width="${thumb[0] + 1}" height="${thumb[1] + 1}"`
    const label = textAt(x, y + thumb[1] + LABEL_FONT_PX + 5, LABEL_FONT_PX, MUTED, `frame ${frame}`)
    return `<rect ${box} fill="none" stroke="${OUTLINE}"/>${label}`
  })
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size[0]}" height="${size[1]}" font-family="${FONT_FAMILY}">` +
    `${texts.join('')}${cells.join('')}</svg>`
  )
}

/** What is said of the film, if there is room for it; the most first. */
function factsOf({ frames, size }: FilmFrames, shown: number): string[] {
  const count = shown < frames ? `${shown} of ${plural(frames, 'frame')}` : plural(frames, 'frame')
  return [`${count}, ${size.join(' × ')} px`, count]
}

const textAt = (
  x: number,
  y: number,
  fontPx: number,
  fill: string,
  text: string,
  weight: 'normal' | 'bold' = 'normal',
  anchor: 'start' | 'end' = 'start',
): string =>
  `<text x="${x}" y="${y}" font-size="${fontPx}" fill="${fill}" font-weight="${weight}" text-anchor="${anchor}" xml:space="preserve">${escapeMarkup(text)}</text>`
