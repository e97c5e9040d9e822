/** Parses and validates the options of motion blur. Pure. */
import { OptionError } from '../../shared/errors.ts'
import { type Shutter, TIME_STEPS } from '../library/shutter.ts'
import { number, wholeNumber } from './option-values.ts'

/** Raw options from commander. */
export interface RawShutterOptions {
  readonly shutter?: string
  readonly timeSteps?: string
  /** Options that exclude it. */
  readonly noise?: string
  readonly record?: string
}

/**
 * Undefined: no motion blur.
 * @param samples camera rays per pixel
 * @throws OptionError
 */
export function resolveShutter(raw: RawShutterOptions, samples: number): Shutter | undefined {
  const { shutter, timeSteps, noise, record } = raw
  const { least, most, usual } = TIME_STEPS
  const asked = timeSteps === undefined ? undefined : wholeNumber('--time-steps', timeSteps, least, most)
  if (asked !== undefined && shutter === undefined)
    throw new OptionError('--time-steps', '--shutter with it, which says how long these are together', timeSteps!)
  const share = shutter === undefined ? 0 : number('--shutter', shutter, 0, 1)
  if (share === 0) return undefined
  if (noise !== undefined)
    throw new OptionError(
      '--shutter',
      'no --noise with it, which leaves out later samples, and so what moves later, where earlier ones agree',
      shutter!,
    )
  if (record !== undefined)
    throw new OptionError('--shutter', 'no --record with it: a recording holds one camera for each frame', shutter!)
  const steps = asked ?? usual
  if (steps > samples)
    throw asked === undefined
      ? new OptionError('--samples', `at least ${steps} with --shutter, one for each of its --time-steps`, `${samples}`)
      : new OptionError('--time-steps', `at most as many as --samples, ${samples}`, `${asked}`)
  return { share, steps }
}
