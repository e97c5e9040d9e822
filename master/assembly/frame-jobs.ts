/** The jobs of a step of a frame, each for some rows. */
import { invariant } from '../../shared/errors.ts'
import { type CellMask, NOISE_CELL } from '../../shared/frame/cell-mask.ts'
import { CHANNELS } from '../../shared/frame/channels.ts'
import { finishedComponents, type PlaneName } from '../../shared/frame/frame-planes.ts'
import type { Size } from '../../shared/frame/rect.ts'
import type { SampleRange } from '../../shared/frame/view.ts'
import { sumScale } from '../../shared/light/sum-scale.ts'
import type { Look } from '../../shared/light/tone-map.ts'
import type { NoiseLimit } from './cell-noise.ts'
import {
  type DenoisedPicture,
  denoisedRects,
  denoisedRectsOf,
  type MeansSource,
  meansSource,
  type NoisyPicture,
} from './denoising.ts'
import { colorSource, type FrameContent, planeSource } from './finish-frame.ts'
import type { AssemblyOrder } from './frame-assembly.ts'
import type { FrameBuffer } from './frame-buffer.ts'
import type { ColorJob, CopyJob, DenoiseJob, FinishJob, JudgeJob, MeansJob, MergeJob } from './plane-job.ts'
import type { SampleCounts } from './sample-counts.ts'

/** Rows of a frame: from one to another, exclusive. */
type Rows = readonly [from: number, to: number]

/** Pixels of a job: some milliseconds of work. */
const JOB_PX = 2 ** 17

/** Rows of cells whole. */
export function rowsOf([w, h]: Size): Rows[] {
  const most = Math.max(1, Math.floor(JOB_PX / w / NOISE_CELL)) * NOISE_CELL
  return Array.from({ length: Math.ceil(h / most) }, (_, i) => [i * most, Math.min(h, (i + 1) * most)] as const)
}

/** Adds the newest range of samples to those before it; none if it is there already. @param cells of the range. @default all */
export function mergeJobs(buffer: FrameBuffer, cells?: CellMask): MergeJob[] {
  const newest = buffer.newest('light')
  if (!newest) return []
  const sums = buffer.plane('light')
  return rowsOf(buffer.size).flatMap(([from, to]) => {
    const size = [buffer.size[0], to - from] as const
    const [first, last] = [from * size[0] * 3, to * size[0] * 3]
    const job = { kind: 'merge', size, sums: sums.subarray(first, last), newest: newest.subarray(first, last) } as const
    if (!cells) return job
    const marks = marksOf(cells, [from, to])
    return marks.includes(1) ? { ...job, marks } : []
  })
}

/** Judges cells by the denoised picture. */
export function denoisedJudgeJobs({ light, errors }: DenoisedPicture, cells: CellMask, limit: NoiseLimit): JudgeJob[] {
  invariant(errors, 'cells are judged by a denoised picture with its errors')
  const [w] = cells.size
  return rowsOf(cells.size).map(([from, to]) => {
    const rows = { light: light.subarray(from * w * 3, to * w * 3), errors: errors.subarray(from * w, to * w) }
    return { kind: 'judge', judged: { size: [w, to - from], ...rows }, limit, marks: marksOf(cells, [from, to]) }
  })
}

/** Judges cells by the newest range and those before it. Their results, one after the other, are those of all cells of the frame. */
export function judgeJobs(
  buffer: FrameBuffer,
  cells: CellMask,
  { range, most, limit }: { readonly range: SampleRange; readonly most: number; readonly limit: NoiseLimit },
): JudgeJob[] {
  const [before, newest] = [buffer.plane('light'), buffer.newest('light')!]
  return rowsOf(buffer.size).map(([from, to]) => {
    const size = [buffer.size[0], to - from] as const
    const [first, last] = [from * size[0] * 3, to * size[0] * 3]
    const rows = { before: before.subarray(first, last), newest: newest.subarray(first, last) }
    return { kind: 'judge', judged: { size, ...rows, range, most }, limit, marks: marksOf(cells, [from, to]) }
  })
}

/** Bytes of a job that copies: some milliseconds of work. */
const COPY_BYTES = 2 ** 23

export function copyJobs(from: Uint8Array, to: Uint8Array): CopyJob[] {
  return Array.from({ length: Math.ceil(from.length / COPY_BYTES) }, (_, i) => {
    const part = [i * COPY_BYTES, (i + 1) * COPY_BYTES] as const
    return { kind: 'copy', from: from.subarray(...part), to: to.subarray(...part) }
  })
}

/** A job, and where in the whole its result goes. */
export interface Piece<J> {
  readonly job: J
  readonly at: number
}

export const colorJobs = (
  buffer: FrameBuffer,
  counts: SampleCounts,
  content: FrameContent,
  look: Look,
  denoised?: Float32Array,
): Piece<ColorJob>[] =>
  rowsOf(buffer.size).map(rows => ({
    job: { kind: 'color', source: colorSource(buffer, counts, content, rows, denoised), look },
    at: rows[0] * buffer.size[0] * CHANNELS.rgb.components,
  }))

/** What a denoiser is told, and then what it is asked. */
export const meansJobs = (
  buffer: FrameBuffer,
  counts: SampleCounts,
  picture: NoisyPicture,
  newest?: MeansSource['newest'],
): MeansJob[] =>
  rowsOf(buffer.size).map(rows => ({ kind: 'means', source: meansSource(buffer, counts, picture, rows, newest) }))

/** @param cells that are needed. @default all */
export const denoiseJobs = (picture: NoisyPicture, denoised: DenoisedPicture, cells?: CellMask): DenoiseJob[] =>
  (cells ? denoisedRectsOf(cells) : denoisedRects(picture.size)).map(rect => ({
    kind: 'denoise',
    picture,
    rect,
    denoised,
  }))

export const finishJobs = (
  name: PlaneName,
  buffer: FrameBuffer,
  counts: SampleCounts,
  { content, look }: Pick<AssemblyOrder, 'content' | 'look'>,
  denoised?: Float32Array,
): Piece<FinishJob>[] =>
  rowsOf(buffer.size).map(rows => ({
    job: { kind: 'finish', source: planeSource(name, buffer, counts, content, rows, sumScale(look), denoised) },
    at: rows[0] * buffer.size[0] * finishedComponents(name),
  }))

const marksOf = (cells: CellMask, [from, to]: Rows): Uint8Array<ArrayBuffer> =>
  cells.marks(from / NOISE_CELL, Math.ceil(to / NOISE_CELL))
