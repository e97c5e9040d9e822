/** What a shader is told of a view besides its record, made in doubles (`kernel/pixels.ts`). */
import type { KernelMemory } from '../wasm/memory.ts'
import { get } from '../wasm/records/access.ts'
import { VIEW, VIEW_FLAGS } from '../wasm/records/view.ts'
import { PIXEL_ORDER, PIXEL_ORDER_WORDS } from './kernel/pixels.ts'

/** The smallest share of a sample for which the ambient integrator sends a ray on, as `kernel/ambient/workspace.ts` of the kernel has it. */
const MIN_WEIGHT = 1 / 64
/** More than any light is. */
const MOST_LIGHT = 3e38

/** What camera rays are made of: the kernel's `fillCamera` in `kernel/ambient/camera.ts`, which scales in doubles, too. */
export function orderFor(memory: KernelMemory, view: number): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(PIXEL_ORDER_WORDS)
  const floats = new Float32Array(words.buffer)
  const number = (name: Parameters<typeof get<typeof VIEW.fields>>[3]) => get(memory, VIEW, view, name)
  const scaled = (name: 'origin' | 'right' | 'up' | 'back', by: number, at: number, last: number) => {
    const from = (view + VIEW.fields[name].offset) >>> 3
    for (let k = 0; k < 3; k++) floats[at + k] = memory.doubles[from + k]! * by
    floats[at + 3] = last
  }
  scaled('right', (2 * number('tanHalfX')) / number('width'), PIXEL_ORDER.across, 0)
  scaled('up', (-2 * number('tanHalfY')) / number('height'), PIXEL_ORDER.down, 0)
  scaled('origin', 1, PIXEL_ORDER.eye, number('near'))
  scaled('back', -1, PIXEL_ORDER.ahead, number('far'))
  words[PIXEL_ORDER.parallel] = number('flags') & VIEW_FLAGS.orthographic
  floats[PIXEL_ORDER.share] = number('sumScale') * (1 / number('weightedFor'))
  floats[PIXEL_ORDER.leastWeight] = MIN_WEIGHT * floats[PIXEL_ORDER.share]!
  // A limit of Infinity is one that no light is above.
  floats[PIXEL_ORDER.most] = Math.min(MOST_LIGHT, number('clamp') * floats[PIXEL_ORDER.share]!)
  // As `readView` of the kernel's `surface/workspace.ts` has it.
  const wide = ((2 * number('tanHalfY')) / number('height')) * Math.sqrt(1 / number('sharedBy'))
  floats[words[PIXEL_ORDER.parallel] === 0 ? PIXEL_ORDER.coneSpread : PIXEL_ORDER.coneWidth] = wide
  return words
}
