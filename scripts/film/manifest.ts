/**
 * `render.json`: identifies the film whose frames are in a folder, so that `--resume` never mixes two films, and says which of its files
 * are complete.
 */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { messageOf, UsageError } from '../../shared/errors.ts'
import { sizeSchema } from '../../shared/frame/rect-schema.ts'
import { noiseSchema, qualitySchema, toneMappingSchema } from '../../shared/frame/view.ts'
import { DEFAULT_TONE_MAPPING } from '../../shared/light/tone-mapping.ts'
import { readRegular } from '../../shared/node/regular-file.ts'
import { idNamesSchema } from '../../shared/scene/id-names.ts'
import { sha256Schema, whole } from '../../shared/text/numbers.ts'
import { frameOf } from '../files/frame-names.ts'
import { parsedJson } from '../files/parsed-json.ts'
import { DENOISERS } from '../options/groups/light.ts'
import { EXR_TYPES, endingsOf } from '../options/groups/output.ts'
import { qualityDifference } from '../options/quality-difference.ts'
import { comparedEntries, entriesOf } from '../options/resumed.ts'
import type { RunOptions } from '../options/run.ts'
import { isUnfinished } from './unfinished.ts'

export const MANIFEST_FILE = 'render.json'

const writtenSchema = z.object({ name: z.string(), bytes: whole, sha256: sha256Schema })

/** A file of a complete frame, as it was written. */
export type WrittenFile = z.infer<typeof writtenSchema>

/** Entries that options have beside these are kept and compared as they are. */
const manifestSchema = z.looseObject({
  version: z.literal(1),
  scene: z.object({ name: z.string(), sha256: sha256Schema }),
  size: sizeSchema,
  quality: qualitySchema,
  /** Absent in files written before there was a choice. */
  denoise: z.enum(DENOISERS).default('off'),
  /** Null for frames that are not adaptive. */
  noise: noiseSchema.nullable().default(null),
  camera: z.string(),
  /** Null for scenes in which nothing moves. */
  fps: z.number().nullable().default(null),
  /** Null without motion blur. */
  shutter: z.object({ share: z.number(), steps: z.int() }).nullable().default(null),
  exposure: z.number(),
  /** Absent in files written before there was a choice. */
  toneMapping: toneMappingSchema.default(DEFAULT_TONE_MAPPING),
  transparent: z.boolean().default(false),
  /** What comes after the number in the names of a frame's files. */
  files: z.array(z.string()).default(['png']),
  exrType: z.enum(EXR_TYPES).default('float'),
  /** Of the EXR file beside the picture; null if channels have files of their own. */
  layers: z.array(z.string()).nullable().default(null),
  /** Absent in files written before there was a choice of engine. */
  engine: z.string().default('reference'),
  /** What the ids in its files stand for; absent if there are none. */
  names: idNamesSchema.exactOptional(),
  /** Absent in files of earlier releases. */
  written: z.array(writtenSchema).exactOptional(),
})

export type Manifest = z.infer<typeof manifestSchema>

/** The folder contains frames that the command would not have rendered. */
export class ResumeError extends UsageError {
  readonly code = 'CANNOT_RESUME'
  constructor(folder: string, problem: string) {
    super(`--resume ${folder}: ${problem}`)
  }
}

/** Of the film that options ask for. @param facts what the scene has decided */
export const filmManifest = (
  options: RunOptions,
  facts: Pick<Manifest, 'scene' | 'camera' | 'fps' | 'exposure' | 'names'>,
): Manifest =>
  manifestSchema.parse({
    ...entriesOf('render', options),
    ...facts,
    version: 1,
    files: endingsOf(options),
    layers: options.exrLayers ? options.aovs : null,
  })

/** The film in a folder, if any, which can be continued as this one. @throws ResumeError if it cannot */
export async function resumedFilm(folder: string, manifest: Manifest): Promise<Manifest | undefined> {
  const text = await readManifest(folder)
  if (text === undefined) {
    if (!(await hasFrames(folder))) return undefined
    throw new ResumeError(
      folder,
      `expected a ${MANIFEST_FILE} beside the existing frames, got none; use another folder`,
    )
  }
  const before = manifestSchema.safeParse(parsedJson(text) ?? withoutDamage(text))
  if (!before.success) throw new ResumeError(folder, `its ${MANIFEST_FILE} is damaged; use another folder`)
  const problem = differenceOf(before.data, manifest, ['the existing frames', 'the existing frames were made'])
  if (problem !== undefined) throw new ResumeError(folder, `${problem}; use the same options or another folder`)
  if (JSON.stringify(before.data.names) !== JSON.stringify(manifest.names))
    throw new ResumeError(
      folder,
      'the names of objects or materials have changed since the existing frames were made; use another folder',
    )
  return before.data
}

/**
 * The first thing in which two films differ, in words; undefined: nothing that decides their files.
 * @param of what there is of the first, and a clause that says that it was made
 */
export function differenceOf(
  before: Readonly<Record<string, unknown>>,
  film: Readonly<Record<string, unknown>>,
  [of, made]: readonly [string, string],
): string | undefined {
  for (const [key, noun] of comparedEntries('render')) {
    const [was, is] = [before, film].map(each =>
      JSON.stringify(key === 'scene' ? sceneOf(each).name : (each[key] ?? 'none')),
    )
    if (was !== is)
      return (
        (key === 'quality' ? qualityProblem(before[key], film[key], of) : undefined) ??
        `expected the ${noun} of ${of}, ${was}, got ${is}`
      )
    if (key === 'scene' && sceneOf(before).sha256 !== sceneOf(film).sha256)
      return `the scene ${was} or its look has changed since ${made}`
  }
  return undefined
}

/** In two qualities: by the option that says it. */
function qualityProblem(before: unknown, film: unknown, of: string): string | undefined {
  const difference = qualityDifference(before, film)
  if (!difference) return undefined
  const { only, flag, was, is } = difference
  return only === 'samples'
    ? `expected the samples of ${of}, ${was}, got ${is}, which are only added to path-traced stills whose checkpoint is there, by a run without --time, --verify and --checkpoint 0`
    : `expected the ${flag} of ${of}, ${was}, got ${is}`
}

const sceneOf = ({ scene }: Readonly<Record<string, unknown>>): Partial<Manifest['scene']> =>
  typeof scene === 'object' && scene !== null ? scene : {}

/** A run that was killed may have left previews: they are of no film. */
async function hasFrames(folder: string): Promise<boolean> {
  for (const name of await readdir(folder))
    if (frameOf(name) !== undefined && !(await isUnfinished(join(folder, name)))) return true
  return false
}

/** A manifest whose last lines were not written whole. */
function withoutDamage(text: string): unknown {
  const [head = '', list = ''] = text.split(LIST)
  const film = parsedJson(`${head}"written": []}`)
  const lines = list.split('\n').map(line => writtenSchema.safeParse(parsedJson(line.trim().replace(/,$/, ''))))
  return typeof film === 'object' ? { ...film, written: lines.flatMap(({ data }) => data ?? []) } : undefined
}

const LIST = /"written": \[\n/

/** Undefined if there is none. @throws ResumeError */
async function readManifest(folder: string): Promise<string | undefined> {
  try {
    return (await readRegular(join(folder, MANIFEST_FILE))).toString()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new ResumeError(folder, `its ${MANIFEST_FILE} cannot be read: ${messageOf(error)}; use another folder`)
  }
}
