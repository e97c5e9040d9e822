/** Areas as reports name them, as strategies see them. */
import type { WorkerInfo } from '../../shared/frame-report.ts'
import { areaId } from '../../shared/ids.ts'
import type { AreaShare } from '../strategies/strategy.ts'

export const sharesOf = (workers: readonly WorkerInfo[]): AreaShare[] =>
  workers.map(({ id, speed, grain }) => ({ id: areaId(id), speed, ...(grain ? { grain } : {}) }))
