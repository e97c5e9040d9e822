/**
 * Work on the planes of large frames, cut into jobs: plain data over shared memory, so that any thread can do them. A job reads and
 * writes its own pixels; which jobs may run at the same time is for `SharedAssembly` to say. Rows of a frame are a frame of their own.
 */

import { InvariantError } from '../../shared/errors.ts'
import { CellMask, NOISE_CELL } from '../../shared/frame/cell-mask.ts'
import type { Rect, Size } from '../../shared/frame/rect.ts'
import { joinSums } from '../../shared/light/accumulate.ts'
import { sumScale } from '../../shared/light/sum-scale.ts'
import { type Look, lookOf, ToneMap } from '../../shared/light/tone-map.ts'
import { type Judged, type NoiseLimit, noiseAbove } from './cell-noise.ts'
import { type Denoise, type DenoisedPicture, type MeansSource, type NoisyPicture, writeMeans } from './denoising.ts'
import { type ColorSource, colorOf, finishPlane, type PlaneSource } from './finish-frame.ts'
import { type Placement, placeTile } from './place-tile.ts'

/** Puts a tile's pixels in place. */
export interface PlaceJob {
  readonly kind: 'place'
  readonly placement: Placement
  readonly tile: Uint8Array
}

/** Adds the newest sums to those before, of all pixels or of those in some cells. */
export interface MergeJob {
  readonly kind: 'merge'
  readonly size: Size
  readonly sums: Float64Array
  readonly newest: Float64Array
  /** Of a mask. @default all cells */
  readonly marks?: Uint8Array
}

/** Which of some cells are too noisy: their noise, and 0 for all others. */
export interface JudgeJob {
  readonly kind: 'judge'
  readonly judged: Judged
  readonly limit: NoiseLimit
  /** Of a mask: the cells that are judged. */
  readonly marks: Uint8Array
}

/** Copies bytes of a plane. */
export interface CopyJob {
  readonly kind: 'copy'
  readonly from: Uint8Array
  readonly to: Uint8Array
}

/** RGB8. */
export interface ColorJob {
  readonly kind: 'color'
  readonly source: ColorSource
  readonly look: Look
}

/** Writes what a denoiser is told of some rows. */
export interface MeansJob {
  readonly kind: 'means'
  readonly source: MeansSource
}

/** Denoises a rectangle of a picture to its place. */
export interface DenoiseJob {
  readonly kind: 'denoise'
  readonly picture: NoisyPicture
  readonly rect: Rect
  readonly denoised: DenoisedPicture
}

/** The values of a plane as they are delivered. */
export interface FinishJob {
  readonly kind: 'finish'
  readonly source: PlaneSource
}

export type PlaneJob = PlaceJob | MergeJob | JudgeJob | CopyJob | MeansJob | DenoiseJob | ColorJob | FinishJob

/** Its memory is the caller's own. */
export type PlaneResult<J extends PlaneJob = PlaneJob> = J extends ColorJob
  ? Uint8Array<ArrayBuffer>
  : J extends JudgeJob
    ? Float64Array<ArrayBuffer>
    : J extends FinishJob
      ? Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>
      : undefined

/** Does jobs, one after the other. */
export class PlaneWorker {
  readonly #loadDenoiser: () => Denoise
  #denoise: Denoise | undefined
  /** Of the newest look: its tables take longer to make than a small job. */
  #toneMap: { readonly look: string; readonly map: ToneMap } | undefined

  /** @param loadDenoiser is called before the first picture is denoised */
  constructor(loadDenoiser: () => Denoise = noDenoiser) {
    this.#loadDenoiser = loadDenoiser
  }

  do<J extends PlaneJob>(job: J): PlaneResult<J>
  do(job: PlaneJob): PlaneResult {
    switch (job.kind) {
      case 'place':
        placeTile(job.placement, job.tile)
        return undefined
      case 'merge':
        mergeSums(job)
        return undefined
      case 'judge': {
        const { judged, limit, marks } = job
        return noiseAbove(judged, limit, new CellMask(judged.size, NOISE_CELL, marks))
      }
      case 'copy':
        job.to.set(job.from)
        return undefined
      case 'means':
        writeMeans(job.source)
        return undefined
      case 'denoise':
        this.#denoise ??= this.#loadDenoiser()
        this.#denoise(job.picture, job.rect, job.denoised)
        return undefined
      case 'color':
        return colorOf(job.source, this.#mapOf(job.look))
      case 'finish':
        return finishPlane(job.source)
    }
  }

  #mapOf(asked: Look): ToneMap {
    const look = JSON.stringify(lookOf(asked))
    if (this.#toneMap?.look !== look) this.#toneMap = { look, map: sumsShown(asked) }
    return this.#toneMap.map
  }
}

function noDenoiser(): never {
  throw new InvariantError('a frame is denoised where there is no denoiser')
}

/** Of sums over samples. */
const sumsShown = (look: Look): ToneMap => new ToneMap(look, sumScale(look))

function mergeSums({ size, sums, newest, marks }: MergeJob): void {
  if (!marks) return joinSums(sums, newest)
  const [w] = size
  new CellMask(size, NOISE_CELL, marks).forEachRun(({ x, y, w: length, h }) => {
    for (let row = y; row < y + h; row++) {
      const [from, to] = [(row * w + x) * 3, (row * w + x + length) * 3]
      joinSums(sums.subarray(from, to), newest.subarray(from, to))
    }
  })
}
