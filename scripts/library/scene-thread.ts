/**
 * The thread that loads a scene: parsing and packing a large mesh takes seconds in which a thread hears nothing, and the
 * one that hears Ctrl-C must not be it.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { openScene } from '../../scenes/open-scene.ts'
import type { CheckedLook } from '../../scenes/scene-look.ts'
import { SortfirstError } from '../../shared/errors.ts'
import { type PackedThreeScene, packThreeScene } from './pack.ts'

/** What the thread is told. */
export interface SceneOrder {
  /** Of a built-in scene, or the path of a file. */
  readonly name: string
  readonly look: CheckedLook
}

/** What the thread says: the scene, or what a user's error said. Other errors end it. */
export type SceneAnswer =
  | { readonly scene: PackedThreeScene }
  | { readonly code: string; readonly exitCode: number; readonly message: string }

const order: SceneOrder = workerData

const say = (answer: SceneAnswer, transfer: ArrayBuffer[] = []): void => parentPort?.postMessage(answer, transfer)

try {
  const scene = packThreeScene(await openScene(order.name, order.look))
  const { buffer } = scene.held.bytes
  say({ scene }, buffer instanceof ArrayBuffer ? [buffer] : [])
} catch (error) {
  if (!(error instanceof SortfirstError)) throw error
  const { code, exitCode, message } = error
  say({ code, exitCode, message })
}
