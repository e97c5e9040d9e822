/** The events that a frame's schedule receives, and the actions that it returns. */

import type { PixelSet } from '../../shared/frame/pixel-set.ts'
import type { AreaId, LeaseId } from '../../shared/ids.ts'
import type { AreaShare } from '../strategies/strategy.ts'

/** Why an area is quarantined: it failed what others traced, does not answer, or an operator has asked for it. */
export type QuarantineCause = 'failures' | 'silence' | 'operator'

/** Rows that a leaving worker still answers: of each lease those above one (exclusive, px of the frame). */
export type Keeps = ReadonlyMap<LeaseId, number>

/** Events while a frame is traced. */
export type ClusterEvent =
  /** An area joined, returned, or is quarantined no more, and can trace: it is given tiles from now on. `share` is what it is now. */
  | { readonly type: 'area-ready'; readonly area: AreaId; readonly share: AreaShare }
  | { readonly type: 'area-lost'; readonly area: AreaId }
  /** It failed elsewhere, or before: it gets nothing more as long as there is anybody else. */
  | { readonly type: 'area-quarantined'; readonly area: AreaId }
  /** A worker leaves: it gets nothing more, and of its leases answers only these. */
  | { readonly type: 'area-leaving'; readonly area: AreaId; readonly keeps: Keeps }
  /** Rows `from` to `to` (exclusive, px of the frame) of a lease arrived; with `more`, further rows are still to come. */
  | {
      readonly type: 'tile-done'
      readonly area: AreaId
      readonly lease: LeaseId
      readonly from: number
      readonly to: number
      readonly more: boolean
      /**
       * From the order's arrival at the worker, or the previous part, until these rows were traced, on the worker's clock, ms.
       */
      readonly tookMs?: number
      /** Of that, from their first ray to their last pixel, ms. */
      readonly tracedMs?: number
    }
  | { readonly type: 'tile-failed'; readonly area: AreaId; readonly lease: LeaseId; readonly reason: string }
  /** Sign of progress: sent periodically for a tile that takes long, and raised when bytes of the worker's answer arrive. */
  | {
      readonly type: 'tile-progress'
      readonly area: AreaId
      readonly lease?: LeaseId
      /** Rows of its tile that are done, from the top, as the worker says. */
      readonly rows?: number
    }
  /** These areas have not been heard of for a moment, and may be gone; all others have been. Raised while there are any, and once after. */
  | { readonly type: 'quiet'; readonly areas: ReadonlySet<AreaId> }
  /** Time passed. */
  | { readonly type: 'tick' }

/** What to do in response, in this order. */
export type Action =
  /** With `part`, the first `part` rows are returned as soon as they are done. */
  | {
      readonly type: 'trace'
      readonly area: AreaId
      readonly lease: LeaseId
      readonly tile: PixelSet
      readonly part?: number
    }
  /** Only the first `rows` rows of the lease are still wanted from this worker. */
  | { readonly type: 'trim'; readonly area: AreaId; readonly lease: LeaseId; readonly rows: number }
  /** The pixels of `tile` go into the frame; the rest of the answer is redundant. */
  | { readonly type: 'accept'; readonly lease: LeaseId; readonly tile: PixelSet }
  /** The answer is discarded: its lease was given up or never existed, or all of its pixels are already in place. */
  | { readonly type: 'drop'; readonly lease: LeaseId }
  | { readonly type: 'cancel'; readonly area: AreaId; readonly lease: LeaseId }
  /** Another area traced what this one failed; `who` it is outlasts its connection. */
  | { readonly type: 'blame'; readonly who: string; readonly reason: string }
  /** The area is given nothing more of this frame unless all others are gone, and should be given nothing of others for a while. */
  | { readonly type: 'quarantine'; readonly area: AreaId; readonly reason: string; readonly cause: QuarantineCause }
  /** An area that was quarantined for its silence has answered: it is slow, and does not hang. */
  | { readonly type: 'lift-quarantine'; readonly area: AreaId }
  | { readonly type: 'frame-complete' }
  /** `tile` is what failed. */
  | { readonly type: 'frame-failed'; readonly reason: string; readonly tile: PixelSet }
