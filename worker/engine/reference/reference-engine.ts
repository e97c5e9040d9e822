/** The engine that defines the value of a pixel: plain TypeScript, one ray at a time. */
import { ToneMap } from '../../../shared/light/tone-map.ts'
import { forEachRun, type PixelSet } from '../../../shared/pixel-set.ts'
import { type PackedScene, viewsOf } from '../../../shared/scene/packed-layout.ts'
import type { SampleRange, View } from '../../../shared/view.ts'
import type { Engine, PixelBuffers, Tracer } from '../engine.ts'
import { checkRequest } from '../pixel-buffers.ts'
import { sampleX, sampleY } from '../sampling.ts'
import { buildBvh } from './bvh-builder.ts'
import { type Bvh, openStructure } from './bvh-layout.ts'
import { Integrator } from './integrator.ts'
import { Traversal } from './traversal.ts'

/** A packed scene and its BVH, both in shared memory. */
interface ReferenceScene {
  readonly bytes: Uint8Array
  readonly structure: SharedArrayBuffer
}

export class ReferenceEngine implements Engine<ReferenceScene, ReferenceScene> {
  readonly name = 'reference'
  readonly grain = { batchRays: 4096, fineRays: 1024, mostRays: 65536, blockRows: 1 }
  readonly #fingerprint: () => string

  /** @param fingerprint computes the fingerprint on demand */
  constructor(fingerprint: () => string) {
    this.#fingerprint = fingerprint
  }

  get fingerprint(): string {
    return this.#fingerprint()
  }

  begin(scene: Uint8Array): ReferenceScene {
    const bytes = inSharedMemory(scene)
    return { bytes, structure: buildBvh(viewsOf(bytes)) }
  }

  /** Nothing to do: `begin` builds everything on one thread. */
  help(): void {}

  finish(built: ReferenceScene): ReferenceScene {
    return built
  }

  open({ bytes, structure }: ReferenceScene): Tracer {
    return new ReferenceTracer(viewsOf(bytes), structure)
  }
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

  trace(view: View, set: PixelSet, samples: SampleRange, out: PixelBuffers, stopped = () => false): void {
    checkRequest(view, set, samples, out)
    const { rgb, light, steps, depth } = out
    const integrator = new Integrator(this.#scene, this.#bvh, this.#traversal, view)
    let at = 0
    forEachRun(set, (left, y, length) => {
      for (let x = left; x < left + length && !stopped(); x++, at++) {
        this.#traversal.steps = 0
        tracePixel(view, samples, integrator, x, y)
        const { red, green, blue } = integrator
        if (rgb) this.#toneMap.write(red, green, blue, rgb, at * 3)
        light?.set([red, green, blue], at * 3)
        if (steps) steps[at] = this.#traversal.steps
        if (depth) depth[at] = integrator.depth
      }
    })
  }
}

/** The bytes in shared memory: the same array if it is there already. */
function inSharedMemory(bytes: Uint8Array): Uint8Array {
  if (bytes.buffer instanceof SharedArrayBuffer) return bytes
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length))
  shared.set(bytes)
  return shared
}

/** Accumulates samples of the pixel in column x and row y of the frame in the integrator. */
function tracePixel(view: View, { from, to }: SampleRange, integrator: Integrator, x: number, y: number): void {
  const { right, up, back, tanHalfX, tanHalfY } = view.camera
  const [width, height] = view.size
  const { samples } = view.quality
  integrator.startPixel(x, y, from)
  for (let sample = from; sample < to; sample++) {
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
