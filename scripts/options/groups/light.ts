/** How light is computed. What there is by default depends on the integrator. Pure. */
import {
  CLAMPS,
  MAX_AMBIENT_RAYS,
  MAX_AMBIENT_SAMPLES,
  MAX_BOUNCES,
  MAX_DEPTH,
  MAX_SAMPLES,
  MIN_ADAPTIVE_SAMPLES,
} from '../../../shared/frame/frame-limits.ts'
import type { Quality } from '../../../shared/frame/view.ts'
import { USUAL } from '../../../shared/session/strategy-words.ts'
import { by, type Caller, CLUSTERS, type GivenOf, group, option, PICTURES, RUNS, type Rule } from '../declare/group.ts'
import { flag, number, oneOf, share, wholeNumber } from '../declare/kinds.ts'
import type { passes } from './passes.ts'
import type { strategy } from './strategy.ts'

export const AMBIENT_QUALITY = { samples: 2, ambientRays: 2, maxDepth: 6 } as const
export const PATH_QUALITY = { samples: 64, bounces: 8 } as const
const ADAPTIVE_SAMPLES = 1024

export const INTEGRATORS = ['ambient', 'path'] as const
/** Of commands that do not decide by the scene. */
export const DEFAULT_INTEGRATOR = 'ambient'
export type Integrator = (typeof INTEGRATORS)[number]
type OpenIntegrator = 'auto' | Integrator
const integratorOf = (names: readonly OpenIntegrator[]) => oneOf('integrator', names)
const INTEGRATOR = integratorOf(INTEGRATORS)
const OPEN_INTEGRATOR = integratorOf(['auto', ...INTEGRATORS])

/** Whether a command can decide by the scene. */
const isOpenFor = (caller: Caller): boolean => caller === 'render' || caller === 'view' || caller === 'tile'

/** What removes noise, if anything does: a cluster's own denoiser, or Open Image Denoise where frames are written. */
export const DENOISERS = ['off', 'on', 'oidn'] as const
export type Denoiser = (typeof DENOISERS)[number]
const denoiserOf = (names: readonly Denoiser[]) => oneOf('denoiser', names)
/** What has numbers of its own by which samples are placed. */
const PATTERNS = ['film', 'frame'] as const
type Pattern = (typeof PATTERNS)[number]
const OF_CLUSTERS = denoiserOf(['off', 'on'])

const OF_PATH: readonly Rule[] = [{ needs: 'integrator', as: 'path' }]
const OF_AMBIENT: readonly Rule[] = [{ needs: 'integrator', as: 'ambient' }]

export const light = group('Light:', PICTURES, {
  integrator: option({
    flag: '--integrator <name>',
    kind: { ...OPEN_INTEGRATOR, type: "'ambient' | 'path'" },
    among: (_, caller) => (isOpenFor(caller) ? OPEN_INTEGRATOR : INTEGRATOR),
    open: 'auto',
    help: 'ambient is fast: sun, sky with ambient occlusion, mirrors and glass; path: all light, physically based',
    more: by({
      render:
        'auto: path for scenes with lights of their own, glowing or clear materials, or an environment map, otherwise ambient',
      library: '',
    }),
    usual: by<OpenIntegrator>({
      render: 'auto',
      compare: DEFAULT_INTEGRATOR,
      simulate: DEFAULT_INTEGRATOR,
      library: DEFAULT_INTEGRATOR,
    }),
    otherwise: by({
      render: 'auto',
      compare: 'ambient',
      simulate: 'ambient',
      library: 'ambient, or path if {bounces}, {noise}, {time} or {denoise} is given',
    }),
    variable: PICTURES,
    library: true,
    decides: 'pixels',
    entry: 'quality',
  }),
  noise: option({
    flag: '--noise <share>',
    kind: share('a number above 0 and at most 1, such as 0.02', value => value > 0 && value <= 1),
    help: 'path: samples where they are needed, until the standard error is this share of the light, such as 0.02; with at most {samples}',
    more: 'see [noise](scripts/options/README.md#noise)',
    otherwise: 'every pixel gets all samples',
    heading: 'Picture:',
    commands: [...CLUSTERS, 'tile'],
    variable: RUNS,
    library: true,
    decides: 'pixels',
    rules: OF_PATH,
  }),
  denoise: option({
    flag: '--denoise <how>',
    kind: { ...denoiserOf(DENOISERS), type: OF_CLUSTERS.type },
    among: (_, caller) => (caller === 'library' || caller === 'view' ? OF_CLUSTERS : denoiserOf(DENOISERS)),
    off: 'off',
    help: by({
      render: 'path: on removes noise from each complete frame; oidn uses the oidnDenoise of this machine; off',
      view: 'path: on removes noise from pictures that stand still; off',
      tile: 'a tile alone is not denoised, but has the {pattern} of a film that is',
      library: 'path: on removes noise from each complete frame; off',
    }),
    more: by({
      render: 'exr files keep the light before that in the layer `noisy`; unfinished frames of {progressive} are noisy',
      view: '',
      tile: '',
      library: 'channel `noisy` is the light before that; unfinished frames are noisy',
    }),
    usual: 'off',
    heading: 'Picture:',
    commands: ['render', 'view', 'tile'],
    variable: ['render'],
    library: true,
    decides: 'pixels',
    noun: 'denoiser',
    rules: OF_PATH,
  }),
  samples: option({
    flag: '--samples <n>',
    kind: wholeNumber(1, MAX_SAMPLES),
    among: ({ integrator, noise }, caller) =>
      wholeNumber(
        noise === undefined ? 1 : MIN_ADAPTIVE_SAMPLES,
        (integrator ?? (isOpenFor(caller) ? 'auto' : DEFAULT_INTEGRATOR)) === 'ambient'
          ? MAX_AMBIENT_SAMPLES
          : MAX_SAMPLES,
      ),
    help: `camera rays per pixel, 1 to ${MAX_AMBIENT_SAMPLES}, with path up to ${MAX_SAMPLES}`,
    more: `with {noise} a cap, the most that a pixel gets, from ${MIN_ADAPTIVE_SAMPLES} on`,
    otherwise: by({
      render: `${AMBIENT_QUALITY.samples}; with path ${PATH_QUALITY.samples}, with {noise} ${ADAPTIVE_SAMPLES}, with {time} ${MAX_SAMPLES}`,
      compare: `${AMBIENT_QUALITY.samples}; with path ${PATH_QUALITY.samples}, with {noise} ${ADAPTIVE_SAMPLES}`,
      // Its noise is that of times.
      simulate: `${AMBIENT_QUALITY.samples}; with path ${PATH_QUALITY.samples}`,
    }),
    variable: PICTURES,
    library: true,
    decides: 'pixels',
    entry: 'quality',
  }),
  ambientRays: option({
    flag: '--ambient-rays <n>',
    kind: wholeNumber(0, MAX_AMBIENT_RAYS),
    help: 'ambient: rays to the sky per camera ray, {range}',
    otherwise: `${AMBIENT_QUALITY.ambientRays}`,
    variable: PICTURES,
    library: true,
    decides: 'pixels',
    entry: 'quality',
    rules: OF_AMBIENT,
  }),
  maxDepth: option({
    flag: '--max-depth <n>',
    kind: wholeNumber(0, MAX_DEPTH),
    help: 'ambient: longest chain of mirror and glass hits, {range}',
    otherwise: `${AMBIENT_QUALITY.maxDepth}`,
    variable: PICTURES,
    library: true,
    decides: 'pixels',
    entry: 'quality',
    rules: OF_AMBIENT,
  }),
  bounces: option({
    flag: '--bounces <n>',
    kind: wholeNumber(0, MAX_BOUNCES),
    help: 'path: how often light is scattered on its way to the surface that is seen, {range}; 0 is direct light only',
    otherwise: `${PATH_QUALITY.bounces}`,
    variable: PICTURES,
    library: true,
    decides: 'pixels',
    entry: 'quality',
    rules: OF_PATH,
  }),
  filter: option({
    flag: '--filter <name>',
    kind: oneOf('filter', ['box', 'gaussian']),
    help: 'path: pixel filter, box (one pixel wide) or gaussian (σ 0.5 px)',
    otherwise: 'box',
    variable: PICTURES,
    library: true,
    decides: 'pixels',
    entry: 'quality',
    rules: OF_PATH,
  }),
  singleScattering: option({
    flag: '--single-scattering',
    kind: flag,
    help: 'path: rough metal and glass lose the light that their microfacets scatter more than once',
    more: 'metal 1 % at roughness 0.25, 12 % at 0.5, 59 % at 1; a ball of glass 19 % at 0.5, 58 % at 1',
    library: true,
    decides: 'pixels',
    entry: 'quality',
    rules: OF_PATH,
  }),
  clamp: option({
    flag: '--clamp <radiance>',
    kind: number(CLAMPS.least, CLAMPS.most, `a number from ${CLAMPS.least} to ${CLAMPS.most}`),
    help: 'path: the most that light scattered twice or more often adds to a sample; removes fireflies, and some light',
    more: 'in units of radiance, before exposure; about 10 times what is bright in the picture',
    otherwise: 'no limit',
    variable: PICTURES,
    library: true,
    decides: 'pixels',
    entry: 'quality',
    rules: OF_PATH,
  }),
  caustics: option({
    flag: '--caustics <name>',
    kind: oneOf('caustics', ['on', 'off']),
    help: 'path: off leaves out light that reaches rough surfaces by way of smooth and glossy ones, and all light but the sky’s behind solid glass',
    otherwise: 'on',
    variable: PICTURES,
    library: true,
    decides: 'pixels',
    entry: 'quality',
    rules: OF_PATH,
  }),
  pattern: option({
    flag: '--pattern <whose>',
    kind: oneOf('pattern', PATTERNS),
    help: 'path: where samples go is chosen once for the whole film, so that noise stands still, or for each frame anew',
    otherwise: 'film with {denoise}, otherwise frame',
    variable: PICTURES,
    library: true,
    decides: 'pixels',
    entry: 'quality',
    rules: OF_PATH,
  }),
})

/**
 * What noise a denoiser leaves is large patches rather than grain, and of those it is seen above all that they change: so denoised films keep them in their place. Grain
 * that stands still looks like dirt on the lens as soon as the camera moves.
 */
const patternFor = (denoise: Denoiser | undefined): Pattern => ((denoise ?? 'off') === 'off' ? 'frame' : 'film')

/** The quality of what was said, which has been checked. */
export function resolveQuality({
  integrator,
  samples,
  ambientRays,
  maxDepth,
  noise,
  time,
  bounces,
  filter,
  singleScattering,
  clamp,
  caustics,
  denoise,
  pattern = patternFor(denoise),
  seed,
}: GivenOf<typeof light> & Pick<GivenOf<typeof strategy>, 'seed'> & Pick<GivenOf<typeof passes>, 'time'>): Quality {
  if (integrator !== 'path')
    return {
      samples: samples ?? AMBIENT_QUALITY.samples,
      ambientRays: ambientRays ?? AMBIENT_QUALITY.ambientRays,
      maxDepth: maxDepth ?? AMBIENT_QUALITY.maxDepth,
    }
  return {
    samples:
      samples ?? (time !== undefined ? MAX_SAMPLES : noise === undefined ? PATH_QUALITY.samples : ADAPTIVE_SAMPLES),
    ambientRays: 0,
    maxDepth: 0,
    bounces: bounces ?? PATH_QUALITY.bounces,
    ...(filter === 'gaussian' ? { filter } : {}),
    ...(singleScattering ? { singleScattering } : {}),
    ...(clamp === undefined ? {} : { clamp }),
    ...(caustics === 'off' ? { caustics } : {}),
    ...(pattern === 'film' ? { pattern } : {}),
    ...(seed === undefined || seed === USUAL.seed ? {} : { seed }),
  }
}

/** Programs need not name the path tracer if they say what only it has. */
export const withIntegrator = <
  V extends Pick<GivenOf<typeof light>, 'integrator' | 'bounces' | 'noise' | 'denoise'> &
    Pick<GivenOf<typeof passes>, 'time'>,
>(
  values: V,
): V =>
  values.integrator === undefined &&
  ((values.bounces ?? values.noise ?? values.time) !== undefined || (values.denoise ?? 'off') !== 'off')
    ? { ...values, integrator: 'path' as const }
    : values
