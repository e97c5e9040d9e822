/** Converts areas from their form in reports to that used by strategies. */
import type { WorkerInfo } from '../../shared/frame/frame-report.ts'
import { type RayCounts, raysPerPixel } from '../../shared/frame/rays-per-pixel.ts'
import { areaId } from '../../shared/ids.ts'
import type { AreaShare } from '../strategies/strategy.ts'

/** @param quality of a pass: converts rays to pixels */
export const sharesOf = (workers: readonly WorkerInfo[], quality: RayCounts): AreaShare[] =>
  workers.map(({ id, speed, grain, workerId }) => ({
    id: areaId(id),
    speed,
    ...(workerId === undefined ? {} : { workerId: areaId(workerId) }),
    ...(grain ? { grain: { rows: grain.rows, ...pixelsOf(grain.rays, quality) } } : {}),
  }))

/** The same areas for a pass that takes `factor` times as many samples of a pixel. */
export const sharesForSamples = (areas: readonly AreaShare[], factor: number): AreaShare[] =>
  areas.map(area =>
    area.grain?.pixels === undefined
      ? area
      : { ...area, grain: { ...area.grain, pixels: Math.ceil(area.grain.pixels / factor) } },
  )

const pixelsOf = (rays: number | undefined, quality: RayCounts) =>
  rays === undefined ? {} : { pixels: Math.ceil(rays / raysPerPixel(quality)) }
