/**
 * Writes a recording, frame by frame, as frames arrive. Like every output file it is whole or absent; it is opened first, so
 * that a wrong path fails early.
 */
import { oneWayMs } from '../../master/simulator/recorded-cluster.ts'
import { haveCpuClocks } from '../../shared/frame/cpu-clocks.ts'
import type { FrameReport } from '../../shared/frame/frame-report.ts'
import { RECORDING_VERSION, type RecordedFrame, type RecordingHeader } from '../../shared/frame/recording.ts'
import type { Camera } from '../../shared/frame/view.ts'
import type { HostLoad } from '../../shared/time/host-load.ts'
import { openAsked } from '../files/asked-file.ts'
import type { RunOptions } from '../options/run.ts'
import { describeHost } from '../run/host.ts'
import { type PreparedScene, sceneFacts } from '../run/prepare-scene.ts'

/** The header without the constants of this version. */
export type RecordingFacts = Omit<RecordingHeader, 'format' | 'version'>

export interface Recorder {
  /** Records a frame. `facts` go into the header; only those of the first frame are used. */
  frame(facts: RecordingFacts, frame: RecordedFrame): Promise<void>
  /** Records the other load on the host during a strategy's frames, if known. */
  load(strategy: string, load: HostLoad | undefined): void
}

/**
 * Runs `work`, which records; the file exists afterwards, unless `work` fails or records no frame.
 *
 * @param path undefined: nothing is recorded, and `work` gets no recorder
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

/** Adds a live frame to the recording, if there is one. Returns its report without the data only recordings need. */
export async function recordLive(
  recorder: Recorder | undefined,
  scene: Pick<PreparedScene, 'name' | 'triangles' | 'floorTriangles' | 'held' | 'exposure' | 'cameraPath'>,
  options: Pick<RunOptions, 'size' | 'quality' | 'clock' | 'strategy'>,
  { recorded, ...report }: FrameReport,
  camera: Camera,
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
  await recorder.frame(facts, { ...liveLine(report, camera), costs: recorded })
  return report
}

function liveLine(report: FrameReport, camera: Camera): Omit<RecordedFrame, 'costs'> {
  const { frameMs, statsMs, decideMs, criticalMs, meanMs, epsilonCpu, epsilonWall } = report
  const { messages, bytes, migrationShare, rescued, stolen, duplicated, redundantPx, probeMs } = report
  return {
    frame: report.frame,
    strategy: report.strategy,
    camera,
    live: {
      frameMs,
      statsMs,
      decideMs,
      criticalMs,
      meanMs,
      epsilonCpu,
      epsilonWall,
      messages,
      bytes,
      migrationShare,
      rescued,
      stolen,
      duplicated,
      redundantPx,
      probeMs,
      ...(haveCpuClocks(report.workers) ? {} : { clock: 'wall' as const }),
      oneWayMs: oneWayMs(report),
      tiles: [...report.tiles],
    },
  }
}
