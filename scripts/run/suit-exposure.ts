/** The exposure that suits a film, found with small pictures of it; and whether its frames show anything with the one that they have. */

import { autoExposure } from '../../shared/light/auto-exposure.ts'
import { DEFAULT_STRATEGY_OPTIONS } from '../../shared/session/strategy-options.ts'
import type { Cluster } from '../library/cluster.ts'
import { renderFilm } from '../library/render-film.ts'
import type { RunOptions } from '../options/run.ts'
import type { Progress } from '../terminal/progress.ts'
import type { PreparedScene } from './prepare-scene.ts'

/** Width of the pictures, px. */
const WIDTH = 96
/** Of the path tracer: noise hardly matters to a mean. */
const MOST_SAMPLES = 16

/**
 * One for all frames, from the first, the middle and the last one: the same on any cluster, and for a resumed film.
 * @returns undefined if nothing is lit
 */
export async function suitedExposure(
  scene: PreparedScene,
  options: RunOptions,
  cluster: Cluster,
  progress: Progress,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { size, quality, firstFrame, frames } = options
  const width = Math.min(WIDTH, size[0])
  const height = Math.min(size[1], Math.max(1, Math.round((width * size[1]) / size[0])))
  const shown = new Set([0, Math.floor((frames - 1) / 2), frames - 1].map(each => firstFrame + each))
  const rendered = renderFilm(scene, {
    ...options,
    size: [width, height],
    quality: { ...quality, samples: Math.min(quality.samples, MOST_SAMPLES) },
    noise: undefined,
    denoise: 'off',
    shutter: undefined,
    passes: 1,
    verify: undefined,
    inFlight: 1,
    frames: shown,
    exposure: 1,
    channels: ['light'],
    strategy: 'demand-driven',
    strategyOptions: DEFAULT_STRATEGY_OPTIONS,
    plugIns: {},
    record: false,
    spans: false,
    cluster,
    camera: (...when) => scene.cameraAt(...when),
    cameraName: undefined,
    log: progress,
    signal,
  })
  const pictures: Float32Array[] = []
  for await (const { planes } of rendered) pictures.push(planes.light!)
  return autoExposure(pictures)
}

/** Counts pixels that show nothing. */
export class Clipping {
  #pixels = 0
  #white = 0
  #black = 0

  /** @param pixels RGB8 */
  add(pixels: Uint8Array): void {
    for (let at = 0; at < pixels.length; at += 3) {
      const sum = pixels[at]! + pixels[at + 1]! + pixels[at + 2]!
      if (sum === 0) this.#black++
      else if (sum === 765) this.#white++
    }
    this.#pixels += pixels.length / 3
  }

  /** What most pixels are, if they show nothing. */
  get mostly(): 'white' | 'black' | undefined {
    const half = this.#pixels / 2
    return this.#white > half ? 'white' : this.#black > half ? 'black' : undefined
  }
}

/** A better exposure is at least so many times as much, or as little. */
const CLEARLY = 4

/** One sentence about frames most of whose pixels show nothing, if another exposure would change that. */
export function exposureDoubt(
  mostly: 'white' | 'black',
  exposure: number,
  suited: number | undefined,
): string | undefined {
  if (suited === undefined) return 'every pixel is black: nothing that the camera sees is lit'
  const helps = mostly === 'white' ? suited * CLEARLY < exposure : suited > exposure * CLEARLY
  return helps ? `most pixels are ${mostly}: --exposure ${suited} shows them, or --exposure auto` : undefined
}
