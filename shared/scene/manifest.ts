/**
 * A scene in parts: its appearance, and its geometry array by array. Each part is named by the SHA-256 of its bytes and sent
 * separately, so that only the changed parts of a changed scene are sent. The manifest lists the parts; its own SHA-256 names the
 * scene. Engines take a packed scene (`packed-scene.ts`); splitting it into parts and joining parts to a packed scene are both
 * deterministic.
 */
import * as z from 'zod'
import { type Immutable, sha256Schema } from '../numbers.ts'
import { type PackedScene, PackedSceneError, type SceneData } from './packed-layout.ts'
import { packScene } from './packed-scene.ts'

/**
 * `look`: materials, sky and sun as JSON · `positions`, `normals`: f32, xyz per vertex · `indices`: u32, three per triangle ·
 * `material-ids`: u16 per triangle. Little-endian.
 */
export const PART_KINDS = ['look', 'positions', 'normals', 'indices', 'material-ids'] as const
export type PartKind = (typeof PART_KINDS)[number]

/** Largest scene, total bytes of its parts. */
export const MAX_SCENE_BYTES = 4 * 1024 * 1024 * 1024 - 1

const partSchema = z.object({
  kind: z.enum(PART_KINDS),
  sha256: sha256Schema,
  bytes: z.int().min(1).max(MAX_SCENE_BYTES),
})

export const sceneManifestSchema = z
  .object({ parts: z.array(partSchema).min(1).max(PART_KINDS.length) })
  .refine(
    ({ parts }) =>
      parts.every(({ kind }, i) => kind === PART_KINDS[i]) &&
      parts.length === PART_KINDS.length &&
      manifestBytes({ parts }) <= MAX_SCENE_BYTES,
    { error: `expected one part of each kind (${PART_KINDS.join(', ')}), together at most ${MAX_SCENE_BYTES} bytes` },
  )

export type ScenePart = Immutable<z.infer<typeof partSchema>>
export type SceneManifest = Immutable<z.infer<typeof sceneManifestSchema>>

/** A function that computes SHA-256 in hex; the implementation depends on the platform. */
export type Sha256 = (bytes: Uint8Array) => string

/** Total bytes of all parts. */
export const manifestBytes = ({ parts }: { readonly parts: readonly { readonly bytes: number }[] }): number =>
  parts.reduce((sum, { bytes }) => sum + bytes, 0)

/** The name of a scene. */
export function sceneName({ parts }: SceneManifest, sha256: Sha256): string {
  const canonical = { parts: parts.map(({ kind, sha256, bytes }) => ({ kind, sha256, bytes })) }
  return sha256(new TextEncoder().encode(JSON.stringify(canonical)))
}

/** The manifest of a scene and its parts by name; most are views of its bytes. */
export function splitScene(
  scene: SceneData,
  sha256: Sha256,
): { readonly manifest: SceneManifest; readonly parts: ReadonlyMap<string, Uint8Array> } {
  const content = contentsOf(scene)
  const named = PART_KINDS.map(kind => ({ kind, sha256: sha256(content[kind]), bytes: content[kind].length }))
  return { manifest: { parts: named }, parts: partsOf(scene, { parts: named }) }
}

/** The parts of a scene whose manifest is known. */
export function partsOf(scene: SceneData, { parts }: SceneManifest): ReadonlyMap<string, Uint8Array> {
  const content = contentsOf(scene)
  return new Map(parts.map(({ kind, sha256 }) => [sha256, content[kind]]))
}

const contentsOf = (scene: SceneData): Readonly<Record<PartKind, Uint8Array>> => ({
  look: new TextEncoder().encode(JSON.stringify({ materials: scene.materials, sky: scene.sky, sun: scene.sun })),
  positions: bytesOf(scene.positions),
  normals: bytesOf(scene.normals),
  indices: bytesOf(scene.indices),
  'material-ids': bytesOf(scene.materialIds),
})

/**
 * Packs a scene from its parts.
 *
 * @param part returns a part's bytes, as many as the manifest says
 * @param allocate allocates the buffer of the packed scene
 * @throws PackedSceneError if the parts contradict each other
 */
export function joinScene(
  { parts }: SceneManifest,
  part: (sha256: string) => Uint8Array,
  allocate?: (bytes: number) => Uint8Array,
): PackedScene {
  const content = contentOf({ parts }, part)
  const scene = {
    ...lookOf(content('look')),
    positions: elements(content, 'positions', Float32Array),
    normals: elements(content, 'normals', Float32Array),
    indices: elements(content, 'indices', Uint32Array),
    materialIds: elements(content, 'material-ids', Uint16Array),
  }
  return packScene(scene, allocate)
}

/**
 * The triangles of a scene as views of its parts, without the validation that packing does.
 * @throws PackedSceneError
 */
export function meshOf(
  manifest: SceneManifest,
  part: (sha256: string) => Uint8Array,
): Pick<SceneData, 'positions' | 'indices'> {
  const content = contentOf(manifest, part)
  return { positions: elements(content, 'positions', Float32Array), indices: elements(content, 'indices', Uint32Array) }
}

const contentOf =
  ({ parts }: SceneManifest, part: (sha256: string) => Uint8Array) =>
  (kind: PartKind): Uint8Array =>
    part(parts[PART_KINDS.indexOf(kind)]!.sha256)

function elements<T>(content: (kind: PartKind) => Uint8Array, kind: PartKind, Type: ElementArray<T>): T {
  const { buffer, byteOffset, length } = aligned(content(kind), Type.BYTES_PER_ELEMENT)
  if (length % Type.BYTES_PER_ELEMENT !== 0)
    throw new PackedSceneError(`${kind}: ${length} bytes are not a whole number of elements`)
  return new Type(buffer, byteOffset, length / Type.BYTES_PER_ELEMENT)
}

interface ElementArray<T> {
  new (buffer: ArrayBufferLike, offset: number, length: number): T
  readonly BYTES_PER_ELEMENT: number
}

/** Not validated here: packing does that. */
function lookOf(bytes: Uint8Array): Pick<SceneData, 'materials' | 'sky' | 'sun'> {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Pick<SceneData, 'materials' | 'sky' | 'sun'>
  } catch {
    throw new PackedSceneError('look: not JSON')
  }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

const aligned = (bytes: Uint8Array, to: number): Uint8Array => (bytes.byteOffset % to === 0 ? bytes : bytes.slice())
