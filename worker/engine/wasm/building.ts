/**
 * Bakes a packed scene into a memory that is ready to be traced. Building needs a lot of memory for a short time, and a wasm
 * memory never shrinks: so the structure is built in a temporary memory, and the result is copied into one of exactly the right
 * size, the process's only copy of the scene.
 */
import { bakedSize } from '../../../shared/scene/bake.ts'
import { extrasOf } from '../../../shared/scene/bake-extras.ts'
import { BakeTogether } from '../../../shared/scene/bake-together.ts'
import type { SceneDescription } from '../../../shared/scene/description.ts'
import { viewsOf } from '../../../shared/scene/packed-layout.ts'
import type { RefitFrom } from '../engine.ts'
import { SceneTooLargeError, TooManyThreadsError } from '../errors.ts'
import { copyParts } from './copying.ts'
import { type InstancingRule, instancingOf } from './instances/instancing.ts'
import { instancedSize, instanceSizes } from './instances/put-instances.ts'
import { instantiate, type Kernel } from './kernel.ts'
import { lightBytes } from './light/light-tables.ts'
import { modelOf } from './light/models.ts'
import { mapBytes } from './materials.ts'
import { KernelMemory, MAX_BYTES } from './memory.ts'
import { objectBytes } from './object-runs.ts'
import { header } from './records/access.ts'
import { ALBEDOS } from './records/albedos.ts'
import { MODELS } from './records/material.ts'
import { beginRefitting, haveSameTree, structureEnd } from './refitting.ts'
import { align128, arraysAt, bakedPart, type MadeTables, placesOf, putScene, type ScenePlaces } from './scene-header.ts'
import { textureBytes } from './textures.ts'
import type { BakeStage, CopyStage, ThreadRoom, TreeStage, WasmBuilding, WasmScene } from './wasm-scene.ts'

/**
 * Memory for building per triangle besides the baked scene, bytes, as `kernel/build/build.ts` reserves it at least: its id, its part of the binary
 * tree, and what replaces its record: nodes, triangle4s and the list of them.
 */
const BYTES_PER_TRIANGLE = 4 + 20 + 59
/** What a mesh needs at most, known of one that has failed with less. */
const MOST_BYTES_PER_TRIANGLE = 4 + 64 + 59

/** What threads share of a scene with more vertices or triangles than this: it takes longer than it takes to tell them. */
const LARGE = 1 << 17
/** Instances of fewer are sooner baked than shared out: each is a part of its own. */
const LEAST_PART = 64

/**
 * Begins to build a packed scene, or to refit another scene's structure to it: bakes it into a memory, alone or together.
 * @param like has the same texels
 * @param rule by which meshes are instanced
 * @throws SceneTooLargeError, TooManyThreadsError, PackedSceneError
 */
export function beginBuilding(
  module: WebAssembly.Module,
  bytes: Uint8Array,
  threads: number,
  like?: RefitFrom<WasmScene>,
  rule?: InstancingRule,
): WasmBuilding {
  const scene = viewsOf(bytes)
  const places = placesFor(scene, rule)
  // A scene that does not fit even without its structure is not attempted.
  if (places.end > MAX_BYTES) throw tooLargeError(places.end, places.triangles, undefined)
  const layout = layoutOf(places)
  const spare = like?.refit && layout !== '' && like.spare?.layout === layout ? like.spare : undefined
  const hasTree = spare !== undefined && haveSameTree(module, spare, like!.built)
  const { memory } = spare ? clearedRoom(spare, places) : roomFor(places.end, places)
  const begun = { memory, threads, bytes, places, layout, like: like && { ...like, spare }, hasTree }
  const part = bakedPart(scene, places.instancing)
  const baked = bakedSize(part)
  const most = Math.max(baked.vertices, baked.triangles)
  if (threads === 1 || most <= Math.max(LARGE, part.instances.length * LEAST_PART)) return beginTree(module, begun)
  return { stage: 'bake', ...begun, shared: new SharedArrayBuffer(BakeTogether.sharedBytes(part)) }
}

/** Bakes what others have not baked, and begins the structure. */
function beginTree(module: WebAssembly.Module, baking: BakeStage | Omit<BakeStage, 'stage' | 'shared'>): TreeStage {
  const { memory: shared, threads, bytes, places, layout, like, hasTree } = baking
  const scene = viewsOf(bytes)
  const memory = new KernelMemory(shared)
  const made = { ...madeBy(like?.built), ...(like?.spare && texturesOf(like.spare)) }
  const ends = 'shared' in baking ? bakingOf(baking).finish() : undefined
  const gridMean = putScene(memory, scene, places, made, ends)
  const kernel = instantiate(module, shared)
  if (places.albedos !== undefined) kernel.fillAlbedos()
  const textures = { at: places.textures, count: scene.textures.length }
  const tree = { stage: 'tree', memory: shared, base: places.end, threads, textures, gridMean, layout } as const
  const refitted = like?.refit ? beginRefitting(module, memory, like.built, places.end, hasTree) : undefined
  if (refitted) return { ...tree, refitted, ...(like?.spare ? { room: like.spare } : {}) }
  // A builder needs memory that has not been written to.
  if (like?.spare) {
    const { memory } = roomFor(places.end, places)
    return beginTree(module, {
      memory,
      threads,
      bytes,
      places,
      layout,
      like: { built: like.built, refit: false },
      hasTree: false,
    })
  }
  if (kernel.buildBegin(places.end) === 0) throw tooLargeError(places.end, places.triangles, undefined)
  // The part of the threads' memory that is independent of the structure is already known: avoid building in vain.
  checkThreads(places.end, threads, workspacesOf(kernel))
  return tree
}

/** What a thread helps with while a scene is baked. */
export const bakingOf = ({ memory, bytes, places, shared }: BakeStage): BakeTogether =>
  new BakeTogether(bakedPart(viewsOf(bytes), places.instancing), arraysAt(new KernelMemory(memory), places), shared)

/** What threads can help with next, after all have helped with a stage; undefined if it is to be finished. @throws as `beginBuilding` */
export function nextStage(module: WebAssembly.Module, building: WasmBuilding): WasmBuilding | undefined {
  if (building.stage === 'bake') return beginTree(module, building)
  const isAlone = building.threads === 1 || header(new KernelMemory(building.memory), 'triangleCount') <= LARGE
  if (building.stage === 'copy' || building.refitted || isAlone) return undefined
  return { stage: 'copy', ...beginCopy(module, building), shared: new SharedArrayBuffer(4) }
}

/** Completes a structure in the memory that it was built in, and makes its final memory. */
function beginCopy(module: WebAssembly.Module, tree: TreeStage): Omit<CopyStage, 'stage' | 'shared'> {
  const { memory, base, threads, textures, gridMean, layout } = tree
  const structure = instantiate(module, memory).buildFinish(base) >>> 0
  const from = new KernelMemory(memory)
  const triangles = header(from, 'triangleCount')
  if (structure === 0) throw tooLargeError(base, triangles, undefined, MOST_BYTES_PER_TRIANGLE)
  const end = base + header(from, 'structureBytes')
  const to = roomFor(end, { end: base, triangles }).memory
  return { memory, to, structure, base, end, threads, textures, gridMean, layout }
}

/** Of scenes with instances, nothing is said. */
const layoutOf = ({ instancing, ...places }: ScenePlaces): string => (instancing ? '' : JSON.stringify(places))

/** The memory of a scene that is no longer needed, as if new but for its textures and what comes after them. */
function clearedRoom({ memory: shared }: WasmScene, { textures }: ScenePlaces): KernelMemory {
  const memory = new KernelMemory(shared)
  // By doubles: shared memory is filled element by element.
  memory.doubles.fill(0, 0, textures >>> 3)
  return memory
}

function madeBy({ memory: shared, textures, gridMean: mean }: Partial<WasmScene> = {}): MadeTables {
  if (!shared) return {}
  const memory = new KernelMemory(shared)
  return { ...texturesOf({ memory: shared, textures }), ...(mean === undefined ? {} : { grid: { memory, mean } }) }
}

const texturesOf = ({
  memory,
  textures,
}: Pick<WasmScene, 'memory'> & { textures?: WasmScene['textures'] | undefined }): Pick<MadeTables, 'textures'> =>
  textures ? { textures: { memory: new KernelMemory(memory), ...textures } } : {}

/** Where everything goes that is in the memory before the structure. */
export function placesFor(scene: SceneDescription, rule?: InstancingRule): ScenePlaces {
  const instancing = instancingOf(scene, rule)
  const part = bakedPart(scene, instancing)
  const baked = bakedSize(part)
  const once = instancing ? instancedSize(scene, instancing) : { vertices: 0, triangles: 0 }
  const size = { vertices: baked.vertices + once.vertices, triangles: baked.triangles + once.triangles }
  return placesOf(size, scene.materials.length, {
    instancing,
    instances: instancing && instanceSizes(scene, instancing),
    objectBytes: objectBytes(part),
    lightBytes: lightBytes(part),
    textureBytes: textureBytes(scene.textures),
    albedosBytes: scene.materials.some(material => modelOf(material).model === MODELS.principled) ? ALBEDOS.bytes : 0,
    mapBytes: mapBytes(scene.materials),
    extras: extrasOf(scene),
  })
}

/**
 * Does alone what is left of a building, after all threads have helped, or without them, and completes the scene.
 * @throws SceneTooLargeError, TooManyThreadsError
 */
export function finishBuilding(module: WebAssembly.Module, building: WasmBuilding): WasmScene {
  if (building.stage === 'bake') return finishBuilding(module, beginTree(module, building))
  const { memory, threads, textures, gridMean, layout } = building
  if (building.stage === 'tree' && building.refitted) {
    const cost = instantiate(module, memory).refitFinish()
    const scene = refittedScene(module, new KernelMemory(memory), threads, building.room)
    return { ...scene, textures, gridMean, layout, tree: { cost, ...building.refitted } }
  }
  const copying = building.stage === 'copy' ? building : beginCopy(module, building)
  const { to: shared, end, base } = copying
  copyParts(copying)
  const to = new KernelMemory(shared)
  const tooLarge = (cause?: unknown) => tooLargeError(base, header(to, 'triangleCount'), cause)
  return { ...withWorkspaces(module, to, end, threads, tooLarge), textures, gridMean, layout }
}

/** @param room workspaces that are there already, which suffice if they are large enough */
function refittedScene(
  module: WebAssembly.Module,
  memory: KernelMemory,
  threads: number,
  room?: ThreadRoom,
): WasmScene {
  const end = structureEnd(memory.memory)
  if (
    room &&
    end <= room.workspaces &&
    workspacesOf(instantiate(module, memory.memory)).traceBytes <= room.traceBytes
  ) {
    const { workspaces, traceBytes, shadeBytes } = room
    return { memory: memory.memory, bytes: end, workspaces, traceBytes, shadeBytes }
  }
  return restoreScene(module, memory, end, threads)
}

/** A previously built scene, whose image is at the start of the memory. @throws SceneTooLargeError, TooManyThreadsError */
export function restoreScene(
  module: WebAssembly.Module,
  memory: KernelMemory,
  bytes: number,
  threads: number,
): WasmScene {
  const triangles = header(memory, 'triangleCount')
  return withWorkspaces(module, memory, bytes, threads, cause => tooLargeError(bytes, triangles, cause))
}

/** Adds the threads' workspaces after a scene. Their size depends on the structure's depth, which is in the header by now. */
function withWorkspaces(
  module: WebAssembly.Module,
  memory: KernelMemory,
  bytes: number,
  threads: number,
  tooLarge: (cause: unknown) => SceneTooLargeError,
): WasmScene {
  const { traceBytes, shadeBytes } = workspacesOf(instantiate(module, memory.memory))
  checkThreads(memory.bytes.length, threads, { traceBytes, shadeBytes })
  try {
    const workspaces = memory.extend(threads * (traceBytes + shadeBytes))
    return { memory: memory.memory, bytes, workspaces, traceBytes, shadeBytes }
  } catch (error) {
    throw tooLarge(error)
  }
}

interface ThreadWorkspaces {
  readonly traceBytes: number
  readonly shadeBytes: number
}

/** Sizes of a thread's workspaces for the structure in the header. */
export const workspacesOf = (kernel: Kernel): ThreadWorkspaces => ({
  traceBytes: align128(kernel.traceBytes() >>> 0),
  shadeBytes: align128(kernel.shadeBytes() >>> 0),
})

/** @throws TooManyThreadsError if the scene fits, but not with so many threads */
function checkThreads(sceneBytes: number, threads: number, { traceBytes, shadeBytes }: ThreadWorkspaces): void {
  const threadBytes = traceBytes + shadeBytes
  if (sceneBytes + threadBytes <= MAX_BYTES && sceneBytes + threads * threadBytes > MAX_BYTES)
    throw new TooManyThreadsError(threads, threadBytes, sceneBytes, MAX_BYTES)
}

/** @throws SceneTooLargeError, naming where the scene ends */
function roomFor(bytes: number, { end, triangles }: Pick<ScenePlaces, 'end' | 'triangles'>): KernelMemory {
  try {
    return KernelMemory.of(bytes)
  } catch (error) {
    throw tooLargeError(end, triangles, error)
  }
}

const tooLargeError = (
  sceneBytes: number,
  triangles: number,
  cause: unknown,
  bytesPerTriangle = BYTES_PER_TRIANGLE,
): SceneTooLargeError => new SceneTooLargeError(triangles, sceneBytes + triangles * bytesPerTriangle, MAX_BYTES, cause)
