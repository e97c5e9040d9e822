/** Checks what a scene's module built, before anything is made of it. */
import { OrthographicCamera, PerspectiveCamera, REVISION, Scene } from 'three'
import { SceneModuleError } from '../errors.ts'
import type { ModuleFiles } from './module-files.ts'

/** The default export of a scene's module: what it builds, or a function that does, called once. */
export type SceneModule = ModuleScene | ((files: ModuleFiles) => ModuleScene | Promise<ModuleScene>)

/** What a module builds. */
export interface ModuleScene {
  readonly scene: Scene
  /** In the scene or not; the first is used when nothing else is requested. @default those in the scene; without any, it is framed */
  readonly camera?: ModuleCamera | readonly ModuleCamera[]
  /**
   * Changes the scene, and its cameras, to what they are in a frame: the same for the same arguments, whatever came before.
   * @default what the module exports as `update`, if anything
   */
  readonly update?: ModuleUpdate
  /** Length of the film, above 0: then time begins again at 0. Only with `update`. @default time goes on */
  readonly seconds?: number
  /** Linear scale before tone mapping, above 0. @default 1 */
  readonly exposure?: number
  /** For messages and reports. @default the name of the file */
  readonly name?: string
}

export type ModuleCamera = PerspectiveCamera | OrthographicCamera
/** @param time s, from 0 @param frame from 0 */
export type ModuleUpdate = (time: number, frame: number) => void | Promise<void>

/** What was built, checked. */
export interface BuiltScene {
  readonly scene: Scene
  /** Undefined: those in the scene. */
  readonly cameras: readonly ModuleCamera[] | undefined
  readonly update: ModuleUpdate | undefined
  readonly seconds: number | undefined
  readonly exposure: number
  readonly name: string | undefined
  /** What of it was not understood, one sentence each. */
  readonly problems: readonly string[]
}

const KNOWN = ['scene', 'camera', 'update', 'seconds', 'exposure', 'name'] as const
const LONGEST_NAME = 100

/** @param exported what the module exports as `update` @throws SceneModuleError */
export function builtScene(path: string, built: unknown, exported: unknown): BuiltScene {
  const refuse = (what: string, expected: string, got: unknown): never => {
    throw new SceneModuleError(path, `${what}: expected ${expected}, got ${wordsFor(got)}`)
  }
  if (typeof built !== 'object' || built === null || Array.isArray(built) || isOfThree(built))
    return refuse('its default export', '{ scene, camera }, or a function that returns that', built)
  const given = built as Readonly<Record<string, unknown>>
  const { scene, camera, seconds, exposure = 1, name } = given
  if (!(scene instanceof Scene)) return refuse('scene', 'a THREE.Scene', scene)
  const cameras = camera === undefined || camera === null ? undefined : [camera].flat()
  for (const each of cameras ?? [])
    if (!isCamera(each)) return refuse('camera', 'a PerspectiveCamera or an OrthographicCamera', each)
  if (cameras?.length === 0) return refuse('camera', 'at least one camera, or no list', camera)
  const update = given.update ?? exported
  if (update !== undefined && typeof update !== 'function') return refuse('update', 'a function', update)
  if (seconds !== undefined && !(isNumber(seconds) && seconds > 0))
    return refuse('seconds', 'a number above 0', seconds)
  if (seconds !== undefined && !update) return refuse('seconds', 'update(time, frame) with it', undefined)
  if (!(isNumber(exposure) && exposure > 0)) return refuse('exposure', 'a number above 0', exposure)
  if (name !== undefined && !(typeof name === 'string' && name !== '' && name.length <= LONGEST_NAME))
    return refuse('name', `1 to ${LONGEST_NAME} characters`, name)
  const unknown = Object.keys(given).filter(key => !(KNOWN as readonly string[]).includes(key))
  return {
    scene,
    cameras: cameras as ModuleCamera[] | undefined,
    seconds,
    exposure,
    name,
    // As a method of what was built, where it is one.
    update: update && ((time, frame) => update.call(built, time, frame)),
    problems: unknown.map(
      key => `its property ${key.slice(0, LONGEST_NAME)} was ignored: expected ${KNOWN.join(', ')}`,
    ),
  }
}

const isNumber = (value: unknown): value is number => Number.isFinite(value)

const isCamera = (value: unknown): boolean => value instanceof PerspectiveCamera || value instanceof OrthographicCamera

const isOfThree = (value: object): boolean =>
  'isObject3D' in value || 'isMaterial' in value || 'isBufferGeometry' in value

/** What came, in a few words. */
function wordsFor(value: unknown): string {
  if (value === undefined) return 'none'
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return String(value)
  if (typeof value === 'string') return `'${value.slice(0, LONGEST_NAME)}'`
  if (typeof value !== 'object') return `a ${typeof value}`
  if (Array.isArray(value)) return 'a list'
  const { type } = value as { readonly type?: unknown }
  const isOther = 'isScene' in value || 'isCamera' in value
  if (isOther && !(value instanceof Scene) && !isCamera(value))
    return `a ${String(type)} of another copy of three.js than sortfirst’s (r${REVISION}): import it from 'three', not with require or from three/src`
  return 'isObject3D' in value ? `a ${String(type)}` : 'an object'
}
