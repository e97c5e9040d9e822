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

interface Refusal {
  readonly code: string
  readonly exitCode: number
  readonly message: string
}

/** The loaded scene, without what cannot be sent; or a SortfirstError. Other errors end the thread. */
export type SceneAnswer =
  | { readonly scene: Omit<HeldThreeScene, 'held'> & { readonly held: Omit<HeldScene, 'content'> } }
  | Refusal
export type MomentAnswer = { readonly moment: Moment } | Refusal

/** Posts what is made. The given buffers move to the other thread. */
async function answer(
  port: MessagePort,
  make: () => Promise<{ said: SceneAnswer | MomentAnswer; given: Iterable<Uint8Array> }>,
): Promise<void> {
  try {
    const { said, given } = await make()
    port.postMessage(
      said,
      [...given].flatMap(({ buffer }) => (buffer instanceof ArrayBuffer ? [buffer] : [])),
    )
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
    const { held, ...scene } = packer.packed
    const { content: _, ...plain } = held
    return { said: { scene: { ...scene, held: plain } }, given: [held.bytes] }
  })
  if (!packer?.packed.motion) return
  let before: Promise<unknown> = Promise.resolve()
  port.on('message', ({ seconds, frame }: MomentOrder) => {
    before = before.then(() =>
      answer(port, async () => {
        const moment = await packer!.at(seconds, frame)
        return { said: { moment }, given: moment.fresh.values() }
      }),
    )
  })
}

invariant(parentPort, 'this is the program of a thread')
await serve(parentPort, workerData)
