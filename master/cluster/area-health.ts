/** What `GET /healthz` says of areas. */
import type { WithdrawnArea, WorkerInfo } from '../../shared/frame/frame-report.ts'
import type { AreaPhase, Roster } from './roster.ts'

export type AreaHealth = WorkerInfo & {
  readonly state: AreaPhase
  /** Why it is given no tiles, and for how long it will not be, ms. */
  readonly quarantine?: { readonly reason: string; readonly forMs: number }
  /** Why its worker has withdrawn it, or leaves. */
  readonly reason?: string
}

/** All areas, by name. @param now ms on the roster's clock */
export const healthOf = (roster: Roster, now: number): AreaHealth[] =>
  roster.areas().map(area => {
    const { reason, pause } = roster.standingOf(area.id)!
    const why = pause
      ? { quarantine: { reason: pause.reason, forMs: Math.max(0, Math.ceil(pause.until - now)) } }
      : reason === undefined
        ? {}
        : { reason }
    return { ...area.info, state: roster.phaseOf(area), ...why }
  })

/** Areas that their workers have withdrawn, by name, with the reasons. */
export const withdrawnAreas = (roster: Roster): WithdrawnArea[] =>
  roster.areas().flatMap(({ id, info: { name, device } }) => {
    if (roster.stateOf(id) !== 'withdrawn') return []
    const { reason = '' } = roster.standingOf(id)!
    return { id, name, ...(device === undefined ? {} : { device }), reason }
  })
