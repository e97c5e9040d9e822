/** Packs a three.js scene into the form that a cluster takes, which also travels between threads. */
import { Mesh, type Object3D } from 'three'
import { invariant } from '../../shared/errors.ts'
import type { Vec3 } from '../../shared/frame/view.ts'
import { sha256 } from '../../shared/node/sha256.ts'
import { ambientGaps } from '../../shared/scene/ambient-look.ts'
import { centreOf } from '../../shared/scene/centre.ts'
import type { SceneCamera, SceneDescription } from '../../shared/scene/description.ts'
import { type HeldScene, holdScene, type NamedScene } from '../../shared/scene/held-scene.ts'
import { packScene } from '../../shared/scene/packed-scene.ts'
import { type CutScene, SceneCutter } from '../../shared/scene/scene-cutter.ts'
import type { SceneNames } from '../../shared/scene/scene-names.ts'
import { printable } from '../../shared/text/printable.ts'
import type { Framing } from '../cameras/camera-paths.ts'
import type { CameraPathName } from '../cameras/camera-words.ts'
import { firstSight } from '../cameras/first-sight.ts'
import { EmptySceneError, namingFile } from '../errors.ts'
import { ImportMemo } from '../import/import-memo.ts'
import { type ImportedScene, importThree } from '../import/import-three.ts'
import { contentsOf, type SceneContents } from '../import/scene-contents.ts'
import { lightingOf, type SceneLighting } from '../import/scene-lighting.ts'
import type { LoadedScene } from '../scene-source.ts'

export interface PackedThreeScene {
  readonly name: string
  readonly held: NamedScene
  readonly triangles: number
  /** Those that belong to the floor under a file's mesh. */
  readonly floorTriangles: number
  /** Triangles without area, which were left out. */
  readonly degenerate: number
  /** What is in it. */
  readonly contents: SceneContents
  /** What the scene asks for but does not get, one sentence each. */
  readonly problems: readonly string[]
  /** What of it only the path tracer shows. */
  readonly ambientGaps: readonly string[]
  readonly lighting: SceneLighting
  /** Of its objects and materials, visible or not. */
  readonly names: SceneNames
  /** Paths of the files it was read from, and of those that were looked for next to them but do not exist. */
  readonly files: readonly string[]
  /** Of those, links that were not followed. */
  readonly unfollowed: readonly string[]
  /** Corners of the subject's box. */
  readonly subject: readonly [min: Vec3, max: Vec3]
  /** Its own cameras, world space: the first is used when nothing else is requested. */
  readonly cameras: readonly SceneCamera[]
  readonly defaultCamera: CameraPathName
  readonly framing: Framing
  readonly exposure: number
  /** Present if something in it moves; its length, s, if it has one. */
  readonly motion?: { readonly seconds: number | undefined }
}

/** One that was just packed. */
export interface HeldThreeScene extends PackedThreeScene {
  readonly held: HeldScene
}

/** A scene that moves, at some time. */
export interface Moment extends CutScene {
  /** As many as the scene has, in the same order. */
  readonly cameras: readonly SceneCamera[]
}

/** @throws one of the errors in `scenes/errors.ts` */
export const packThreeScene = (loaded: LoadedScene): HeldThreeScene => new ScenePacker(loaded).packed

/** Packs a scene, and again as it is at other times. */
export class ScenePacker {
  readonly #loaded: LoadedScene
  /** Of a scene that moves: what need not be done again for another time. */
  readonly #memo: ImportMemo | undefined
  readonly #cutter = new SceneCutter(sha256)
  /** The scene as it was loaded, until it has been cut. */
  #first: SceneDescription | undefined
  readonly packed: HeldThreeScene

  /** One of a scene that has something to show at some time. Rejects with one of the errors in `scenes/errors.ts`. */
  static async of(loaded: LoadedScene): Promise<ScenePacker> {
    const packer = new ScenePacker(loaded)
    if (packer.packed.triangles === 0) await packer.#expectSight()
    return packer
  }

  /** @throws one of the errors in `scenes/errors.ts` */
  constructor(loaded: LoadedScene) {
    this.#loaded = loaded
    const { min, max } = loaded.subject
    // What is out of sight for a while does not end a film.
    this.#memo = loaded.motion && new ImportMemo(undefined, centreOf(min.toArray(), max.toArray()))
    const imported = namingFile(loaded.path, () => importThree(loaded.scene, this.#memo))
    if (loaded.motion) this.#first = imported.description
    this.packed = namingFile(loaded.path, () => packed(loaded, imported))
  }

  /**
   * Of a scene that moves: what it is at a time, s, of a frame, with the parts that the one before (at first, the packed one) did
   * not have. Rejects with one of the errors in `scenes/errors.ts`.
   */
  async at(seconds: number, frame: number): Promise<Moment> {
    const { motion, scene, path } = this.#loaded
    invariant(motion, 'only a scene that moves has other times')
    if (this.#first) this.#cutter.cut(this.#first)
    this.#first = undefined
    await motion.setTime(seconds, frame)
    const { description } = namingFile(path, () => importThree(scene, this.#memo))
    // First what may fail: what has been cut counts as given.
    const cameras = motion.cameras()
    return { ...this.#cutter.cut(description), cameras }
  }

  /** Of a scene that is empty at time 0: refuses one that is so at all times. */
  async #expectSight(): Promise<void> {
    const { motion, scene, path } = this.#loaded
    invariant(motion, 'a scene that does not move has triangles')
    const see = () => {
      const { triangles, degenerate } = namingFile(path, () => importThree(scene, this.#memo))
      return triangles > degenerate || undefined
    }
    const first = await firstSight(motion, verticesOf(scene), see)
    if (!first)
      namingFile(path, () => {
        throw new EmptySceneError('scene', ': at no time has it any')
      })
  }
}

function packed(loaded: LoadedScene, imported: ImportedScene): HeldThreeScene {
  const { description, triangles, degenerate, problems, names } = imported
  const { name, cameras = [], defaultCamera, framing, exposure, files, unfollowed = [], motion } = loaded
  const { min, max } = loaded.subject
  return {
    name,
    cameras,
    defaultCamera,
    framing,
    exposure,
    degenerate,
    names,
    files,
    unfollowed,
    ...(motion ? { motion: { seconds: motion.seconds } } : {}),
    held: holdScene(packScene(description), sha256),
    triangles: triangles - degenerate,
    floorTriangles: loaded.floor ? trianglesOf(loaded.floor) : 0,
    contents: contentsOf(loaded, imported),
    problems: [...loaded.problems, ...problems].map(printable),
    ambientGaps: ambientGaps(description),
    lighting: lightingOf(loaded.scene, description, loaded.path),
    subject: [
      [min.x, min.y, min.z],
      [max.x, max.y, max.z],
    ],
  }
}

function verticesOf(object: Object3D): number {
  let vertices = 0
  object.traverse(each => {
    if (each instanceof Mesh) vertices += each.geometry.getAttribute('position')?.count ?? 0
  })
  return vertices
}

function trianglesOf(object: Object3D): number {
  let corners = 0
  object.traverse(each => {
    if (each instanceof Mesh) corners += each.geometry.index?.count ?? each.geometry.getAttribute('position').count
  })
  return corners / 3
}
