/**
 * `compare.json`: the conditions of the runs in a folder, so that `compare --resume` never compares runs made under
 * different conditions. The number of rounds is not part of them: more rounds make a comparison more precise, not different.
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import { CLOCKS } from '../../shared/frame/frame-limits.ts'
import { regionSchema, sizeSchema } from '../../shared/frame/rect-schema.ts'
import { noiseSchema, qualitySchema, toneMappingSchema, whiteBalanceSchema } from '../../shared/frame/view.ts'
import { DEFAULT_TONE_MAPPING } from '../../shared/light/tone-mapping.ts'
import { readRegular } from '../../shared/node/regular-file.ts'
import { strategyOptionsSchema } from '../../shared/session/strategy-options.ts'
import { cores, sha256Schema, share } from '../../shared/text/numbers.ts'
import type { OutputFolder } from '../files/output-folder.ts'
import { parsedJson } from '../files/parsed-json.ts'
import { ResumeError } from '../film/manifest.ts'
import { qualityDifference } from '../options/quality-difference.ts'
import { comparedEntries, entriesOf } from '../options/resumed.ts'
import type { RunOptions } from '../options/run.ts'
import { describeHost } from '../run/host.ts'
import type { PreparedScene } from '../run/prepare-scene.ts'

const FILE = 'compare.json'

/** Everything that affects whether times are comparable. Entries that options have beside these are kept and compared as they are. */
const conditionsSchema = z.looseObject({
  scene: z.object({ name: z.string(), sha256: sha256Schema }),
  size: sizeSchema,
  region: regionSchema.nullable().default(null),
  firstFrame: z.int().nonnegative(),
  frames: z.int().positive(),
  quality: qualitySchema,
  noise: noiseSchema.nullable().default(null),
  camera: z.string(),
  fps: z.number().nullable().default(null),
  shutter: z.object({ share: z.number(), steps: z.int() }).nullable().default(null),
  exposure: z.number(),
  toneMapping: toneMappingSchema.default(DEFAULT_TONE_MAPPING),
  whiteBalance: whiteBalanceSchema.nullable().default(null),
  engine: z.string(),
  strategies: z.array(z.string()),
  options: strategyOptionsSchema,
  clock: z.enum(CLOCKS),
  passes: z.int().positive(),
  inFlight: z.int().positive(),
  verify: share.nullable().default(null),
  cluster: z.union([
    z.object({ master: z.string(), workers: z.int().positive() }),
    z.object({
      workers: z.int().positive(),
      threads: z.int().positive(),
      cores: z.array(cores).nullable(),
      /** Absent in files of earlier releases. */
      accelerators: z.array(z.string()).default([]),
    }),
  ]),
  host: z.object({ cpu: z.string(), cores: z.int().positive(), node: z.string() }),
})

const manifestSchema = z.object({ version: z.literal(1), comparison: z.uuid(), conditions: conditionsSchema })

type Conditions = z.infer<typeof conditionsSchema>
export type CompareManifest = z.infer<typeof manifestSchema>

export function conditionsOf(scene: PreparedScene, options: RunOptions, strategies: readonly string[]): Conditions {
  const { firstFrame, cluster } = options
  const { cpu, cores, node } = describeHost()
  return conditionsSchema.parse({
    ...entriesOf('compare', options),
    firstFrame,
    scene: { name: scene.name, sha256: scene.held.hash },
    camera: scene.cameraPath,
    fps: scene.motion ? options.fps : null,
    exposure: scene.exposure,
    strategies,
    options: options.strategy,
    cluster:
      cluster.kind === 'remote'
        ? { master: cluster.url, workers: cluster.workers }
        : {
            workers: cluster.workers,
            threads: cluster.threads,
            accelerators: cluster.accelerators,
            cores: cluster.pacing.shares,
          },
    host: { cpu, cores, node },
  })
}

/** A new comparison, which ignores runs of others in the folder. */
export const newManifest = (conditions: Conditions): CompareManifest => ({
  version: 1,
  comparison: randomUUID(),
  conditions,
})

export async function writeManifest(folder: OutputFolder, manifest: CompareManifest): Promise<void> {
  await folder.write(FILE, `${JSON.stringify(manifest, null, 1)}\n`)
}

/** The comparison in a folder, if any. @throws ResumeError if it was made under different conditions */
export async function resumedManifest(folder: string, conditions: Conditions): Promise<CompareManifest | undefined> {
  const text = await readRegular(join(folder, FILE)).then(String, (error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new ResumeError(folder, `its ${FILE} cannot be read: ${error.message}; use another folder`)
  })
  if (text === undefined) return undefined
  const before = manifestSchema.safeParse(parsedJson(text))
  if (!before.success) throw new ResumeError(folder, `its ${FILE} is damaged; use another folder`)
  for (const key of [...comparedEntries('compare').keys(), 'firstFrame', 'host']) {
    const [was, is] = [before.data.conditions[key], conditions[key]]
    if (isDeepStrictEqual(parsedJson(JSON.stringify(was)), parsedJson(JSON.stringify(is)))) continue
    const quality = key === 'quality' ? qualityDifference(was, is) : undefined
    const [expected, got] = quality ? [quality.was, quality.is] : [was, is].map(value => JSON.stringify(value))
    throw new ResumeError(
      folder,
      `expected the ${quality?.flag ?? key} of the existing runs, ${expected}, got ${got}; use the same options or another folder`,
    )
  }
  return before.data
}
