/** A tracer beside Cycles: whether both show the same light, and which is sooner at the same error. */
import { isUnavailable, type Unavailable } from '../../kernel/unavailable.ts'
import type { Check } from '../checks/check.ts'
import type { PlainScene } from '../model/plain-scene.ts'
import type { TimedTracer } from '../model/timed-tracer.ts'
import { measuredScenes } from '../scenes/measured-scenes.ts'
import { measureTimes, type SceneTimes } from '../times/measure-times.ts'
import { checkCycles } from './agreement.ts'
import { Cycles } from './cycles.ts'
import type { LeftOut } from './known.ts'

export interface CyclesBench {
  /** Of Cycles, version included. */
  readonly name: string
  /** Of Cycles against formulas, and of both tracers against each other. */
  readonly checks: readonly Check[]
  readonly leftOut: readonly LeftOut[]
  readonly times: readonly SceneTimes[]
}

const FULL = {
  known: 1024,
  detail: 'full' as const,
  size: [128, 128] as const,
  samples: [16, 64, 256],
  denoisedSamples: [4, 16, 64],
  rounds: 3,
  resolution: 0.02,
  reference: { renderings: 4, samples: 512 },
} as const
const QUICK = {
  known: 64,
  detail: 'reduced' as const,
  size: [24, 24] as const,
  samples: [4, 16],
  denoisedSamples: [4, 16],
  rounds: 2,
  resolution: 0.5,
  reference: { renderings: 6, samples: 32 },
} as const

/** `quick`: small and noisy. Rejects with what a tracer throws, or with the signal's reason. */
export async function benchCycles(
  { quick, ...tracers }: { readonly ours: TimedTracer; readonly denoised: TimedTracer; readonly quick: boolean },
  signal: AbortSignal,
  progress: (line: string) => void,
): Promise<CyclesBench | Unavailable> {
  const cycles = await Cycles.start()
  if (isUnavailable(cycles)) return cycles
  // Ends a rendering, too, which then fails.
  const stop = () => cycles.close()
  signal.addEventListener('abort', stop)
  try {
    const { known, detail, ...sizes } = quick ? QUICK : FULL
    const { checks, leftOut } = await checkCycles(cycles, known, signal, progress)
    const scenes = await measuredScenes(detail)
    const times = await measureTimes<PlainScene>({ ...tracers, theirs: cycles, scenes, ...sizes }, signal, progress)
    return { name: cycles.name, checks: [...checks, ...times.flatMap(({ checks }) => checks)], leftOut, times }
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
    cycles.close()
  }
}
