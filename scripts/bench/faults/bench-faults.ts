/**
 * Chaos: films on real masters and worker processes, over lines and with processes that fail in seeded random ways, in every phase of
 * a frame and with every strategy. Whatever happens to workers while others remain, frames have the same bytes, none is lost, and none
 * is long in coming.
 */
import { BenchError } from '../bench-error.ts'
import { type FaultsFigures, faultsFigures } from './figures.ts'
import { Lane } from './lane.ts'
import { type Played, play, Reference } from './play.ts'
import { scenarioOf, scenarioText } from './scenario.ts'

export interface FaultsOptions {
  readonly scenarios: number
  readonly seed: number
  /** The number of the only scenario to play. */
  readonly only?: number
  /** Clusters that play at the same time. */
  readonly lanes: number
}

export interface FaultsFailure {
  readonly scenario: number
  readonly what: string
  /** The command that plays it alone. */
  readonly again: string
}

export interface FaultsBench extends FaultsFigures {
  readonly seed: number
  readonly seconds: number
  /** The first few. */
  readonly failures: readonly FaultsFailure[]
}

const MOST_FAILURES = 50
const PROGRESS_EVERY = 50

/** @param progress called now and then with a line */
export async function benchFaults(
  { scenarios, seed, only, lanes: count }: FaultsOptions,
  signal: AbortSignal,
  progress: (line: string) => void,
): Promise<FaultsBench> {
  const began = performance.now()
  const numbers = (only === undefined ? Array.from({ length: scenarios }, (_, i) => i) : [only]).values()
  const reference = new Reference()
  const played: Played[] = []
  const failures: FaultsFailure[] = []
  const stop = new AbortController()
  const over = AbortSignal.any([signal, stop.signal])
  const failed = (scenario: number, what: string) => {
    const again = `npm run bench -- faults --seed ${seed} --only ${scenario}`
    if (failures.length < MOST_FAILURES) failures.push({ scenario, what, again })
    progress(`${scenarioText(scenarioOf(seed, scenario))}: ${what}\n  again: ${again}`)
  }
  const open: Lane[] = []
  const playLane = async (index: number): Promise<void> => {
    const lane = await Lane.open(index + 1)
    open.push(lane)
    for (const number of numbers) {
      over.throwIfAborted()
      const result = await play(scenarioOf(seed, number), lane, reference, seed, over)
      played.push(result)
      for (const { what } of result.failures) failed(number, what)
      if (played.length % PROGRESS_EVERY === 0)
        progress(`${played.length} scenarios, ${failures.length} failures, ${seconds(began)} s`)
    }
  }
  const killAll = () => {
    for (const { workers } of open) for (const worker of workers) worker.signal('SIGKILL')
  }
  process.once('exit', killAll)
  const lanes = Array.from({ length: only === undefined ? Math.min(count, scenarios) : 1 }, (_, i) => playLane(i))
  try {
    await Promise.all(lanes)
  } finally {
    stop.abort(signal.reason)
    await Promise.allSettled(lanes)
    await Promise.all(open.map(lane => lane.close()))
    process.off('exit', killAll)
  }
  return { seed, seconds: seconds(began), ...faultsFigures(played), failures }
}

const seconds = (since: number): number => Math.round((performance.now() - since) / 100) / 10

/** @throws BenchError if a frame was wrong, lost, or did not come */
export function expectNoLoss({ scenarios, wrongBytes, lostFrames, hangs, unnoticed, seed }: FaultsBench): void {
  const bad = wrongBytes + lostFrames + hangs + unnoticed
  if (bad > 0)
    throw new BenchError(
      `${bad} of ${scenarios} scenarios failed, expected none; each can be played again with --seed ${seed} --only`,
    )
}
