/** The view of a session's frame. */
import type { FrameRequest, SessionOrder } from '../../shared/protocol/session-order.ts'
import { FIRST_SAMPLES, type View } from '../../shared/view.ts'

export function viewOf(order: SessionOrder, { frame, camera }: FrameRequest): View {
  const { size, quality, exposure, toneMapping, transparent } = order
  const look = { ...(toneMapping ? { toneMapping } : {}), ...(transparent ? { transparent } : {}) }
  return { frame, size, camera, quality, exposure, ...look }
}

/** The view for the small picture that areas warm up on: with the samples of a first pass. */
export function thumbnailView(order: SessionOrder, first: FrameRequest): View {
  const view = viewOf(order, first)
  return order.noise === undefined ? view : { ...view, quality: { ...view.quality, samples: FIRST_SAMPLES } }
}
