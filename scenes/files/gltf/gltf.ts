/**
 * Reads glTF 2.0 scenes, text (.gltf) or binary (.glb): nodes, meshes, materials, lights and cameras, as they stand. three's loader makes
 * the objects. It is given a checked document and checked bytes, so it never reads, fetches or decodes anything itself.
 *
 * Lights keep their numbers: lux (irradiance of a directional light), candela (intensity of a point or spot), and nits (emission), in
 * glTF as in three. All are used as radiometric, without the factor of 683 lm/W, which would only change the exposure. Between the
 * cones of a spot, its light falls as glTF recommends: with the square of a linear function of the cosine, not three's smoothstep.
 */
import { type BufferGeometry, Camera, DirectionalLight, type Group, InstancedMesh, Light, Mesh, SpotLight } from 'three'
import { GLTFLoader, type GLTFParser } from 'three/addons/loaders/GLTFLoader.js'
import { messageOf, SortfirstError } from '../../../shared/errors.ts'
import { BadIndexError, BadMeshError, BadVertexError, EmptySceneError } from '../../errors.ts'
import { callObject } from '../../import/scene-names.ts'
import type { CheckedLook } from '../../look/scene-look.ts'
import type { DeclaredContents } from '../../scene-source.ts'
import type { SceneFolder } from '../folders/scene-folder.ts'
import { GltfAccessors } from './gltf-accessors.ts'
import { checkGltf } from './gltf-check.ts'
import { animationNames, playingIn, variantIn, variantNames } from './gltf-choice.ts'
import { openGltf } from './gltf-container.ts'
import { declaredIn } from './gltf-contents.ts'
import { dracoLoader } from './gltf-draco.ts'
import { GltfBuffers } from './gltf-files.ts'
import { GltfImages } from './gltf-images.ts'
import { bindInstances, GltfObjects, weighInstances } from './gltf-objects.ts'
import { plainGltf, usesDraco } from './gltf-plain.ts'
import type { Gltf } from './gltf-schema.ts'
import { MOST_DRAWN, MOST_TRIANGLES } from './gltf-size.ts'
import { completeSurfaces } from './gltf-surfaces.ts'
import { takeTargets } from './motion/gltf-morphs.ts'
import { type GltfMotion, motionOf } from './motion/gltf-motion.ts'
import { checkPoses } from './motion/gltf-pose.ts'

export interface GltfScene {
  /** In the pose of time 0. */
  readonly group: Group
  /** How it moves, if it does. */
  readonly motion: GltfMotion | undefined
  /** Whether it has lights; glowing surfaces do not count. */
  readonly hasLights: boolean
  readonly problems: readonly string[]
  readonly declared: DeclaredContents
}

/**
 * The file's default scene.
 * @param path of the file, for messages
 * @param folder has its buffers and pictures
 * @param look which of its animations plays, and the variant of its materials
 * @throws BadMeshError, TruncatedMeshError, BadVertexError, BadIndexError, EmptySceneError, UnknownNameError
 */
export async function readGltf(
  bytes: Uint8Array,
  path: string,
  folder: SceneFolder,
  look: Pick<CheckedLook, 'animation' | 'variant'>,
): Promise<GltfScene> {
  const file = openGltf(bytes, path)
  checkGltf(file.document, path)
  const buffers = new GltfBuffers(file, path, folder)
  const names = animationNames(file.document)
  const playing = playingIn(names, look, path)
  const choice = { playing, variant: variantIn(variantNames(file.document), look, path) }
  const { document, problems, dropped } = plainGltf(file.document, choice)
  const accessors = new GltfAccessors(document, buffers, path)
  const images = new GltfImages(file.document, accessors, buffers, path)
  const { group, objects } = await objectsOf(document, accessors, images, path)
  const meshes = meshesOf(group)
  if (meshes.length === 0)
    throw new EmptySceneError(path, `: its scene has ${dropped > 0 ? 'lines or points only' : 'no mesh'}`)
  for (const geometry of new Set(meshes.map(({ geometry }) => geometry))) takeTargets(geometry)
  checkMeshes(meshes, path)
  checkPoses(meshes, path)
  completeSurfaces(meshes)
  weighInstances(document, objects)
  callMeshes(document, objects)
  const hasLights = completeObjects(group)
  const { motion, unknown } = await motionOf(file.document, playing, objects, accessors, path)
  if (unknown.length > 0) problems.push(`what its animation moves by ${unknown[0]}${othersAfter(unknown)} is not shown`)
  if (look.animation === undefined && names.length > 1) problems.push(onlyFirst(names))
  return {
    group,
    motion,
    hasLights,
    problems: [...problems, ...images.problems],
    declared: await declaredIn(
      file.document,
      accessors,
      images.decoded,
      unknown.length > 0 ? ['KHR_animation_pointer'] : [],
    ),
  }
}

/** A node is an object, of however many primitives. three's loader changes its name, and gives each primitive one of its own. */
function callMeshes({ nodes, meshes }: Gltf, objects: GltfObjects): void {
  for (const [number, { name, mesh }] of nodes.entries()) {
    const called = name || (mesh !== undefined && meshes[mesh]?.name)
    if (called) for (const each of objects.meshesOf(number)) callObject(each, called)
  }
}

const othersAfter = ({ length }: readonly string[]): string => (length === 1 ? '' : ` and ${length - 1} other pointers`)

/** Said where nothing was chosen. */
function onlyFirst([first, ...others]: readonly string[]): string {
  const named = others.slice(0, MOST_NAMED).map(name => `'${name}'`)
  const more = others.length > MOST_NAMED ? `, and ${others.length - MOST_NAMED} more` : ''
  return `only its animation '${first}' is played: ${named.join(', ')}${more} ${others.length === 1 ? 'is' : 'are'} not`
}

const MOST_NAMED = 6

async function objectsOf(
  document: Gltf,
  accessors: GltfAccessors,
  images: GltfImages,
  path: string,
): Promise<{ readonly group: Group; readonly objects: GltfObjects }> {
  const loader = new GLTFLoader()
  if (usesDraco(document)) loader.setDRACOLoader(await dracoLoader())
  loader.register(parser => {
    Object.assign(parser, readersFor(accessors, images, path))
    return { name: 'SORTFIRST' }
  })
  try {
    // It takes a document, too, but its types do not say so.
    const { scene, parser } = await loader.parseAsync(document as unknown as ArrayBuffer, '')
    const objects = await GltfObjects.of(document, parser)
    await bindInstances(document, objects, parser)
    return { group: scene, objects }
  } catch (error) {
    if (error instanceof SortfirstError) throw error
    throw new BadMeshError(path, `is not a readable glTF scene: ${messageOf(error)}`, { cause: error })
  }
}

/** Everything that three's parser would read by itself. */
const readersFor = (accessors: GltfAccessors, images: GltfImages, path: string) => ({
  loadAccessor: (number: number) => accessors.read(number),
  // A copy: `slice` of a Buffer is not.
  loadBufferView: async (number: number) => new Uint8Array(await accessors.view(number)).buffer,
  loadBuffer: () => Promise.reject(new BadMeshError(path, 'a buffer was asked for as a whole')),
  loadImageSource: (number: number) => images.textureOf(number),
  fileLoader: {
    load(_url: string, _done: unknown, _progress: unknown, failed: (error: Error) => void): void {
      failed(new Error('nothing is fetched'))
    },
  } as unknown as GLTFParser['fileLoader'],
})

function meshesOf(group: Group): Mesh[] {
  const meshes: Mesh[] = []
  group.traverse(object => {
    if (object instanceof Mesh) meshes.push(object)
  })
  return meshes
}

/** @throws BadVertexError, BadIndexError, BadMeshError */
function checkMeshes(meshes: readonly Mesh[], path: string): void {
  // Again: Draco data may have more than its accessors say.
  const trianglesOf = ({ index, attributes }: BufferGeometry) => (index ?? attributes.position!).count / 3
  const unique = [...new Set(meshes.map(({ geometry }) => geometry))]
  const triangles = unique.reduce((sum, geometry) => sum + trianglesOf(geometry), 0)
  if (triangles > MOST_TRIANGLES)
    throw new BadMeshError(path, `all meshes together: expected at most ${MOST_TRIANGLES} triangles, got ${triangles}`)
  const drawn = meshes.reduce(
    (sum, mesh) => sum + trianglesOf(mesh.geometry) * (mesh instanceof InstancedMesh ? mesh.count : 1),
    0,
  )
  if (drawn > MOST_DRAWN)
    throw new BadMeshError(path, `all nodes together: expected at most ${MOST_DRAWN} triangles, got ${drawn}`)
  for (const [geometry, name] of new Map(meshes.map(({ geometry, name }) => [geometry, name]))) {
    // Those that three's loader made are not measured.
    geometry.boundingBox = null
    geometry.boundingSphere = null
    const position = geometry.getAttribute('position')
    for (let vertex = 0; vertex < position.count; vertex++) {
      const x = position.getX(vertex)
      const y = position.getY(vertex)
      const z = position.getZ(vertex)
      // Of floats, added up as doubles: the sum is finite if all are.
      if (!Number.isFinite(x + y + z)) throw new BadVertexError(path, vertex, [x, y, z], `mesh '${name}'`)
    }
    const { index } = geometry
    for (let corner = 0; corner < (index?.count ?? 0); corner++) {
      const vertex = index!.getX(corner)
      if (vertex >= position.count)
        throw new BadIndexError(
          path,
          Math.floor(corner / 3),
          vertex,
          `vertices below ${position.count}`,
          `mesh '${name}', face`,
        )
    }
  }
}

/** Gives cameras the names that the file has for them, and lights their targets. Whether there are lights. */
function completeObjects(group: Group): boolean {
  let lights = 0
  let cameras = 0
  group.traverse(object => {
    if (object instanceof Camera) {
      const { name } = object.userData
      object.name = typeof name === 'string' ? name : object.name || `camera ${cameras}`
      cameras++
    }
    if (object instanceof Light) lights++
    // A copy for another node shines at a target that is nowhere.
    const isAimed = object instanceof DirectionalLight || object instanceof SpotLight
    if (isAimed && !object.target.parent) object.add(object.target)
    if (object instanceof SpotLight) object.userData.falloff = 'squared'
  })
  return lights > 0
}
