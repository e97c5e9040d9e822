/** Frames of several passes have their tiles one over the other. */
import type { Rect, Size } from '../../frame/rect.ts'

/** The opacity of each tile with which all that lie over a pixel look as one of `opacity`. */
export function opacityOfEach(opacity: number, rects: readonly Pick<Rect, 'w' | 'h'>[], [w, h]: Size): number {
  const layers = rects.reduce((sum, rect) => sum + rect.w * rect.h, 0) / (w * h)
  return layers > 1 ? 1 - (1 - opacity) ** (1 / layers) : opacity
}
