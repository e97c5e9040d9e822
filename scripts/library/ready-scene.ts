/** Scenes ready for a cluster: a built-in one, a mesh file, or a THREE.Scene, packed and identified by content. */
import { Box3, REVISION, Scene } from 'three'
import { DEFAULT_FRAMING } from '../../scenes/cameras/camera-paths.ts'
import { isModulePath } from '../../scenes/files/extensions.ts'
import { boxOfShown } from '../../scenes/import/box-of-shown.ts'
import { type PackedThreeScene, packThreeScene } from '../../scenes/loading/pack.ts'
import { loadCached, SceneCache } from '../../scenes/loading/scene-cache.ts'
import { SceneLoader, type SceneMoment } from '../../scenes/loading/scene-loader.ts'
import { checkLook, LOOK_KEYS, type SceneLook } from '../../scenes/look/scene-look.ts'
import { OptionError, UnknownNameError, UsageError } from '../../shared/errors.ts'
import type { Quality } from '../../shared/frame/view.ts'
import { defaultCacheFolder } from '../../shared/node/cache-folder.ts'

/** Source for `loadScene`: the name of a built-in scene, the path of a scene file, of a folder or .zip with one, or of a module that builds one, or a three.js scene. */
export type SceneSource = string | Scene

/** A scene that can be rendered any number of times. Its source may change or disappear, unless something in it moves. */
export interface ReadyScene extends PackedThreeScene {
  /** Of a scene that moves: what it is at a time, s, of a frame. */
  at?(seconds: number, frame: number): Promise<SceneMoment>
  /** Ends the thread that makes the scenes of other times, until it is needed again. */
  close?(): Promise<void>
}

/** The scene's appearance, where to cache it, and a signal to cancel loading. */
export interface LoadOptions extends SceneLook {
  /** Folder for caching the packed scene, so that later loads are fast; false: none. @default the system's cache folder */
  readonly cache?: string | false
  readonly signal?: AbortSignal | undefined
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
  for (const key of Object.keys(look))
    if (!LOOK_KEYS.some(known => known === key))
      throw new UnknownNameError('option of loadScene', key, [...LOOK_KEYS, 'cache', 'signal'])
  if (typeof source === 'string') {
    const order = { name: source, look: checkLook(look, source) }
    const loader = new SceneLoader(order)
    const load = (over?: AbortSignal) => loader.load(over)
    // A module may read anything: other files, the clock, the environment.
    const folder = isModulePath(source) ? false : cache
    const scene = folder === false ? await load(signal) : await loadCached(new SceneCache(folder, order), load, signal)
    return scene.motion ? { ...scene, at: (...when) => loader.at(...when), close: () => loader.close() } : scene
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
  const subject = boxOfShown(scene) ?? new Box3()
  return {
    name: scene.name || 'scene',
    scene,
    subject,
    framing: DEFAULT_FRAMING,
    exposure: 1,
    problems: [],
    files: [],
    cameras: [],
    defaultCamera: 'still',
  } as const
}

/** What a scene's pictures do not show with the integrator that a quality asks for, one sentence each. */
export const gapsOf = ({ ambientGaps }: Pick<ReadyScene, 'ambientGaps'>, { bounces }: Quality): readonly string[] =>
  bounces === undefined ? ambientGaps : []
