/** What every tracer checks of the buffers that it is given. */
import { invariant } from '../../shared/errors.ts'
import type { PixelBuffers } from './engine.ts'

export function checkPixelBuffers(pixels: number, { rgb, steps, depth }: PixelBuffers): void {
  invariant(rgb.length === pixels * 3, `expected ${pixels * 3} bytes for the pixels, got ${rgb.length}`)
  invariant((steps?.length ?? pixels) === pixels, `expected steps of ${pixels} pixels, got ${steps?.length}`)
  invariant((depth?.length ?? pixels) === pixels, `expected depths of ${pixels} pixels, got ${depth?.length}`)
}
