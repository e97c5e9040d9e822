/** Whether the adaptive frames of a run have met their noise limit: a sentence if some have not, for all of them together. Pure. */
import { MAX_SAMPLES } from '../../../shared/frame/frame-limits.ts'
import type { NoiseReport } from '../../../shared/frame/frame-report.ts'
import type { StrategySummary } from '../../../shared/frame/summary.ts'
import { formatCount, formatShare, plural } from './numbers.ts'

/** All strategies make the same frames. */
export function noiseWords([strategy]: readonly Pick<StrategySummary, 'frames'>[]): string[] {
  const frames = strategy?.frames ?? []
  const noisy = frames.flatMap(({ noise }) => (noise && noise.share > 0 ? noise : []))
  const [first] = noisy
  if (!first) return []
  const { limit, denoised } = first
  const picture = denoised ? 'denoised picture' : 'picture'
  const share = shareWords(mostOf(noisy.map(({ share }) => share)))
  const most = mostOf(noisy.map(({ most = limit }) => most))
  const worst = most > limit ? `${above(most, limit)} where it is noisiest` : ''
  const what =
    frames.length === 1
      ? `${share} of the ${picture} did not reach --noise ${limit}${worst && ` (${worst})`}`
      : `${formatCount(noisy.length)} of ${plural(frames.length, 'frame')} did not reach --noise ${limit} everywhere (up to ${share} of the ${picture}${worst && `, ${worst}`})`
  const isLate = frames.some(({ endedBy, noise }) => endedBy === 'time' && noise && noise.share > 0)
  return [isLate ? `${what}: --time was up.` : `${what}: ${adviceFor(noisy)}`]
}

/** A standard error as large as the light itself: there is no telling how large either is. */
const UNKNOWN_NOISE = 1

function adviceFor(noisy: readonly NoiseReport[]): string {
  const samples = mostOf(noisy.map(({ samples = Number.POSITIVE_INFINITY }) => samples))
  if (samples <= MAX_SAMPLES) return `--samples ${samples} would.`
  // What so few have found is no measure of how much they miss.
  if (mostOf(noisy.map(({ most = 0 }) => most)) > UNKNOWN_NOISE)
    return 'so few samples do not tell how many it takes; more of them would tell.'
  return `its worst part would need more than ${formatCount(MAX_SAMPLES)} samples, the most that a pixel may have.`
}

const mostOf = (values: readonly number[]): number => values.reduce((most, value) => Math.max(most, value))

/** Not that nothing was missed. */
const shareWords = (share: number): string => (share < 5e-5 ? 'less than 0.01 %' : formatShare(share))

/** With as many digits as it takes to tell it from the limit. */
function above(noise: number, limit: number): string {
  let digits = 2
  while (digits < 17 && Number(noise.toPrecision(digits)) <= limit) digits++
  return `${Number(noise.toPrecision(digits))}`
}
