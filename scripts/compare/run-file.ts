/**
 * `<strategy>/run-1.json`, `run-2.json`, …: a complete run of each round, with all data for the report except pixels, which are
 * in the frames beside it. `compare --resume` loads it instead of repeating the run.
 */
import { join } from 'node:path'
import sharp from 'sharp'
import * as z from 'zod'
import {
  frameEventSchema,
  frameReportSchema,
  tileReportSchema,
  workerInfoSchema,
} from '../../shared/frame/frame-report.ts'
import { sizeSchema } from '../../shared/frame/rect-schema.ts'
import { deviceUseSchema, frameSummarySchema } from '../../shared/frame/summary.ts'
import { readRegular } from '../../shared/node/regular-file.ts'
import { sha256 } from '../../shared/node/sha256.ts'
import { ms, sha256Schema, whole } from '../../shared/text/numbers.ts'
import { hostLoadSchema } from '../../shared/time/host-load.ts'
import { frameFile } from '../files/frame-names.ts'
import type { OutputFolder } from '../files/output-folder.ts'
import { KeptFrames } from '../report/figures/kept-frames.ts'
import { readableJson } from '../report/figures/summary-json.ts'
import { folderName } from '../report/write-report.ts'
import type { ComparedRun, MeasuredRun, ShownFrame } from './compared-run.ts'

const sum = z.number().nonnegative()
const totalsSchema = z.object({
  rows: whole,
  idleMs: sum,
  overheadMs: sum,
  stitchMs: sum,
  workersWallMs: sum,
  tracingMs: sum,
  cores: sum,
  repeated: sum,
  framesWallMs: sum,
  slowest: z.object({ prepareMs: sum, transitMs: sum, tracingMs: sum, idleMs: sum }),
  beganAt: z.number().optional(),
  endedAt: z.number().optional(),
})

const figuresSchema = frameReportSchema
  .pick({
    frameMs: true,
    criticalMs: true,
    meanMs: true,
    epsilonCpu: true,
    epsilonWall: true,
    messages: true,
    bytes: true,
  })
  .extend(
    frameReportSchema.pick({ migrationShare: true, rescued: true, stolen: true, duplicated: true, redundantPx: true })
      .shape,
  )
  .extend(frameReportSchema.pick({ probeMs: true, predictionError: true }).shape)
  .extend({ tileCount: whole })

const runFramesSchema = z.object({
  name: z.string(),
  frameCount: whole,
  step: z.int().positive(),
  rosters: z.array(z.object({ ids: z.array(z.string()), names: z.array(z.string()) })),
  frames: z
    .array(
      z.object({
        ...{ frame: whole, strategy: z.string(), size: sizeSchema, roster: whole, at: z.number() },
        figures: figuresSchema,
        ...{ shareMs: ms, idealMs: ms, shape: z.enum(['rows', 'strips', 'bands']), areas: z.base64() },
        samples: z.string().exactOptional(),
      }),
    )
    .min(1),
  /** Absent in files of versions that had none. */
  events: z.array(frameEventSchema.extend({ before: whole })).default([]),
})

const shownSchema = z.object({ frame: whole, tiles: z.array(tileReportSchema.omit({ work: true })) })

const runFileSchema = z.object({
  version: z.literal(1),
  /** The comparison's id in `compare.json`. */
  comparison: z.string(),
  strategy: z.string(),
  round: z.int().positive(),
  load: hostLoadSchema.exactOptional(),
  workers: z.array(workerInfoSchema),
  devices: z.array(deviceUseSchema).default([]),
  totals: totalsSchema,
  hashes: z.array(sha256Schema),
  frames: z.array(frameSummarySchema),
  /** Only for runs of the first round. */
  shown: z
    .object({ frames: runFramesSchema.exactOptional(), last: shownSchema, film: z.array(shownSchema) })
    .exactOptional(),
})

type RunFile = z.infer<typeof runFileSchema>

/** Where the runs of a comparison are saved. */
export interface RunPlace {
  readonly folder: OutputFolder
  readonly comparison: string
}

const fileOf = (round: number): string => `run-${round}.json`

/** @param round from 1 */
export async function saveRun(
  { folder, comparison }: RunPlace,
  round: number,
  { kept, load, ...run }: MeasuredRun | ComparedRun,
): Promise<void> {
  const { name: strategy, workers, devices, totals, hashes, frames } = kept
  const shown = 'last' in run ? { shown: shownOf(run) } : {}
  const loaded = load ? { load } : {}
  const of = { comparison, strategy, round, ...loaded, workers, devices, totals }
  const file = { version: 1, ...of, hashes, frames, ...shown }
  await (await folder.below(folderName(strategy))).write(fileOf(round), readableJson(file))
}

function shownOf({ frames, last, film }: Pick<ComparedRun, 'frames' | 'last' | 'film'>): object {
  const tilesOf = ({ frame, tiles }: ShownFrame) => ({ frame, tiles })
  return { ...(frames ? { frames } : {}), last: tilesOf(last), film: film.map(tilesOf) }
}

/** A later run, if complete. */
export async function savedRun(place: RunPlace, strategy: string, round: number): Promise<MeasuredRun | undefined> {
  const file = await readRun(place, strategy, round)
  return file && measured(file)
}

/**
 * A run of the first round, if it is complete and its frames are what they were.
 * @param pictures the pixels of shown frames by their hash, extended
 */
export async function savedFirstRun(
  place: RunPlace,
  strategy: string,
  pictures: Map<string, Uint8Array>,
): Promise<ComparedRun | undefined> {
  const file = await readRun(place, strategy, 1)
  if (!file?.shown) return undefined
  const folder = join(place.folder.path, folderName(strategy))
  const { last, film, frames } = file.shown
  const wanted = new Set([last, ...film].map(({ frame }) => frame))
  const pixels = new Map<number, Uint8Array>()
  for (const [i, { frame }] of file.frames.entries()) {
    const hash = file.hashes[i]!
    const found = await pixelsOf(join(folder, frameFile(frame)), hash)
    if (!found) return undefined
    if (!wanted.has(frame)) continue
    // Strategies produce identical frames, so each is kept once.
    pixels.set(frame, pictures.get(hash) ?? found)
    pictures.set(hash, pixels.get(frame)!)
  }
  if (![...wanted].every(frame => pixels.has(frame))) return undefined
  const withPixels = ({ frame, tiles }: z.infer<typeof shownSchema>): ShownFrame => {
    return { strategy, frame, tiles, pixels: pixels.get(frame)! }
  }
  return { ...measured(file), last: withPixels(last), film: film.map(withPixels), ...(frames ? { frames } : {}) }
}

/** Undefined if the file does not exist, is incomplete, or belongs to another comparison. */
async function readRun(
  { folder, comparison }: RunPlace,
  strategy: string,
  round: number,
): Promise<RunFile | undefined> {
  const path = join(folder.path, folderName(strategy), fileOf(round))
  try {
    const file = runFileSchema.parse(JSON.parse((await readRegular(path)).toString()))
    const same = file.comparison === comparison && file.strategy === strategy && file.round === round
    return same && file.hashes.length === file.frames.length && file.frames.length > 0 ? file : undefined
  } catch {
    return undefined
  }
}

const measured = ({ strategy, frames, hashes, workers, devices, totals, load }: RunFile): MeasuredRun => {
  const { beganAt, endedAt, ...sums } = totals
  return {
    kept: KeptFrames.of({ name: strategy, frames, hashes, workers, devices, totals: { ...sums, beganAt, endedAt } }),
    load,
  }
}

/** Pixels of a frame file; undefined if they are not what they were. */
async function pixelsOf(path: string, hash: string): Promise<Uint8Array | undefined> {
  const pixels = await readRegular(path)
    .then(bytes => sharp(bytes).removeAlpha().raw().toBuffer())
    .catch(() => undefined)
  return pixels && sha256(pixels) === hash ? pixels : undefined
}
