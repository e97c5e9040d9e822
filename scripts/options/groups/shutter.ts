/**
 * Motion blur: the samples of a frame are divided among moments of the time for which its shutter is open, which begins at the
 * frame's own time. Each moment is a pass, with the scene and the camera of its time.
 */
import { MAX_MOMENTS } from '../../../shared/frame/frame-limits.ts'
import { type GivenOf, group, option, RUNS, type Voice } from '../declare/group.ts'
import { share, wholeNumber } from '../declare/kinds.ts'

const USUAL_STEPS = 8

export const shutter = group('Picture:', [...RUNS, 'tile'], {
  shutter: option({
    flag: '--shutter <share>',
    kind: share(),
    help: 'motion blur: the share of a frame’s time for which its shutter is open, beginning at the frame’s own time, {range}, such as 0.5',
    more: 'what is visible through the pixels’ centres (`normal`, `mappedNormal`, `position`, `depth`, `id`) is that of the first moment',
    usual: 0,
    off: 0,
    variable: RUNS,
    library: true,
    decides: 'pixels',
    rules: [
      {
        excludes: 'noise',
        because: ', which leaves out later samples, and with them what moves later, where earlier ones agree',
      },
      { excludes: 'record', because: ': a recording holds one camera for each frame' },
    ],
  }),
  timeSteps: option({
    flag: '--time-steps <n>',
    kind: wholeNumber(2, MAX_MOMENTS),
    help: 'with {shutter}: moments that the samples are divided among, {range}, at most as many as samples',
    otherwise: `${USUAL_STEPS}`,
    variable: RUNS,
    library: true,
    decides: 'pixels',
    entry: 'shutter',
    rules: [{ needs: 'shutter', because: ', whose time they divide' }],
  }),
})

export interface Shutter {
  /** For which share of a frame's time it is open, above 0 to 1. */
  readonly share: number
  /** Number of moments, at most as many as samples. */
  readonly steps: number
}

/**
 * Undefined: no motion blur.
 * @param samples camera rays per pixel
 * @throws UsageError
 */
export function resolveShutter(
  { shutter: share = 0, timeSteps: asked }: GivenOf<typeof shutter>,
  samples: number,
  { name, error }: Voice,
): Shutter | undefined {
  if (share === 0) return undefined
  const steps = asked ?? USUAL_STEPS
  if (steps <= samples) return { share, steps }
  throw asked === undefined
    ? error(
        'samples',
        `at least ${steps} with ${name('shutter')}, one for each of its ${name('timeSteps')}`,
        `${samples}`,
      )
    : error('timeSteps', `at most as many as ${name('samples')}, ${samples}`, `${asked}`)
}

/** When a frame is seen, as fractions of frame numbers: the middles of equal parts of the time for which its shutter is open. */
export const timesOf = (frame: number, { share, steps }: Shutter): number[] =>
  Array.from({ length: steps }, (_, k) => frame + (share * (k + 0.5)) / steps)
