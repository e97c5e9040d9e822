/** The view of a session's frame. */
import type { FrameRequest, SessionOrder } from '../../shared/protocol/session-order.ts'
import type { View } from '../../shared/view.ts'

export function viewOf(order: SessionOrder, { frame, camera }: FrameRequest): View {
  const { size, quality, exposure, toneMapping, transparent } = order
  const look = { ...(toneMapping ? { toneMapping } : {}), ...(transparent ? { transparent } : {}) }
  return { frame, size, camera, quality, exposure, ...look }
}
