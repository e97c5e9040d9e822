/** Loads a scene in a thread of its own, which stays as long as it may be asked for the scene of another time. */
import { Worker } from 'node:worker_threads'
import { SceneModuleError } from '../../scenes/errors.ts'
import { isModulePath } from '../../scenes/files/extensions.ts'
import { InvariantError, messageOf, SortfirstError } from '../../shared/errors.ts'
import { moduleUrl, threadProgram } from '../../shared/node/program-files.ts'
import type { SceneCamera } from '../../shared/scene/description.ts'
import { type HeldScene, sceneOfParts, withContent } from '../../shared/scene/held-scene.ts'
import type { HeldThreeScene, Moment } from './pack.ts'
import { type MomentAnswer, type MomentOrder, type SceneAnswer, type SceneOrder, UNSETTLED } from './scene-messages.ts'

/** A scene that cannot be loaded; code, exit code and message come from the loading thread. */
export class SceneRefusedError extends SortfirstError {
  readonly code: string
  override readonly exitCode: number
  constructor({
    code,
    exitCode,
    message,
  }: { readonly code: string; readonly exitCode: number; readonly message: string }) {
    super(message)
    this.code = code
    this.exitCode = exitCode
  }
}

/** A scene file that cannot be read in the memory that Node.js gives to objects. */
export class SceneTakesMemoryError extends SortfirstError {
  readonly code = 'SCENE_TOO_LARGE'
  constructor(name: string, cause: unknown) {
    super(
      `${name}: expected a scene that can be read in the memory of this program, got one that needs more; simplify it, or set NODE_OPTIONS=--max-old-space-size=16384`,
      { cause },
    )
  }
}

/** A scene that moves, at some time. */
export interface SceneMoment {
  readonly held: HeldScene
  /** As many as the scene has, in the same order. */
  readonly cameras: readonly SceneCamera[]
}

/** What a module throws in a timer, or leaves rejected. */
const uncaughtIn = (path: string, error: unknown): SceneModuleError =>
  new SceneModuleError(path, `threw: ${messageOf(error).split('\n')[0]}`, { cause: error })

const endedBy = (path: string, code: number): SceneModuleError =>
  new SceneModuleError(
    path,
    code === UNSETTLED
      ? 'waits forever: a promise in it is never settled'
      : `ended the thread that loads it with process.exit(${code})`,
  )

const THREAD = 'scripts/library/scene-thread.js'

type Answer = SceneAnswer | MomentAnswer

export class SceneLoader {
  readonly #order: SceneOrder
  readonly #isModule: boolean
  #thread: Worker | undefined
  /** Parts of the newest scene that came from the thread. */
  #parts: ReadonlyMap<string, Uint8Array> = new Map()
  /** Moments are asked for one after the other. */
  #before: Promise<unknown> = Promise.resolve()

  constructor(order: SceneOrder) {
    this.#order = order
    this.#isModule = isModulePath(order.name)
  }

  /** Rejects with a SortfirstError, or with the signal's reason. */
  async load(signal?: AbortSignal): Promise<HeldThreeScene> {
    await this.close()
    // A bundled program has a three.js of its own in it; the modules share the package with the user's module.
    const program = this.#isModule ? moduleUrl(THREAD) : threadProgram(THREAD)
    const thread = new Worker(program, { name: 'scene', workerData: this.#order })
    this.#thread = thread
    let stop = () => {}
    try {
      const aborted = new Promise<never>((_, reject) => {
        stop = () => reject(signal?.reason)
      })
      signal?.addEventListener('abort', stop)
      const { scene } = (await Promise.race([this.#answer(thread), aborted])) as { scene: HeldThreeScene }
      // It must not keep the program from ending.
      if (scene.motion) {
        thread.unref()
        this.#parts = scene.held.parts
      } else await this.close()
      return { ...scene, held: withContent(scene.held) }
    } catch (error) {
      await this.close()
      throw error
    } finally {
      signal?.removeEventListener('abort', stop)
    }
  }

  /** The scene at a time, s, of a frame. Rejects with a SortfirstError. */
  at(seconds: number, frame: number): Promise<SceneMoment> {
    const asked = this.#before.then(async () => {
      if (!this.#thread) await this.load()
      const thread = this.#thread!
      const answered = this.#answer(thread)
      thread.ref()
      thread.postMessage({ seconds, frame } satisfies MomentOrder)
      const { moment } = (await answered.finally(() => thread.unref())) as { moment: Moment }
      const { hash, manifest, fresh, cameras } = moment
      const partOf = (part: string) => fresh.get(part) ?? this.#parts.get(part)!
      const parts = new Map(manifest.parts.map(({ sha256 }) => [sha256, partOf(sha256)]))
      this.#parts = parts
      return { held: sceneOfParts(hash, manifest, parts), cameras }
    })
    this.#before = asked.catch(() => {})
    return asked
  }

  async close(): Promise<void> {
    const thread = this.#thread
    this.#thread = undefined
    this.#parts = new Map()
    await thread?.terminate()
  }

  /** The thread's next answer, which is no refusal. */
  async #answer(thread: Worker): Promise<Exclude<Answer, { code: string }>> {
    const { name } = this.#order
    let stop = () => {}
    try {
      return await new Promise((resolve, reject) => {
        const said = (answer: Answer) => ('code' in answer ? reject(new SceneRefusedError(answer)) : resolve(answer))
        const failed = (error: NodeJS.ErrnoException) => {
          if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') reject(new SceneTakesMemoryError(name, error))
          else reject(this.#isModule ? uncaughtIn(name, error) : error)
        }
        const ended = (code: number) => {
          const invariant = () => new InvariantError(`the thread that loads ${name} ended with code ${code}`)
          reject(this.#isModule ? endedBy(name, code) : invariant())
        }
        thread.on('message', said).on('error', failed).on('exit', ended)
        stop = () => thread.off('message', said).off('error', failed).off('exit', ended)
      })
    } finally {
      stop()
    }
  }
}
