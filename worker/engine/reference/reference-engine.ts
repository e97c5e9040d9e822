/** The engine that defines the value of a pixel: plain TypeScript, one ray at a time. */
import { ToneMap } from '../../../shared/light/tone-map.ts'
import { forEachRun, type PixelSet } from '../../../shared/pixel-set.ts'
import { type AmbientScene, ambientLook } from '../../../shared/scene/ambient-look.ts'
import { bakedSize, bakeInto } from '../../../shared/scene/bake.ts'
import { relativeTo } from '../../../shared/scene/centre.ts'
import type { SceneDescription } from '../../../shared/scene/description.ts'
import { viewsOf } from '../../../shared/scene/packed-layout.ts'
import { PackedSceneError } from '../../../shared/scene/packed-scene-error.ts'
import type { SampleRange, View } from '../../../shared/view.ts'
import { RAY_FLOATS } from '../camera-rays.ts'
import { CentreHits, type RayBatch } from '../centre-hits.ts'
import type { Engine, PixelBuffers, Tracer } from '../engine.ts'
import { SceneTooLargeError } from '../errors.ts'
import { checkRequest } from '../pixel-buffers.ts'
import { sampleX, sampleY } from '../sampling.ts'
import { buildBvh } from './bvh-builder.ts'
import { type Bvh, openStructure } from './bvh-layout.ts'
import { Integrator } from './integrator.ts'
import { Traversal } from './traversal.ts'

/** A baked scene and its BVH, both in shared memory. */
interface ReferenceScene {
  readonly scene: AmbientScene
  readonly structure: SharedArrayBuffer
}

/** Most memory for a baked scene; an engine without instancing needs a limit, because a few bytes can describe many triangles. */
const MAX_BYTES = 8 * 2 ** 30

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
    const baked = bakeShared(viewsOf(scene))
    return { scene: baked, structure: buildBvh(baked) }
  }

  /** Nothing to do: `begin` builds everything on one thread. */
  help(): void {}

  finish(built: ReferenceScene): ReferenceScene {
    return built
  }

  open({ scene, structure }: ReferenceScene): Tracer {
    return new ReferenceTracer(scene, structure)
  }
}

class ReferenceTracer implements Tracer {
  readonly #scene: AmbientScene
  readonly #bvh: Bvh
  readonly #traversal: Traversal
  readonly #centreHits: CentreHits

  constructor(scene: AmbientScene, structure: SharedArrayBuffer) {
    this.#scene = scene
    this.#bvh = openStructure(structure)
    this.#traversal = new Traversal(this.#bvh, scene)
    this.#centreHits = new CentreHits(scene, (batch, count) => this.#closest(batch, count))
  }

  trace(asked: View, set: PixelSet, samples: SampleRange, out: PixelBuffers, stopped = () => false): void {
    checkRequest(asked, set, samples, out)
    const view = { ...asked, camera: relativeTo(this.#scene.centre, asked.camera) }
    const { rgb, light, steps, depth, centre } = out
    const toneMap = new ToneMap(view)
    const integrator = new Integrator(this.#scene, this.#bvh, this.#traversal, view)
    let at = 0
    forEachRun(set, (left, y, length) => {
      for (let x = left; x < left + length && !stopped(); x++, at++) {
        this.#traversal.steps = 0
        tracePixel(view, samples, integrator, x, y)
        const { red, green, blue } = integrator
        if (rgb) toneMap.write(red, green, blue, rgb, at * 3)
        light?.set([red, green, blue], at * 3)
        if (steps) steps[at] = this.#traversal.steps
        if (depth) depth[at] = integrator.depth
      }
    })
    if (centre) this.#centreHits.fill(asked, set, centre, stopped)
  }

  #closest({ rays, triangles, distances }: RayBatch, count: number): void {
    const traversal = this.#traversal
    const { triangleIds } = this.#bvh
    for (let ray = 0; ray < count; ray++) {
      const [ox, oy, oz, tMin, dx, dy, dz, tMax] = rays.subarray(
        ray * RAY_FLOATS,
        (ray + 1) * RAY_FLOATS,
      ) as unknown as Ray
      const hit = traversal.closestHit(ox, oy, oz, dx, dy, dz, tMin, tMax)
      triangles[ray] = hit ? triangleIds[traversal.slot]! : -1
      distances[ray] = traversal.distance
    }
  }
}

type Ray = readonly [number, number, number, number, number, number, number, number]

/** Bakes into shared memory. @throws SceneTooLargeError, PackedSceneError */
function bakeShared(scene: SceneDescription): AmbientScene {
  const { vertices, triangles } = bakedSize(scene)
  const bytes = vertices * 24 + triangles * 14
  if (bytes > MAX_BYTES) throw new SceneTooLargeError(triangles, bytes, MAX_BYTES, undefined, 'reference')
  const shared = (length: number) => new SharedArrayBuffer(length)
  const room = {
    positions: new Float32Array(shared(vertices * 12)),
    normals: new Float32Array(shared(vertices * 12)),
    indices: new Uint32Array(shared(triangles * 12)),
    materialIds: new Uint16Array(shared(triangles * 2)),
  }
  const kept = bakeInto(scene, room)
  if (kept === 0) throw new PackedSceneError(`none of its ${triangles} triangles has area`)
  return {
    ...room,
    indices: room.indices.subarray(0, kept * 3),
    materialIds: room.materialIds.subarray(0, kept),
    ...ambientLook(scene),
    centre: scene.centre,
  }
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
