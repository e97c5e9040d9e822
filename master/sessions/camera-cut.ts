/** Whether a camera shows something else than the one before: a cut of a film. Pure. */
import type { Camera } from '../../shared/frame/view.ts'

/** What was in the middle is not in the picture any more. */
export function isCut(before: Camera, { back, tanHalfX, tanHalfY, orthographic }: Camera): boolean {
  const along = before.back[0] * back[0] + before.back[1] * back[1] + before.back[2] * back[2]
  const most = orthographic ? 1 : Math.hypot(tanHalfX, tanHalfY)
  return along <= 0 || Math.sqrt(Math.max(0, 1 - along * along)) / along > most
}
