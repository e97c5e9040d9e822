/** Parses and validates which frames a run makes, and how long each is shown. Pure. */
import { OptionError } from '../../shared/errors.ts'
import { DEFAULT_FPS, FPS } from '../library/frame-rate.ts'
import type { CameraList } from './camera-file.ts'
import { type FrameRange, MAX_FRAMES, resolveFrames } from './frame-range.ts'
import { number } from './option-values.ts'

/** Raw options from commander. */
export interface RawFilmTime {
  readonly frames?: string
  readonly fps?: string
  readonly duration?: string
  /** The cameras of a file, if the film uses one. */
  readonly cameras?: CameraList
}

export interface FilmTime extends FrameRange {
  /** Frames per second, in film files and for what moves. */
  readonly fps: number
}

const SHORTEST_SECONDS = 0.001

/**
 * The number of frames comes from `frames` or `duration`: the nearest whole number, at least one.
 * @param otherwise number of frames by default
 * @throws OptionError
 */
export function resolveTime({ frames, fps: rate, duration, cameras }: RawFilmTime, otherwise?: number): FilmTime {
  const fps = rate === undefined ? DEFAULT_FPS : number('--fps', rate, FPS.least, FPS.most)
  if (duration === undefined) return { ...resolveFrames(frames, cameras, otherwise), fps }
  if (frames !== undefined)
    throw new OptionError('--duration', 'no --frames with it: both say how many there are', `--frames ${frames}`)
  const seconds = number('--duration', duration, SHORTEST_SECONDS, Math.floor(MAX_FRAMES / fps))
  const count = Math.max(1, Math.round(seconds * fps))
  if (cameras && cameras.length > 1 && count > cameras.length)
    throw new OptionError(
      '--duration',
      `at most the ${cameras.length} frames that ${cameras.file} has cameras for`,
      `${count} (${duration} s of ${fps} per second)`,
    )
  return { firstFrame: 0, frames: count, fps }
}
