/**
 * Cuts scenes that have most of their arrays in common into parts, without packing them: what is the same array as in the scene before
 * is neither checked nor hashed again. The parts are those of the packed scene (`splitScene`).
 */
import type { SceneDescription } from './description.ts'
import {
  isCut,
  lookText,
  type PartKind,
  runsOf,
  type SceneManifest,
  type ScenePart,
  type Sha256,
  sceneName,
} from './manifest.ts'
import { type Checked, checkedLook } from './packed-scene.ts'
import { SECTION_NAMES, tablesOf } from './scene-arrays.ts'

export interface CutScene {
  readonly hash: string
  readonly manifest: SceneManifest
  /** The parts that the scene before did not have, by name. */
  readonly fresh: ReadonlyMap<string, Uint8Array<ArrayBuffer>>
}

/** A part that consists of these items. */
interface KnownRun {
  readonly items: readonly ArrayBufferView[]
  readonly part: ScenePart
}

export class SceneCutter {
  readonly #sha256: Sha256
  readonly #checked: Checked = { meshes: new WeakMap(), texels: new WeakSet() }
  /** Runs of the scene before, by their first item. */
  #known = new Map<ArrayBufferView, KnownRun>()
  /** Names of the parts of the scene before. */
  #held: ReadonlySet<string> = new Set()

  constructor(sha256: Sha256) {
    this.#sha256 = sha256
  }

  /** @throws PackedSceneError if the scene contradicts itself */
  cut(scene: SceneDescription): CutScene {
    const look = checkedLook(scene, this.#checked)
    const parts: ScenePart[] = []
    const fresh = new Map<string, Uint8Array<ArrayBuffer>>()
    const known = new Map<ArrayBufferView, KnownRun>()
    const add = (kind: PartKind, bytes: Uint8Array<ArrayBuffer>): ScenePart => {
      const part = { kind, sha256: this.#sha256(bytes), bytes: bytes.length }
      if (!this.#held.has(part.sha256)) fresh.set(part.sha256, bytes)
      return part
    }
    parts.push(add('look', lookText(look)))
    const sections = itemsOf(scene)
    for (const kind of SECTION_NAMES)
      for (const items of runsIn(kind, sections[kind])) {
        const before = this.#known.get(items[0]!)
        const isKnown = before?.part.kind === kind && sameItems(before.items, items)
        const part = isKnown ? before.part : add(kind, joined(items))
        known.set(items[0]!, { items, part })
        parts.push(part)
      }
    this.#known = known
    this.#held = new Set(parts.map(({ sha256 }) => sha256))
    const manifest = { parts }
    return { hash: sceneName(manifest, this.#sha256), manifest, fresh }
  }
}

type Items = Readonly<Record<(typeof SECTION_NAMES)[number], readonly ArrayBufferView[]>>

/** What the sections consist of. */
function itemsOf(scene: SceneDescription): Items {
  const { meshes, textures, environment } = scene
  const { meshes: words, transforms, placements, assignments, objects } = tablesOf(scene)
  return {
    meshes: [words],
    transforms: [transforms],
    placements: [placements],
    assignments: [assignments],
    objects: [objects],
    vertices: meshes.map(({ vertices }) => vertices),
    indices: meshes.map(({ indices }) => indices),
    slots: meshes.map(({ slots }) => slots),
    images: textures.map(({ texels }) => texels),
    texels: environment.kind === 'map' ? [environment.texels] : [],
  }
}

/** The items of each part of a section. */
function runsIn(kind: PartKind, items: readonly ArrayBufferView[]): ArrayBufferView[][] {
  const all = items.filter(({ byteLength }) => byteLength > 0)
  if (!isCut(kind)) return all.length > 0 ? [all] : []
  const runs: ArrayBufferView[][] = []
  let next = 0
  for (let bytes of runsOf(all)) {
    const run: ArrayBufferView[] = []
    for (; bytes > 0; next++) {
      run.push(all[next]!)
      bytes -= all[next]!.byteLength
    }
    runs.push(run)
  }
  return runs
}

const sameItems = (a: readonly ArrayBufferView[], b: readonly ArrayBufferView[]): boolean =>
  a.length === b.length && a.every((item, i) => item === b[i])

/** In a buffer of its own, which may be given away. */
function joined(items: readonly ArrayBufferView[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(items.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let at = 0
  for (const { buffer, byteOffset, byteLength } of items) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at)
    at += byteLength
  }
  return bytes
}
