/** `render.json`: identifies the film whose frames are in a folder, so that `--resume` never mixes two films. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { UsageError } from '../../shared/errors.ts'
import { sha256Schema } from '../../shared/numbers.ts'
import { sizeSchema } from '../../shared/rect-schema.ts'
import { qualitySchema } from '../../shared/view.ts'
import { frameFile, frameOf } from '../files/frame-names.ts'
import type { OutputFolder } from '../files/output-folder.ts'
import { parsedJson } from '../files/parsed-json.ts'

const FILE = 'render.json'

const manifestSchema = z.object({
  version: z.literal(1),
  scene: z.object({ name: z.string(), sha256: sha256Schema }),
  size: sizeSchema,
  quality: qualitySchema,
  camera: z.string(),
  exposure: z.number(),
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

/** Numbers of the film's frames in a folder: those not older than its manifest. */
export async function finishedFrames(folder: string): Promise<Set<number>> {
  const begun = await stat(join(folder, FILE)).catch(() => undefined)
  const finished = new Set<number>()
  if (!begun) return finished
  const frames = (await readdir(folder)).flatMap(name => frameOf(name) ?? [])
  const look = async (frame: number): Promise<void> => {
    const found = await stat(join(folder, frameFile(frame))).catch(() => undefined)
    if (found && found.mtimeMs >= begun.mtimeMs) finished.add(frame)
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
  for (const key of ['scene', 'size', 'quality', 'camera', 'exposure', 'engine'] as const) {
    const [was, is] = [before.data, manifest].map(film => JSON.stringify(key === 'scene' ? film.scene.name : film[key]))
    if (key === 'scene' && was === is && before.data.scene.sha256 !== manifest.scene.sha256)
      throw new ResumeError(
        folder,
        `the scene ${was} or its look has changed since the existing frames were made; use another folder`,
      )
    if (was !== is) {
      throw new ResumeError(
        folder,
        `expected the ${key} of the existing frames, ${was}, got ${is}; use the same options or another folder`,
      )
    }
  }
}

const readManifest = (folder: string): Promise<string | undefined> =>
  readFile(join(folder, FILE), 'utf8').catch(() => undefined)
