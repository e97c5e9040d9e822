/** What a frame needs to come together, from the pixels of tiles to what is delivered. */
import type { CellMask } from '../../shared/frame/cell-mask.ts'
import type { ChannelName } from '../../shared/frame/channels.ts'
import type { FramePlanes } from '../../shared/frame/frame-planes.ts'
import type { FramePoint, FrameState } from '../../shared/frame/frame-state.ts'
import type { PixelSet } from '../../shared/frame/pixel-set.ts'
import type { Size } from '../../shared/frame/rect.ts'
import type { SampleRange } from '../../shared/frame/view.ts'
import { sumScale } from '../../shared/light/sum-scale.ts'
import { exposureOf, type Look, lookOf } from '../../shared/light/tone-map.ts'
import type { SessionOrder } from '../../shared/protocol/session-order.ts'
import type { NoiseLeft, NoiseLimit } from './cell-noise.ts'
import { channelsFor, type FrameContent } from './finish-frame.ts'

/** What a frame consists of. */
export interface AssemblyOrder {
  readonly size: Size
  /** That its tiles carry, in the order of their table. */
  readonly channels: readonly ChannelName[]
  readonly content: FrameContent
  readonly look: Look
  /** Of an adaptive frame. */
  readonly limit?: NoiseLimit | undefined
  /** What it begins with; its memory, which threads share, is taken over. @default nothing */
  readonly from?: FrameState | undefined
  /** Takes the RGB8 of the frame after some of its samples, in order; not all of them if they come too fast. @default none are made */
  readonly preview?: ((pixels: Uint8Array, samples: number) => void) | undefined
}

/** Of the frames of a session. */
export function assemblyOrder(
  order: SessionOrder,
  { preview, from }: Pick<AssemblyOrder, 'preview' | 'from'>,
): AssemblyOrder {
  const { size, noise } = order
  const look = lookOf(order)
  return {
    size,
    channels: channelsFor(order),
    content: order,
    look,
    preview,
    from,
    limit: noise === undefined ? undefined : { noise, exposure: exposureOf(look) / sumScale(look) },
  }
}

export interface FrameAssembly {
  /** Channels that the tiles of the current range of samples carry. */
  readonly channels: readonly ChannelName[]
  /** Pixels of the current range that have not arrived yet. */
  readonly missing: number
  /**
   * Puts accepted pixels in place; the tile's memory is taken over. Resolves, always, when that is done, or the frame is given up;
   * undefined: at once.
   * @throws MisplacedTileError
   */
  put(set: PixelSet, tile: Uint8Array): Promise<unknown> | undefined
  /** All pixels of a range have arrived, and `more` are to come: of all pixels, or of the cells that `cells` is asked for next. */
  passDone(range: SampleRange, more: false | 'all' | 'cells'): void
  /** Which cells of an adaptive frame need more samples; undefined: `ready` says when that is known. Answered by `begin`. */
  cells(): CellMask | undefined
  /** These cells get the next range of samples; undefined: no pixels are to come. */
  begin(cells: CellMask | undefined): void
  /** Whether everything that has arrived is in place, once nothing more is to come; if not, `ready` says when. */
  readonly isComplete: boolean
  /** What keeps the complete frame from its noise limit; undefined if it has none, or of each pixel only the first range of samples. */
  readonly noise: NoiseLeft | undefined
  /** Tells of what could not be answered at once, and of a failure. Returns a function that ends that. */
  listen(ready: () => void, failed: (error: unknown) => void): () => void
  /** Takes pixels of a complete frame of one pass out: they are missing again. */
  takeOut(sets: readonly PixelSet[]): void
  /**
   * A copy of what has arrived so far, all of it in place, in memory that threads share; undefined once the frame is given up.
   * @param point where the frame is
   */
  state(point: FramePoint): Promise<FrameState | undefined>
  /** RGB8 of the complete frame. */
  color(): Promise<Uint8Array>
  /** The planes of the complete frame that its session delivers. */
  planes(): Promise<FramePlanes>
  /** The frame is delivered, or given up: its memory is needed no more. */
  end(): void
}
