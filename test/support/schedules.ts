/** Toys to try a frame's schedule with: three workers, two tiles, and words for what happens. */
import type { Action, ClusterEvent } from '../../master/scheduling/events.ts'
import { FrameSchedule } from '../../master/scheduling/frame-schedule.ts'
import { leaseNumbers } from '../../master/scheduling/lease-numbers.ts'
import type { Plan } from '../../master/strategies/strategy.ts'
import type { Rect } from '../../shared/frame/rect.ts'
import { type AreaId, areaId, leaseId } from '../../shared/ids.ts'

export const [a, b, c] = ['a', 'b', 'c'].map(areaId) as [AreaId, AreaId, AreaId]
export const left: Rect = { x: 0, y: 0, w: 50, h: 40 }
export const right: Rect = { x: 50, y: 0, w: 50, h: 40 }

export const sharesOf = (ids: readonly AreaId[]) => ids.map(id => ({ id, speed: 1 }))
export const scheduleOf = (tiles: Plan['tiles'], workers: readonly AreaId[], more: Omit<Plan, 'tiles'> = {}) =>
  new FrameSchedule({ tiles, ...more }, sharesOf(workers), leaseNumbers())

/** An area comes, as fast as it says. */
export const ready = (area: AreaId, speed = 1): ClusterEvent => ({
  type: 'area-ready',
  area,
  share: { id: area, speed },
})

export const traces = (actions: readonly Action[]) => actions.filter(action => action.type === 'trace')
export const types = (actions: readonly Action[]) => actions.map(action => action.type)

/** All that was still wanted of a lease came. */
export const done = (worker: AreaId, lease: number, { y, h }: Rect = left): ClusterEvent => ({
  type: 'tile-done',
  area: worker,
  lease: leaseId(lease),
  from: y,
  to: y + h,
  more: false,
})
