/**
 * How much denoised films flicker: differences of successive frames, as they are shown, that no motion explains. Where frames have samples of their own, what
 * is left of noise differs from frame to frame, and eyes see in films what they overlook in a still. Films are measured as `render` makes them, with and
 * without `--denoise on`, and denoised films with `--pattern frame`, too: eyes that follow what moves see about as much change with either pattern.
 */
import { denoisedRects } from '../../../master/assembly/denoising.ts'
import { loadDenoiser } from '../../../master/denoise/load-denoiser.ts'
import type { Size } from '../../../shared/frame/rect.ts'
import type { Camera, Quality, Vec3, View } from '../../../shared/frame/view.ts'
import { autoExposure } from '../../../shared/light/auto-exposure.ts'
import { ToneMap } from '../../../shared/light/tone-map.ts'
import type { Tracer } from '../../../worker/engine/engine.ts'
import { loadWasmEngine } from '../../../worker/node/load-kernel.ts'
import { resolveQuality } from '../../options/groups/light.ts'
import { noisyPicture } from '../pictures/kernel/noisy-picture.ts'
import { lightOf, SEEDS, withSamples } from './reference.ts'
import { openDenoised } from './scenes.ts'

export interface FilmBenchOptions {
  readonly scenes: readonly string[]
  readonly size: Size
  /** Of denoised frames; others have MORE times as many. */
  readonly samples: number
  readonly reference: number
  readonly frames: number
  readonly environment?: string
}

/** Mean of absolute differences from frame to frame, of values from 0 to 255; of a film with motion less those of the reference, pixel by pixel. */
export interface Flicker {
  readonly noisy: number
  readonly denoised: number
  /** Denoised, with samples of its own in each frame. */
  readonly anew: number
}

/** What of a film is compared with `noisy`. */
export type Compared = 'denoised' | 'anew'

export interface FilmScene {
  readonly name: string
  readonly still: Flicker
  readonly moving: Flicker
}

export interface FilmBench extends FilmBenchOptions {
  readonly rows: readonly FilmScene[]
}

/** How many times the samples frames have that are not denoised. */
export const MORE = 4
/** Px that the middle of a moving picture goes on from frame to frame. */
const TURN_PX = 0.5

export async function benchFilm(
  options: FilmBenchOptions,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<FilmBench> {
  const engine = loadWasmEngine('wasm')
  const rows: FilmScene[] = []
  for (const given of options.scenes) {
    say(given)
    const { name, built, view } = await openDenoised(given, options.size, engine, options.environment)
    const tracer = engine.open(built, 0)
    const still = await flickerOf(tracer, framesOf(view, options.frames, 0), options, signal)
    const moving = await flickerOf(tracer, framesOf(view, options.frames, TURN_PX), options, signal)
    rows.push({ name, still, moving })
  }
  return { ...options, rows }
}

/** @param turn px from frame to frame */
const framesOf = (view: View, frames: number, turn: number): View[] =>
  Array.from({ length: frames }, (_, frame) => {
    const angle = (2 * view.camera.tanHalfX * turn * frame) / view.size[0]
    return { ...view, frame, camera: turn === 0 ? view.camera : turned(view.camera, angle) }
  })

/** To the left, by an angle that is its own sine. */
function turned(camera: Camera, angle: number): Camera {
  const { right, back } = camera
  const cosine = Math.sqrt(1 - angle * angle)
  const mixed = (a: Vec3, b: Vec3, share: number): Vec3 => [
    a[0] * cosine + b[0] * share,
    a[1] * cosine + b[1] * share,
    a[2] * cosine + b[2] * share,
  ]
  return { ...camera, right: mixed(right, back, -angle), back: mixed(back, right, angle) }
}

async function flickerOf(
  tracer: Tracer,
  views: readonly View[],
  { samples, reference }: FilmBenchOptions,
  signal: AbortSignal,
): Promise<Flicker> {
  const denoise = loadDenoiser()
  const moves = views.some(({ camera }) => camera !== views[0]!.camera)
  // A camera at rest has the same truth in every frame, and none of it is left in differences.
  const right: Float64Array[] = []
  const noisy: Float64Array[] = []
  const clean: Float32Array[] = []
  const anew: Float32Array[] = []
  const cleaned = (view: View): Float32Array => {
    const { picture, denoised: out } = noisyPicture(tracer, withSamples(view, samples, SEEDS.noisy))
    for (const rect of denoisedRects(picture.size)) denoise(picture, rect, out)
    return out.light
  }
  for (const view of views) {
    if (moves) right.push(await lightOf(tracer, withSamples(view, reference, SEEDS.reference), signal))
    noisy.push(await lightOf(tracer, withSamples(asIn(NOISY_FILM, view), samples * MORE, SEEDS.noisy), signal))
    clean.push(cleaned(asIn(DENOISED_FILM, view)))
    anew.push(cleaned(asIn(ANEW_FILM, view)))
  }
  const look = new ToneMap({ exposure: autoExposure([Float32Array.from(noisy[0]!)]) ?? 1 })
  const shown = (frames: readonly ArrayLike<number>[]) => frames.map(light => shownOf(light, look))
  const truth = shown(right)
  const flicker = (frames: readonly ArrayLike<number>[]) => changes(shown(frames), truth)
  return { noisy: flicker(noisy), denoised: flicker(clean), anew: flicker(anew) }
}

const NOISY_FILM = resolveQuality({ integrator: 'path' })
const DENOISED_FILM = resolveQuality({ integrator: 'path', denoise: 'on' })
const ANEW_FILM = resolveQuality({ integrator: 'path', denoise: 'on', pattern: 'frame' })

/** With samples where a film of this quality has them. */
const asIn = ({ pattern }: Quality, view: View): View => ({
  ...view,
  quality: { ...view.quality, ...(pattern ? { pattern } : {}) },
})

function shownOf(light: ArrayLike<number>, look: ToneMap): Uint8Array {
  const rgb = new Uint8Array(light.length)
  for (let i = 0; i < light.length; i += 3) look.write(light[i]!, light[i + 1]!, light[i + 2]!, rgb, i)
  return rgb
}

/** @param truth that changes are compared with; empty: there are none */
function changes(frames: readonly Uint8Array[], truth: readonly Uint8Array[]): number {
  let sum = 0
  let count = 0
  for (let k = 1; k < frames.length; k++)
    for (let i = 0; i < frames[k]!.length; i++, count++) {
      const change = frames[k]![i]! - frames[k - 1]![i]!
      sum += Math.abs(change - ((truth[k]?.[i] ?? 0) - (truth[k - 1]?.[i] ?? 0)))
    }
  return sum / count
}

/** How a film flickers beside the noisy one; black frames of both do not. */
export const ratioOf = (flicker: Flicker, compared: Compared): number =>
  flicker[compared] === 0 ? 0 : flicker[compared] / flicker.noisy

/** Geometric mean of the ratios of all scenes; of films without any flicker 0. */
export const flickerRatio = ({ rows }: FilmBench, how: 'still' | 'moving', compared: Compared): number =>
  Math.exp(rows.reduce((sum, row) => sum + Math.log(ratioOf(row[how], compared)), 0) / rows.length)
