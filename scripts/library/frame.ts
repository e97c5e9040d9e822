/** A frame as programs and commands get it. */
import type { FramePlanes } from '../../shared/frame/frame-planes.ts'
import type { FrameReport } from '../../shared/frame/frame-report.ts'
import type { Size } from '../../shared/frame/rect.ts'
import type { Camera } from '../../shared/frame/view.ts'

/** A finished frame. */
export interface Frame {
  readonly frame: number
  readonly size: Size
  /** RGB8 in sRGB, row by row from the top; not modified after delivery. */
  readonly pixels: Uint8Array
  /** The channels that were asked for, by name: row by row from the top, linear floats (u32 for `id`). */
  readonly planes: FramePlanes
  readonly report: FrameReport
  /** The camera that it was seen by, with a shutter at its first moment. */
  readonly camera: Camera
}
