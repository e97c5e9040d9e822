/**
 * The thread that loads a scene: parsing and packing a large mesh blocks a thread for seconds, and must not block the one
 * that handles Ctrl-C. If something moves in the scene, it stays, and packs the scene of any time.
 */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { openScene } from '../../scenes/open-scene.ts'
import type { CheckedLook } from '../../scenes/scene-look.ts'
import { invariant, SortfirstError } from '../../shared/errors.ts'
import type { HeldScene } from '../../shared/scene/held-scene.ts'
import { type HeldThreeScene, type Moment, ScenePacker } from './pack.ts'

/** Input of the thread. */
export interface SceneOrder {
  /** Name of a built-in scene, or path of a file. */
  readonly name: string
  readonly look: CheckedLook
}

/** Asks for the scene of a time; answered in order. */
export interface MomentOrder {
  /** s */
  readonly seconds: number
  readonly frame: number
}

/** A scene that can be sent to another thread: a function cannot. */
type Sendable<T> = Omit<T, 'held'> & { readonly held: Omit<HeldScene, 'content'> }

interface Refusal {
  readonly code: string
  readonly exitCode: number
  readonly message: string
}

/** The loaded scene, or a SortfirstError. Other errors end the thread. */
export type SceneAnswer = { readonly scene: Sendable<HeldThreeScene> } | Refusal
export type MomentAnswer = { readonly moment: Sendable<Moment> } | Refusal

function sendable<T extends { readonly held: HeldScene }>({ held, ...others }: T) {
  const { content: _, ...plain } = held
  return { ...others, held: plain }
}

/** Posts what is made. Its packed scene moves to the other thread. */
async function answer(port: MessagePort, make: () => Promise<{ said: SceneAnswer | MomentAnswer; bytes: Uint8Array }>) {
  try {
    const { said, bytes } = await make()
    port.postMessage(said, bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : [])
  } catch (error) {
    if (!(error instanceof SortfirstError)) throw error
    const { code, exitCode, message } = error
    port.postMessage({ code, exitCode, message } satisfies Refusal)
  }
}

async function serve(port: MessagePort, { name, look }: SceneOrder): Promise<void> {
  let packer: ScenePacker | undefined
  await answer(port, async () => {
    packer = new ScenePacker(await openScene(name, look))
    const scene = packer.packed
    return { said: { scene: sendable(scene) }, bytes: scene.held.bytes }
  })
  if (!packer?.packed.motion) return
  let before: Promise<unknown> = Promise.resolve()
  port.on('message', ({ seconds, frame }: MomentOrder) => {
    before = before.then(() =>
      answer(port, async () => {
        const moment = await packer!.at(seconds, frame)
        return { said: { moment: sendable(moment) }, bytes: moment.held.bytes }
      }),
    )
  })
}

invariant(parentPort, 'this is the program of a thread')
await serve(parentPort, workerData)
