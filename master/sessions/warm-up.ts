/**
 * Before a session's first frame, every area that has not traced its scene yet traces a thumbnail, which is discarded: an
 * engine's first rays are slow while it is being compiled, and the first frame would measure that instead of the scene.
 * The thumbnail's costs show where the work of the first frame lies, so it need not begin with a probe.
 */
import { CancelledError } from '../../shared/errors.ts'
import { frameRect, type Size, scaledDown } from '../../shared/frame/rect.ts'
import type { View } from '../../shared/frame/view.ts'
import type { AreaId, LeaseId } from '../../shared/ids.ts'
import type { ArrivedTile, LeaseHolder } from '../cluster/open-leases.ts'
import { assembleCosts } from '../costs/assemble-costs.ts'
import type { CostMap } from '../costs/cost-map.ts'
import { type LeaseRecord, tracedTile } from '../frames/lease-record.ts'
import type { TracePorts } from '../live-frames/tracers.ts'
import type { LeaseNumbers } from '../scheduling/lease-numbers.ts'
import type { AreaShare } from '../strategies/strategy.ts'

/** Enough pixels to get an engine compiled, few enough to cost a fraction of a frame. */
const THUMBNAIL_PX = 192 * 108
/** Side of its cells, px: the smallest allowed. */
const THUMBNAIL_CELL = 4
/** Once half of the areas have answered, the others are waited for three times as long again, and at least for so long, ms. */
const GRACE_MS = 1000
const GRACE_FACTOR = 3

export interface WarmUp {
  readonly scene: string
  /** View of the session's first frame. */
  readonly view: View
  /** The cold areas. */
  readonly areas: readonly AreaShare[]
  /** How many others the session has, which are warm. */
  readonly warm: number
  /** Whether the session measures costs. Those of the thumbnail are measured in any case. */
  readonly costs: boolean
  readonly numbers: LeaseNumbers
  /** An area that gives no sign for so long is not waited for, ms. */
  readonly silentAfterMs: number
  /** Whether tiles that are not urgent give way to it. */
  readonly urgent: boolean
}

export interface WarmedUp {
  readonly records: readonly LeaseRecord[]
  /** Costs of the thumbnail, in units of work. */
  readonly thumbnail?: CostMap
}

/**
 * Has each area trace a thumbnail and returns the results. One that is lost or fails is discovered in the frames, where others replace it;
 * one that is quiet or gives no sign, or takes much longer than most, is not waited for, and one that joins late stays cold. Rejects with
 * CancelledError.
 */
export async function warmUp(order: WarmUp, ports: TracePorts, signal: AbortSignal): Promise<WarmedUp> {
  const { view, areas } = order
  const small = { ...view, size: scaledDown(view.size, THUMBNAIL_PX) }
  const records: LeaseRecord[] = []
  // To the compiler, an engine that does not count work is separate code.
  for (const cell of order.costs ? [THUMBNAIL_CELL] : [THUMBNAIL_CELL, 0]) {
    // Areas lost in an earlier round are skipped.
    const there = areas.filter(({ id }) => ports.tracers.readyArea(id))
    records.push(...(await new Round(small, cell, order, ports).run(there, signal)))
  }
  const thumbnail = costsOf(records.filter(({ cells }) => cells).slice(0, 1), small.size)
  return { records, ...(thumbnail ? { thumbnail } : {}) }
}

/** The same picture for each of some areas. */
class Round implements LeaseHolder {
  readonly #view: View
  readonly #cell: number
  readonly #order: WarmUp
  readonly #ports: TracePorts
  readonly #work: number
  /** Areas that have not answered yet: when each was asked, and last gave a sign, ms. */
  readonly #asked = new Map<AreaId, { readonly lease: LeaseId; readonly sentAt: number; signAt: number }>()
  readonly #records: LeaseRecord[] = []
  #wanted = 0
  #beganAt = 0
  #halfAt: number | undefined
  #over = () => {}

  constructor(view: View, cell: number, order: WarmUp, ports: TracePorts) {
    this.#view = view
    this.#cell = cell
    this.#order = order
    this.#ports = ports
    this.#work = ports.tracers.nextWork()
  }

  async run(areas: readonly AreaShare[], signal: AbortSignal): Promise<readonly LeaseRecord[]> {
    const { tracers, ticker, clock } = this.#ports
    this.#beganAt = clock.now()
    this.#wanted = areas.length
    const stopHearing = tracers.subscribe({
      moved: ({ area, to }) => {
        if (to === 'gone' || to === 'leaving' || to === 'withdrawn' || to === 'quarantined') this.#asked.delete(area.id)
        this.#look()
      },
    })
    const stopTicking = ticker(() => this.#look())
    const over = new Promise<void>(resolve => {
      this.#over = resolve
    })
    signal.addEventListener('abort', this.#over)
    try {
      for (const { id } of areas) this.#ask(id)
      this.#look()
      if (!signal.aborted) await over
    } finally {
      signal.removeEventListener('abort', this.#over)
      stopHearing()
      stopTicking()
      tracers.cancelWork(this.#work)
    }
    if (signal.aborted) throw new CancelledError()
    return this.#records
  }

  tileDone(area: AreaId, { times, cells }: ArrivedTile): void {
    const asked = this.#asked.get(area)
    if (!asked || !this.#asked.delete(area)) return
    const at = this.#ports.clock.now()
    this.#records.push({
      worker: area,
      lease: asked.lease,
      tile: { rect: frameRect(this.#view.size) },
      times,
      sentAt: asked.sentAt,
      arrivedAt: at,
      stitchedAt: at,
      ...(cells ? { cells } : {}),
    })
    this.#look()
  }

  tileFailed(area: AreaId): void {
    this.#asked.delete(area)
    this.#look()
  }

  tileLost(area: AreaId): void {
    this.tileFailed(area)
  }

  tileProgress(area: AreaId): void {
    const asked = this.#asked.get(area)
    if (asked) asked.signAt = this.#ports.clock.now()
  }

  #ask(area: AreaId): void {
    const { tracers, clock } = this.#ports
    const lease = this.#order.numbers()
    const now = clock.now()
    this.#asked.set(area, { lease, sentAt: now, signAt: now })
    const cell = this.#cell ? { cell: this.#cell } : {}
    const rows = {
      work: this.#work,
      scene: this.#order.scene,
      view: this.#view,
      rect: frameRect(this.#view.size),
      ...cell,
      ...(this.#order.urgent ? { urgent: true as const } : {}),
    }
    tracers.trace(area, { lease, ...rows }, this)
  }

  /** Ends the round when only those are left that are not waited for. */
  #look(): void {
    const { tracers, clock } = this.#ports
    const now = clock.now()
    const { warm, silentAfterMs } = this.#order
    // The frames will tell whether it hangs.
    for (const [area, { signAt }] of this.#asked) if (now - signAt >= silentAfterMs) this.#asked.delete(area)
    if (2 * (this.#records.length + warm) >= this.#wanted + warm) this.#halfAt ??= now
    const half = this.#halfAt
    if (half !== undefined && now - half >= Math.max(GRACE_MS, GRACE_FACTOR * (half - this.#beganAt))) this.#over()
    // While more areas are busy than quiet, one of them is heard of.
    if (this.#asked.size > tracers.quiet.size) return
    if ([...this.#asked.keys()].every(id => tracers.quiet.has(id))) this.#over()
  }
}

/** Costs of a whole picture in units of work: the same for every area, however cold. */
function costsOf(records: readonly LeaseRecord[], size: Size): CostMap | undefined {
  if (records.length === 0) return undefined
  return assembleCosts(size, THUMBNAIL_CELL, records.map(tracedTile), ({ work = 1, cpuMs }) => work / (cpuMs || 1))
}
