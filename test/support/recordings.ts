/** Recordings of nothing in particular. */
import { CostMap } from '../../master/costs/cost-map.ts'
import { recordedCosts } from '../../master/costs/recorded-costs.ts'
import { type RecordingFacts, withRecording } from '../../scripts/recording/record.ts'
import type { LiveFrame, RecordedFrame } from '../../shared/frame/recording.ts'
import type { Size } from '../../shared/frame/rect.ts'
import { DEFAULT_STRATEGY_OPTIONS } from '../../shared/session/strategy-options.ts'
import { bodyCosts } from './cost-maps.ts'
import { smallCamera } from './small-scene.ts'

export const recordingFacts = (size: Size): RecordingFacts => ({
  scene: { name: 'tent', triangles: 6, sha256: 'ab'.repeat(32) },
  size,
  quality: { samples: 2, ambientRays: 2, maxDepth: 6 },
  camera: 'orbit',
  host: { cpu: 'some', cores: 2, node: 'v20' },
  workers: ['a', 'b'].map(id => ({ id, name: `worker ${id}`, engine: 'wasm', threads: 1, speed: 1, cores: 0.25 })),
  clock: 'cpu',
  options: DEFAULT_STRATEGY_OPTIONS,
})

/** A live frame that took 100 ms and nothing else of interest. */
export const recordedLine = (size: Size, frame: number, strategy: string): RecordedFrame => ({
  frame,
  strategy,
  camera: smallCamera(frame),
  costs: recordedCosts(size[0] < 16 ? new CostMap(size, 8) : bodyCosts(size, 8, frame)),
  live: {
    frameMs: 100,
    statsMs: 0,
    decideMs: 1,
    criticalMs: 20,
    meanMs: 19,
    epsilonCpu: 0.05,
    epsilonWall: 0.06,
    messages: 4,
    bytes: 1000,
    migrationShare: 0,
    rescued: 0,
    stolen: 0,
    redundantPx: 0,
    probeMs: 0,
    oneWayMs: 2,
    tiles: [],
  },
})

/** A whole recording of some frames of some strategies. */
export const writeRecording = (
  path: string,
  size: Size,
  frames: number,
  strategies: readonly string[],
  changes: Partial<LiveFrame> = {},
): Promise<void> =>
  withRecording(path, async recorder => {
    for (const strategy of strategies)
      for (let frame = 0; frame < frames; frame++) {
        const line = recordedLine(size, frame, strategy)
        await recorder!.frame(recordingFacts(size), { ...line, live: { ...line.live!, ...changes } })
      }
  })
