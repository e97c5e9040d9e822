/**
 * The thread that loads a scene: parsing and packing a large mesh takes seconds in which a thread hears nothing, and the
 * one that hears Ctrl-C must not be it.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { flatten } from '../../scenes/flatten.ts'
import { openScene } from '../../scenes/open-scene.ts'
import type { LoadedScene } from '../../scenes/scene-source.ts'
import { SortfirstError } from '../../shared/errors.ts'
import { sha256 } from '../../shared/node/sha256.ts'
import { type HeldScene, holdScene } from '../../shared/scene/held-scene.ts'
import { packScene, triangleCount } from '../../shared/scene/packed-scene.ts'
import type { Vec3 } from '../../shared/view.ts'

/** A scene as it travels between threads. */
export interface ThreadScene extends Pick<LoadedScene, 'name' | 'defaultCamera' | 'framing' | 'exposure'> {
  readonly held: HeldScene
  readonly triangles: number
  /** Triangles without area, which were left out. */
  readonly degenerate: number
  /** What the scene asks for and does not get, in words. */
  readonly problems: readonly string[]
  /** Corners of the subject's box. */
  readonly subject: readonly [min: Vec3, max: Vec3]
}

/** What the thread says: the scene, or what a user's error said. Other errors end it. */
export type SceneAnswer =
  | { readonly scene: ThreadScene }
  | { readonly code: string; readonly exitCode: 1 | 2; readonly message: string }

async function load(name: string): Promise<ThreadScene> {
  const loaded = await openScene(name)
  const { data, degenerate, problems } = flatten(loaded.scene)
  const packed = packScene(data)
  const { min, max } = loaded.subject
  return {
    name: loaded.name,
    defaultCamera: loaded.defaultCamera,
    framing: loaded.framing,
    exposure: loaded.exposure,
    held: holdScene(packed.bytes, sha256),
    triangles: triangleCount(packed),
    degenerate,
    problems: [...loaded.problems, ...problems],
    subject: [
      [min.x, min.y, min.z],
      [max.x, max.y, max.z],
    ],
  }
}

const say = (answer: SceneAnswer, transfer: ArrayBuffer[] = []): void => parentPort?.postMessage(answer, transfer)

try {
  const scene = await load(String(workerData))
  const { buffer } = scene.held.bytes
  say({ scene }, buffer instanceof ArrayBuffer ? [buffer] : [])
} catch (error) {
  if (!(error instanceof SortfirstError)) throw error
  const { code, exitCode, message } = error
  say({ code, exitCode, message })
}
