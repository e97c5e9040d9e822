/** Whether all areas of a frame measure their costs by a CPU clock: its T, T_min and ε by that clock say nothing otherwise. */
import type { WorkerInfo } from './frame-report.ts'

export const haveCpuClocks = (areas: readonly Pick<WorkerInfo, 'clock'>[]): boolean =>
  areas.every(({ clock }) => clock !== 'wall')
