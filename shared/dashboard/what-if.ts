/**
 * What other strategies would have taken for frames of a run, by the simulator, and what that says: by how much the simulator is off for the
 * strategy that ran, and what it has cost not to run the best one (its regret: Bubeck and Cesa-Bianchi, "Regret analysis of stochastic and
 * nonstochastic multi-armed bandit problems", FnTML 2012, §1; here to the best single one in hindsight). Both are of simulated times, so that
 * what the simulator is off by for all of them is not in it. Pure.
 */
import { isShort, SHORTEST_FRAME_MS } from '../metrics/short-frames.ts'
import { mean } from '../metrics/statistics.ts'

/** A frame of a run, simulated under every strategy. */
export interface Guess {
  /** Its place in the run. */
  readonly place: number
  /** The strategy that ran, and what the frame took, ms. */
  readonly strategy: string
  readonly frameMs: number
  /** What strategies would have taken, in the order of their names, ms; null: it cannot be simulated. */
  readonly times: readonly (number | null)[]
}

export interface WhatIfBar {
  readonly name: string
  /** Mean of the frames. */
  readonly ms: number
  /** Over what was measured. */
  readonly share: number
  readonly isRunning: boolean
}

export interface WhatIf {
  /** Shortest first. */
  readonly bars: readonly WhatIfBar[]
  /** Frames that bars are means of, and what these took, mean ms. */
  readonly frames: number
  readonly measuredMs: number
  /** What the simulator is off by for the strategy that ran, as a share of what it took; undefined if it cannot be simulated. */
  readonly error: number | undefined
  /** The one to switch to; undefined if nothing can be said, or none is faster. */
  readonly winner: string | undefined
  /** Until each frame, since the first that is known, ms; and against whom. */
  readonly regret: readonly number[]
  readonly best: string | undefined
  readonly text: string
}

/** Bars are means of the last frames, while the same strategy ran. */
const RECENT = 60

/**
 * @param guesses oldest first
 * @param doubts reasons why they say little, as sentences
 * @param chosen place of a frame; bars are of it alone if it was simulated
 */
export function whatIf(
  names: readonly string[],
  guesses: readonly Guess[],
  doubts: readonly string[] = [],
  chosen?: number,
): WhatIf {
  const one = guesses.findLast(({ place }) => place === chosen)
  const run = one?.strategy ?? guesses.at(-1)?.strategy
  const others = guesses.findLastIndex(({ strategy }) => strategy !== run)
  const alike = guesses.slice(Math.max(others + 1, guesses.length - RECENT))
  const shown = one ? [one] : alike
  const measuredMs = mean(shown.map(({ frameMs }) => frameMs))
  const bars = names
    .flatMap((name, i) => {
      const times = shown.flatMap(({ times }) => times[i] ?? [])
      if (times.length < shown.length || shown.length === 0) return []
      const ms = mean(times)
      return [{ name, ms, share: measuredMs > 0 ? ms / measuredMs : 1, isRunning: name === run }]
    })
    .sort((a, b) => a.ms - b.ms)
  const error = errorOf(names, one ? guesses.filter(({ strategy }) => strategy === run) : alike)
  const facts = { bars, frames: shown.length, measuredMs, error, ...regretOf(names, guesses) }
  return { ...facts, ...verdict(facts, doubts) }
}

function errorOf(names: readonly string[], guesses: readonly Guess[]): number | undefined {
  const pairs = guesses.flatMap(({ strategy, frameMs, times }): [number, number][] => {
    const own = times[names.indexOf(strategy)]
    return own == null ? [] : [[own, frameMs]]
  })
  const took = pairs.reduce((sum, [, ms]) => sum + ms, 0)
  if (!(took > 0)) return undefined
  return Math.abs(pairs.reduce((sum, [own]) => sum + own, 0) / took - 1)
}

function regretOf(names: readonly string[], guesses: readonly Guess[]): Pick<WhatIf, 'regret' | 'best'> {
  const known = guesses.filter(({ strategy, times }) => times[names.indexOf(strategy)] != null)
  const sums = names.flatMap((name, i) => {
    const times = known.flatMap(({ times }) => times[i] ?? [])
    return times.length === known.length ? [{ name, i, sum: times.reduce((a, b) => a + b, 0) }] : []
  })
  const best = known.length === 0 ? undefined : sums.toSorted((a, b) => a.sum - b.sum)[0]
  if (!best) return { regret: [], best: undefined }
  let total = 0
  const regret = known.map(({ strategy, times }) => {
    total += times[names.indexOf(strategy)]! - times[best.i]!
    return total
  })
  return { regret, best: best.name }
}

function verdict(
  { bars, error, measuredMs, frames }: Pick<WhatIf, 'bars' | 'error' | 'measuredMs' | 'frames'>,
  doubts: readonly string[],
): Pick<WhatIf, 'winner' | 'text'> {
  const [first] = bars
  const running = bars.find(({ isRunning }) => isRunning)
  const sentences: string[] = [...doubts]
  if (!first) return { winner: undefined, text: [...sentences, ...(doubts.length > 0 ? [] : [WAITING])].join(' ') }
  const shortest = Math.min(measuredMs, running?.ms ?? measuredMs)
  const short = isShort({ frameMs: { mean: shortest } })
  if (short)
    sentences.push(
      `Frames are short (${said(shortest)}): below ${SHORTEST_FRAME_MS} ms, timers and the operating system's time slices, which no simulation knows, decide which strategy is faster.`,
    )
  let winner: string | undefined
  if (error === undefined || !running)
    sentences.push('The strategy that ran cannot be simulated, so nothing can be said of the error.')
  else {
    const saved = 1 - first.ms / running.ms
    const isSure = !short && doubts.length === 0
    if (isSure && saved > error) {
      winner = first.name
      const each = frames === 1 ? 'for this frame' : 'a frame'
      sentences.push(
        `${first.name} would have taken ${percent(saved)} less than ${running.name}: ${said(first.ms)} ${each} instead of ${said(running.ms)}.`,
      )
    } else if (isSure)
      sentences.push(
        first === running
          ? `None would have been faster than ${running.name}.`
          : 'None would have been faster by more than what the simulator is off by.',
      )
    sentences.push(`The simulator is within ${percent(error)} of what this run took.`)
  }
  return { winner, text: sentences.join(' ') }
}

const WAITING = 'No frame has been simulated yet.'

const said = (ms: number): string => (ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`)
/** Rounded up: it is a bound, too. */
const percent = (share: number): string => `${Math.max(1, Math.ceil(share * 100 - 1e-9))} %`
