/** What was said about how a frame is computed, together: for commands and programs alike. Pure. */
import type { Quality } from '../../shared/frame/view.ts'
import type { GivenOf, Voice } from './declare/group.ts'
import { resolveQuality } from './groups/light.ts'
import { type passes, resolvePasses } from './groups/passes.ts'
import { resolveShutter, type Shutter, type shutter } from './groups/shutter.ts'

export interface Picture {
  readonly quality: Quality
  /** Undefined without motion blur. Its steps are the passes. */
  readonly shutter: Shutter | undefined
  readonly passes: number
}

/** @throws UsageError */
export function resolvePicture(
  given: Parameters<typeof resolveQuality>[0] & GivenOf<typeof shutter> & GivenOf<typeof passes>,
  voice: Voice,
): Picture {
  const quality = resolveQuality(given)
  const { samples } = quality
  const open = resolveShutter(given, samples, voice)
  const steps = open ? { steps: open.steps } : {}
  return {
    quality,
    shutter: open,
    passes: resolvePasses(given, { samples, isDoubling: (given.noise ?? given.time) !== undefined, ...steps }, voice),
  }
}
