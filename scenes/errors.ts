/**
 * Errors in a scene that was asked for. All are usage errors: reading the same file again would fail again. Every
 * message begins with its subject, a path or a mesh.
 */
import { join } from 'node:path'
import { messageOf, UsageError } from '../shared/errors.ts'
import { printable } from '../shared/text/printable.ts'
import { FILE_EXTENSIONS } from './files/extensions.ts'

/** Its message is one line, whatever the names in it and what files say. */
abstract class SceneError extends UsageError {
  constructor(message: string, options?: ErrorOptions) {
    super(printable(message), options)
  }
}

/** The file does not exist. */
export class SceneFileMissingError extends SceneError {
  readonly code = 'SCENE_FILE_MISSING'
  readonly path: string
  constructor(path: string) {
    super(
      `${path}: ${ADDRESS.test(path) ? 'expected a file of this machine, got an address; download it first' : 'no such file'}`,
    )
    this.path = path
  }
}

const ADDRESS = /^[a-z][a-z\d+.-]+:\/\//i

/** A built-in scene whose mesh is in a package that is not installed. */
export class ScenePackageMissingError extends SceneError {
  readonly code = 'SCENE_PACKAGE_MISSING'
  readonly scene: string
  constructor(scene: string, name: string, cause: unknown) {
    super(
      `scene ${scene}: expected the package ${name}, which has its mesh, got none; run 'npm install ${name}' beside sortfirst, or 'npx -p sortfirst -p ${name} sortfirst' in place of 'sortfirst', or choose another scene: 'sortfirst render still-life' needs none`,
      { cause },
    )
    this.scene = scene
  }
}

/** A folder instead of a file. */
export class SceneFileIsFolderError extends SceneError {
  readonly code = 'SCENE_FILE_IS_FOLDER'
  readonly path: string
  constructor(path: string) {
    super(`${path}: expected a file, got a folder`)
    this.path = path
  }
}

/** A folder or an archive in which no scene is found. */
export class NoSceneInFolderError extends SceneError {
  readonly code = 'NO_SCENE_IN_FOLDER'
  readonly path: string
  constructor(path: string) {
    super(`${path}: expected a scene file (${FILE_EXTENSIONS.join(' ')}) in it, or in a folder in it, got none`)
    this.path = path
  }
}

/** A folder or an archive with several scenes. */
export class SeveralScenesError extends SceneError {
  readonly code = 'SEVERAL_SCENES'
  readonly path: string
  /** @param names relative to the folder */
  constructor(path: string, names: readonly string[]) {
    const more = names.length > MOST_NAMED ? `, and ${names.length - MOST_NAMED} more` : ''
    const got = names.slice(0, MOST_NAMED).join(', ')
    super(`${path}: expected one scene file in it, got ${got}${more}; name one, such as ${join(path, names[0]!)}`)
    this.path = path
  }
}

const MOST_NAMED = 8

/** A zip archive that cannot be read, or takes too much memory. */
export class BadArchiveError extends SceneError {
  readonly code = 'BAD_ARCHIVE'
  readonly path: string
  constructor(path: string, problem: string, options?: ErrorOptions) {
    super(`${path}: ${problem}`, options)
    this.path = path
  }
}

/** The system refused to read the file; `cause` says why. */
export class SceneFileUnreadableError extends SceneError {
  readonly code = 'SCENE_FILE_UNREADABLE'
  readonly path: string
  constructor(path: string, cause: unknown) {
    super(`${path}: cannot be read: ${messageOf(cause)}`, { cause })
    this.path = path
  }
}

/** An animation or a variant was named, and the file has none. */
export class NothingToChooseError extends SceneError {
  readonly code = 'NOTHING_TO_CHOOSE'
  readonly path: string
  constructor(path: string, what: 'animation' | 'variant', got: string) {
    super(`${path}: it has no ${what}s, got --${what} ${got}`)
    this.path = path
  }
}

/** No loader for this kind of file. */
export class UnknownExtensionError extends SceneError {
  readonly code = 'UNKNOWN_EXTENSION'
  readonly path: string
  readonly extension: string
  constructor(path: string, extension: string, supported: readonly string[]) {
    const got = extension === '' ? 'none' : extension
    super(`${path}: expected one of the extensions ${supported.join(' ')}, got ${got}${converterOf(extension)}`)
    this.path = path
    this.extension = extension
  }
}

/** How to convert a file that another program can read. */
function converterOf(extension: string): string {
  const opened = extension === '.blend' ? 'open it in' : IMPORTED.includes(extension) ? 'import it into' : undefined
  return opened === undefined
    ? ''
    : `; ${opened} Blender and export it as glTF 2.0 (.glb), which keeps materials, cameras and animations`
}

/** What Blender imports; glTF is what it exports that loses least. */
const IMPORTED: readonly string[] = ['.fbx', '.dae', '.3ds', '.usd', '.usda', '.usdc', '.usdz', '.abc', '.x3d']

/** The content does not match the extension, or contradicts itself. */
export class BadMeshError extends SceneError {
  readonly code = 'BAD_MESH'
  readonly path: string
  constructor(path: string, problem: string, options?: ErrorOptions) {
    super(`${path}: ${problem}`, options)
    this.path = path
  }
}

/** The file ends before all of its declared content. */
export class TruncatedMeshError extends SceneError {
  readonly code = 'MESH_TRUNCATED'
  readonly path: string
  constructor(path: string, expected: string, got: string) {
    super(`${path}: the file is truncated: expected ${expected}, ${got}`)
    this.path = path
  }
}

/** A vertex that is NaN or infinite. */
export class BadVertexError extends SceneError {
  readonly code = 'MESH_BAD_VERTEX'
  readonly path: string
  /** Counted from 0 in file order. */
  readonly vertex: number
  /** @param part of the file, such as "mesh 'wheel'" */
  constructor(path: string, vertex: number, got: readonly number[], part?: string) {
    super(
      `${path}: ${part === undefined ? '' : `${part}, `}vertex ${vertex}: expected three finite numbers, got ${got.join(' ')}`,
    )
    this.path = path
    this.vertex = vertex
  }
}

/** A face, or a strip of them, that refers to a vertex that does not exist. */
export class BadIndexError extends SceneError {
  readonly code = 'MESH_BAD_INDEX'
  readonly path: string
  /** Counted from 0 in file order. */
  readonly face: number
  readonly index: number
  constructor(path: string, face: number, index: number, expected: string, part = 'face') {
    super(`${path}: ${part} ${face}: expected ${expected}, got ${index}`)
    this.path = path
    this.face = face
    this.index = index
  }
}

/** A scene's module that cannot be imported, throws, or does not build a scene. */
export class SceneModuleError extends SceneError {
  readonly code = 'BAD_SCENE_MODULE'
  readonly path: string
  constructor(path: string, problem: string, options?: ErrorOptions) {
    super(`${path}: ${problem}`, options)
    this.path = path
  }
}

/** Nothing to trace. */
export class EmptySceneError extends SceneError {
  readonly code = 'SCENE_EMPTY'
  constructor(what: string, detail = '') {
    super(`${what}: expected at least one triangle, got none${detail}`)
  }
}

/** A mesh of a THREE.Scene whose arrays cannot be traced. */
export class SceneMeshError extends SceneError {
  readonly code = 'SCENE_BAD_MESH'
  readonly mesh: string
  constructor(mesh: string, problem: string) {
    super(`${mesh}: ${problem}`)
    this.mesh = mesh
  }
}

/** A light that is negative, not finite or out of bounds. */
export class SceneLightError extends SceneError {
  readonly code = 'SCENE_BAD_LIGHT'
  readonly light: string
  constructor(light: string, problem: string) {
    super(`${light}: ${problem}`)
    this.light = light
  }
}

/** Any of these about a scene that was read from a file, for what shows only when its parts are put together. */
class SceneInFileError extends SceneError {
  readonly code: string
  readonly path: string
  constructor(path: string, cause: UsageError & { readonly code: string }) {
    super(`${path}: ${cause.message}`, { cause })
    this.path = path
    this.code = cause.code
  }
}

/** What `work` returns. Its errors in the scene name the file, if it was read from one. */
export function namingFile<T>(path: string | undefined, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (path === undefined || !(error instanceof UsageError)) throw error
    throw new SceneInFileError(path, error as UsageError & { readonly code: string })
  }
}

/** A file that is not an environment, or not all of one. */
export class EnvironmentFileError extends SceneError {
  readonly code = 'BAD_ENVIRONMENT'
  readonly path: string
  constructor(path: string, problem: string, options?: ErrorOptions) {
    super(`${path}: ${problem}`, options)
    this.path = path
  }
}
