/** Whether the simulator can be trusted: compares each strategy's live frames with simulated ones. */
import { methodsOf, type PlugIns } from '../../master/sessions/methods.ts'
import type { ClusterSpec } from '../../master/simulator/cluster-spec.ts'
import type { Clock } from '../../shared/frame/frame-limits.ts'
import { TRACED } from '../../shared/frame/recording.ts'
import { mean } from '../../shared/metrics/statistics.ts'
import { RecordingError } from '../recording/errors.ts'
import type { Recording } from '../recording/read-recording.ts'
import { clockFor, epsilonBy } from '../report/figures/clocks.ts'
import { checkDoubts } from './check-doubts.ts'
import { reportsOf, stopwatch } from './run-simulation.ts'
import type { Agreement } from './tables.ts'

/**
 * Simulates every strategy of a recording with the costs of its own frames.
 * @param latencyMs of the network, one way; undefined: as recorded
 * @param plugIns what its names may be those of
 * @throws RecordingError without live frames, UnknownNameError
 */
export async function agreementsOf(
  path: string,
  { header, runs, loads }: Recording,
  cluster: ClusterSpec,
  latencyMs: number | undefined,
  plugIns: PlugIns,
  signal: AbortSignal,
): Promise<Agreement[]> {
  const agreements: Agreement[] = []
  const liveRuns = [...runs].flatMap(([name, frames]) => {
    const live = frames.flatMap(frame => frame.live ?? [])
    return name === TRACED || live.length < frames.length ? [] : [{ name, frames, live }]
  })
  const { options, size, clock } = header
  // One for all: they are compared with each other, too.
  const judge = clockFor(
    liveRuns.flatMap(({ live }) => live),
    clock,
  )
  for (const { name, frames, live } of liveRuns) {
    const network = { ...cluster.network, latencyMs: latencyMs ?? mean(live.map(frame => frame.oneWayMs)) }
    const simulation = {
      ...methodsOf({ strategy: name, options }, plugIns),
      options,
      size,
      clock,
      frames,
      record: true,
      stopwatch,
      cluster: { ...cluster, network },
    }
    const simulated = await reportsOf(simulation, signal)
    agreements.push({
      strategy: name,
      frames: frames.length,
      clock: judge,
      live: outcomeOf(live, judge),
      simulated: outcomeOf(simulated, judge),
      warnings: checkDoubts({
        frames: live,
        workers: header.workers,
        load: loads.get(name),
        decidedHereMs: mean(simulated.map(frame => frame.statsMs + frame.decideMs)),
      }),
    })
  }
  if (agreements.length === 0)
    throw new RecordingError(path, 'expected frames of a live run, got none; make one with compare --record')
  return agreements
}

interface Measured {
  readonly frameMs: number
  readonly epsilonCpu: number
  readonly epsilonWall: number
  readonly messages: number
  readonly bytes: number
  readonly stolen: number
}

const outcomeOf = (frames: readonly Measured[], clock: Clock): Agreement['live'] => ({
  frameMs: mean(frames.map(frame => frame.frameMs)),
  epsilon: mean(frames.map(frame => epsilonBy(clock, frame))),
  messages: mean(frames.map(frame => frame.messages)),
  bytes: mean(frames.map(frame => frame.bytes)),
  stolen: mean(frames.map(frame => frame.stolen)),
})
