/** Whether a checkpoint is of the frame that a run makes, and what to do if it is not. Pure. */
import type { ChannelName } from '../../shared/frame/channels.ts'
import type { Size } from '../../shared/frame/rect.ts'
import type { Look } from '../../shared/light/tone-map.ts'
import { isWebgpu } from '../../worker/engine/engine.ts'
import { frameFile } from '../files/frame-names.ts'
import { differenceOf, ResumeError } from '../film/manifest.ts'
import { CHECKPOINT_ENDING, type CheckpointHeader, type Problem } from './checkpoint-file.ts'
import { problemOfMore, type Taking } from './more-samples.ts'

/** What a film's checkpoints belong to. */
export interface KeptFilm {
  /** What decides its pixels, as `render.json` has it. */
  readonly film: CheckpointHeader['film']
  readonly kernel: string
  readonly size: Size
  /** That its frames are traced with. */
  readonly channels: readonly ChannelName[]
  readonly look: Look
  readonly taking: Taking
}

export const checkpointFile = (frame: number): string => frameFile(frame, CHECKPOINT_ENDING)

/** Why a run cannot go on there. */
export function mismatchOf(folder: string, header: CheckpointHeader, of: KeptFilm): ResumeError | undefined {
  const name = checkpointFile(header.frame)
  const problem = problemOf(header, of, name)
  return problem === undefined
    ? undefined
    : new ResumeError(folder, `${problem}, or remove ${name} to begin the frame anew`)
}

function problemOf(header: CheckpointHeader, of: KeptFilm, name: string): string | undefined {
  const difference = differenceOf(withSamples(header.film, of.taking), of.film, [name, `${name} was made`])
  if (difference) return `${difference}; use the same options`
  if (header.kernel !== of.kernel)
    return `${name} is of another release${isOfDevice(of) ? ', adapter or driver' : ''}, whose pixels differ; go on with that`
  if (header.channels.join() !== of.channels.join())
    return `expected the passes of ${name}, which has ${listed(header.channels)}, got some that need ${listed(of.channels)}; use the same options`
  const samples = samplesProblemOf(header, of, name)
  return samples && `${samples}; use such a number`
}

/** The same of one that fits, but for the number of its samples. */
export function samplesMismatchOf(folder: string, header: CheckpointHeader, of: KeptFilm): ResumeError | undefined {
  const name = checkpointFile(header.frame)
  const samples = samplesProblemOf(header, of, name)
  if (!samples || problemOf({ ...header, film: of.film }, of, name)) return undefined
  if (differenceOf(withSamples(header.film, of.taking), of.film, ['', ''])) return undefined
  return new ResumeError(folder, `${samples}; use such a number, or another folder`)
}

const isOfDevice = ({ film }: KeptFilm): boolean => isWebgpu(`${film.engine}`)

function samplesProblemOf(header: CheckpointHeader, { taking }: KeptFilm, name: string): string | undefined {
  const more = problemOfMore({ ...header, samples: samplesOf(header.film) ?? 0 }, taking)
  return more && `expected for ${name} --samples ${spoken(more)}; got ${taking.quality.samples}`
}

/** Samples that a frame of a film was to get; undefined: the film is of no release. */
export const samplesOf = ({ quality }: CheckpointHeader['film']): number | undefined =>
  isQuality(quality) ? quality.samples : undefined

const isQuality = (quality: unknown): quality is { readonly samples: number } =>
  typeof quality === 'object' && quality !== null && 'samples' in quality && typeof quality.samples === 'number'

/** The same film with other samples. */
const withSamples = (film: CheckpointHeader['film'], { quality: { samples } }: Taking): CheckpointHeader['film'] =>
  isQuality(film.quality) ? { ...film, quality: { ...film.quality, samples } } : film

/** Options by their flags. */
const spoken = (text: string): string => text.replace(/\{(\w+)\}/g, '--$1')

const listed = (channels: readonly string[]): string => channels.join(', ')

/** Of a file that is not a checkpoint that can be read. */
export function unreadable(folder: string, frame: number, problem: Problem): ResumeError {
  const name = checkpointFile(frame)
  const why =
    problem === 'version'
      ? `expected a ${name} of this release, got one of another; go on with that`
      : `expected a whole ${name}, got a damaged one; put another copy in its place`
  return new ResumeError(folder, `${why}, or remove it to begin the frame anew`)
}
