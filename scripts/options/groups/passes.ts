/** How samples are divided into passes, and how many frames are in progress at once. Pure. */
import { MAX_FRAME_MS, MAX_IN_FLIGHT, MAX_PASSES } from '../../../shared/frame/frame-limits.ts'
import { by, type GivenOf, group, option, RUNS, type Voice } from '../declare/group.ts'
import { duration, flag, wholeNumber } from '../declare/kinds.ts'

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
  time: option({
    flag: '--time <duration>',
    kind: duration(MAX_FRAME_MS / 1000),
    help: by({
      render:
        'path: the most time that each frame may take, such as 90s, 10m or 1.5h: it ends when all {samples} are traced, {noise} is met, or its time is up',
      library:
        'path: the most time of each frame, seconds: it ends when all {samples} are traced, {noise} is met, or its time is up',
    }),
    more: 'each pixel gets at least one sample; the bytes of frames depend on how fast the machines are; denoising and writing come after it',
    commands: ['render'],
    variable: ['render'],
    library: true,
    decides: 'times',
    rules: [
      { needs: 'integrator', as: 'path' },
      { excludes: 'passes', because: ': its passes double the samples as long as there is time' },
      { excludes: 'shutter', because: ': it leaves out later samples, and with them what moves later' },
      { excludes: 'record', because: ': a recording holds what a frame costs in a single pass' },
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
 * @param isDoubling passes double the samples until there are enough, or time is up
 * @param steps moments of motion blur, each of which is a pass
 * @throws UsageError
 */
export function resolvePasses(
  { passes: asked, progressive = false }: GivenOf<typeof passes>,
  { samples, isDoubling, steps }: { readonly samples: number; readonly isDoubling: boolean; readonly steps?: number },
  { name, phrase, error }: Voice,
): number {
  if (asked !== undefined && asked > samples)
    throw error('passes', `at most as many as ${name('samples')}, ${samples}`, `${asked}`)
  const count = asked ?? steps ?? (progressive && !isDoubling ? Math.min(samples, PROGRESSIVE_PASSES) : 1)
  if (progressive && count === 1 && !isDoubling) {
    const too = asked === 1 ? 'passes' : 'samples'
    throw error('progressive', `${name(too)} above 1 with it, so that there is something to show`, phrase(too, '1'))
  }
  return count
}
