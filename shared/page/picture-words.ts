/** What is said of a picture beside it: how far it has come, and how many samples its pixels have. Pure. */
import type { PageProgress, PictureFacts } from './page-messages.ts'

type Told = Pick<PictureFacts, 'stage' | 'size' | 'fullSize' | 'samples' | 'mostSamples'>

/** Of a view. */
export function viewState({ stage, size, fullSize, samples, mostSamples }: Told, progress?: PageProgress): string {
  const whole = fullSize.join('×')
  const seconds = progress?.leftMs === undefined ? '' : `, ${Math.max(1, Math.round(progress.leftMs / 1000))} s to go`
  // One that is finished is in the making only if it is made once more.
  const again = progress ? `; again by another strategy${seconds}` : ''
  if (stage === 'finished') return `finished, ${whole}, ${samplesText(samples, mostSamples)}${again}`
  if (stage === 'moving' && !progress) return `moving, ${size.join('×')} of ${whole}`
  return `${stage === 'moving' ? 0 : samples} of ${mostSamples} samples${seconds}`
}

/** Of a film's frame, which is complete. */
export const frameState = ({ fullSize, samples, mostSamples }: Told): string =>
  `watching, ${fullSize.join('×')}, ${samplesText(samples, mostSamples)}`

/** @param most of a pixel: others have fewer where that is more than the mean */
function samplesText(mean: number, most: number): string {
  if (mean === most) return `${most} ${most === 1 ? 'sample' : 'samples'}`
  return `${Number(mean.toFixed(mean < 10 ? 1 : 0))} samples on average, ${most} at most`
}
