/** The engine that gives pixels their meaning: plain TypeScript, one ray at a time. */
import { invariant } from '../../../shared/errors.ts'
import type { Rect } from '../../../shared/rect.ts'
import type { PackedScene } from '../../../shared/scene/packed-scene.ts'
import type { View } from '../../../shared/view.ts'
import type { Engine, Tracer } from '../engine.ts'
import { sampleX, sampleY } from '../sampling.ts'
import { ToneMap } from '../tone-map.ts'
import { buildBvh } from './bvh-builder.ts'
import { type Bvh, openStructure } from './bvh-layout.ts'
import { Integrator } from './integrator.ts'
import { Traversal } from './traversal.ts'

export const referenceEngine: Engine = {
  name: 'reference',
  build: buildBvh,
  open: (scene, structure) => new ReferenceTracer(scene, structure),
}

class ReferenceTracer implements Tracer {
  readonly #scene: PackedScene
  readonly #bvh: Bvh
  readonly #traversal: Traversal
  readonly #toneMap = new ToneMap()

  constructor(scene: PackedScene, structure: SharedArrayBuffer) {
    this.#scene = scene
    this.#bvh = openStructure(structure)
    this.#traversal = new Traversal(this.#bvh, scene)
  }

  traceRows(view: View, rect: Rect, fromRow: number, toRow: number, out: Uint8Array): void {
    invariant(
      out.length === rect.w * rect.h * 3,
      `expected ${rect.w * rect.h * 3} bytes for the pixels, got ${out.length}`,
    )
    const integrator = new Integrator(this.#scene, this.#bvh, this.#traversal, view)
    const share = 1 / view.quality.samples
    for (let row = fromRow; row < toRow; row++) {
      for (let column = 0; column < rect.w; column++) {
        tracePixel(view, integrator, rect.x + column, rect.y + row)
        const { red, green, blue } = integrator
        const at = (row * rect.w + column) * 3
        this.#toneMap.write(red * share, green * share, blue * share, view.exposure, out, at)
      }
    }
  }
}

/** Sums up the samples of the pixel in column x and row y of the frame in the integrator. */
function tracePixel(view: View, integrator: Integrator, x: number, y: number): void {
  const { right, up, back, tanHalfX, tanHalfY } = view.camera
  const [width, height] = view.size
  const { samples } = view.quality
  integrator.startPixel(x, y)
  for (let sample = 0; sample < samples; sample++) {
    const u = ((2 * (x + sampleX(sample, samples))) / width - 1) * tanHalfX
    const v = (1 - (2 * (y + sampleY(sample, samples))) / height) * tanHalfY
    integrator.addCameraRay(
      sample,
      right[0] * u + up[0] * v - back[0],
      right[1] * u + up[1] * v - back[1],
      right[2] * u + up[2] * v - back[2],
    )
  }
}
