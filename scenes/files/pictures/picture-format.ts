/**
 * Which pictures are decoded, by their first bytes. The image library knows more, and would follow them: an SVG is a program that
 * may draw for hours.
 */

type Magic = readonly [at: number, bytes: readonly number[]]

const words = (text: string): number[] => [...text].map(letter => letter.charCodeAt(0))

/** What all pictures of a format have. */
const FORMATS: Readonly<Record<string, readonly (readonly Magic[])[]>> = {
  PNG: [[[0, [0x89, ...words('PNG\r\n'), 0x1a, 0x0a]]]],
  JPEG: [[[0, [0xff, 0xd8, 0xff]]]],
  WebP: [
    [
      [0, words('RIFF')],
      [8, words('WEBP')],
    ],
  ],
  AVIF: [[[4, words('ftyp')]]],
  GIF: [[[0, words('GIF8')]]],
  TIFF: [[[0, [...words('II'), 42, 0]]], [[0, [...words('MM'), 0, 42]]]],
}

/** The name of its format. @throws Error for what is none of them */
export function formatOf(bytes: Uint8Array): string {
  const found = Object.entries(FORMATS).find(([, forms]) =>
    forms.some(magics => magics.every(([at, magic]) => magic.every((byte, i) => bytes[at + i] === byte))),
  )
  if (found) return found[0]
  const names = Object.keys(FORMATS).join(', ')
  throw new Error(`expected a picture (${names} or KTX2), got ${bytes.length === 0 ? 'no bytes' : 'something else'}`)
}
