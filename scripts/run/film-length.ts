/** How many frames a run has, once its scene is known. Pure. */
import type { ReadyScene } from '../library/ready-scene.ts'
import type { RunOptions } from '../options/run.ts'
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
  if (motion?.seconds !== undefined) return { ...options, frames: Math.max(1, Math.round(motion.seconds * fps)) }
  return own && !motion ? { ...options, frames: stillFrames } : options
}
