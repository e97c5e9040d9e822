/** Parses and validates the frame range of a run. Pure. */
import { OptionError } from '../../shared/errors.ts'
import type { CameraList } from './camera-file.ts'
import { wholeNumber } from './option-values.ts'

export interface FrameRange {
  readonly firstFrame: number
  /** Number of frames. */
  readonly frames: number
}

export const MAX_FRAMES = 1_000_000
const DEFAULT_FRAMES = 20

/**
 * `10` is frames 0 to 9, `10..19` frames 10 to 19.
 * @param cameras of a file, if the film uses one
 * @param otherwise number of frames by default
 * @throws OptionError
 */
export function resolveFrames(
  text: string | undefined,
  cameras: CameraList | undefined,
  otherwise = DEFAULT_FRAMES,
): FrameRange {
  const range = text === undefined ? { firstFrame: 0, frames: cameras?.length ?? otherwise } : parse(text)
  if (cameras && cameras.length > 1 && range.firstFrame + range.frames > cameras.length)
    throw new OptionError(
      '--frames',
      `at most the ${cameras.length} frames that ${cameras.file} has cameras for`,
      text!,
    )
  return range
}

function parse(text: string): FrameRange {
  const [, first, last] = /^(\d{1,7})\.\.(\d{1,7})$/.exec(text) ?? []
  if (first !== undefined) {
    const [from, to] = [Number(first), Number(last)]
    if (from > to || to >= MAX_FRAMES)
      throw new OptionError(
        '--frames',
        `the first and the last frame, not above ${MAX_FRAMES - 1}, such as 10..19`,
        `'${text}'`,
      )
    return { firstFrame: from, frames: to - from + 1 }
  }
  if (/^\d+$/.test(text)) return { firstFrame: 0, frames: wholeNumber('--frames', text, 1, MAX_FRAMES) }
  throw new OptionError(
    '--frames',
    `a whole number from 1 to ${MAX_FRAMES}, or the first and the last frame such as 10..19`,
    `'${text}'`,
  )
}
