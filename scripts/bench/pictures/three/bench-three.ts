/** glTF files beside three's own rasteriser, both without light: whether surfaces are where they should be, in their colours. */
import { setImmediate } from 'node:timers/promises'
import { messageOf } from '../../../../shared/errors.ts'
import type { Size } from '../../../../shared/rect.ts'
import type { WasmEngine } from '../../../../worker/engine/wasm/wasm-engine.ts'
import { loadScene } from '../../../library/ready-scene.ts'
import { BenchError } from '../../bench-error.ts'
import { isUnavailable } from '../../kernel/unavailable.ts'
import { atMost, type Check } from '../checks/check.ts'
import { type Comparison, comparePictures, TOLERANCE } from './compare.ts'
import type { FlatPicture } from './flat-picture.ts'
import type { GltfPath } from './gltf-paths.ts'
import { Rasteriser } from './rasteriser.ts'
import { unlitCamera, unlitPicture } from './unlit-kernel.ts'

export interface ThreeBenchOptions {
  readonly engine: WasmEngine
  readonly files: readonly GltfPath[]
  readonly size: Size
  /** Path of Chromium. @default found by its usual names */
  readonly chromium?: string
}

export interface ThreeBench {
  /** Of three and its browser, versions included. */
  readonly name: string
  readonly size: Size
  readonly files: readonly FileResult[]
}

export type FileResult = ComparedFile | FailedFile

export interface ComparedFile {
  readonly name: string
  readonly ours: FlatPicture
  readonly theirs: FlatPicture
  readonly comparison: Comparison
  /** What we leave out of the file, one sentence each. */
  readonly notes: readonly string[]
  readonly check: Check
}

/** One that could not be compared. */
export interface FailedFile {
  readonly name: string
  readonly failed: string
  readonly check: Check
}

/** Samples per pixel along each axis. Ours are as many, elsewhere in the pixel. */
export const SUPERSAMPLING = 8

/** Rejects with BenchError without a browser, or with the signal's reason. What is wrong with a file is its result. */
export async function benchThree(
  { engine, files, size, chromium }: ThreeBenchOptions,
  signal: AbortSignal,
  progress: (line: string) => void,
): Promise<ThreeBench> {
  const three = await Rasteriser.start(chromium)
  if (isUnavailable(three)) throw new BenchError(`not compared with three.js: it ${three.unavailable}`)
  // Ends a picture that is being drawn, too, which then fails.
  const stop = () => void three.close()
  signal.addEventListener('abort', stop)
  try {
    const results: FileResult[] = []
    for (const file of files) {
      await setImmediate()
      signal.throwIfAborted()
      progress(`${file.name}: ${three.name}`)
      results.push(await compareFile(file, three, engine, size, signal))
    }
    return { name: three.name, size, files: results }
  } finally {
    signal.removeEventListener('abort', stop)
    await three.close()
  }
}

async function compareFile(
  { path, name }: GltfPath,
  three: Rasteriser,
  engine: WasmEngine,
  size: Size,
  signal: AbortSignal,
): Promise<FileResult> {
  try {
    const scene = await loadScene(path, { floor: false, cache: false, signal })
    const camera = scene.cameras.length > 0 ? undefined : unlitCamera(scene, size)
    const theirs = await three.rasterise(path, size, SUPERSAMPLING, camera)
    const ours = await unlitPicture(engine, scene, size, SUPERSAMPLING ** 2)
    const comparison = comparePictures(theirs.picture, ours, theirs.blended)
    if (comparison.shown === 0) return failure(name, 'neither picture shows anything')
    return {
      ...{ name, ours, theirs: theirs.picture, comparison },
      notes: scene.problems,
      check: checkOf(name, comparison.differing),
    }
  } catch (error) {
    signal.throwIfAborted()
    return failure(name, messageOf(error))
  }
}

/** As if all of it differed. */
const failure = (name: string, failed: string): FailedFile => ({ name, failed, check: checkOf(name, 1) })

const checkOf = (name: string, differing: number): Check =>
  atMost(`${name}: pixels that differ from three.js`, differing, TOLERANCE.pixels)
