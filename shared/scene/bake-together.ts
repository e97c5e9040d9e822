/**
 * Baking by several threads at once, to the same bytes as by one (`bake.ts`): first vertices, then triangles, in parts that threads take. Of an
 * instance some of whose vertices have no normal, triangles are baked in the end, in their order, since sums of normals depend on it.
 */
import { invariant } from '../errors.ts'
import { bakeTriangles, bakeVertices, type Triangles } from './bake.ts'
import type { Geometry } from './bake-extras.ts'
import { type SceneMesh, strideOf, vertexCount } from './description.ts'

/** Vertices, or triangles, that a thread takes at a time. */
const PART = 16384

/** Words that threads share, all 0 at first. */
const NEXT_VERTICES = 0
const DONE_VERTICES = 1
const NEXT_TRIANGLES = 2
const ABANDONED = 3
const HEAD = 4

/** A part of an instance: its vertices or triangles from `from` to `to`, which become those from `first` on. */
interface Part {
  readonly instance: number
  readonly from: number
  readonly to: number
  readonly first: number
}

export class BakeTogether {
  readonly #scene: Geometry
  readonly #into: Triangles
  readonly #vertices: readonly Part[]
  readonly #triangles: readonly Part[]
  /** Number of each instance's first vertex. */
  readonly #firstVertices: readonly number[]
  readonly #words: Int32Array<SharedArrayBuffer>
  /** Whether an instance has a vertex without a normal, and how many triangles of each part have area. */
  readonly #gaps: Int32Array<SharedArrayBuffer>
  readonly #kept: Int32Array<SharedArrayBuffer>

  /**
   * @param into as for `bakeInto`, in memory that all threads share
   * @param shared of `sharedBytes`
   * @param part vertices, or triangles, that a thread takes at a time, the same for all threads
   */
  constructor(scene: Geometry, into: Triangles, shared: SharedArrayBuffer, part = PART) {
    const vertices = partsOf(scene, vertexCount, part)
    const triangles = partsOf(scene, trianglesIn, part)
    this.#scene = scene
    this.#into = into
    this.#vertices = vertices.parts
    this.#firstVertices = vertices.firsts
    this.#triangles = triangles.parts
    this.#words = new Int32Array(shared, 0, HEAD)
    this.#gaps = new Int32Array(shared, HEAD * 4, scene.instances.length)
    this.#kept = new Int32Array(shared, (HEAD + scene.instances.length) * 4, triangles.parts.length)
  }

  /** Bytes that threads share, zeroed, for a scene. */
  static sharedBytes(scene: Geometry, part = PART): number {
    return (HEAD + scene.instances.length + partsOf(scene, trianglesIn, part).parts.length) * 4
  }

  /** Bakes until nothing is left to take; waits for the vertices that others have taken. */
  help(): void {
    const words = this.#words
    for (;;) {
      const part = this.#vertices[Atomics.add(words, NEXT_VERTICES, 1)]
      if (!part) break
      if (!this.#bakeVertices(part)) Atomics.store(this.#gaps, part.instance, 1)
      if (Atomics.add(words, DONE_VERTICES, 1) + 1 === this.#vertices.length) Atomics.notify(words, DONE_VERTICES)
    }
    for (;;) {
      const done = Atomics.load(words, DONE_VERTICES)
      if (done >= this.#vertices.length) break
      if (Atomics.load(words, ABANDONED)) return
      Atomics.wait(words, DONE_VERTICES, done)
    }
    for (;;) {
      const number = Atomics.add(words, NEXT_TRIANGLES, 1)
      const part = this.#triangles[number]
      if (!part) break
      if (Atomics.load(this.#gaps, part.instance) === 0) Atomics.store(this.#kept, number, this.#bakeTriangles(part))
    }
  }

  /** Others wait no longer for what a thread that failed had taken. */
  abandon(): void {
    Atomics.store(this.#words, ABANDONED, 1)
    // So that no thread goes on to wait for this number.
    Atomics.add(this.#words, DONE_VERTICES, 1)
    Atomics.notify(this.#words, DONE_VERTICES)
  }

  /** Completes the arrays on one thread, after all have helped; returns what `bakeInto` does. @throws InvariantError if one has failed */
  finish(): Uint32Array {
    invariant(!Atomics.load(this.#words, ABANDONED), 'a thread has failed that baked a part of the scene')
    // Does everything if no thread has helped, otherwise nothing.
    this.help()
    const { corners } = this.#into
    const { words } = this.#into.bits
    const { meshes, instances } = this.#scene
    const ends = new Uint32Array(instances.length)
    let end = 0
    let number = 0
    for (const [i, instance] of instances.entries()) {
      const whole = this.#gaps[i] === 0
      for (; this.#triangles[number]?.instance === i; number++) {
        const { first } = this.#triangles[number]!
        const kept = this.#kept[number]!
        if (whole && first !== end) corners.copyWithin(end * words, first * words, (first + kept) * words)
        if (whole) end += kept
      }
      if (!whole)
        end = bakeTriangles(meshes[instance.mesh]!, instance, this.#into, {
          ...{ firstVertex: this.#firstVertices[i]!, firstTriangle: end, whole },
        })
      ends[i] = end
    }
    // What was moved to the front is still where it was.
    corners.fill(0, end * words)
    return ends
  }

  #bakeVertices({ instance: i, from, to, first }: Part): boolean {
    const { mesh: number, transform } = this.#scene.instances[i]!
    const mesh = this.#scene.meshes[number]!
    const step = strideOf(mesh.attributes)
    return bakeVertices(
      { ...mesh, vertices: mesh.vertices.subarray(from * step, to * step) },
      transform,
      this.#into,
      first,
    )
  }

  #bakeTriangles({ instance: i, from, to, first }: Part): number {
    const instance = this.#scene.instances[i]!
    const mesh = this.#scene.meshes[instance.mesh]!
    const part = { ...mesh, indices: mesh.indices.subarray(from * 3, to * 3), slots: mesh.slots.subarray(from, to) }
    const place = { firstVertex: this.#firstVertices[i]!, firstTriangle: first, whole: true }
    return bakeTriangles(part, instance, this.#into, place) - first
  }
}

/** Parts of all instances in their order, and where each instance begins. */
function partsOf({ meshes, instances }: Geometry, countOf: (mesh: SceneMesh) => number, part: number) {
  const parts: Part[] = []
  const firsts: number[] = []
  let first = 0
  for (const [instance, { mesh }] of instances.entries()) {
    const count = countOf(meshes[mesh]!)
    for (let from = 0; from < count; from += part)
      parts.push({ instance, from, to: Math.min(from + part, count), first: first + from })
    firsts.push(first)
    first += count
  }
  return { parts, firsts }
}

const trianglesIn = ({ slots }: SceneMesh): number => slots.length
