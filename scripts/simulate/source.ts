/** The frames to simulate: their costs come from a recording, or from tracing them here. */
import { recordedCosts } from '../../master/costs/recorded-costs.ts'
import type { FrameWorkload } from '../../master/simulator/simulate-frame.ts'
import { TRACED } from '../../shared/frame/recording.ts'
import { DEFAULT_STRATEGY_OPTIONS } from '../../shared/session/strategy-options.ts'
import type { Log } from '../../shared/text/log.ts'
import { framesFrom, type Recording, readRecording } from '../recording/read-recording.ts'
import { type RecordingFacts, withRecording } from '../recording/record.ts'
import { traceCosts } from '../recording/trace-costs.ts'
import { plural } from '../report/figures/numbers.ts'
import { describeHost } from '../run/host.ts'
import { prepareScene, sceneFacts, warnOfGaps } from '../run/prepare-scene.ts'
import { FilmToGo } from '../terminal/time-to-go.ts'
import type { RecordingSource, SceneSource } from './options.ts'

export interface Source {
  readonly facts: RecordingFacts
  readonly frames: readonly FrameWorkload[]
}

/** Cell size for traced costs, px: half of what strategies use by default. */
const TRACED_CELL = 4

/** @throws RecordingError */
export async function openRecording({ path, from }: RecordingSource): Promise<Source & { readonly all: Recording }> {
  const all = await readRecording(path)
  return { facts: all.header, frames: framesFrom(path, all, from), all }
}

/** Traces a scene's frames, and records their costs if requested. @throws UsageError for scenes that cannot be loaded */
export async function traceScene(
  { scene: name, size, quality, camera, look, cache, record }: SceneSource,
  frames: number,
  log: Log,
  signal: AbortSignal,
): Promise<Source> {
  return withRecording(record, async recorder => {
    const scene = await prepareScene(name, size, camera, log, signal, { ...look, cache })
    warnOfGaps(scene, quality, log)
    const facts: RecordingFacts = {
      scene: sceneFacts(scene),
      size,
      quality,
      camera: scene.cameraPath,
      host: describeHost(),
      workers: [],
      clock: 'cpu',
      options: DEFAULT_STRATEGY_OPTIONS,
    }
    log.info(`building the structure of ${scene.name}, then tracing ${plural(frames, 'frame')}`)
    const toGo = new FilmToGo(frames)
    let before = performance.now()
    const traced = await traceCosts(
      scene,
      { size, quality, frames, cell: TRACED_CELL },
      frame => {
        const now = performance.now()
        toGo.frame(now, { frame, frameMs: now - before })
        const { left } = toGo
        before = now
        log.info(`traced frame ${frame}, ${frame + 1} of ${frames}${left && `, ${left}`}`)
      },
      signal,
    )
    for (const { costs, bodies, ...frame } of traced)
      await recorder?.frame(facts, { ...frame, strategy: TRACED, costs: recordedCosts(costs, bodies) })
    if (record !== undefined) log.info(`recorded in ${record}: 'sortfirst simulate ${record}' need not trace again`)
    return { facts, frames: traced }
  })
}
