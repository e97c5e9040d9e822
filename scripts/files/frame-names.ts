/**
 * Names of frame files: the frame's number, and what the file is. At least four digits, so that sorting by name sorts by frame.
 * `0007.png` is the picture, `0007.16.png` the same with 16 bits, `0007.exr` its light, `0007.depth.exr` another channel of it, and
 * `0007.objectId.png` one in false colours.
 */

/** What can be written of a frame's picture, with the endings of the files. */
export const OUTPUT_ENDINGS = { png: 'png', png16: '16.png', exr: 'exr', webp: 'webp' } as const
export type OutputName = keyof typeof OUTPUT_ENDINGS

/** What can be made of all frames of a run together, with the names of the files. */
export const FILM_FILES = { mp4: 'film.mp4', 'animated-webp': 'film.webp' } as const
export type FilmName = keyof typeof FILM_FILES

export const CONTACT_SHEET_FILE = 'contact-sheet.png'

/** The channels that can be written beside it, each to an EXR file of its own. */
export const AOV_NAMES = [
  'albedo',
  'normal',
  'mappedNormal',
  'depth',
  'position',
  'id',
  'objectId',
  'materialId',
  'cryptoObject',
  'cryptoMaterial',
  'samples',
] as const
export type AovName = (typeof AOV_NAMES)[number]

/** Those that are Cryptomatte's, with what it calls them. */
export const MATTES = { cryptoObject: 'CryptoObject', cryptoMaterial: 'CryptoMaterial' } as const
export type MatteName = keyof typeof MATTES
export const isMatte = (name: AovName): name is MatteName => Object.hasOwn(MATTES, name)

/** Those that have a PNG file in false colours, too. */
export const NAMED_IDS = ['objectId', 'materialId'] as const satisfies readonly AovName[]
export type NamedId = (typeof NAMED_IDS)[number]

/** Everything after the number and a dot. */
export const aovEnding = (name: AovName): string => `${name}.exr`

/** The same of false colours. */
export const colorsEnding = (name: NamedId): string => `${name}.png`

const ENDINGS = new Set<string>([
  ...Object.values(OUTPUT_ENDINGS),
  ...AOV_NAMES.map(aovEnding),
  ...NAMED_IDS.map(colorsEnding),
])

/** File name of a frame. */
export const frameFile = (frame: number, ending: string = OUTPUT_ENDINGS.png): string =>
  `${String(frame).padStart(4, '0')}.${ending}`

/** The frame number of a file; undefined for other files, such as one with extra leading zeros. */
export const frameOf = (name: string): number | undefined => frameWith(name, ENDINGS)

/** The same of files with one of these endings. */
export function frameWith(name: string, endings: ReadonlySet<string>): number | undefined {
  const [, digits = '', ending = ''] = /^(\d{4,})\.(.+)$/.exec(name) ?? []
  const frame = Number.parseInt(digits, 10)
  return endings.has(ending) && Number.isSafeInteger(frame) && frameFile(frame, ending) === name ? frame : undefined
}
