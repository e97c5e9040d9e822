/** How a thread of a tab is started: the first message to it. */
import type { ThreadSettings } from '../threads/messages.ts'
import type { RaysLine } from '../threads/rays-line.ts'

export interface ThreadStart {
  readonly settings: ThreadSettings
  readonly kernel: WebAssembly.Module
  /** Its line to the graphics card, which traces its rays. */
  readonly rays?: RaysLine
  /** Words shared with the thread that starts it; absent: it has copies of scenes, and shares nothing. */
  readonly control?: Int32Array<SharedArrayBuffer>
}

/** In `control`: for how many hundredths of the time it may trace. */
export const SHARE = 0

/** From a thread with copies, beside its answers: it has done a portion of the rows at hand. */
export const SIGN = 'sign'
/** How often, ms. */
export const SIGN_MS = 500

/**
 * Milliseconds on a clock that all threads of a tab share: each has an origin of its own.
 */
export const sharedNow = (): number => performance.timeOrigin + performance.now()

/** Shared memory for those parts of a thread that need it inside: a page without encryption has none to post, and does not show it. */
export function hasOwnSharedMemory(): void {
  if (typeof SharedArrayBuffer !== 'undefined') return
  const { buffer } = new WebAssembly.Memory({ initial: 0, maximum: 0, shared: true })
  Object.defineProperty(globalThis, 'SharedArrayBuffer', { value: buffer.constructor })
}
