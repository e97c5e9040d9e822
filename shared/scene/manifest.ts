/**
 * A scene in parts: its look, and its arrays (`scene-arrays.ts`). Each part is named by the SHA-256 of its bytes and sent
 * separately, so that only the changed parts of a changed scene are sent. The manifest lists the parts; its own SHA-256 names the
 * scene. Engines take a packed scene (`packed-scene.ts`); splitting it into parts and joining parts to a packed scene are both
 * deterministic.
 *
 * Tables are one part each: moving an object changes only `transforms`, a colour or a light only `look`, the environment's texels
 * are always apart. Vertices and indices, nearly all of a scene, are cut between meshes: a mesh that is large in comparison to the
 * scene is a part of its own, and its smaller neighbours share one. So a deformed mesh is sent without its topology and without
 * most of the rest, while a scene of thousands of meshes still has few parts. Textures are cut in the same way.
 */
import * as z from 'zod'
import { parseJsonBytes } from '../text/bounded-json.ts'
import { type Immutable, sha256Schema } from '../text/numbers.ts'
import { atOnce, piecesOf, type Steps } from '../time/steps.ts'
import type { SceneDescription } from './description.ts'
import { layOut, lookOf, MAX_SCENE_BYTES, type PackedScene, type SceneLook, sectionsOf } from './packed-layout.ts'
import { readingSteps } from './packed-scene.ts'
import { PackedSceneError } from './packed-scene-error.ts'
import {
  geometryIn,
  MESH_WORDS,
  type SceneArrays,
  SECTION_NAMES,
  SECTIONS,
  type SectionLengths,
  type SectionName,
  viewOf,
} from './scene-arrays.ts'

/** `look`: materials, textures without their texels, lights, environment and centre as JSON · the others: sections of a packed scene. In this order. */
export const PART_KINDS = ['look', ...SECTION_NAMES] as const
export type PartKind = (typeof PART_KINDS)[number]

/** Kinds of which there are several parts; and those that are missing where a scene has no textures or no environment map. */
const CUT_KINDS: readonly PartKind[] = ['vertices', 'indices', 'images']
const OPTIONAL_KINDS: readonly PartKind[] = ['images', 'texels']

export const isCut = (kind: PartKind): boolean => CUT_KINDS.includes(kind)

export const MAX_PARTS = 512
/** The part that is parsed as JSON, which takes many times as much memory: 65,536 materials with all that they may have. */
const MAX_LOOK_BYTES = 48 << 20
/** A run of meshes ends at this share of a section's bytes, rounded up to a power of two, or at the least worthwhile size. */
const RUN_SHARE = 1 / 64
const LEAST_RUN_BYTES = 1 << 20

const partSchema = z.object({
  kind: z.enum(PART_KINDS),
  sha256: sha256Schema,
  bytes: z.int().min(1).max(MAX_SCENE_BYTES),
})

export const sceneManifestSchema = z
  .object({ parts: z.array(partSchema).min(1).max(MAX_PARTS) })
  .refine(({ parts }) => hasAllKinds(parts.map(({ kind }) => kind)), {
    error: `expected parts of all kinds (${PART_KINDS.join(', ')}) in order, several only of ${CUT_KINDS.join(' and ')}`,
  })
  .refine(manifest => manifestBytes(manifest) <= MAX_SCENE_BYTES, {
    error: `expected at most ${MAX_SCENE_BYTES} bytes`,
  })
  .refine(({ parts }) => (parts[0]?.bytes ?? 0) <= MAX_LOOK_BYTES, {
    error: `expected a look of at most ${MAX_LOOK_BYTES} bytes`,
  })

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
  scene: PackedScene,
  sha256: Sha256,
): { readonly manifest: SceneManifest; readonly parts: ReadonlyMap<string, Uint8Array> } {
  const { arrays } = sectionsOf(scene.bytes)
  const parts: ScenePart[] = []
  const contents = new Map<string, Uint8Array>()
  const add = (kind: PartKind, bytes: Uint8Array) => {
    const part = { kind, sha256: sha256(bytes), bytes: bytes.length }
    parts.push(part)
    contents.set(part.sha256, bytes)
  }
  add('look', lookBytes(scene))
  for (const name of SECTION_NAMES) {
    const bytes = bytesOf(arrays[name])
    const runs = runsOf(itemsOf(scene, name) ?? [bytes])
    let at = 0
    for (const run of runs) {
      if (run > 0) add(name, bytes.subarray(at, at + run))
      at += run
    }
  }
  return { manifest: { parts }, parts: contents }
}

/** The parts of a scene whose manifest is known. */
export function partsOf(scene: PackedScene, { parts }: SceneManifest): ReadonlyMap<string, Uint8Array> {
  const { arrays } = sectionsOf(scene.bytes)
  const used = new Map<PartKind, number>()
  return new Map(
    parts.map(({ kind, sha256, bytes }) => {
      if (kind === 'look') return [sha256, lookBytes(scene)]
      const from = used.get(kind) ?? 0
      used.set(kind, from + bytes)
      return [sha256, bytesOf(arrays[kind]).subarray(from, from + bytes)]
    }),
  )
}

/** What a section that is cut consists of: meshes or textures. */
function itemsOf({ meshes, textures }: SceneDescription, name: SectionName): readonly ArrayBufferView[] | undefined {
  if (name === 'vertices' || name === 'indices') return meshes.map(mesh => mesh[name])
  return name === 'images' ? textures.map(({ texels }) => texels) : undefined
}

/** Sizes of the parts of a section, bytes: runs of whole items. */
export function runsOf(items: readonly ArrayBufferView[]): number[] {
  const total = items.reduce((sum, { byteLength }) => sum + byteLength, 0)
  let run = LEAST_RUN_BYTES
  while (run < total * RUN_SHARE) run *= 2
  const runs: number[] = []
  let open = 0
  const close = () => {
    if (open > 0) runs.push(open)
    open = 0
  }
  for (const { byteLength } of items) {
    if (byteLength >= run) close()
    open += byteLength
    if (open >= run) close()
  }
  close()
  return runs
}

/**
 * Packs a scene from its parts.
 *
 * @param part returns a part's bytes, as many as the manifest says
 * @param allocate allocates the buffer of the packed scene
 * @param before a packed scene that is no longer needed: if its parts have the same sizes, only those that differ are written, to its bytes
 * @throws PackedSceneError if the parts contradict each other
 */
export const joinScene = (...how: Parameters<typeof joiningSteps>): PackedScene => atOnce(joiningSteps(...how))

/** The same in steps of milliseconds. @throws PackedSceneError */
export function* joiningSteps(
  manifest: SceneManifest,
  part: (sha256: string) => Uint8Array,
  allocate: (bytes: number) => Uint8Array = bytes => new Uint8Array(bytes),
  before?: JoinedScene,
): Steps<PackedScene> {
  const lengths = lengthsIn(manifest)
  const there = before && haveSameSizes(before.manifest, manifest) ? before : undefined
  let places: SceneArrays | undefined
  const place = (arrays: SceneArrays) => {
    places = arrays
  }
  const bytes = layOut(lookIn(manifest, part), lengths, place, there ? () => there.bytes : allocate)
  for (const name of SECTION_NAMES) yield* copySteps(manifest, part, name, bytesOf(places![name]), there?.manifest)
  return yield* readingSteps(bytes)
}

export interface JoinedScene {
  readonly manifest: SceneManifest
  /** As `joinScene` made them. */
  readonly bytes: Uint8Array
}

/** Whether all parts are of the same kinds and sizes, in the same order: then they lie at the same places. */
const haveSameSizes = (a: SceneManifest, b: SceneManifest): boolean =>
  a.parts.length === b.parts.length &&
  a.parts.every(({ kind, bytes }, i) => kind === b.parts[i]!.kind && bytes === b.parts[i]!.bytes)

/**
 * The meshes of a scene in place, without the validation that packing does and without its textures and environment map.
 * @throws PackedSceneError
 */
export function geometryOf(
  manifest: SceneManifest,
  part: (sha256: string) => Uint8Array,
): Pick<SceneDescription, 'meshes' | 'instances' | 'centre'> {
  const lengths = lengthsIn(manifest)
  const arrays = SECTION_NAMES.filter(name => !OPTIONAL_KINDS.includes(name)).map(name => {
    const [first, ...others] = manifest.parts.filter(({ kind }) => kind === name)
    const bytes = others.length === 0 && first ? part(first.sha256) : undefined
    if (bytes && bytes.byteOffset % SECTIONS[name].BYTES_PER_ELEMENT === 0)
      return [name, viewOf(name, bytes.buffer, bytes.byteOffset, lengths[name])]
    const array = new SECTIONS[name](lengths[name])
    atOnce(copySteps(manifest, part, name, bytesOf(array)))
    return [name, array]
  })
  return { ...geometryIn(Object.fromEntries(arrays) as SceneArrays), centre: lookIn(manifest, part).centre }
}

/** @throws PackedSceneError */
function lengthsIn({ parts }: SceneManifest): SectionLengths {
  const lengths = SECTION_NAMES.map(name => {
    const bytes = parts.reduce((sum, part) => sum + (part.kind === name ? part.bytes : 0), 0)
    const each = name === 'meshes' ? MESH_WORDS * 4 : SECTIONS[name].BYTES_PER_ELEMENT
    if (bytes % each !== 0) throw new PackedSceneError(`${name}: ${bytes} bytes are not a whole number of elements`)
    return [name, bytes / SECTIONS[name].BYTES_PER_ELEMENT]
  })
  return Object.fromEntries(lengths) as SectionLengths
}

/** Bytes that are copied in a step. */
const COPIED = 8 << 20

function* copySteps(
  { parts }: SceneManifest,
  part: (sha256: string) => Uint8Array,
  name: SectionName,
  to: Uint8Array,
  there?: SceneManifest,
): Steps<void> {
  let at = 0
  for (const [i, { kind, sha256, bytes }] of parts.entries()) {
    if (kind !== name) continue
    if (there?.parts[i]?.sha256 !== sha256) {
      const content = part(sha256)
      for (const [from, end] of piecesOf(bytes, COPIED)) {
        to.set(content.subarray(from, end), at + from)
        yield
      }
    }
    at += bytes
  }
}

const lookBytes = (scene: SceneDescription): Uint8Array => lookText(lookOf(scene))

/** The part `look`. */
export const lookText = (look: SceneLook): Uint8Array<ArrayBuffer> => new TextEncoder().encode(JSON.stringify(look))

/** Everything but the arrays. Not validated here: packing does that. */
export function lookIn({ parts }: SceneManifest, part: (sha256: string) => Uint8Array): SceneLook {
  try {
    const json: unknown = parseJsonBytes(part(parts[0]!.sha256))
    return (json ?? {}) as SceneLook
  } catch {
    throw new PackedSceneError('look: not JSON')
  }
}

function hasAllKinds(kinds: readonly PartKind[]): boolean {
  const numbers = kinds.map(kind => PART_KINDS.indexOf(kind))
  return (
    PART_KINDS.every(kind => OPTIONAL_KINDS.includes(kind) || kinds.includes(kind)) &&
    numbers.every((number, i) => {
      const before = i === 0 ? -1 : numbers[i - 1]!
      return number > before || (number === before && CUT_KINDS.includes(kinds[i]!))
    })
  )
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)
