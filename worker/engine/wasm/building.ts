/**
 * From a packed scene to a memory that is ready to be traced. Building needs a lot of room for a short time, and a memory
 * never shrinks: so the structure is built in a memory of its own, which is dropped, and what remains is copied into one of
 * exactly the right size, the process's only copy of the scene.
 */
import { triangleCount, viewsOf } from '../../../shared/scene/packed-layout.ts'
import { SceneTooLargeError, TooManyThreadsError } from '../errors.ts'
import { SCENE, SCENE_STRUCTURE_BYTES, SCENE_TRIANGLES } from './kernel/layout.ts'
import { instantiate, type Kernel } from './kernel.ts'
import { KernelMemory, MAX_BYTES } from './memory.ts'
import { align128, placesOf, putScene } from './scene-header.ts'

/** A structure being built, to be posted to whoever helps. */
export interface WasmBuilding {
  readonly memory: WebAssembly.Memory
  /** Where the structure will lie in the final memory; everything before it is copied as it is. */
  readonly base: number
  /** Threads that will trace. */
  readonly threads: number
}

/** A scene with its structure, and room for every thread that traces it. */
export interface WasmScene {
  readonly memory: WebAssembly.Memory
  /** Of the scene and its structure, from address 0. */
  readonly bytes: number
  /** One after the other from here, `traceBytes` and then `shadeBytes` for each thread. */
  readonly areas: number
  readonly traceBytes: number
  readonly shadeBytes: number
}

/**
 * What building takes per triangle beside the packed scene, bytes: its id, its place in the binary tree, and its record or
 * what takes the record's place later, nodes, packets and the list of them.
 */
const BYTES_PER_TRIANGLE = 4 + 64 + 59

/** Takes a packed scene in. @throws SceneTooLargeError, TooManyThreadsError */
export function beginBuilding(module: WebAssembly.Module, bytes: Uint8Array, threads: number): WasmBuilding {
  const scene = viewsOf(bytes)
  const places = placesOf(scene)
  const tooLarge = (cause?: unknown) => tooLargeError(places.end, triangleCount(scene), cause)
  // Whatever does not fit as it came is not even tried.
  if (places.end > MAX_BYTES) throw tooLarge()
  const memory = roomFor(places.end, tooLarge)
  putScene(memory, scene, places)
  const kernel = instantiate(module, memory.memory)
  if (kernel.buildBegin(places.end) === 0) throw tooLarge()
  // Of what threads need, the part that depends on no structure is known already: no reason to build in vain.
  checkThreads(places.end, threads, areasOf(kernel))
  return { memory: memory.memory, base: places.end, threads }
}

/** Moves what was built to where it stays. @throws SceneTooLargeError, TooManyThreadsError */
export function finishBuilding(module: WebAssembly.Module, { memory, base, threads }: WasmBuilding): WasmScene {
  const structure = instantiate(module, memory).buildFinish(base)
  const from = new KernelMemory(memory)
  const header = (field: number) => from.words[(SCENE + field) >> 2]!
  const tooLarge = (cause?: unknown) => tooLargeError(base, header(SCENE_TRIANGLES), cause)
  if (structure === 0) throw tooLarge()
  const end = base + header(SCENE_STRUCTURE_BYTES)
  const to = roomFor(end, tooLarge)
  to.bytes.set(from.bytes.subarray(0, base))
  to.bytes.set(from.bytes.subarray(structure, structure + end - base), base)
  return withAreas(module, to, end, threads, tooLarge)
}

/** A scene that was built before, whose image lies at the memory's start. @throws SceneTooLargeError, TooManyThreadsError */
export function restoreScene(
  module: WebAssembly.Module,
  memory: KernelMemory,
  bytes: number,
  threads: number,
): WasmScene {
  const triangles = memory.words[(SCENE + SCENE_TRIANGLES) >> 2]!
  return withAreas(module, memory, bytes, threads, cause => tooLargeError(bytes, triangles, cause))
}

/** Makes room for the threads behind a scene. How much they need depends on the structure's depth, which is in the header by now. */
function withAreas(
  module: WebAssembly.Module,
  memory: KernelMemory,
  bytes: number,
  threads: number,
  tooLarge: (cause: unknown) => SceneTooLargeError,
): WasmScene {
  const { traceBytes, shadeBytes } = areasOf(instantiate(module, memory.memory))
  checkThreads(memory.bytes.length, threads, { traceBytes, shadeBytes })
  try {
    const areas = memory.extend(threads * (traceBytes + shadeBytes))
    return { memory: memory.memory, bytes, areas, traceBytes, shadeBytes }
  } catch (error) {
    throw tooLarge(error)
  }
}

interface ThreadAreas {
  readonly traceBytes: number
  readonly shadeBytes: number
}

/** What a thread needs for the structure in the header. */
const areasOf = (kernel: Kernel): ThreadAreas => ({
  traceBytes: align128(kernel.traceBytes()),
  shadeBytes: align128(kernel.shadeBytes()),
})

/** @throws TooManyThreadsError when threads do not fit beside a scene that does */
function checkThreads(sceneBytes: number, threads: number, { traceBytes, shadeBytes }: ThreadAreas): void {
  const threadBytes = traceBytes + shadeBytes
  if (sceneBytes + threadBytes <= MAX_BYTES && sceneBytes + threads * threadBytes > MAX_BYTES)
    throw new TooManyThreadsError(threads, threadBytes, sceneBytes, MAX_BYTES)
}

function roomFor(bytes: number, tooLarge: (cause: unknown) => SceneTooLargeError): KernelMemory {
  try {
    return KernelMemory.of(bytes)
  } catch (error) {
    throw tooLarge(error)
  }
}

const tooLargeError = (sceneBytes: number, triangles: number, cause: unknown): SceneTooLargeError =>
  new SceneTooLargeError(triangles, sceneBytes + triangles * BYTES_PER_TRIANGLE, MAX_BYTES, cause)
