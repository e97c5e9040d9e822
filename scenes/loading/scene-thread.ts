/**
 * The thread that loads a scene: parsing and packing a large mesh blocks a thread for seconds, and must not block the one
 * that handles Ctrl-C. If something moves in the scene, it stays, and packs the scene of any time.
 */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { invariant, SortfirstError } from '../../shared/errors.ts'
import { isModulePath } from '../files/extensions.ts'
import { openScene } from '../open-scene.ts'
import { ScenePacker } from './pack.ts'
import {
  type MomentAnswer,
  type MomentOrder,
  type Refusal,
  type SceneAnswer,
  type SceneOrder,
  UNSETTLED,
} from './scene-messages.ts'

/** Posts what is made. The given buffers move to the other thread. */
async function answer(
  port: MessagePort,
  make: () => Promise<{ said: SceneAnswer | MomentAnswer; given: Iterable<Uint8Array> }>,
): Promise<void> {
  try {
    const { said, given } = await make()
    await printed()
    port.postMessage(
      said,
      [...given].flatMap(({ buffer }) => (buffer instanceof ArrayBuffer ? [buffer] : [])),
    )
  } catch (error) {
    if (!(error instanceof SortfirstError)) throw error
    const { code, exitCode, message } = error
    await printed()
    port.postMessage({ code, exitCode, message } satisfies Refusal)
  }
}

async function serve(port: MessagePort, { name, look }: SceneOrder): Promise<void> {
  let packer: ScenePacker | undefined
  await answer(port, async () => {
    packer = await ScenePacker.of(await openScene(name, look))
    const { held, ...scene } = packer.packed
    const { content: _, ...plain } = held
    return { said: { scene: { ...scene, held: plain } }, given: [held.bytes] }
  })
  if (!packer?.packed.motion) return
  let before: Promise<unknown> = Promise.resolve()
  port.on('message', ({ seconds, frame }: MomentOrder) => {
    before = before.then(async () => {
      // A module that waits for nothing ends the thread, as it would while it is loaded.
      port.unref()
      process.exitCode = UNSETTLED
      await answer(port, async () => {
        const moment = await packer!.at(seconds, frame)
        return { said: { moment }, given: moment.fresh.values() }
      })
      process.exitCode = 0
      port.ref()
    })
  })
}

// What a scene's module prints is no output of this program. Console and stream write through this method.
const isModule = isModulePath((workerData as SceneOrder).name)
if (isModule) process.stdout.write = process.stderr.write.bind(process.stderr)

/** When all that a module has printed has arrived: the thread may be ended as soon as it answers. */
async function printed(): Promise<void> {
  if (isModule) await new Promise<void>(resolve => process.stderr.write('', () => resolve()))
}

invariant(parentPort, 'this is the program of a thread')
await serve(parentPort, workerData)
