/** The part of a glTF document that is shown, in a form that three's loader reads without complaints on the console. */
import { READ_ATTRIBUTES } from './gltf-check.ts'
import { unshown } from './gltf-extensions.ts'
import type { Gltf, GltfPrimitive } from './gltf-schema.ts'
import { fromSpecularGlossiness, isGlossy } from './gltf-spec-gloss.ts'
import { withoutHidden } from './gltf-visibility.ts'
import { AddedAccessors, otherTargets } from './motion/gltf-morphs.ts'
import { strayRoots } from './motion/gltf-stray-joints.ts'
import { movedIn } from './motion/gltf-targets.ts'

export interface PlainGltf {
  readonly document: Gltf
  /** What was left out, one sentence each. */
  readonly problems: string[]
  /** Primitives of lines or points in its scene. */
  readonly dropped: number
}

/** From here on, primitives are triangles, strips or fans of them. */
const FIRST_TRIANGLES = 4
/** 8 and 16 bits. */
const LAST_SHORT = 5123

/** What is chosen of a document. */
export interface GltfChoice {
  /** Numbers of the animations that play. */
  readonly playing: readonly number[]
  /** Number of the variant of its materials. @default those that it has without */
  readonly variant?: number | undefined
}

/** @param whole checked. It is not changed */
export function plainGltf(whole: Gltf, { playing, variant }: GltfChoice): PlainGltf {
  const problems: string[] = []
  const { scene, sceneName, others: more } = sceneOf(whole)
  if (more > 0)
    problems.push(`only scene ${sceneName} is shown: ${more === 1 ? 'another is' : `${more} others are`} left out`)
  const { weighed, switched } = movedIn(whole, playing)
  const morphed = morphedIn(whole, weighed)
  const accessors = new AddedAccessors(whole.accessors)
  const meshes = whole.meshes.map((mesh, i) => {
    const primitives = mesh.primitives.filter(isOfTriangles)
    const plain = (each: GltfPrimitive) => plainPrimitive(variantOf(each, variant), morphed.has(i), accessors)
    return { ...mesh, primitives: primitives.map(plain) }
  })
  if (whole.materials.some(isGlossy))
    problems.push('glossiness textures are not shown: surfaces are as rough as without')
  const roots = scene.nodes ?? []
  const stray = strayRoots(whole, roots)
  const visible = withoutHidden(whole.nodes, switched, stray)
  const dropped = droppedOf(whole.meshes, visible, roots)
  const [what, were] = dropped === 1 ? ['a primitive', 'was'] : [`${dropped} primitives`, 'were']
  if (dropped > 0) problems.push(`${what} of lines or points ${were} ignored: only triangles are supported`)
  problems.push(...unshown(whole.extensionsUsed))
  const nodes = visible.map(({ weights, skin, extensions, ...node }) => {
    const primitives = node.mesh === undefined ? [] : meshes[node.mesh]!.primitives
    return {
      ...node,
      ...(extensions ? { extensions: plainExtensions(extensions) } : {}),
      ...(weights && primitives.every(({ targets }) => targets) ? { weights } : {}),
      ...(skin !== undefined && primitives.every(isSkinned) ? { skin } : {}),
    }
  })
  const shown = shownIn(visible, whole.skins)
  for (const node of nodes) if (node.children) node.children = node.children.filter(child => shown.has(child))
  const { extensionsRequired: _, scenes: __, ...others } = whole
  const noImage = whole.images.length
  return {
    document: {
      ...others,
      scene: 0,
      scenes: [{ ...scene, nodes: [...roots, ...stray].filter(node => shown.has(node)) }],
      nodes,
      meshes,
      animations: [],
      materials: whole.materials.map(fromSpecularGlossiness),
      // three makes boxes of `min` and `max`, which files have wrong. It does not expect floats to be normalised.
      accessors: [...whole.accessors, ...accessors.added].map(each => ({
        ...each,
        min: [0, 0, 0],
        max: [0, 0, 0],
        normalized: each.normalized === true && each.componentType <= LAST_SHORT,
      })),
      // Whatever form the image has: one that cannot be decoded is told.
      textures: whole.textures.map(({ source, extensions, ...texture }) => ({
        ...texture,
        source:
          source ??
          extensions?.EXT_texture_webp?.source ??
          extensions?.EXT_texture_avif?.source ??
          extensions?.KHR_texture_basisu?.source ??
          noImage,
      })),
      images: [...whole.images, {}],
      // Those of which three must know beforehand.
      extensionsUsed: [
        ...(usesDraco(whole) ? ['KHR_draco_mesh_compression'] : []),
        ...['KHR_materials_unlit', 'KHR_texture_transform'],
      ],
    },
    problems,
    dropped,
  }
}

export const usesDraco = ({ meshes }: Gltf): boolean =>
  meshes.some(({ primitives }) => primitives.some(({ extensions }) => extensions?.KHR_draco_mesh_compression))

const isOfTriangles = ({ mode }: GltfPrimitive): boolean => mode === undefined || mode >= FIRST_TRIANGLES

/** How many lines and sets of points would be seen in a scene, those of a mesh once. */
function droppedOf(meshes: Gltf['meshes'], nodes: Gltf['nodes'], roots: readonly number[]): number {
  const seen = new Set<number>()
  const waiting = [...roots]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const { mesh, children = [] } = nodes[at]!
    if (mesh !== undefined) seen.add(mesh)
    for (const child of children) waiting.push(child)
  }
  let count = 0
  for (const mesh of seen) count += meshes[mesh]!.primitives.filter(each => !isOfTriangles(each)).length
  return count
}

type GltfScene = NonNullable<Gltf['scenes']>[number]

/** A file without scenes is a library: all that it has is shown. */
function sceneOf({ scenes = [], scene = 0, nodes }: Gltf): { scene: GltfScene; sceneName: string; others: number } {
  const chosen = scenes[scene]
  if (chosen)
    return { scene: chosen, sceneName: chosen.name ? `'${chosen.name}'` : `${scene}`, others: scenes.length - 1 }
  const children = new Set(nodes.flatMap(({ children = [] }) => children))
  return { scene: { nodes: [...nodes.keys()].filter(i => !children.has(i)) }, sceneName: '', others: 0 }
}

/** Numbers of the nodes with something in them or below them: each of the others would be an object of three, too. */
function shownIn(nodes: Gltf['nodes'], skins: Gltf['skins']): ReadonlySet<number> {
  const shown = new Set(skins.flatMap(({ joints }) => joints))
  nodes.forEach(({ mesh, camera, extensions }, i) => {
    if (mesh !== undefined || camera !== undefined || extensions?.KHR_lights_punctual) shown.add(i)
  })
  const parents = new Int32Array(nodes.length).fill(-1)
  nodes.forEach(({ children = [] }, parent) => {
    for (const child of children) parents[child] = parent
  })
  for (const node of [...shown])
    for (let at = parents[node]!; at !== -1 && !shown.has(at); at = parents[at]!) shown.add(at)
  return shown
}

/** Numbers of the meshes whose morph targets are at work in any node, or will be. */
function morphedIn({ meshes, nodes }: Gltf, weighed: ReadonlySet<number>): ReadonlySet<number> {
  const works = (weights: readonly number[] = []): boolean => weights.some(weight => weight !== 0)
  const own = meshes.flatMap(({ weights }, i) => (works(weights) ? [i] : []))
  return new Set([
    ...own,
    ...nodes.flatMap(({ mesh, weights }) => (mesh !== undefined && works(weights) ? [mesh] : [])),
    ...weighed,
  ])
}

const isSkinned = ({ attributes }: GltfPrimitive): boolean => 'JOINTS_0' in attributes && 'WEIGHTS_0' in attributes

const INSTANCE_ATTRIBUTES: readonly string[] = ['TRANSLATION', 'ROTATION', 'SCALE']

type NodeExtensions = NonNullable<Gltf['nodes'][number]['extensions']>

/** Without attributes of instances that are not read. */
function plainExtensions({ EXT_mesh_gpu_instancing: instancing, ...others }: NodeExtensions): NodeExtensions {
  const attributes = Object.entries(instancing?.attributes ?? {}).filter(([name]) => INSTANCE_ATTRIBUTES.includes(name))
  return attributes.length === 0
    ? others
    : { ...others, EXT_mesh_gpu_instancing: { attributes: Object.fromEntries(attributes) } }
}

/** In the material of a variant, if it has one for that. */
function variantOf(primitive: GltfPrimitive, variant: number | undefined): GltfPrimitive {
  const mapping =
    variant === undefined
      ? undefined
      : primitive.extensions?.KHR_materials_variants?.mappings.find(({ variants }) => variants.includes(variant))
  return mapping ? { ...primitive, material: mapping.material } : primitive
}

function plainPrimitive(primitive: GltfPrimitive, isMorphed: boolean, accessors: AddedAccessors): GltfPrimitive {
  const { attributes, targets, extensions, ...others } = primitive
  const draco = extensions?.KHR_draco_mesh_compression
  const hasMoreJoints = isSkinned(primitive) && 'JOINTS_1' in attributes && 'WEIGHTS_1' in attributes
  const moves = isMorphed && targets !== undefined && targets.length > 0
  return {
    ...others,
    attributes: {
      ...readOf(attributes),
      ...(hasMoreJoints ? { [PLAIN_WEIGHTS]: accessors.copyOf(attributes.WEIGHTS_0!) } : {}),
      ...(moves ? otherTargets(primitive) : {}),
    },
    ...(moves ? { targets: accessors.completed(primitive) } : {}),
    ...(draco
      ? {
          extensions: {
            KHR_draco_mesh_compression: {
              ...draco,
              attributes: {
                ...readOf(draco.attributes),
                ...(hasMoreJoints && 'WEIGHTS_0' in draco.attributes
                  ? { [PLAIN_WEIGHTS]: draco.attributes.WEIGHTS_0! }
                  : {}),
              },
            },
          },
        }
      : {}),
  }
}

/** Weights of the first joints as three's loader leaves them; in lower case, as it does it, `skin-weights.ts` finds them. */
const PLAIN_WEIGHTS = '_WEIGHTS_0'

const readOf = (attributes: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => READ_ATTRIBUTES.includes(name)))
