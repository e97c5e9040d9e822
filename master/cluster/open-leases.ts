/**
 * What was ordered of one worker and is not answered yet. An answer is compared with its order before anything of it is decoded:
 * whose lease it is, which rows, how many bytes. Leases are numbered anew on every connection and no number comes twice, so that an
 * answer that is late cannot be taken for another lease's.
 */
import { bytesPerPixel, type ChannelName } from '../../shared/channels.ts'
import { invariant } from '../../shared/errors.ts'
import type { LeaseId } from '../../shared/ids.ts'
import { keepNewest } from '../../shared/keep-newest.ts'
import { type PixelSet, pixelCount } from '../../shared/pixel-set.ts'
import type { TileDone } from '../../shared/protocol/codec.ts'
import type { TraceTile } from '../../shared/protocol/messages.ts'
import { ProtocolError } from '../../shared/protocol/protocol-error.ts'
import { WORKS_HELD } from '../../shared/protocol/version.ts'
import { formatRect, type Rect } from '../../shared/rect.ts'
import type { SampleRange, View } from '../../shared/view.ts'

/** What to have traced of which frame. */
export interface TileRequest extends PixelSet {
  /** Unique for the master's life. */
  readonly lease: LeaseId
  /** The frame in the making, unique for the master's life: all its tiles have one scene and one view. */
  readonly work: number
  readonly scene: string
  readonly view: View
  /** @default rgb */
  readonly channel?: ChannelName
  /** @default all samples of the view */
  readonly samples?: SampleRange
  /** Side of the cells that costs are wanted for, px. Absent: none. */
  readonly cell?: number
  /** Rows that are wanted as soon as they are done. */
  readonly part?: number
}

/** A lease that is not answered, or not wholly. */
export interface OpenLease {
  readonly number: number
  readonly area: number
  readonly request: TileRequest
}

interface Entry extends OpenLease {
  /** The row that its next answer begins with, px. */
  y: number
}

export class OpenLeases {
  readonly #open = new Map<number, Entry>()
  readonly #numbers = new Map<LeaseId, number>()
  /** Works whose views the worker holds, the newest last. */
  readonly #works = new Set<number>()
  #issued = 0
  #late = 0

  /** Answers that came when nobody waited for them any more. */
  get late(): number {
    return this.#late
  }

  /** The message that orders a tile of an area; it brings the view along where the worker does not hold it. */
  order(area: number, request: TileRequest): TraceTile {
    const { lease, work, scene, view, channel, ...rest } = request
    invariant(!this.#numbers.has(lease), `lease ${lease} was ordered twice`)
    const number = this.#issued++
    this.#open.set(number, { number, area, request, y: request.rect.y })
    this.#numbers.set(lease, number)
    return {
      type: 'trace-tile',
      lease: number,
      work,
      ...(this.#introduces(work) ? { view: { scene, view } } : {}),
      ...(area === 0 ? {} : { area }),
      ...(channel === undefined || channel === 'rgb' ? {} : { channel }),
      ...rest,
    }
  }

  /** The number of an open lease on the wire. */
  numberOf(lease: LeaseId): number | undefined {
    return this.#numbers.get(lease)
  }

  find(number: number): OpenLease | undefined {
    return this.#open.get(number)
  }

  /**
   * The lease that an answer is for; undefined where nobody waits for it any more. Closes the lease with its last answer.
   * @throws ProtocolError when it is not what was ordered
   */
  answered({ lease: number, rect, rawBytes, times, cells }: TileDone): OpenLease | undefined {
    const entry = this.#open.get(number)
    if (!entry) {
      this.#late++
      return undefined
    }
    const { request } = entry
    if (!continues(request.rect, entry.y, rect))
      throw new ProtocolError(
        `tile ${formatRect(request.rect)}: expected its rows from ${entry.y}, got ${formatRect(rect)}`,
      )
    const bytes = pixelCount({ ...request, rect }) * bytesPerPixel(request.channel ?? 'rgb')
    if (rawBytes !== bytes)
      throw new ProtocolError(`tile ${formatRect(rect)}: expected ${bytes} bytes of pixels, got ${rawBytes}`)
    if (cells && request.cell === undefined)
      throw new ProtocolError(`tile ${formatRect(rect)}: costs of cells that nobody asked for`)
    entry.y += rect.h
    if (!times.more) this.close(number)
    return entry
  }

  close(number: number): void {
    const entry = this.#open.get(number)
    if (!entry) return
    this.#open.delete(number)
    this.#numbers.delete(entry.request.lease)
  }

  /** Closes all leases of a work and forgets its view; false where the worker knows nothing of it. */
  closeWork(work: number): boolean {
    for (const { number, request } of [...this.#open.values()]) if (request.work === work) this.close(number)
    return this.#works.delete(work)
  }

  /** Whether the worker has not been told of a work, or has forgotten it; from now on it knows it. */
  #introduces(work: number): boolean {
    if (this.#works.has(work)) return false
    this.#works.add(work)
    keepNewest(this.#works, WORKS_HELD)
    return true
  }
}

/** Whether `part` is whole rows of `rect` from row `y` on. */
const continues = (rect: Rect, y: number, part: Rect): boolean =>
  part.x === rect.x && part.w === rect.w && part.y === y && part.y + part.h <= rect.y + rect.h
