/** How samples are divided into passes, and how many frames are in progress at once. Pure. */
import { MAX_IN_FLIGHT, MAX_PASSES } from '../../../shared/frame/frame-limits.ts'
import { by, type GivenOf, group, option, RUNS, type Voice } from '../declare/group.ts'
import { flag, wholeNumber } from '../declare/kinds.ts'

/** As many are enough to watch a frame develop. */
const PROGRESSIVE_PASSES = 8

export const passes = group('Picture:', RUNS, {
  passes: option({
    flag: '--passes <n>',
    kind: wholeNumber(1, MAX_PASSES),
    help: 'passes that the samples are divided into; the frames are the same',
    otherwise: '1',
    variable: RUNS,
    library: true,
    decides: 'times',
    rules: [
      { excludes: 'noise', because: ', whose passes double the samples until it is low' },
      { excludes: 'shutter', because: ', each of whose {timeSteps} is a pass' },
    ],
  }),
  progressive: option({
    flag: '--progressive',
    kind: flag,
    help: `write a frame’s PNG file after each of its passes, ${PROGRESSIVE_PASSES} passes by default`,
    usual: false,
    commands: ['render'],
  }),
  inFlight: option({
    flag: '--in-flight <n>',
    kind: wholeNumber(1, MAX_IN_FLIGHT),
    help: 'frames in progress at once, {range}; with 1 each frame’s own time is the shortest',
    usual: by({ render: 2, compare: 1, library: 2 }),
    heading: 'Cluster:',
    variable: RUNS,
    library: true,
    decides: 'times',
  }),
})

/**
 * The number of passes that the samples of a pixel are divided into: 1 to the number of samples.
 * @param samples camera rays per pixel
 * @param isAdaptive frames have as many as they need
 * @param steps moments of motion blur, each of which is a pass
 * @throws UsageError
 */
export function resolvePasses(
  { passes: asked, progressive = false }: GivenOf<typeof passes>,
  { samples, isAdaptive, steps }: { readonly samples: number; readonly isAdaptive: boolean; readonly steps?: number },
  { name, phrase, error }: Voice,
): number {
  if (asked !== undefined && asked > samples)
    throw error('passes', `at most as many as ${name('samples')}, ${samples}`, `${asked}`)
  const count = asked ?? steps ?? (progressive && !isAdaptive ? Math.min(samples, PROGRESSIVE_PASSES) : 1)
  if (progressive && count === 1 && !isAdaptive) {
    const too = asked === 1 ? 'passes' : 'samples'
    throw error('progressive', `${name(too)} above 1 with it, so that there is something to show`, phrase(too, '1'))
  }
  return count
}
