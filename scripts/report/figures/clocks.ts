/** By which clock frames are judged: where an area has no CPU clock, as tabs and devices, figures by it would mix both. Pure. */
import type { Clock } from '../../../shared/frame/frame-limits.ts'
import type { FrameSummary, Summary } from '../../../shared/frame/summary.ts'

type Clocked = Pick<FrameSummary, 'clock'>

/** The clock that is asked for, or the wall clock where it does not measure all of these frames. */
export const clockFor = (frames: readonly Clocked[], asked: Clock): Clock =>
  frames.every(hasCpuClock) ? asked : 'wall'

export const hasCpuClock = ({ clock }: Clocked): boolean => clock !== 'wall'

/** Whether the CPU clock measures all frames of a run. */
export const hasCpuFigures = ({ strategies }: Pick<Summary, 'strategies'>): boolean =>
  strategies.every(({ frames }) => frames.every(hasCpuClock))

/** ε of a frame, or of a pass. */
export const epsilonBy = (clock: Clock, of: Pick<FrameSummary, 'epsilonCpu' | 'epsilonWall'>): number =>
  clock === 'cpu' ? of.epsilonCpu : of.epsilonWall
