/**
 * Loads a mesh file as a scene: the mesh at its own coordinates, on a tiled floor in daylight, with a camera that frames
 * it. A glTF file may have cameras and lights of its own: with a camera it gets no floor, with a light, or with something that glows, no daylight. The
 * extension decides the format; an invalid file is reported in one sentence before anything is built.
 */
import { basename } from 'node:path'
import { type Box3, BufferAttribute, BufferGeometry, Group, Mesh, type Object3D, Scene } from 'three'
import { SortfirstError } from '../shared/errors.ts'
import { printable } from '../shared/text/printable.ts'
import { DEFAULT_FRAMING } from './cameras/camera-paths.ts'
import { firstSight } from './cameras/first-sight.ts'
import { followCameras, mapCameras } from './cameras/map-camera.ts'
import { BadMeshError, EmptySceneError, namingFile, TruncatedMeshError } from './errors.ts'
import type { FileExtension } from './files/extensions.ts'
import type { SceneFolder } from './files/folders/scene-folder.ts'
import { playingIn, variantIn } from './files/gltf/gltf-choice.ts'
import type { GltfMotion } from './files/gltf/motion/gltf-motion.ts'
import type { FileMesh } from './files/mesh-file.ts'
import { readObj } from './files/obj/obj.ts'
import { checkPlaces } from './files/placed.ts'
import { readPly } from './files/ply/ply.ts'
import { openSceneFile, type SceneFile } from './files/scene-file.ts'
import { readStl } from './files/stl.ts'
import { decodeText, isCutUtf16 } from './files/text-file.ts'
import { creasedNormals } from './import/geometry/creased-normals.ts'
import { addDaylight } from './import/lights/daylight.ts'
import { mapLighting } from './import/lights/map-light.ts'
import { markAdded } from './look/added.ts'
import { floorUnder } from './look/floor.ts'
import { glows } from './look/glow.ts'
import { resurface } from './look/resurface.ts'
import type { CheckedLook } from './look/scene-look.ts'
import { paletteSurface, tintedSurface } from './look/surfaces.ts'
import { turnedUp } from './look/up-axis.ts'
import type { DeclaredContents, LoadedScene, Motion } from './scene-source.ts'

/**
 * @param asked a path as `openSceneFile` takes it
 * @param look everything but its light, which `relight` applies
 * @throws one of the errors in `errors.ts`
 */
export async function loadFile(asked: string, look: CheckedLook = {}): Promise<LoadedScene> {
  const file = await openSceneFile(asked)
  const { path } = file
  const read = await readContent(file, look).finally(() => file.close())
  const scene = new Scene()
  const content = turnedUp(read.content, look.up ?? 'y')
  resurface(content, look)
  scene.add(content)
  scene.updateMatrixWorld(true)
  const problems: string[] = []
  const cameras = mapCameras(scene, problems)
  const motion = read.motion && motionIn(scene, read.motion)
  const subject = checkPlaces(content, path) ?? (await subjectLater(content, motion, path, problems))
  const floor = (look.floor ?? cameras.length === 0) ? floorUnder(subject) : undefined
  if (floor) scene.add(floor)
  const isLit = read.hasLights || glows(content)
  if (!isLit) addDaylight(scene)
  else namingFile(path, () => mapLighting(scene, [0, 0, 0], []))
  for (const object of scene.children) if (object !== content) markAdded(object)
  return {
    name: printable(basename(path)),
    path,
    scene,
    subject,
    ...(floor ? { floor } : {}),
    defaultCamera: 'orbit',
    cameras,
    framing: DEFAULT_FRAMING,
    exposure: isLit ? 1 : 0.85,
    problems: [...read.problems, ...problems].map(problem => printable(problem.slice(0, LONGEST_PROBLEM))),
    files: file.used(),
    unfollowed: file.unfollowed(),
    ...(read.declared ? { declared: read.declared } : {}),
    ...(motion ? { motion } : {}),
  }
}

/** Of a scene with nothing in it at time 0: the box of what is seen first. @throws EmptySceneError if there never is anything */
async function subjectLater(
  content: Object3D,
  motion: Motion | undefined,
  path: string,
  problems: string[],
): Promise<Box3> {
  let vertices = 0
  content.traverse(object => {
    if (object instanceof Mesh) vertices += object.geometry.getAttribute('position').count
  })
  const first = motion && (await firstSight(motion, vertices, () => checkPlaces(content, path)))
  if (!first) throw new EmptySceneError(path, ': all have zero area')
  problems.push(`nothing of it is seen at time 0: its size is that at ${Number(first.seconds.toFixed(3))} s`)
  return first.seen
}

function motionIn(scene: Scene, { seconds, setTime, times }: GltfMotion): Motion {
  const cameras = followCameras(scene)
  return {
    seconds,
    setTime: time => {
      setTime(time)
      scene.updateMatrixWorld(true)
    },
    times,
    cameras,
  }
}

/** What a scene file contains, at its own coordinates. */
export async function readContent(
  { path, format, bytes, folder }: SceneFile,
  look: CheckedLook = {},
): Promise<FileContent> {
  try {
    return await READERS[format](bytes, path, folder, look)
  } catch (error) {
    if (error instanceof SortfirstError) throw error
    throw new BadMeshError(path, `is not a readable ${format} file: ${String(error)}`, { cause: error })
  }
}

/** Names in it may be of any length. */
const LONGEST_PROBLEM = 400

export interface FileContent {
  readonly content: Object3D
  readonly problems: readonly string[]
  readonly declared?: DeclaredContents
  readonly motion?: GltfMotion | undefined
  /** Whether it has lights of its own. @default false */
  readonly hasLights?: boolean
}

type Reader = (bytes: Uint8Array, path: string, folder: SceneFolder, look: CheckedLook) => Promise<FileContent>

const READERS: Readonly<Record<FileExtension, Reader>> = {
  '.ply': async (bytes, path, _, look) => still(path, look, contentOf(readPly(bytes, path), path)),
  '.stl': async (bytes, path, _, look) => still(path, look, contentOf(readStl(bytes, path), path)),
  '.obj': async (bytes, path, folder, look) => {
    if (isCutUtf16(bytes))
      throw new TruncatedMeshError(path, 'two bytes per character of UTF-16', `got ${bytes.length} bytes`)
    const { group, problems, declared } = await readObj(decodeText(bytes), path, folder)
    return still(path, look, { content: group, problems, declared })
  },
  '.glb': readGltfFile,
  '.gltf': readGltfFile,
}

/** Its reader is loaded when it is needed: it is as large as all others together. */
async function readGltfFile(...[bytes, path, folder, look]: Parameters<Reader>): Promise<FileContent> {
  const { readGltf } = await import('./files/gltf/gltf.ts')
  const { group, ...others } = await readGltf(bytes, path, folder, look)
  return { content: group, ...others }
}

/** A file of a format without animations and variants. @throws NothingToChooseError */
function still(path: string, look: CheckedLook, content: FileContent): FileContent {
  playingIn([], look, path)
  variantIn([], look, path)
  return content
}

/** Shared vertices shade smooth, as in a scan; for unshared vertices, edges are found by their angle. */
function contentOf(from: FileMesh, path: string): FileContent {
  const { positions, offset, normals, colors, indices, problems = [] } = from
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', new BufferAttribute(positions, 3))
  if (indices) geometry.setIndex(new BufferAttribute(indices, 1))
  const shading = normals ?? (indices ? undefined : creasedNormals(positions))
  if (shading) geometry.setAttribute('normal', new BufferAttribute(shading, 3))
  if (colors) geometry.setAttribute('color', new BufferAttribute(colors, 4))
  const mesh = new Mesh(geometry, colors ? tintedSurface() : paletteSurface(0))
  mesh.name = basename(path)
  if (offset) mesh.position.set(...offset)
  return { content: new Group().add(mesh), problems }
}
