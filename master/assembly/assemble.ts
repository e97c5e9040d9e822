/** How a frame comes together: small ones at once, large ones, and those that are denoised, in threads, over memory that they share. */
import { bytesPerPixelOf, CHANNELS } from '../../shared/frame/channels.ts'
import type { Steps } from '../../shared/time/steps.ts'
import { DirectAssembly } from './direct-assembly.ts'
import type { AssemblyOrder, FrameAssembly } from './frame-assembly.ts'
import { type PlaneWork, SharedAssembly } from './shared-assembly.ts'

/** Frames whose sums take more than this are worth threads, bytes: light of 700,000 pixels, which takes 35 ms to tone map. */
const SHARED_BYTES = 16 * 2 ** 20

/**
 * @param work does jobs in threads. Without it, all frames are assembled at once
 * @param inSteps runs what takes long
 */
export function assemble(
  order: AssemblyOrder,
  work: PlaneWork | undefined,
  inSteps: <T>(steps: Steps<T>) => Promise<T>,
): FrameAssembly {
  const { size, channels, content } = order
  const isLarge = size[0] * size[1] * bytesPerPixelOf(channels) >= SHARED_BYTES
  // Finished colour and what else needs no computing is only copied.
  const isComputed = channels.some(name => CHANNELS[name].of === 'samples')
  return work && ((isLarge && isComputed) || content.denoise)
    ? new SharedAssembly(order, work)
    : new DirectAssembly(order, inSteps)
}
