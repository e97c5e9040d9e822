/**
 * Workers that come back. A worker that reconnects has another id, and would be another worker in every table and chart: in reports that pass
 * through here it keeps the one that it had first. As for devices, areas of one name are the same, unless a frame has both. Pure.
 */
import type { FrameReport } from '../../../shared/frame/frame-report.ts'

interface Named {
  readonly id: string
  readonly name: string
}

export class SameWorkers {
  /** The first id of an area, by each that it has had. */
  readonly #first = new Map<string, string>()
  /** First ids of areas, by their name. */
  readonly #named = new Map<string, Set<string>>()

  /** The report with the ids that its areas had first. Reports of all strategies of a run belong here, in order. */
  of(report: FrameReport): FrameReport {
    const { workers, withdrawn } = report
    this.learn([...new Map([...workers, ...(withdrawn ?? [])].map(area => [area.id, area])).values()])
    const firstOf = (id: string) => this.#first.get(id) ?? id
    const isChanged = (id: string | undefined) => id !== undefined && firstOf(id) !== id
    if (!report.tiles.some(tile => isChanged(tile.worker)) && !workers.some(({ id }) => isChanged(id))) return report
    return {
      ...report,
      workers: workers.map(area => ({
        ...area,
        id: firstOf(area.id),
        ...(area.workerId === undefined ? {} : { workerId: firstOf(area.workerId) }),
      })),
      ...(withdrawn ? { withdrawn: withdrawn.map(area => ({ ...area, id: firstOf(area.id) })) } : {}),
      tiles: report.tiles.map(tile => ({ ...tile, worker: firstOf(tile.worker) })),
      ledger: report.ledger.map(row => ({ ...row, worker: firstOf(row.worker) })),
      ...(report.steals
        ? { steals: report.steals.map(each => ({ ...each, from: firstOf(each.from), to: firstOf(each.to) })) }
        : {}),
      spans: report.spans.map(span => (span.worker === undefined ? span : { ...span, worker: firstOf(span.worker) })),
    }
  }

  /** Takes note of areas that are in the cluster together. */
  learn(areas: readonly Named[]): void {
    const taken = new Set<string>()
    // Those that have not gone stay who they are; the others may be any of their name that is not here.
    const isHere = new Set(areas.map(({ id }) => id))
    const order = (id: string) => (this.#first.get(id) === id ? 0 : this.#first.has(id) ? 1 : 2)
    for (const { id, name } of [...areas].sort((a, b) => order(a.id) - order(b.id))) {
      const known = this.#named.get(name) ?? new Set<string>()
      const before = this.#first.get(id)
      const isFree = (first: string | undefined) => first !== undefined && !taken.has(first)
      const first = isFree(before) ? before! : ([...known].find(other => isFree(other) && !isHere.has(other)) ?? id)
      this.#first.set(id, first)
      this.#named.set(name, known.add(first))
      taken.add(first)
    }
  }
}
