/** Parses and validates how samples are divided into passes, and how many frames are in progress at once. Pure. */
import { OptionError } from '../../shared/errors.ts'
import { wholeNumber } from './option-values.ts'

/** Raw options from commander: text, or true for a flag. */
export interface RawPassOptions {
  readonly passes?: string
  /** Only for `render`. */
  readonly progressive?: boolean
  readonly noise?: string
  readonly inFlight: string
}

export interface PassOptions {
  /** Number of passes that the samples of a pixel are divided into: 1 to the number of samples. */
  readonly passes: number
  /** Whether a frame's file is written after each of its passes. */
  readonly progressive: boolean
  /** Frames of a film in progress at once, 1 to 4. */
  readonly inFlight: number
}

const MAX_PASSES = 1024
const MAX_IN_FLIGHT = 4
/** As many are enough to watch a frame develop. */
const PROGRESSIVE_PASSES = 8

/**
 * @param samples camera rays per pixel
 * @param outputs files of each frame
 * @param steps moments of motion blur, each of which is a pass
 * @throws OptionError
 */
export function resolvePassOptions(
  raw: RawPassOptions,
  samples: number,
  outputs: readonly string[] = ['png'],
  steps?: number,
): PassOptions {
  const progressive = raw.progressive === true
  const asked = raw.passes === undefined ? undefined : wholeNumber('--passes', raw.passes, 1, MAX_PASSES)
  if (asked !== undefined && asked > samples)
    throw new OptionError('--passes', `at most as many as --samples, ${samples}`, `${asked}`)
  const adaptive = raw.noise !== undefined
  if (adaptive && asked !== undefined)
    throw new OptionError('--passes', 'no --noise with it, whose passes double the samples until it is low', `${asked}`)
  if (steps !== undefined && asked !== undefined)
    throw new OptionError('--passes', 'no --shutter with it, each of whose --time-steps is a pass', `${asked}`)
  const passes = asked ?? steps ?? (progressive && !adaptive ? Math.min(samples, PROGRESSIVE_PASSES) : 1)
  if (progressive && !outputs.includes('png'))
    throw new OptionError(
      '--progressive',
      'png among --output with it: unfinished frames are PNG files',
      outputs.join(','),
    )
  if (progressive && passes === 1 && !adaptive) {
    const [expected, got] = asked === 1 ? ['--passes', '--passes 1'] : ['--samples', '--samples 1']
    throw new OptionError('--progressive', `${expected} above 1 with it, so that there is something to show`, got)
  }
  return { passes, progressive, inFlight: wholeNumber('--in-flight', raw.inFlight, 1, MAX_IN_FLIGHT) }
}
