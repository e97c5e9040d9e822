/** `render.json`: identifies the film whose frames are in a folder, so that `--resume` never mixes two films. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { UsageError } from '../../shared/errors.ts'
import { DEFAULT_TONE_MAPPING } from '../../shared/light/tone-mapping.ts'
import { sha256Schema } from '../../shared/numbers.ts'
import { sizeSchema } from '../../shared/rect-schema.ts'
import { noiseSchema, qualitySchema, toneMappingSchema } from '../../shared/view.ts'
import { frameFile, frameOf } from '../files/frame-names.ts'
import type { OutputFolder } from '../files/output-folder.ts'
import { parsedJson } from '../files/parsed-json.ts'
import { EXR_TYPES } from './output-options.ts'

const FILE = 'render.json'

const manifestSchema = z.object({
  version: z.literal(1),
  scene: z.object({ name: z.string(), sha256: sha256Schema }),
  size: sizeSchema,
  quality: qualitySchema,
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
  /** Absent in files written before there was a choice of engine. */
  engine: z.string().default('reference'),
})

export type Manifest = z.infer<typeof manifestSchema>

/** The folder contains frames that the command would not have rendered. */
export class ResumeError extends UsageError {
  readonly code = 'CANNOT_RESUME'
  constructor(folder: string, problem: string) {
    super(`--resume ${folder}: ${problem}`)
  }
}

/** Identifies the film that is written from now on; older frames in the folder do not belong to it. */
export async function beginFilm(folder: OutputFolder, manifest: Manifest): Promise<void> {
  await folder.write(FILE, `${JSON.stringify(manifest, null, 2)}\n`)
}

/** Numbers of the film's frames in a folder: those that have all of their files, none older than the manifest. */
export async function finishedFrames(folder: string, endings: readonly string[] = ['png']): Promise<Set<number>> {
  const begun = await stat(join(folder, FILE)).catch(() => undefined)
  const finished = new Set<number>()
  if (!begun) return finished
  const names = new Set(await readdir(folder))
  const all = [...new Set([...names].flatMap(name => frameOf(name) ?? []))]
  const frames = all.filter(frame => endings.every(ending => names.has(frameFile(frame, ending))))
  const look = async (frame: number): Promise<void> => {
    const paths = endings.map(ending => join(folder, frameFile(frame, ending)))
    const found = await Promise.all(paths.map(path => stat(path).catch(() => undefined)))
    if (found.every(file => file && file.mtimeMs >= begun.mtimeMs)) finished.add(frame)
  }
  // A long film has very many: sequential calls would take minutes, and all at once would take too much memory.
  for (let i = 0; i < frames.length; i += AT_ONCE) await Promise.all(frames.slice(i, i + AT_ONCE).map(look))
  return finished
}

const AT_ONCE = 1000

/** Checks that the film in a folder, if any, can be continued. @throws ResumeError */
export async function checkManifest(folder: string, manifest: Manifest): Promise<void> {
  const text = await readManifest(folder)
  if (text === undefined) {
    if ((await readdir(folder)).every(name => frameOf(name) === undefined)) return
    throw new ResumeError(folder, `expected a ${FILE} beside the existing frames, got none; use another folder`)
  }
  const before = manifestSchema.safeParse(parsedJson(text))
  if (!before.success) throw new ResumeError(folder, `its ${FILE} is damaged; use another folder`)
  for (const key of Object.keys(WORDS) as (keyof typeof WORDS)[]) {
    const [was, is] = [before.data, manifest].map(film =>
      JSON.stringify(key === 'scene' ? film.scene.name : (film[key] ?? 'none')),
    )
    if (key === 'scene' && was === is && before.data.scene.sha256 !== manifest.scene.sha256)
      throw new ResumeError(
        folder,
        `the scene ${was} or its look has changed since the existing frames were made; use another folder`,
      )
    if (was !== is) {
      throw new ResumeError(
        folder,
        `expected the ${WORDS[key]} of the existing frames, ${was}, got ${is}; use the same options or another folder`,
      )
    }
  }
}

/** What must be the same, in words. */
const WORDS = {
  ...{ scene: 'scene', size: 'size', quality: 'quality', noise: 'noise', camera: 'camera' },
  ...{ fps: 'frames per second', shutter: 'shutter', exposure: 'exposure' },
  ...{ toneMapping: 'tone mapping', transparent: 'transparency', files: 'files', exrType: 'type of EXR files' },
  engine: 'engine',
} as const

const readManifest = (folder: string): Promise<string | undefined> =>
  readFile(join(folder, FILE), 'utf8').catch(() => undefined)
