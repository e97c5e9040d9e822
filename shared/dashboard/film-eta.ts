/**
 * When a film will be done. What a frame takes changes slowly, and jumps: so the band is not a model's, but what forecasts of this very film
 * were off by. At moments of the past, the same forecast is made of as many frames as there are known, and compared with what they took: the
 * band holds what all but a share of them did (conformal prediction: Vovk, Gammerman and Shafer, "Algorithmic Learning in a Random World",
 * 2005, §2; here over time, and so without its guarantee). Pure.
 */

export interface FilmEta {
  /** Until the last frame is there, ms. */
  readonly ms: number
  /** Holds nine of ten. */
  readonly leastMs: number
  readonly mostMs: number
}

/** Times that count for what comes next; of those before, so many are forecast. */
const RECENT = 12
const MOST_TRIALS = 200
/** Before so many frames, nothing is forecast. */
const FIRST = 4
/** Of a hundred forecasts, so many may be off by more, to either side. */
const OUTSIDE = 0.03
/** Without frames to try forecasts on, they may be off by such a factor, by no more than such a one, and never by less than such a share. */
const UNKNOWN = 2
const MOST = 4
const LEAST_SHARE = 0.02
/**
 * How errors grow beyond what could be tried: those of frames that do not depend on each other with the root of the distance, those of a trend
 * with the distance itself.
 */
const GROWTH = 0.75

/**
 * @param times of frames, from the end of the one before to their own, ms, oldest first
 * @param left frames
 */
export function filmEta(times: readonly number[], left: number): FilmEta | undefined {
  if (left <= 0) return { ms: 0, leastMs: 0, mostMs: 0 }
  if (times.length === 0) return undefined
  const ms = paceAt(times, times.length) * left
  const factor = Math.exp(mostOff(times, left))
  return { ms, leastMs: ms / factor, mostMs: ms * factor }
}

/** What a frame takes, by those before `end`. */
function paceAt(times: readonly number[], end: number): number {
  const recent = times.slice(Math.max(0, end - RECENT), end)
  return recent.reduce((sum, ms) => sum + ms, 0) / recent.length
}

/** How far a forecast may be off, to either side: the logarithm of a factor. */
function mostOff(times: readonly number[], left: number): number {
  /** As far ahead as leaves twice as many frames to forecast from. */
  const ahead = Math.max(1, Math.min(left, Math.floor(times.length / 3)))
  const sums = [0]
  for (const ms of times) sums.push(sums.at(-1)! + ms)
  const off: number[] = []
  const first = Math.max(1, Math.min(FIRST, times.length - ahead), times.length - ahead - MOST_TRIALS)
  for (let end = first; end + ahead <= times.length; end++) {
    const [forecast, truth] = [paceAt(times, end) * ahead, sums[end + ahead]! - sums[end]!]
    if (forecast > 0 && truth > 0) off.push(Math.log(truth / forecast))
  }
  if (off.length < FIRST) return Math.log(UNKNOWN)
  off.sort((a, b) => a - b)
  const at = (share: number) => off[Math.round(share * (off.length - 1))]!
  // Of few trials, the outermost ones are not yet as far out as they can be.
  const few = 1 + 1 / Math.sqrt(off.length)
  const worst = Math.max(-at(OUTSIDE), at(1 - OUTSIDE)) * few * Math.max(1, left / ahead) ** GROWTH
  return Math.min(Math.log(MOST), Math.max(LEAST_SHARE, worst))
}
