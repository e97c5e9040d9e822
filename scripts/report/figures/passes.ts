/** How each pass of a strategy's frames was shared: means over the frames that had it. Pure. */

import type { Clock } from '../../../shared/frame/frame-limits.ts'
import type { PassReport } from '../../../shared/frame/frame-report.ts'
import { meanSamples } from '../../../shared/frame/samples-taken.ts'
import type { FrameSummary, StrategySummary, Summary } from '../../../shared/frame/summary.ts'
import { mean } from '../../../shared/metrics/statistics.ts'
import { epsilonBy } from './clocks.ts'
import { formatCount, formatRatio, formatShare } from './numbers.ts'

type Passes = Pick<StrategySummary, 'passes' | 'samplesPerPixel'>

/** @param pixels of a frame */
export function passSummary(frames: readonly FrameSummary[], pixels: number, clock: Clock): Passes {
  const made = frames.flatMap(frame => (frame.passes ? [frame.passes] : []))
  const longest = made.reduce<readonly PassReport[]>(
    (most, passes) => (passes.length > most.length ? passes : most),
    [],
  )
  if (longest.length === 0) return {}
  const passes = longest.map(({ from, to }, i) => {
    const all = made.flatMap(passes => passes[i] ?? [])
    return {
      from,
      to,
      frames: all.length,
      pixelShare: Math.min(1, mean(all.map(pass => pass.pixels)) / pixels),
      ms: mean(all.map(pass => pass.ms)),
      epsilon: mean(all.map(pass => epsilonBy(clock, pass))),
    }
  })
  return { passes, samplesPerPixel: mean(made.map(each => meanSamples(each, pixels))) }
}

/** ε of every pass of each strategy, with the share of the pixels where that is not all; nothing for frames of one pass. */
export function passLines({ strategies }: Pick<Summary, 'strategies'>): string[] {
  const widest = Math.max(...strategies.map(({ name }) => name.length))
  const lines = strategies.flatMap(({ name, passes, samplesPerPixel }) => {
    if (!passes || samplesPerPixel === undefined) return []
    const each = passes.map(({ to, epsilon, pixelShare }) => {
      const part = pixelShare < 1 ? ` (${formatShare(pixelShare)})` : ''
      return `${to}: ${formatRatio(epsilon)}${part}`
    })
    return `${name.padEnd(widest)}  ${each.join('  ')}; ${formatCount(samplesPerPixel)} samples a pixel`
  })
  return lines.length === 0 ? [] : ['ε of each pass, by its last sample (share of the pixels where not all):', ...lines]
}
