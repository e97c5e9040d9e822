/** Two pictures of a file, and how far they are apart. */

import { frameRect, type Size } from '../../../../shared/frame/rect.ts'
import { allSamples, type View } from '../../../../shared/frame/view.ts'
import { SrgbBytes } from '../../../../shared/math/srgb.ts'
import type { WasmEngine } from '../../../../worker/engine/wasm/wasm-engine.ts'
import { buildPacked } from '../kernel/build.ts'
import type { Estimate } from '../model/estimate.ts'
import { viewOf } from '../scenes/views.ts'
import { type Difference, differenceOf } from './differences.ts'
import type { FileToCompare } from './file-to-compare.ts'
import { flip } from './flip.ts'

export interface ComparedFile {
  readonly name: string
  readonly about: string
  readonly notes: readonly string[]
  readonly size: Size
  readonly difference: Difference
  /** Mean of the map over the pixels that show something of the file. */
  readonly flip: number
  /** Share of these pixels. */
  readonly shown: number
  /** As they are looked at, RGB8. */
  readonly pictures: { readonly ours: Uint8Array; readonly theirs: Uint8Array }
  /** From 0 to 1, per pixel. */
  readonly map: Float64Array
}

/** Where any of so many camera rays hits, something is shown. */
const RAYS = 16
/** The share of values that may be too bright to be seen as they are. */
const TOO_BRIGHT = 0.02

export function comparedFile(engine: WasmEngine, file: FileToCompare, ours: Estimate, theirs: Estimate): ComparedFile {
  const { size } = ours
  const shown = shownPixels(engine, file, viewOf(file.camera, size, { samples: RAYS, bounces: 0 }))
  const exposure = exposureFor(theirs.mean)
  const pictures = { ours: bytesOf(ours.mean, exposure), theirs: bytesOf(theirs.mean, exposure) }
  const map = flip(pictures.ours, pictures.theirs, size)
  const count = shown.reduce((sum, each) => sum + each, 0)
  return {
    name: file.name,
    about: file.about,
    notes: file.notes,
    size,
    difference: differenceOf(ours, theirs, shown),
    flip: map.reduce((sum, value, pixel) => sum + value * shown[pixel]!, 0) / count,
    shown: count / shown.length,
    pictures,
    map,
  }
}

/** 1 for pixels in which a camera ray meets a surface. */
function shownPixels(engine: WasmEngine, { scene }: FileToCompare, view: View): Uint8Array {
  const pixels = view.size[0] * view.size[1]
  const [light, alpha] = [new Float64Array(pixels * 3), new Uint16Array(pixels)]
  const tracer = engine.open(buildPacked(engine, scene.packed), 0)
  tracer.trace(view, { rect: frameRect(view.size) }, allSamples(view), { light, alpha })
  return Uint8Array.from(alpha, hits => (hits > 0 ? 1 : 0))
}

/** Both pictures are shown with the exposure that suits one of them. */
function exposureFor(values: Float64Array): number {
  const bright = values.toSorted()[Math.floor(values.length * (1 - TOO_BRIGHT))]!
  return bright > 0 ? 1 / bright : 1
}

const srgb = new SrgbBytes()

const bytesOf = (values: Float64Array, exposure: number): Uint8Array =>
  Uint8Array.from(values, value => srgb.nearest(value * exposure))
