/** Which files are written of each frame and of all together. Pure. */
import { join } from 'node:path'
import { OptionError } from '../../../shared/errors.ts'
import { type PlaneName, planeNames } from '../../../shared/frame/frame-planes.ts'
import type { Size } from '../../../shared/frame/rect.ts'
import {
  AOV_NAMES,
  type AovName,
  aovEnding,
  colorsEnding,
  FILM_FILES,
  type FilmName,
  NAMED_IDS,
  OUTPUT_ENDINGS,
  type OutputName,
} from '../../files/frame-names.ts'
import { LOG_FORMS } from '../../terminal/json-log.ts'
import { by, CLUSTERS, group, option, RUNS, type SettledOf } from '../declare/group.ts'
import { flag, listOf, number, oneOf, path } from '../declare/kinds.ts'
import type { Denoiser } from './light.ts'

export const EXR_TYPES = ['float', 'half'] as const
export type ExrType = (typeof EXR_TYPES)[number]

/** Longest side of a WebP picture, px. */
const MAX_WEBP_PX = 16383

/** How often frames are kept, s. */
export const CHECKPOINT_S = 60
const MAX_SECONDS = 86_400

const OUTPUTS = Object.keys(OUTPUT_ENDINGS) as OutputName[]
const FILMS = Object.keys(FILM_FILES) as FilmName[]

export const output = group('Output:', RUNS, {
  out: option({
    flag: '-o, --out <folder>',
    kind: path('folder'),
    help: 'output folder',
    usual: by({ render: join('out', 'render'), compare: join('out', 'compare') }),
    variable: RUNS,
  }),
  output: option<readonly (OutputName | FilmName)[]>({
    flag: '--output <list>',
    kind: listOf('output', [...OUTPUTS, ...FILMS]),
    help: 'files for each frame: png, png16, exr (linear, not tone mapped), webp; films: mp4 (needs ffmpeg), animated-webp, made from png files, which they imply',
    more: 'see [films](scripts/film/README.md#films)',
    usual: ['png'],
    commands: ['render'],
    variable: ['render'],
    decides: 'files',
    entry: 'files',
  }),
  contactSheet: option({
    flag: '--contact-sheet',
    kind: flag,
    help: 'contact-sheet.png: up to 24 of the frames, small, side by side; implies png',
    usual: false,
    commands: ['render'],
  }),
  aov: option({
    flag: '--aov <list>',
    kind: listOf('aov', AOV_NAMES),
    help: 'more EXR files for each frame: {names}; objectId and materialId get PNG files, too; cryptoObject and cryptoMaterial are Cryptomattes',
    commands: ['render'],
    variable: ['render'],
    decides: 'files',
    entry: 'files',
  }),
  exrLayers: option({
    flag: '--exr-layers',
    kind: flag,
    help: 'one EXR file per frame: the picture, and what --aov lists as named layers; implies exr',
    more: 'see [files](scripts/film/README.md#files)',
    usual: false,
    commands: ['render'],
    decides: 'files',
    entry: 'layers',
    noun: 'layers of EXR files',
  }),
  exrType: option({
    flag: '--exr-type <type>',
    kind: oneOf('type of EXR file', EXR_TYPES),
    help: 'values in EXR files: float or half; depth, position, ids, mattes and samples are never halves',
    otherwise: 'float, or half with --exr-layers',
    commands: ['render'],
    variable: ['render'],
    decides: 'files',
    noun: 'type of EXR files',
  }),
  transparent: option({
    flag: '--transparent',
    kind: flag,
    help: 'no background: pictures have alpha',
    more: 'colours are those of the objects, and `alpha` is how much of a pixel they cover',
    usual: false,
    commands: ['render', 'tile'],
    library: true,
    decides: 'pixels',
    noun: 'transparency',
  }),
  checkpoint: option({
    flag: '--checkpoint <seconds>',
    kind: number(0, MAX_SECONDS),
    help: 'how often an unfinished frame is saved beside its picture, for {resume}; 0: never',
    more: 'see [interrupted runs](scripts/film/README.md#interrupted-runs)',
    otherwise: `${CHECKPOINT_S}; with {time}, {verify} or {mixEngines} 0`,
    commands: ['render'],
    variable: ['render'],
    off: 0,
    rules: [
      { excludes: 'time', because: ': its frames have different samples in each run' },
      { excludes: 'verify', because: ': pixels that were kept would not be checked again' },
      { excludes: 'mixEngines', because: ': what traced a pixel is not known afterwards' },
    ],
  }),
  record: option({
    flag: '--record <file>',
    kind: path('file'),
    help: 'record the cost of every part of every frame in a .ndjson file, for sortfirst simulate',
    variable: RUNS,
    rules: [{ excludes: 'noise', because: ': a recording holds what a frame costs in a single pass' }],
  }),
  trace: option({
    flag: '--trace <file>',
    kind: path('file'),
    help: 'write every span of every frame as a Chrome trace; Perfetto opens it',
    variable: RUNS,
  }),
  logForm: option({
    flag: '--log <form>',
    kind: oneOf('form of the log', LOG_FORMS),
    help: 'form of the lines on standard error: text, or json, one object per line, with the progress of frames',
    more: 'see [progress for programs](scripts/film/README.md#progress-for-programs)',
    usual: 'text',
    commands: [...RUNS, 'tile'],
    variable: [...RUNS, 'tile'],
  }),
  json: option({
    flag: '--json',
    kind: flag,
    help: by({
      render: 'print the summary as one JSON document, and nothing else, on standard output',
      view: 'print { link } as JSON, a line for each link, and nothing else on standard output',
    }),
    commands: CLUSTERS,
    usual: false,
  }),
})

export interface OutputOptions {
  /** Files of each frame's picture, each once. */
  readonly outputs: readonly OutputName[]
  /** Files of all frames together, each once. Like the contact sheet, they are made of the PNG files. */
  readonly films: readonly FilmName[]
  readonly contactSheet: boolean
  readonly aovs: readonly AovName[]
  /** Whether these are layers of the EXR file of the picture. */
  readonly exrLayers: boolean
  /** Values in EXR files; depth, position, ids, mattes and samples are never halves. */
  readonly exrType: ExrType
  /** Whether there is no background. */
  readonly transparent: boolean
}

/** Those of a command that writes PNG files only. */
export const PNG_ONLY = {
  outputs: ['png'],
  aovs: [],
  exrLayers: false,
  exrType: 'float',
  transparent: false,
} as const satisfies Partial<OutputOptions>

/** @throws OptionError */
export function resolveOutput(
  { output: names, contactSheet, aov: aovs = [], exrLayers, exrType, transparent }: SettledOf<typeof output>,
  size: Size,
  isProgressive: boolean,
): OutputOptions {
  const films = FILMS.filter(name => names.includes(name))
  const ofPngs = contactSheet || films.length > 0
  const implied = { png: ofPngs, png16: false, exr: exrLayers, webp: false }
  const outputs = OUTPUTS.filter(name => names.includes(name) || implied[name])
  if (exrType !== undefined && !outputs.includes('exr') && aovs.length === 0)
    throw new OptionError('--exr-type', 'exr among --output with it, or --aov', `'${exrType}' for no EXR file`)
  const webp = names.find(name => name === 'webp' || name === 'animated-webp')
  if (webp && Math.max(...size) > MAX_WEBP_PX)
    throw new OptionError('--output', `no ${webp} for sides of more than ${MAX_WEBP_PX} px`, size.join('x'))
  if (isProgressive && !outputs.includes('png'))
    throw new OptionError(
      '--progressive',
      'png among --output with it: unfinished frames are PNG files',
      outputs.join(','),
    )
  const type = exrType ?? (exrLayers ? 'half' : 'float')
  return { outputs, films, contactSheet, aovs, exrLayers, transparent, exrType: type }
}

/** What comes after the number in the names of a frame's files. */
export const endingsOf = ({
  outputs,
  aovs,
  exrLayers,
}: Pick<OutputOptions, 'outputs' | 'aovs' | 'exrLayers'>): string[] => [
  ...outputs.map(name => OUTPUT_ENDINGS[name]),
  ...(exrLayers ? [] : aovs.map(aovEnding)),
  ...NAMED_IDS.filter(name => aovs.includes(name)).map(colorsEnding),
]

/** What Open Image Denoise is given of a frame. */
const OIDN_PLANES = ['light', 'albedo', 'normal'] as const satisfies readonly PlaneName[]

/** The channels that these files need beside finished colour. */
export function channelsOf({
  outputs,
  aovs,
  transparent,
  denoise = 'off',
}: Pick<OutputOptions, 'outputs' | 'aovs' | 'transparent'> & { readonly denoise?: Denoiser | undefined }): PlaneName[] {
  const light = outputs.includes('png16') || outputs.includes('exr')
  const wanted: PlaneName[] = [
    ...(light ? (['light'] as const) : []),
    ...(denoise === 'oidn' ? OIDN_PLANES : []),
    ...(denoise === 'on' && outputs.includes('exr') ? (['noisy'] as const) : []),
    ...(transparent ? (['alpha'] as const) : []),
    ...aovs,
  ]
  return planeNames.filter(name => wanted.includes(name))
}
