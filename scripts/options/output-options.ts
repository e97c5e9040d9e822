/** Parses and validates which files are written of each frame and of all together, and how light is shown in them. Pure. */
import { OptionError } from '../../shared/errors.ts'
import { type PlaneName, planeNames } from '../../shared/frame/frame-planes.ts'
import type { Size } from '../../shared/frame/rect.ts'
import { DEFAULT_TONE_MAPPING, TONE_MAPPINGS, type ToneMapping } from '../../shared/light/tone-mapping.ts'
import {
  AOV_NAMES,
  type AovName,
  aovEnding,
  FILM_FILES,
  type FilmName,
  OUTPUT_ENDINGS,
  type OutputName,
} from '../files/frame-names.ts'
import { number, oneOf } from './option-values.ts'

/** Raw options from commander: text, or true for a flag. All but the last two are only for `render`. */
export interface RawOutputOptions {
  readonly output?: string
  readonly contactSheet?: boolean
  readonly aov?: string
  readonly exrType?: string
  readonly transparent?: boolean
  readonly toneMapping: string
  readonly exposure?: string
}

export interface OutputOptions {
  /** Files of each frame's picture, each once. */
  readonly outputs: readonly OutputName[]
  /** Files of all frames together, each once. Like the contact sheet, they are made of the PNG files. */
  readonly films: readonly FilmName[]
  readonly contactSheet: boolean
  readonly aovs: readonly AovName[]
  /** Values in EXR files; depth, position, id and samples are floats always. */
  readonly exrType: ExrType
  /** Whether there is no background. */
  readonly transparent: boolean
  readonly toneMapping: ToneMapping
  /** Undefined: the scene's own. */
  readonly exposure: number | undefined
}

export const EXR_TYPES = ['float', 'half'] as const
export type ExrType = (typeof EXR_TYPES)[number]

/** Longest side of a WebP picture, px. */
const MAX_WEBP_PX = 16383

const OUTPUTS = Object.keys(OUTPUT_ENDINGS) as OutputName[]
const FILMS = Object.keys(FILM_FILES) as FilmName[]

/** Those of a command that writes PNG files only. */
export const PNG_ONLY = {
  outputs: ['png'],
  aovs: [],
  exrType: 'float',
  transparent: false,
} as const satisfies Partial<OutputOptions>

/** @throws OptionError, UnknownNameError */
export function resolveOutputOptions(raw: RawOutputOptions, size: Size): OutputOptions {
  const names = list('output', raw.output ?? 'png', [...OUTPUTS, ...FILMS])
  const films = FILMS.filter(name => names.includes(name))
  const contactSheet = raw.contactSheet === true
  const ofPngs = contactSheet || films.length > 0
  const outputs = OUTPUTS.filter(name => names.includes(name) || (name === 'png' && ofPngs))
  const aovs = raw.aov === undefined ? [] : list('aov', raw.aov, AOV_NAMES)
  if (raw.exrType !== undefined && !outputs.includes('exr') && aovs.length === 0)
    throw new OptionError('--exr-type', 'exr among --output with it, or --aov', `'${raw.exrType}' for no EXR file`)
  const webp = names.find(name => name === 'webp' || name === 'animated-webp')
  if (webp && Math.max(...size) > MAX_WEBP_PX)
    throw new OptionError('--output', `no ${webp} for sides of more than ${MAX_WEBP_PX} px`, size.join('x'))
  return {
    outputs,
    films,
    contactSheet,
    aovs,
    transparent: raw.transparent === true,
    exrType: oneOf('type of EXR file', raw.exrType ?? 'float', EXR_TYPES),
    toneMapping: oneOf('tone mapping', raw.toneMapping ?? DEFAULT_TONE_MAPPING, TONE_MAPPINGS),
    exposure: raw.exposure === undefined ? undefined : number('--exposure', raw.exposure, 1e-6, 1e6),
  }
}

/** Comma-separated names, each once. @throws OptionError, UnknownNameError */
function list<T extends string>(option: string, text: string, known: readonly T[]): T[] {
  if (text.trim() === '')
    throw new OptionError(`--${option}`, `names such as ${known.slice(0, 3).join(',')}`, 'nothing')
  const names = text.split(',').map(name => oneOf(option, name.trim(), known))
  if (new Set(names).size < names.length) throw new OptionError(`--${option}`, 'each name once', `'${text}'`)
  return known.filter(name => names.includes(name))
}

/** What comes after the number in the names of a frame's files. */
export const endingsOf = ({ outputs, aovs }: Pick<OutputOptions, 'outputs' | 'aovs'>): string[] => [
  ...outputs.map(name => OUTPUT_ENDINGS[name]),
  ...aovs.map(aovEnding),
]

/** The channels that these files need beside finished colour. */
export function channelsOf({
  outputs,
  aovs,
  transparent,
}: Pick<OutputOptions, 'outputs' | 'aovs' | 'transparent'>): PlaneName[] {
  const light = outputs.includes('png16') || outputs.includes('exr')
  const wanted: PlaneName[] = [
    ...(light ? (['light'] as const) : []),
    ...(transparent ? (['alpha'] as const) : []),
    ...aovs,
  ]
  return planeNames.filter(name => wanted.includes(name))
}
