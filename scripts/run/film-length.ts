/** How many frames a run has, once its scene is known. Pure. */
import type { ReadyScene } from '../library/ready-scene.ts'
import { DEFAULT_FPS } from '../options/groups/film.ts'
import type { RunOptions } from '../options/run.ts'
import { plural } from '../report/figures/numbers.ts'
import type { FilmCamera } from './film-camera.ts'

type LengthOptions = Pick<RunOptions, 'frames' | 'fps' | 'stillFrames' | 'isLengthOpen'>

/**
 * Unless they were given, the frames of a scene that moves are its whole length, and a camera that comes with a scene and does not move
 * makes a single picture.
 */
export function withLengthOf<Options extends LengthOptions>(
  options: Options,
  { motion, own }: Pick<ReadyScene, 'motion'> & Pick<FilmCamera, 'own'>,
): Options {
  const { frames, fps, stillFrames = frames, isLengthOpen } = options
  if (!isLengthOpen) return options
  if (motion?.seconds !== undefined) return { ...options, frames: filmFrames(motion.seconds, fps) }
  return own && !motion ? { ...options, frames: stillFrames } : options
}

/** Whether a scene moves, and what of it `render` films if nothing else is said. */
export function motionText({ motion }: Pick<ReadyScene, 'motion'>): string {
  if (!motion) return 'no'
  const { seconds } = motion
  if (seconds === undefined) return 'yes, without an end; --frames or --duration says for how long'
  return `for ${seconds.toFixed(1)} s, ${plural(filmFrames(seconds, DEFAULT_FPS), 'frame')} at ${DEFAULT_FPS} a second`
}

/** Frames of a scene that moves for so long, s. */
const filmFrames = (seconds: number, fps: number): number => Math.max(1, Math.round(seconds * fps))
