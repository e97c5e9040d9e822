/** Scenes ready for a cluster: a built-in one, a mesh file, or a THREE.Scene, packed and identified by content. */
import { Worker } from 'node:worker_threads'
import { Box3, REVISION, Scene } from 'three'
import { DEFAULT_FRAMING } from '../../scenes/camera-paths.ts'
import { SceneModuleError } from '../../scenes/errors.ts'
import { isModulePath } from '../../scenes/files/extensions.ts'
import { checkLook, type SceneLook } from '../../scenes/scene-look.ts'
import { InvariantError, messageOf, OptionError, SortfirstError, UsageError } from '../../shared/errors.ts'
import { defaultCacheFolder } from '../../shared/node/cache-folder.ts'
import { moduleUrl, threadProgram } from '../../shared/node/program-files.ts'
import { withContent } from '../../shared/scene/held-scene.ts'
import type { Quality } from '../../shared/view.ts'
import { type HeldThreeScene, type PackedThreeScene, packThreeScene } from './pack.ts'
import { loadCached, SceneCache } from './scene-cache.ts'
import type { SceneAnswer, SceneOrder } from './scene-thread.ts'

/** Source for `loadScene`: the name of a built-in scene, the path of a scene file, of a folder or .zip with one, or of a module that builds one, or a three.js scene. */
export type SceneSource = string | Scene

/** A scene that can be rendered any number of times. Its source may change or disappear. */
export interface ReadyScene extends PackedThreeScene {}

/** The scene's appearance, where to cache it, and a signal to cancel loading. */
export interface LoadOptions extends SceneLook {
  /** Folder for caching the packed scene, so that later loads are fast; false: none. @default the system's cache folder */
  readonly cache?: string | false
  readonly signal?: AbortSignal | undefined
}

/** A scene that cannot be loaded; code, exit code and message come from the loading thread. */
export class SceneRefusedError extends SortfirstError {
  readonly code: string
  override readonly exitCode: number
  constructor({ code, exitCode, message }: Exclude<SceneAnswer, { scene: object }>) {
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

/** An object that is not a Scene of this package's three.js. */
export class NotASceneError extends UsageError {
  readonly code = 'NOT_A_SCENE'
  constructor(got: unknown) {
    const isOther = (got as { isScene?: unknown } | null)?.isScene === true
    super(
      isOther
        ? `scene: expected a THREE.Scene of the copy of three.js that sortfirst uses (r${REVISION}), got one of another copy; install the same version of three, so that there is only one copy`
        : `scene: expected the name of a built-in scene, the path of a mesh file, or a THREE.Scene, got ${got === null ? 'null' : typeof got}`,
    )
  }
}

/**
 * Loads and packs a scene: names and files in a separate thread, a THREE.Scene here and in its current state.
 * A THREE.Scene keeps its look; other scenes take options. Rejects with a SortfirstError for scenes that cannot be loaded, or
 * immediately with the signal's reason on abort.
 */
export async function loadScene(source: SceneSource, options: LoadOptions = {}): Promise<ReadyScene> {
  const { signal, cache = defaultCacheFolder(), ...look } = options
  signal?.throwIfAborted()
  if (typeof source === 'string') {
    const order = { name: source, look: checkLook(look, source) }
    // A module may read anything: other files, the clock, the environment.
    if (cache === false || isModulePath(source)) return loadInThread(order, signal)
    return loadCached(new SceneCache(cache, order), over => loadInThread(order, over), signal)
  }
  const loaded = asLoaded(source)
  for (const [key, value] of Object.entries(look))
    if (value !== undefined) throw new OptionError(key, 'a mesh file or a built-in scene with it', 'a THREE.Scene')
  return packThreeScene(loaded)
}

/** A THREE.Scene usually comes with a camera; without one, it is framed like a mesh file. */
function asLoaded(scene: Scene) {
  if (!(scene instanceof Scene)) throw new NotASceneError(scene)
  scene.updateMatrixWorld()
  const subject = new Box3().setFromObject(scene)
  return {
    ...{ name: scene.name || 'scene', scene, subject, framing: DEFAULT_FRAMING, exposure: 1, problems: [] },
    files: [],
    cameras: [],
    defaultCamera: 'still',
  } as const
}

const THREAD = 'scripts/library/scene-thread.js'

async function loadInThread(order: SceneOrder, signal: AbortSignal | undefined): Promise<HeldThreeScene> {
  const isModule = isModulePath(order.name)
  // A bundled program has a three.js of its own in it; the modules share the package with the user's module.
  const thread = new Worker(isModule ? moduleUrl(THREAD) : threadProgram(THREAD), { name: 'scene', workerData: order })
  let stop = () => {}
  try {
    return await new Promise((resolve, reject) => {
      stop = () => reject(signal?.reason)
      signal?.addEventListener('abort', stop)
      thread.once('message', (answer: SceneAnswer) => {
        if ('scene' in answer) resolve({ ...answer.scene, held: withContent(answer.scene.held) })
        else reject(new SceneRefusedError(answer))
      })
      thread.once('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') reject(new SceneTakesMemoryError(order.name, error))
        else reject(isModule ? uncaughtIn(order.name, error) : error)
      })
      thread.once('exit', code => {
        if (isModule) reject(endedBy(order.name, code))
        else reject(new InvariantError(`the thread that loads ${order.name} ended with code ${code}`))
      })
    })
  } finally {
    signal?.removeEventListener('abort', stop)
    await thread.terminate()
  }
}

/** What a module throws in a timer, or leaves rejected. */
const uncaughtIn = (path: string, error: unknown): SceneModuleError =>
  new SceneModuleError(path, `threw: ${messageOf(error).split('\n')[0]}`, { cause: error })

/** Of a thread in which nothing is left to do, although its scene is awaited. */
const UNSETTLED = 13

const endedBy = (path: string, code: number): SceneModuleError =>
  new SceneModuleError(
    path,
    code === UNSETTLED
      ? 'waits forever: a promise in it is never settled'
      : `ended the thread that loads it with process.exit(${code})`,
  )

/** What a scene's pictures do not show with the integrator that a quality asks for, one sentence each. */
export const gapsOf = ({ ambientGaps }: Pick<ReadyScene, 'ambientGaps'>, { bounces }: Quality): readonly string[] =>
  bounces === undefined ? ambientGaps : []
