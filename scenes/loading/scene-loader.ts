/** Loads a scene in a thread of its own, which stays as long as it may be asked for the scene of another time. */
import { Worker } from 'node:worker_threads'
import { CancelledError, InvariantError, messageOf, SortfirstError } from '../../shared/errors.ts'
import { threadProgram } from '../../shared/node/program-files.ts'
import type { SceneCamera } from '../../shared/scene/description.ts'
import { type HeldScene, sceneOfParts, withContent } from '../../shared/scene/held-scene.ts'
import { SceneModuleError } from '../errors.ts'
import { isModulePath } from '../files/extensions.ts'
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

const THREAD = 'scenes/loading/scene-thread.js'
/** The same in the bundle, but for the three.js that is in it otherwise: this one shares the package with the user's module. */
const MODULE_THREAD = 'module-thread.js'

type Answer = SceneAnswer | MomentAnswer

/** An answer that is no refusal. */
type Said = Exclude<Answer, { code: string }>

export class SceneLoader {
  readonly #order: SceneOrder
  readonly #isModule: boolean
  #thread: Worker | undefined
  /** Who waits for the thread's next answer. */
  #waiting: { resolve(said: Said): void; reject(error: unknown): void } | undefined
  /** Why the thread ended while nobody waited. */
  #failure: { readonly error: unknown } | undefined
  /** Parts of the newest scene that came from the thread. */
  #parts: ReadonlyMap<string, Uint8Array> = new Map()
  /** The thread is told one thing after the other. */
  #before: Promise<unknown> = Promise.resolve()

  constructor(order: SceneOrder) {
    this.#order = order
    this.#isModule = isModulePath(order.name)
  }

  /** Rejects with a SortfirstError, or with the signal's reason. */
  load(signal?: AbortSignal): Promise<HeldThreeScene> {
    return this.#inTurn(() => this.#load(signal))
  }

  /** The scene at a time, s, of a frame. Rejects with a SortfirstError. */
  at(seconds: number, frame: number): Promise<SceneMoment> {
    return this.#inTurn(async () => {
      const failure = this.#failure
      this.#failure = undefined
      if (failure) throw failure.error
      if (!this.#thread) await this.#load()
      const thread = this.#thread!
      const answered = this.#answer()
      thread.ref()
      thread.postMessage({ seconds, frame } satisfies MomentOrder)
      const { moment } = (await answered.finally(() => thread.unref())) as { moment: Moment }
      const { hash, manifest, fresh, cameras } = moment
      const partOf = (part: string) => fresh.get(part) ?? this.#parts.get(part)!
      const parts = new Map(manifest.parts.map(({ sha256 }) => [sha256, partOf(sha256)]))
      this.#parts = parts
      return { held: sceneOfParts(hash, manifest, parts), cameras }
    })
  }

  async close(): Promise<void> {
    const thread = this.#thread
    this.#forget(new CancelledError())
    await thread?.terminate()
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#before.then(work)
    this.#before = done.catch(() => {})
    return done
  }

  async #load(signal?: AbortSignal): Promise<HeldThreeScene> {
    await this.close()
    signal?.throwIfAborted()
    const thread = this.#start()
    const stop = () => this.#waiting?.reject(signal?.reason)
    signal?.addEventListener('abort', stop)
    try {
      const { scene } = (await this.#answer()) as { scene: HeldThreeScene }
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

  /** Starts the thread. What it says is heard as long as it is there, also while nobody waits for an answer. */
  #start(): Worker {
    const { name } = this.#order
    const program = this.#isModule ? threadProgram(THREAD, MODULE_THREAD) : threadProgram(THREAD)
    const thread = new Worker(program, { name: 'scene', workerData: this.#order })
    this.#thread = thread
    this.#failure = undefined
    const lost = (error: unknown) => {
      if (this.#thread === thread) this.#forget(error)
    }
    thread.on('message', (answer: Answer) => {
      if (this.#thread !== thread) return
      if ('code' in answer) this.#waiting?.reject(new SceneRefusedError(answer))
      else this.#waiting?.resolve(answer)
    })
    thread.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') lost(new SceneTakesMemoryError(name, error))
      else lost(this.#isModule ? uncaughtIn(name, error) : error)
    })
    thread.on('exit', code => {
      const invariant = () => new InvariantError(`the thread that loads ${name} ended with code ${code}`)
      lost(this.#isModule ? endedBy(name, code) : invariant())
    })
    return thread
  }

  /** There is no thread any more: callers that wait for it, and the next one, are told why. */
  #forget(error: unknown): void {
    this.#thread = undefined
    this.#parts = new Map()
    if (this.#waiting) this.#waiting.reject(error)
    else if (!(error instanceof CancelledError)) this.#failure = { error }
  }

  /** The thread's next answer; rejects if that is a refusal, or if there will be none. */
  #answer(): Promise<Said> {
    return new Promise<Said>((resolve, reject) => {
      this.#waiting = { resolve, reject }
    }).finally(() => {
      this.#waiting = undefined
    })
  }
}
