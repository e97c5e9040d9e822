/** Small pictures of a film, from which the exposure that suits it is found; and whether its frames show anything with the one that they have. */

import { autoExposure, isMostlyDark } from '../../shared/light/auto-exposure.ts'
import { type Look, ToneMap } from '../../shared/light/tone-map.ts'
import { LightBalance } from '../../shared/light/white-balance.ts'
import { DEFAULT_STRATEGY_OPTIONS } from '../../shared/session/strategy-options.ts'
import type { Log } from '../../shared/text/log.ts'
import type { Cluster } from '../library/cluster.ts'
import { renderFilm } from '../library/render-film.ts'
import { wholeSize } from '../options/groups/film.ts'
import type { RunOptions } from '../options/run.ts'
import type { PreparedScene } from './prepare-scene.ts'

/** Width of the pictures, px. */
const WIDTH = 96
/** Of the path tracer: noise hardly matters to a mean. */
const MOST_SAMPLES = 16

/**
 * Linear radiance, with its white balance, of the first, the middle and the last frame, which stand for all: the same on any cluster, and for a resumed film.
 */
export async function smallPictures(
  scene: PreparedScene,
  options: RunOptions,
  cluster: Cluster,
  log: Log,
  signal: AbortSignal,
): Promise<Float32Array[]> {
  const { quality, firstFrame, frames } = options
  const size = wholeSize(options)
  const width = Math.min(WIDTH, size[0])
  const height = Math.min(size[1], Math.max(1, Math.round((width * size[1]) / size[0])))
  const shown = new Set([0, Math.floor((frames - 1) / 2), frames - 1].map(each => firstFrame + each))
  const rendered = renderFilm(scene, {
    ...options,
    size: [width, height],
    // The exposure is that of the whole frame, so that a part of it looks like it.
    region: undefined,
    quality: { ...quality, samples: Math.min(quality.samples, MOST_SAMPLES) },
    noise: undefined,
    time: undefined,
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
    log,
    signal,
  })
  const pictures: Float32Array[] = []
  const balance = options.whiteBalance && new LightBalance(options.whiteBalance)
  for await (const { planes } of rendered) {
    balance?.apply(planes.light!)
    pictures.push(planes.light!)
  }
  return pictures
}

/** Light that is white with any exposure and white balance. */
const GLARE = 1e30

/** Counts pixels that show nothing. */
export class Clipping {
  /** RGB8 of the brightest that there is: not every view reaches 255. */
  readonly #brightest = new Uint8Array(3)
  #pixels = 0
  #white = 0
  #black = 0

  constructor(look: Look = { exposure: 1 }) {
    new ToneMap(look).write(GLARE, GLARE, GLARE, this.#brightest, 0)
  }

  /** @param pixels RGB8 */
  add(pixels: Uint8Array): void {
    const brightest = this.#brightest
    const isWhite = (at: number, k: number) => pixels[at + k]! >= brightest[k]!
    for (let at = 0; at < pixels.length; at += 3) {
      if (pixels[at]! + pixels[at + 1]! + pixels[at + 2]! === 0) this.#black++
      else if (isWhite(at, 0) && isWhite(at, 1) && isWhite(at, 2)) this.#white++
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

/** One sentence about frames most of whose pixels show nothing, if another exposure would change that. @param pictures small ones of the frames */
export function exposureDoubt(
  mostly: 'white' | 'black',
  exposure: number,
  pictures: readonly Float32Array[],
): string | undefined {
  const suited = autoExposure(pictures)
  if (suited === undefined) return 'every pixel is black: nothing that the camera sees is lit'
  // What is lit may stand before a black background, which no exposure shows.
  const helps = mostly === 'white' ? suited * CLEARLY < exposure : isMostlyDark(pictures, exposure)
  return helps ? `most pixels are ${mostly}: --exposure ${suited} shows them, or --exposure auto` : undefined
}
