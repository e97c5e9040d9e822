/**
 * What a reader needs to know before trusting the numbers, in plain sentences: how many cores the workers really had, how
 * pacing affected the times, whether all strategies rendered the same image.
 */

import type { StrategySummary, Summary } from '../../../shared/frame/summary.ts'
import { MIXED } from '../../../shared/frame/traced-by.ts'
import { mean } from '../../../shared/metrics/statistics.ts'
import { workerCount } from '../../../shared/session/worker-count.ts'
import { hasCpuFigures } from './clocks.ts'
import { isBusy } from './doubts.ts'
import { mostAtOnce } from './most-at-once.ts'
import { formatTime, listed, plural, workersText } from './numbers.ts'

/** Engine name of simulated workers; see `master/simulator`. */
const SIMULATED_ENGINE = 'simulated'

/** Host and workers on one line: `8 workers at 0.2 of a core each, on a host with 2 cores (CPU name, Node.js v20)`. */
export function hostLine(summary: Summary): string {
  const { host, pacing } = summary
  const workers = mostAtOnce(summary)
  if (isSimulated(summary)) return workersText(workers, 'simulated worker')
  // One alone is not expected to be limited.
  const paced = pacing ? `, ${pacingWords(pacing)}` : workers.length > 1 ? ', unpaced' : ''
  return `${workersText(workers)}${paced}; host with ${plural(host.cores, 'core')} (${host.cpu}, Node.js ${host.node})`
}

/** `each limited to 0.2 of a core`, or each worker's share if they differ. */
function pacingWords(pacing: readonly number[]): string {
  const shares = [...new Set(pacing)]
  if (shares.length === 1) return `each limited to ${cores(shares[0]!)}`
  if (pacing.length <= 16) return `limited to ${pacing.map(share => `${share}`).join(', ')} of a core`
  return `limited to at least ${cores(Math.min(...pacing))} and at most ${cores(Math.max(...pacing))}`
}

/** How to interpret the wall times of this run, given its cores, its pacing and whether its workers stayed. */
export const wallTimeNote = (summary: Summary): string =>
  `${coresNote(summary)}${clockNote(summary)}${changesNote(summary)}`

/** A sentence if a clock is missing, else empty. */
const clockNote = (summary: Summary): string =>
  hasCpuFigures(summary)
    ? ''
    : ' Not all that traced has a CPU clock: ε is by the wall clock, and T and T_min are left out.'

/** A sentence if the number of workers changed between frames, else empty. */
function changesNote({ strategies }: Summary): string {
  const counts = strategies.flatMap(({ frames }) => frames.map(frame => frame.ledger.length))
  const fewest = counts.reduce((least, count) => Math.min(least, count))
  const most = counts.reduce((largest, count) => Math.max(largest, count))
  if (fewest === most) return ''
  return ` Workers came or went during the run: frames were shared by ${fewest} to ${most} of them, so times of different frames and strategies are not those of one cluster.`
}

const isSimulated = ({ workers }: Summary): boolean => workers.some(({ engine }) => engine === SIMULATED_ENGINE)

function coresNote(summary: Summary): string {
  if (isSimulated(summary)) return 'No cluster rendered these frames: their times come from a simulation.'
  const { host, pacing } = summary
  const workers = mostAtOnce(summary)
  const threads = workers.reduce((sum, worker) => sum + Math.max(1, worker.threads), 0)
  const have = `The host has ${plural(host.cores, 'core')} for ${workersText(workers)}`
  if (pacing) {
    const asked = pacing.reduce((sum, share) => sum + share, 0)
    const paced = `${have}; ${pacing.length === 1 ? 'it was' : 'they were'} paced: ${pacingWords(pacing)}. Wall times are therefore those of ${pacing.length === 1 ? 'a slower machine' : `${workerCount(workers)} slower machines`}`
    if (asked <= host.cores) return `${paced}, not of time slices on this one.`
    return `${paced} as far as the cores allowed: together they asked for ${Number(asked.toFixed(2))} cores, more than there are, so the operating system still divided some time between them.${hasCpuFigures(summary) ? ' Prefer the CPU clock.' : ''}`
  }
  if (threads <= host.cores)
    return `${have} and ${plural(threads, 'thread')}${isHostBusy(host) ? ', but other work was on them' : ': none had to wait for a core'}, and nothing was paced.`
  return `${have} and ${plural(threads, 'thread')}, fewer cores than threads, and nothing was paced. The operating system gave workers on this host time slices, which hides imbalance, so their wall times say little.${hasCpuFigures(summary) ? ' Use ε and T by the CPU clock, which are what the same number of dedicated machines would see without a network.' : ''}`
}

/** Whether other programs took so much of it that a warning says so. */
const isHostBusy = ({ cores, otherCores }: Summary['host']): boolean =>
  otherCores !== undefined && isBusy({ cores, otherCores })

/** The basis of the intervals, and thus their limits; empty if there are none. */
export function intervalNote(summary: Summary): string {
  const { repeats, strategies } = summary
  if (strategies.every(({ frameMs }) => frameMs.ci95 === undefined)) return ''
  const given = '± is half of a 95 % interval (bootstrap) over'
  if (repeats > 1)
    return `${given} the ${repeats} runs of each strategy and the frames of each run. Frames, charts, pictures and the ledger are those of the first run.`
  if (isSimulated(summary)) return `${given} the simulated frames: it shows how frames vary, not how clusters do.`
  const advice = strategies.length > 1 ? '; --repeat 5 would show that' : ''
  return `${given} the frames of one run: it does not cover variation between runs${advice}.`
}

/** Mean T and T_min by the CPU clock for a few strategies, in words; a table lists all of them. */
export function cpuClockNote(strategies: readonly StrategySummary[]): string {
  const times = strategies.map(({ name, frames }) => {
    const critical = mean(frames.map(frame => frame.criticalMs))
    const perfect = mean(frames.map(frame => frame.meanMs))
    return `${formatTime(critical)} with ${name} (perfect share ${formatTime(perfect)})`
  })
  return `By the CPU clock the slowest worker of a frame needed on average ${listed(times)}.`
}

export interface PixelAgreement {
  /** True if every frame rendered by several strategies has a single hash; undefined if there is nothing to compare. */
  readonly identical: boolean | undefined
  readonly sentence: string
}

/** What traced the frames, and what that means for their bytes; undefined: they are those that every machine makes. */
export function tracedByNote({ tracedBy }: Pick<Summary, 'tracedBy'>): string | undefined {
  if (!tracedBy) return undefined
  const others = isMixed(tracedBy)
    ? 'which of them traced a pixel depends on how fast they were, and its last digits on that'
    : 'other devices, and CPUs, make the same picture with other bytes'
  return `Traced by ${tracedBy.join('; ')}: ${others}.`
}

const isMixed = (tracedBy: readonly string[]): boolean => tracedBy.some(names => names.includes(MIXED))

/** Whether pixels are independent of the strategy, as they must be. */
export function pixelAgreement(summary: Summary): PixelAgreement {
  const { strategies } = summary
  if (isSimulated(summary))
    return { identical: undefined, sentence: 'These frames were simulated: no pixels were traced.' }
  const hashes = new Map<number, Set<string>>()
  const counts = new Map<number, number>()
  for (const { frames, frameSha256 } of strategies) {
    frames.forEach(({ frame }, index) => {
      hashes.set(frame, (hashes.get(frame) ?? new Set()).add(frameSha256[index] ?? ''))
      counts.set(frame, (counts.get(frame) ?? 0) + 1)
    })
  }
  const compared = [...counts].filter(([, count]) => count > 1).map(([frame]) => frame)
  if (compared.length === 0) {
    return {
      identical: undefined,
      sentence: 'One strategy rendered these frames, so there is nothing to compare their bytes with.',
    }
  }
  const different = compared.filter(frame => hashes.get(frame)!.size > 1)
  if (different.length === 0) {
    const all = compared.length === 1 ? 'The frame is' : `All ${compared.length} frames are`
    return {
      identical: true,
      sentence: `${all} byte-identical across the ${strategies.length} strategies (SHA-256 of the raw pixels).`,
    }
  }
  if (isMixed(summary.tracedBy ?? []))
    return {
      identical: undefined,
      sentence: `${plural(different.length, 'frame')} of ${compared.length} differ between strategies, as frames may for which engines were mixed.`,
    }
  const shown = different.slice(0, 8).map(frame => `${frame}`)
  const more = different.length > shown.length ? ` and ${different.length - shown.length} more` : ''
  return {
    identical: false,
    sentence:
      `${plural(different.length, 'frame')} of ${compared.length} differ between strategies: ${shown.join(', ')}${more}. ` +
      'No engine may do this, not even a device, whose bytes differ from those of other devices only.',
  }
}

const cores = (share: number): string =>
  share === 1 ? 'one core' : share < 1 ? `${share} of a core` : `${share} cores`
