/**
 * `--camera film.json`: cameras from a file, one for a still, several for as many frames. It contains `{ eye, target, up, fov }`,
 * a list of those, or `{ frames: [...] }`; or the camera is under `camera`, next to other settings for a renderer.
 */
import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { type Viewpoint, viewpointSchema } from '../../../scenes/cameras/viewpoint.ts'
import { messageOf, UsageError } from '../../../shared/errors.ts'
import { readRegular } from '../../../shared/node/regular-file.ts'
import { schemaProblem } from '../../../shared/text/schema-problem.ts'

/** The cameras of a file; at least one. */
export interface CameraList {
  /** Name of the file, without its folder. */
  readonly file: string
  readonly viewpoints: readonly Viewpoint[]
  readonly length: number
  /** Prefix of a hash of the cameras, independent of the file's name. */
  readonly sha256: string
}

/** The camera file does not exist or is invalid. */
export class CameraFileError extends UsageError {
  readonly code = 'BAD_CAMERA_FILE'
  readonly path: string
  constructor(path: string, problem: string) {
    super(`--camera ${path}: ${problem}`)
    this.path = path
  }
}

/** Whether `--camera` names a file rather than a path around the scene. */
const isCameraFile = (text: string): boolean => text.toLowerCase().endsWith('.json')

/** The cameras of the file, if `--camera` names one. Rejects with CameraFileError. */
export const camerasOf = async ({ camera }: { readonly camera?: string }): Promise<CameraList | undefined> =>
  camera !== undefined && isCameraFile(camera) ? readCameras(camera) : undefined

/** Rejects with CameraFileError. */
export async function readCameras(path: string): Promise<CameraList> {
  const bytes = await readRegular(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') throw new CameraFileError(path, 'no such file')
    if (error.code === 'EISDIR') throw new CameraFileError(path, 'expected a file, got a folder')
    throw new CameraFileError(path, `cannot be read: ${messageOf(error)}`)
  })
  const listed = listOf(parse(bytes.toString(), path))
  if (listed.length === 0) throw new CameraFileError(path, 'expected at least one camera, got none')
  const viewpoints = listed.map((each, i) => {
    const found = viewpointSchema.safeParse(plainNames(each))
    if (found.success) return found.data
    const which = listed.length === 1 ? 'camera' : `camera of frame ${i}`
    const problem = schemaProblem(found.error)
    throw new CameraFileError(path, `${which}: expected { eye, target, up, fov }: ${problem}`)
  })
  const hash = createHash('sha256').update(JSON.stringify(viewpoints)).digest('hex')
  return { file: basename(path), viewpoints, length: viewpoints.length, sha256: hash.slice(0, 12) }
}

function parse(text: string, path: string): unknown {
  try {
    // Some editors begin a file with a byte-order mark, which JSON does not allow.
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new CameraFileError(path, `is not valid JSON: ${messageOf(error).replaceAll(/\s+/g, ' ')}`)
  }
}

function listOf(parsed: unknown): readonly unknown[] {
  if (Array.isArray(parsed)) return parsed
  return isObject(parsed) && Array.isArray(parsed.frames) ? parsed.frames : [parsed]
}

/** A camera under `camera` may have unknown properties, and calls its vertical field of view `vfov`. */
function plainNames(listed: unknown): unknown {
  const inner = isObject(listed) && !('eye' in listed) ? listed.camera : undefined
  if (isObject(inner)) {
    const { eye, target, up, vfov, fov = vfov } = inner
    return { eye, target, up, fov }
  }
  if (!isObject(listed) || !('vfov' in listed) || 'fov' in listed) return listed
  const { vfov, ...others } = listed
  return { ...others, fov: vfov }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
