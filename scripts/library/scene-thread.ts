/**
 * The thread that loads a scene: parsing and packing a large mesh blocks a thread for seconds, and must not block the one
 * that handles Ctrl-C.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { openScene } from '../../scenes/open-scene.ts'
import type { CheckedLook } from '../../scenes/scene-look.ts'
import { SortfirstError } from '../../shared/errors.ts'
import type { HeldScene } from '../../shared/scene/held-scene.ts'
import { type HeldThreeScene, packThreeScene } from './pack.ts'

/** Input of the thread. */
export interface SceneOrder {
  /** Name of a built-in scene, or path of a file. */
  readonly name: string
  readonly look: CheckedLook
}

/** Result of the thread: the scene, or a SortfirstError. Other errors end the thread. */
export type SceneAnswer =
  | { readonly scene: Omit<HeldThreeScene, 'held'> & { readonly held: Omit<HeldScene, 'content'> } }
  | { readonly code: string; readonly exitCode: number; readonly message: string }

const order: SceneOrder = workerData

const say = (answer: SceneAnswer, transfer: ArrayBuffer[] = []): void => parentPort?.postMessage(answer, transfer)

try {
  const { held, ...scene } = packThreeScene(await openScene(order.name, order.look))
  // A function cannot be sent.
  const { content: _, ...plain } = held
  const { buffer } = held.bytes
  say({ scene: { ...scene, held: plain } }, buffer instanceof ArrayBuffer ? [buffer] : [])
} catch (error) {
  if (!(error instanceof SortfirstError)) throw error
  const { code, exitCode, message } = error
  say({ code, exitCode, message })
}
