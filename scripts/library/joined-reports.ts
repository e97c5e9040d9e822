/**
 * The reports of a film over several connections, as if there had been one. A master that was started again has another clock, and
 * numbers its workers anew. Pure: the caller passes the time.
 */
import type { FrameReport } from '../../shared/frame/frame-report.ts'

export class JoinedReports {
  #connections = 1
  /** Names of the workers, by their ids in the joined reports. */
  readonly #names = new Map<string, string | undefined>()
  /** Ids in the joined reports, by those of this connection. */
  #ids = new Map<string, string>()
  /** What to add to times of this connection, ms; undefined until it has delivered a frame. */
  #shiftMs: number | undefined = 0
  /** When the last frame so far ended, ms. */
  #endedAt = Number.NEGATIVE_INFINITY
  /** The least time from the end of a frame to its arrival here, ms, which includes the difference of the two clocks. */
  #leastMs = Number.POSITIVE_INFINITY

  /** The reports from now on come over another connection. */
  reconnected(): void {
    this.#connections++
    this.#ids = new Map()
    this.#shiftMs = undefined
  }

  /** @param now when the report arrived, ms */
  join(report: FrameReport, now: number): FrameReport {
    this.#shiftMs ??= this.#shiftOf(report, now)
    for (const { id, name } of [...report.workers, ...(report.withdrawn ?? [])])
      if (!this.#ids.has(id)) this.#ids.set(id, this.#idFor(id, name))
    const joined = this.#connections === 1 ? report : this.#translated(report, this.#shiftMs)
    if (joined.endedAt !== undefined) {
      this.#endedAt = Math.max(this.#endedAt, joined.endedAt)
      this.#leastMs = Math.min(this.#leastMs, now - joined.endedAt)
    }
    return joined
  }

  /** Aligned by the fastest frame before; a frame of this connection began after all of those. */
  #shiftOf({ beganAt, endedAt }: FrameReport, now: number): number {
    if (beganAt === undefined || endedAt === undefined || !Number.isFinite(this.#leastMs)) return 0
    return Math.max(now - this.#leastMs - endedAt, this.#endedAt - beganAt)
  }

  /** A worker that was there before keeps its id. */
  #idFor(id: string, name?: string): string {
    const taken = new Set(this.#ids.values())
    const before = [...this.#names].find(([known, its]) => name !== undefined && its === name && !taken.has(known))
    const own = before?.[0] ?? (this.#names.has(id) ? `${id}-${this.#connections}` : id)
    this.#names.set(own, name)
    return own
  }

  #translated(report: FrameReport, shiftMs: number): FrameReport {
    const ours = (id: string): string => {
      if (!this.#ids.has(id)) this.#ids.set(id, this.#idFor(id))
      return this.#ids.get(id)!
    }
    const { beganAt, endedAt } = report
    return {
      ...report,
      ...(beganAt === undefined ? {} : { beganAt: beganAt + shiftMs }),
      ...(endedAt === undefined ? {} : { endedAt: endedAt + shiftMs }),
      workers: report.workers.map(({ workerId, ...worker }) => ({
        ...worker,
        id: ours(worker.id),
        ...(workerId === undefined ? {} : { workerId: ours(workerId) }),
      })),
      ...(report.withdrawn ? { withdrawn: report.withdrawn.map(area => ({ ...area, id: ours(area.id) })) } : {}),
      tiles: report.tiles.map(tile => ({ ...tile, worker: ours(tile.worker) })),
      ledger: report.ledger.map(row => ({ ...row, worker: ours(row.worker) })),
      spans: report.spans.map(({ worker, ...span }) => ({
        ...span,
        ...(worker === undefined ? {} : { worker: ours(worker) }),
        start: span.start + shiftMs,
        end: span.end + shiftMs,
      })),
    }
  }
}
