/**
 * The thread that loads a scene: parsing and packing a large mesh blocks a thread for seconds, and must not block the one
 * that handles Ctrl-C.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { isModulePath } from '../../scenes/files/extensions.ts'
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

// What a scene's module prints is no output of this program. Console and stream write through this method.
const isModule = isModulePath(order.name)
if (isModule) process.stdout.write = process.stderr.write.bind(process.stderr)

try {
  const { held, ...scene } = packThreeScene(await openScene(order.name, order.look))
  // A function cannot be sent.
  const { content: _, ...plain } = held
  const { buffer } = held.bytes
  await printed()
  say({ scene: { ...scene, held: plain } }, buffer instanceof ArrayBuffer ? [buffer] : [])
} catch (error) {
  if (!(error instanceof SortfirstError)) throw error
  const { code, exitCode, message } = error
  await printed()
  say({ code, exitCode, message })
}

/** When all that a module has printed has arrived: the thread may be ended as soon as it answers. */
async function printed(): Promise<void> {
  if (isModule) await new Promise<void>(resolve => process.stderr.write('', () => resolve()))
}
