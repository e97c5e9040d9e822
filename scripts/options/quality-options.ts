/** Options for how light is computed. They have no defaults on the command line: those of an integrator depend on which one it is. */
import { OptionError } from '../../shared/errors.ts'
import { MAX_AMBIENT_SAMPLES, MAX_BOUNCES, MAX_SAMPLES, MIN_ADAPTIVE_SAMPLES } from '../../shared/frame/frame-limits.ts'
import type { Quality } from '../../shared/frame/view.ts'
import { qualityOf } from '../library/quality.ts'
import { oneOf, wholeNumber } from './option-values.ts'

export interface RawQualityOptions {
  readonly integrator?: string
  readonly samples?: string
  readonly ambientRays?: string
  readonly maxDepth?: string
  readonly bounces?: string
  readonly filter?: string
  /** A camera's; the ambient integrator sees everything sharp. */
  readonly fNumber?: string
  readonly singleScattering?: boolean
}

const INTEGRATORS = ['ambient', 'path'] as const
const FILTERS = ['box', 'gaussian'] as const

/** How noisy an adaptive frame may stay. @throws OptionError */
export function resolveNoise(text: string): number {
  const noise = text.trim() === '' ? Number.NaN : Number(text)
  if (!(noise > 0 && noise <= 1)) throw new OptionError('--noise', 'a number above 0, such as 0.02, to 1', `'${text}'`)
  return noise
}

/**
 * @param noise of adaptive frames
 * @throws OptionError
 */
export function resolveQuality(raw: RawQualityOptions, noise?: number): Quality {
  const { samples, ambientRays, maxDepth, bounces } = raw
  const integrator = oneOf('integrator', raw.integrator ?? 'ambient', INTEGRATORS)
  const most = integrator === 'ambient' ? MAX_AMBIENT_SAMPLES : MAX_SAMPLES
  const whole = (name: string, text: string | undefined, least: number, most: number) =>
    text === undefined ? undefined : wholeNumber(name, text, least, most)
  const flag = raw.singleScattering ? 'yes' : undefined
  const filter = raw.filter === undefined ? undefined : oneOf('filter', raw.filter, FILTERS)
  if (integrator === 'ambient')
    refuse(
      {
        'f-number': raw.fNumber,
        bounces,
        filter: raw.filter,
        'single-scattering': flag,
        noise: noise?.toString(),
      },
      '--integrator path with it',
    )
  else refuse({ 'ambient-rays': ambientRays, 'max-depth': maxDepth }, '--integrator ambient with it')
  return qualityOf(
    defined({
      integrator,
      filter,
      noise,
      singleScattering: raw.singleScattering,
      samples: whole('--samples', samples, noise === undefined ? 1 : MIN_ADAPTIVE_SAMPLES, most),
      ambientRays: whole('--ambient-rays', ambientRays, 0, 64),
      maxDepth: whole('--max-depth', maxDepth, 0, 16),
      bounces: whole('--bounces', bounces, 0, MAX_BOUNCES),
    }),
  )
}

/** Without the properties that are undefined: defaults fill them in. */
const defined = <T extends object>(options: T): { [key in keyof T]?: NonNullable<T[key]> } =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [key in keyof T]?: NonNullable<T[key]>
  }

function refuse(options: Readonly<Record<string, string | undefined>>, expected: string): void {
  for (const [name, value] of Object.entries(options))
    if (value !== undefined) throw new OptionError(`--${name}`, expected, value)
}
