/**
 * Where things are: the box of every instance of a scene, in the coordinates of its mesh, and where in the world that is. From those
 * of two frames follows what has moved between them, and how.
 */
import { strideOf } from './description.ts'
import { lookIn, type SceneManifest } from './manifest.ts'
import { boxOf, type MeshBox } from './mesh-box.ts'
import { attributesOf, MESH_WORDS, TRANSFORM_NUMBERS } from './scene-arrays.ts'

/** BODY_NUMBERS per instance, in their order: the box's least and greatest corner, then three rows of four from mesh to world. */
export type Bodies = Float64Array
export const BODY_NUMBERS = 18

/** Of scenes with more instances than this nothing is known. */
const MOST_BODIES = 1 << 16

/** Reads the bodies of scenes that have most of their parts in common: boxes of meshes that it has seen are not measured again. */
export class BodyReader {
  /** Boxes of the meshes in a part, by its name and that of the table of meshes. */
  #boxes = new Map<string, readonly MeshBox[]>()

  /** @param part returns a part's bytes. Undefined for a scene with too many instances. */
  read(manifest: SceneManifest, part: (sha256: string) => Uint8Array): Bodies | undefined {
    const namesOf = (kind: string) => manifest.parts.filter(each => each.kind === kind).map(({ sha256 }) => sha256)
    const [table, transforms, placements] = ['meshes', 'transforms', 'placements'].map(kind => namesOf(kind)[0]!)
    const meshOf = new Uint32Array(aligned(part(placements!)))
    if (meshOf.length > MOST_BODIES) return undefined
    const words = new Uint32Array(aligned(part(table!)))
    const places = new Float64Array(aligned(part(transforms!)))
    const { centre } = lookIn(manifest, part)
    const boxes = this.#boxesOf(
      words,
      namesOf('vertices').map(name => ({ key: `${table} ${name}`, bytes: part(name) })),
    )
    const bodies = new Float64Array(meshOf.length * BODY_NUMBERS)
    for (const [i, mesh] of meshOf.entries()) {
      const at = i * BODY_NUMBERS
      bodies.set(boxes[mesh]!, at)
      bodies.set(places.subarray(i * TRANSFORM_NUMBERS, (i + 1) * TRANSFORM_NUMBERS), at + 6)
      for (const [row, shift] of centre.entries()) bodies[at + 9 + 4 * row]! += shift
    }
    return bodies
  }

  /** The boxes of all meshes. Those of parts that this scene does not have are forgotten. */
  #boxesOf(words: Uint32Array, parts: readonly { readonly key: string; readonly bytes: Uint8Array }[]): MeshBox[] {
    const known = this.#boxes
    this.#boxes = new Map()
    const all: MeshBox[] = []
    for (const { key, bytes } of parts) {
      const boxes = known.get(key) ?? measure(words, all.length, bytes)
      this.#boxes.set(key, boxes)
      all.push(...boxes)
    }
    return all
  }
}

/** The boxes of the meshes from number `first` on whose vertices are in a part. */
function measure(words: Uint32Array, first: number, bytes: Uint8Array): MeshBox[] {
  const vertices = new Float32Array(aligned(bytes))
  const boxes: MeshBox[] = []
  let at = 0
  for (let mesh = first; at < vertices.length; mesh++) {
    const stride = strideOf(attributesOf(words[mesh * MESH_WORDS]!))
    const end = at + words[mesh * MESH_WORDS + 1]! * stride
    boxes.push(boxOf(vertices.subarray(at, end), stride))
    at = end
  }
  return boxes
}

/** The same bytes where typed arrays may begin. */
const aligned = (bytes: Uint8Array): ArrayBuffer => bytes.slice().buffer
