/**
 * The packed scene: a scene's description in one buffer. Little-endian:
 *
 *     u32 magic 'SFSC' | u32 version | u32 jsonBytes | u32 totalBytes | JSON head | pad to 16 | sections, each padded to 16
 *
 * The JSON head contains the look (materials, textures, lights, environment, centre) and the lengths of the sections, which are the
 * scene's arrays (`scene-arrays.ts`) in order. Reading a packed scene copies no large array. It is sent in parts, whose list names
 * the scene across the cluster (`manifest.ts`).
 *
 * Values are validated when a scene is packed or received (`packed-scene.ts`), and only then: a tracing thread trusts what it
 * is given.
 */
import type { SceneDescription } from './description.ts'
import type { EnvironmentMap, Sky } from './environment.ts'
import { PackedSceneError } from './packed-scene-error.ts'
import {
  geometryIn,
  type SceneArrays,
  SECTION_NAMES,
  SECTIONS,
  type SectionLengths,
  type SectionName,
  texturesIn,
  viewOf,
} from './scene-arrays.ts'
import { factsOf, type TextureFacts } from './texture.ts'

/** A scene whose arrays are views of `bytes`. */
export interface PackedScene extends SceneDescription {
  readonly bytes: Uint8Array
}

/** Everything but the arrays. */
export interface SceneLook extends Pick<SceneDescription, 'materials' | 'lights' | 'centre'> {
  readonly textures: readonly TextureFacts[]
  readonly environment: Sky | Omit<EnvironmentMap, 'texels'>
}

export interface PackedHead extends SceneLook {
  readonly lengths: SectionLengths
}

const MAGIC = 0x43534653 // 'SFSC' read as little-endian u32
const VERSION = 6
const HEADER_BYTES = 16

/** Largest scene: its size has to fit in a word. */
export const MAX_SCENE_BYTES = 4 * 1024 * 1024 * 1024 - 1

export function lookOf(scene: SceneDescription): SceneLook {
  const { materials, lights, environment, centre } = scene
  const textures = scene.textures.map(factsOf)
  if (environment.kind === 'sky') return { materials, textures, lights, environment, centre }
  const { texels: _, ...facts } = environment
  return { materials, textures, lights, environment: facts, centre }
}

/**
 * Writes a scene into a new zeroed buffer from `allocate`.
 *
 * @param fill writes the sections
 * @throws PackedSceneError if it is too large
 */
export function layOut(
  look: SceneLook,
  lengths: SectionLengths,
  fill: (arrays: SceneArrays) => void,
  allocate: (bytes: number) => Uint8Array,
): Uint8Array {
  const { materials, textures, lights, environment, centre } = look
  const head = new TextEncoder().encode(
    JSON.stringify({ materials, textures, lights, environment, centre, lengths } satisfies PackedHead),
  )
  const { offsets, end } = placesOf(head.length, lengths)
  if (end > MAX_SCENE_BYTES) throw new PackedSceneError(`expected at most ${MAX_SCENE_BYTES} bytes, got ${end}`)
  const bytes = allocate(end)
  const header = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES)
  header.setUint32(0, MAGIC, true)
  header.setUint32(4, VERSION, true)
  header.setUint32(8, head.length, true)
  header.setUint32(12, end, true)
  bytes.set(head, HEADER_BYTES)
  fill(arraysIn(bytes, offsets, lengths))
  return bytes
}

/**
 * Views of a packed scene. The buffer (plain or shared) is borrowed for the scene's lifetime and must start at a multiple of 16.
 *
 * @param checked validates the parsed JSON head
 * @throws PackedSceneError if the bytes cannot be a packed scene
 */
export function viewsOf(bytes: Uint8Array, checked = (head: unknown): PackedHead => head as PackedHead): PackedScene {
  const { head, arrays } = sectionsOf(bytes, checked)
  const { materials, lights, centre } = head
  const environment =
    head.environment.kind === 'sky' ? head.environment : { ...head.environment, texels: arrays.texels }
  const textures = texturesIn(head.textures, arrays.images)
  return { bytes, ...geometryIn(arrays), materials, textures, lights, environment, centre }
}

/** The arrays of a packed scene. @throws PackedSceneError */
export function sectionsOf(
  bytes: Uint8Array,
  checked = (head: unknown): PackedHead => head as PackedHead,
): { readonly head: PackedHead; readonly arrays: SceneArrays } {
  if (bytes.byteOffset % 16 !== 0) throw new PackedSceneError('starts at an address that is not a multiple of 16')
  if (bytes.length < HEADER_BYTES)
    throw new PackedSceneError(`expected at least ${HEADER_BYTES} bytes, got ${bytes.length}`)
  const header = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES)
  if (header.getUint32(0, true) !== MAGIC) throw new PackedSceneError("does not begin with 'SFSC'")
  const version = header.getUint32(4, true)
  if (version !== VERSION) throw new PackedSceneError(`expected version ${VERSION}, got ${version}`)
  const headBytes = header.getUint32(8, true)
  const totalBytes = header.getUint32(12, true)
  if (totalBytes !== bytes.length) throw new PackedSceneError(`declares ${totalBytes} bytes, got ${bytes.length}`)
  if (HEADER_BYTES + headBytes > bytes.length) throw new PackedSceneError('head is longer than the buffer')
  const head = checked(parsed(bytes.slice(HEADER_BYTES, HEADER_BYTES + headBytes)))
  const { offsets, end } = placesOf(headBytes, head.lengths)
  if (end !== bytes.length) throw new PackedSceneError(`its sections end at ${end}, the buffer at ${bytes.length}`)
  return { head, arrays: arraysIn(bytes, offsets, head.lengths) }
}

type Offsets = Readonly<Record<SectionName, number>>

function placesOf(headBytes: number, lengths: SectionLengths): { readonly offsets: Offsets; readonly end: number } {
  let end = align16(HEADER_BYTES + headBytes)
  const offsets = SECTION_NAMES.map(name => {
    const start = end
    end = align16(end + lengths[name] * SECTIONS[name].BYTES_PER_ELEMENT)
    return [name, start]
  })
  return { offsets: Object.fromEntries(offsets) as Offsets, end }
}

function arraysIn({ buffer, byteOffset }: Uint8Array, offsets: Offsets, lengths: SectionLengths): SceneArrays {
  const views = SECTION_NAMES.map(name => [name, viewOf(name, buffer, byteOffset + offsets[name], lengths[name])])
  return Object.fromEntries(views) as SceneArrays
}

function parsed(json: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(json))
  } catch {
    throw new PackedSceneError('head is not JSON')
  }
}

const align16 = (n: number): number => Math.ceil(n / 16) * 16
