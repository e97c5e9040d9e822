/** Options for how light is computed. They have no defaults on the command line: those of an integrator depend on which one it is. */
import { OptionError } from '../../shared/errors.ts'
import { MAX_AMBIENT_SAMPLES, MAX_BOUNCES, MAX_SAMPLES, type Quality } from '../../shared/view.ts'
import { oneOf, wholeNumber } from './option-values.ts'

export interface RawQualityOptions {
  readonly integrator?: string
  readonly samples?: string
  readonly ambientRays?: string
  readonly maxDepth?: string
  readonly bounces?: string
  readonly filter?: string
}

const INTEGRATORS = ['ambient', 'path'] as const
const FILTERS = ['box', 'gaussian'] as const

/** Of the ambient integrator, and of the path tracer. */
const AMBIENT = { samples: '2', ambientRays: '2', maxDepth: '6' }
const PATH = { samples: '64', bounces: '8' }

/** @throws OptionError */
export function resolveQuality(raw: RawQualityOptions): Quality {
  const integrator = oneOf('integrator', raw.integrator ?? 'ambient', INTEGRATORS)
  const filter = oneOf('filter', raw.filter ?? 'box', FILTERS)
  if (integrator === 'ambient') {
    refuse({ bounces: raw.bounces, filter: raw.filter }, '--integrator path with it')
    return {
      samples: wholeNumber('--samples', raw.samples ?? AMBIENT.samples, 1, MAX_AMBIENT_SAMPLES),
      ambientRays: wholeNumber('--ambient-rays', raw.ambientRays ?? AMBIENT.ambientRays, 0, 64),
      maxDepth: wholeNumber('--max-depth', raw.maxDepth ?? AMBIENT.maxDepth, 0, 16),
    }
  }
  refuse({ 'ambient-rays': raw.ambientRays, 'max-depth': raw.maxDepth }, '--integrator ambient with it')
  return {
    samples: wholeNumber('--samples', raw.samples ?? PATH.samples, 1, MAX_SAMPLES),
    ...{ ambientRays: 0, maxDepth: 0 },
    bounces: wholeNumber('--bounces', raw.bounces ?? PATH.bounces, 0, MAX_BOUNCES),
    ...(filter === 'gaussian' ? { filter } : {}),
  }
}

function refuse(options: Readonly<Record<string, string | undefined>>, expected: string): void {
  for (const [name, value] of Object.entries(options))
    if (value !== undefined) throw new OptionError(`--${name}`, expected, value)
}
