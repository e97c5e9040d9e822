/**
 * Writes a recording, frame by frame, as frames come in. Like every file of a run it is whole or absent; it is opened first
 * of all, so that a wrong path costs nothing.
 */
import type { FrameReport } from '../../shared/frame-report.ts'
import type { HostLoad } from '../../shared/host-load.ts'
import { mean } from '../../shared/metrics/statistics.ts'
import { RECORDING_VERSION, type RecordedFrame, type RecordingHeader } from '../../shared/recording.ts'
import type { Camera } from '../../shared/view.ts'
import { openAsked } from '../files/asked-file.ts'
import { describeHost } from '../run/host.ts'
import type { RunOptions } from '../run/options.ts'
import { type PreparedScene, sceneFacts } from '../run/prepare-scene.ts'

/** All of a header but what every recording of this version says. */
export type RecordingFacts = Omit<RecordingHeader, 'format' | 'version'>

export interface Recorder {
  /** The facts go into the header; those of the first frame count. */
  frame(facts: RecordingFacts, frame: RecordedFrame): Promise<void>
  /** What else the host did while a strategy's frames were made, where that is known. */
  load(strategy: string, load: HostLoad | undefined): void
}

/**
 * Does `work`, which records; the file is there when it is done, and not when it fails or records no frame.
 *
 * @param path none: nothing is recorded, and `work` does without
 * @throws OutputError, and whatever `work` throws
 */
export async function withRecording<T>(
  path: string | undefined,
  work: (recorder: Recorder | undefined) => Promise<T>,
): Promise<T> {
  if (path === undefined) return work(undefined)
  const file = await openAsked('--record', path)
  let frames = 0
  const loads: (HostLoad & { readonly strategy: string })[] = []
  const line = (value: object): Promise<void> => file.write(`${JSON.stringify(value)}\n`)
  try {
    const result = await work({
      async frame(facts, frame) {
        const header: RecordingHeader = { format: 'sortfirst-recording', version: RECORDING_VERSION, ...facts }
        if (frames++ === 0) await line(header)
        await line(frame)
      },
      load(strategy, load) {
        if (load) loads.push({ strategy, ...load })
      },
    })
    if (frames > 0) {
      await line({ end: true, frames, ...(loads.length > 0 ? { loads } : {}) })
      await file.finish()
    }
    return result
  } finally {
    await file.discard()
  }
}

/** Puts a live frame into the recording, if there is one. The answer is its report without what only recordings need. */
export async function recordLive(
  recorder: Recorder | undefined,
  scene: Pick<PreparedScene, 'name' | 'triangles' | 'floorTriangles' | 'held' | 'exposure' | 'cameraPath' | 'cameraAt'>,
  options: Pick<RunOptions, 'size' | 'quality' | 'clock' | 'strategy'>,
  { recorded, ...report }: FrameReport,
): Promise<FrameReport> {
  if (!recorder || !recorded) return report
  const facts = {
    scene: sceneFacts(scene),
    size: options.size,
    quality: options.quality,
    camera: scene.cameraPath,
    host: describeHost(),
    workers: [...report.workers],
    clock: options.clock,
    options: options.strategy,
  }
  await recorder.frame(facts, { ...liveLine(report, scene.cameraAt(report.frame)), costs: recorded })
  return report
}

function liveLine(report: FrameReport, camera: Camera): Omit<RecordedFrame, 'costs'> {
  const { frameMs, wallMs, statsMs, decideMs, criticalMs, meanMs, epsilonCpu, epsilonWall } = report
  const { messages, bytes, migrationShare, rescued, stolen, duplicated, redundantPx, probeMs } = report
  return {
    frame: report.frame,
    strategy: report.strategy,
    camera,
    live: {
      ...{ frameMs, wallMs, statsMs, decideMs, criticalMs, meanMs, epsilonCpu, epsilonWall },
      ...{ messages, bytes, migrationShare, rescued, stolen, duplicated, redundantPx, probeMs },
      ...{ oneWayMs: oneWayMs(report), tiles: [...report.tiles] },
    },
  }
}

/** Mean of what the wire took after tiles were traced. */
function oneWayMs({ spans }: FrameReport): number {
  const placeOf = (worker: string | undefined, time: number) => `${worker} ${time}`
  const traced = new Set(spans.filter(({ kind }) => kind === 'render').map(({ worker, end }) => placeOf(worker, end)))
  const after = spans.filter(
    ({ kind, worker, start, end }) => kind === 'transmit' && end > start && traced.has(placeOf(worker, start)),
  )
  return mean(after.map(({ start, end }) => end - start))
}
