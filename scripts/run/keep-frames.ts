/** What a run keeps of frames in the making: which files, how often, and how little is lost when it ends. */
import sharp from 'sharp'
import { channelsFor } from '../../master/assembly/finish-frame.ts'
import { OptionRuleError } from '../../shared/errors.ts'
import { bytesPerPixelOf } from '../../shared/frame/channels.ts'
import { MAX_PASSES } from '../../shared/frame/frame-limits.ts'
import type { Size } from '../../shared/frame/rect.ts'
import { isLasting } from '../../shared/frame/sample-layout.ts'
import type { Look } from '../../shared/light/tone-map.ts'
import { engineKind, isWebgpu, WEBGPU } from '../../worker/engine/engine.ts'
import { engineFingerprints } from '../../worker/node/engines.ts'
import type { CheckpointHeader } from '../checkpoint/checkpoint-file.ts'
import { CheckpointWorker } from '../checkpoint/checkpoint-worker.ts'
import { Checkpoints } from '../checkpoint/checkpoints.ts'
import type { OutputFolder } from '../files/output-folder.ts'
import type { Manifest } from '../film/manifest.ts'
import type { Cluster } from '../library/cluster.ts'
import { CHECKPOINT_S, channelsOf } from '../options/groups/output.ts'
import type { RunOptions } from '../options/run.ts'
import { withLongSteps } from '../terminal/long-steps.ts'
import type { Progress } from '../terminal/progress.ts'

/** Seconds between two checkpoints of a frame; undefined: there are none. */
export function checkpointEvery(options: RunOptions): number | undefined {
  const { checkpoint, verify, time, mixEngines } = options
  if (verify !== undefined || time !== undefined || mixEngines || checkpoint === 0) return undefined
  if (isOfOthers(options)) return undefined
  return checkpoint ?? CHECKPOINT_S
}

/** Whether a device traces that is a worker's elsewhere: which one would go on is not known. */
const isOfOthers = ({ engine, cluster }: Pick<RunOptions, 'engine' | 'cluster'>): boolean =>
  isWebgpu(engine) && cluster.kind === 'remote'

/** @throws OptionRuleError if frames cannot be kept that are to be */
export function checkKept(options: Pick<RunOptions, 'engine' | 'cluster' | 'checkpoint'>): void {
  if (options.checkpoint && isOfOthers(options))
    throw new OptionRuleError(
      '--checkpoint',
      'cannot be combined with --engine webgpu and --master: another adapter might go on, which makes other bytes',
    )
}

/**
 * Fingerprint of what traces; undefined if nothing is kept. That of a device is known when its worker is there.
 * Rejects when all workers have ended.
 */
export async function keptKernel(
  options: RunOptions,
  cluster: () => Promise<Cluster>,
  progress: Progress,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (checkpointEvery(options) === undefined) return undefined
  const kind = engineKind(options.engine)
  if (kind !== WEBGPU) return engineFingerprints([kind])[kind]
  return withLongSteps(progress, async steps => {
    steps.begin('the device starts, whose driver may compile')
    return (await cluster()).kernelOf?.(kind, signal)
  })
}

/** The most samples of a tile: what is lost with those that are being traced when a run ends, about half a second of two cores. */
export const TILE_SAMPLES = 2 ** 21
/** Frames with fewer take some seconds: they are not divided. */
const LONG_SAMPLES = 2 ** 22
/** Rows of squares that workers trace together. */
const ROWS = 8

const isLong = ({ size, quality }: RunOptions): boolean => size[0] * size[1] * quality.samples > LONG_SAMPLES

/** A single worker loses nothing by passes, without which a few rows of many samples would be lost. The frames are the same. */
export function keptPasses(options: RunOptions): RunOptions {
  const { passes, quality, noise, shutter, record, size, cluster } = options
  const isAlone = cluster.kind === 'local' && cluster.workers === 1
  if (checkpointEvery(options) === undefined || !isAlone || !isLong(options)) return options
  if (passes > 1 || noise !== undefined || shutter || record !== undefined) return options
  return { ...options, passes: keptPassesOf(size, quality.samples) }
}

/** So many that the least rows of a tile have few samples. */
export function keptPassesOf([width]: Size, samples: number): number {
  const each = Math.max(1, Math.floor(TILE_SAMPLES / (ROWS * width)))
  return Math.min(MAX_PASSES, Math.ceil(samples / each))
}

/** Larger checkpoints of complete stills are kept only if that is asked for. */
const MOST_BYTES = 2 ** 29

/**
 * Whether a complete frame keeps its sums, so that samples can be added: a still does, unless it is very large; the frames of a film would
 * take more room than anybody expects.
 */
function keepsComplete({ frames, quality, shutter, size, checkpoint }: RunOptions, bytesPerPixel: number): boolean {
  if (frames > 1 || shutter || !isLasting(quality)) return false
  return checkpoint !== undefined || size[0] * size[1] * bytesPerPixel <= MOST_BYTES
}

/**
 * @param kernel of `keptKernel`
 * @returns undefined if nothing is kept
 */
export function checkpointsOf(
  options: RunOptions,
  kernel: string | undefined,
  folder: OutputFolder,
  { written: _, ...film }: Manifest,
  look: Look,
  { warn, info }: Pick<Progress, 'warn' | 'info'>,
): Checkpoints | undefined {
  const seconds = checkpointEvery(options)
  if (seconds === undefined || kernel === undefined) return undefined
  const { size, quality, transparent, passes, noise, denoise, shutter } = options
  const content = {
    channels: channelsOf(options),
    ...(transparent ? { transparent: true as const } : {}),
    passes,
    ...(noise === undefined ? {} : { noise }),
    quality,
    ...(denoise === 'on' ? { denoise: true as const } : {}),
  }
  const keeps = keepsComplete(options, bytesPerPixelOf(channelsFor({ ...content, sums: true })))
  const channels = channelsFor({ ...content, ...(keeps ? { sums: true } : {}) })
  const taking = {
    quality,
    passes,
    isAdaptive: noise !== undefined,
    isDenoised: denoise === 'on',
    isBlurred: shutter !== undefined,
  }
  return new Checkpoints(
    { film: film as CheckpointHeader['film'], kernel, size, channels, look, taking },
    {
      folder,
      worker: new CheckpointWorker(),
      everyMs: seconds * 1000,
      mostTileSamples: isLong(options) ? TILE_SAMPLES : undefined,
      keepsComplete: keeps,
      now: () => performance.now(),
      alarm: (wake, inMs) => {
        const timer = setTimeout(wake, inMs)
        return () => clearTimeout(timer)
      },
      warn: text => warn(text),
      info: text => info(text),
      encode: encodePartial,
    },
  )
}

/** Fast, because it is replaced soon. */
export const encodePartial = ([width, height]: Size, rgba: Uint8Array): Promise<Uint8Array> =>
  sharp(rgba, { raw: { width, height, channels: 4 } })
    .png({ compressionLevel: 1 })
    .toBuffer()
