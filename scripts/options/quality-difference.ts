/** In what two qualities differ, by the option that says it. Pure. */
import { type Quality, qualitySchema } from '../../shared/frame/view.ts'
import { USUAL } from '../../shared/session/strategy-words.ts'
import { longFlag } from './declare/group.ts'
import { light } from './groups/light.ts'
import { strategy } from './groups/strategy.ts'

/** What a quality lacks if an option is left out. */
const ABSENT: Partial<Readonly<Record<keyof Quality, string>>> = {
  filter: 'box',
  singleScattering: 'not given',
  clamp: 'no limit',
  caustics: 'on',
  pattern: 'frame',
  seed: `${USUAL.seed}`,
}

const FLAGS: Readonly<Record<keyof Quality, string>> = {
  samples: longFlag(light.options.samples),
  ambientRays: longFlag(light.options.ambientRays),
  maxDepth: longFlag(light.options.maxDepth),
  bounces: longFlag(light.options.bounces),
  filter: longFlag(light.options.filter),
  singleScattering: longFlag(light.options.singleScattering),
  clamp: longFlag(light.options.clamp),
  caustics: longFlag(light.options.caustics),
  pattern: longFlag(light.options.pattern),
  seed: longFlag(strategy.options.seed),
}

export interface QualityDifference {
  /** The only field in which they differ; undefined: there are several, or their integrators differ. */
  readonly only?: keyof Quality
  readonly flag: string
  readonly was: string
  readonly is: string
}

/** The first option in which they differ, the number of samples last; undefined: they do not, or are none. */
export function qualityDifference(before: unknown, after: unknown): QualityDifference | undefined {
  const [was, is] = [before, after].map(each => qualitySchema.safeParse(each).data)
  if (!was || !is) return undefined
  const [integrator, other] = [was, is].map(({ bounces }) => (bounces === undefined ? 'ambient' : 'path'))
  if (integrator !== other) return { flag: longFlag(light.options.integrator), was: integrator!, is: other! }
  const differing = (Object.keys(FLAGS) as (keyof Quality)[]).filter(key => was[key] !== is[key])
  const first = differing.find(key => key !== 'samples') ?? differing[0]
  if (first === undefined) return undefined
  const said = (value: unknown) => (value === true ? 'given' : value === undefined ? ABSENT[first]! : `${value}`)
  return {
    ...(differing.length === 1 ? { only: first } : {}),
    flag: FLAGS[first],
    was: said(was[first]),
    is: said(is[first]),
  }
}
