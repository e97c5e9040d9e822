/** glTF files beside three's own rasteriser, both without light: whether surfaces are where they should be, in their colours. */
import { setImmediate } from 'node:timers/promises'
import { messageOf } from '../../../../shared/errors.ts'
import type { Size } from '../../../../shared/frame/rect.ts'
import type { WasmEngine } from '../../../../worker/engine/wasm/wasm-engine.ts'
import { loadScene, type ReadyScene } from '../../../library/ready-scene.ts'
import { BenchError } from '../../bench-error.ts'
import { isUnavailable } from '../../kernel/unavailable.ts'
import { atMost, type Check } from '../checks/check.ts'
import { type Comparison, comparePictures, TOLERANCE } from './compare.ts'
import type { GltfPath } from './gltf-paths.ts'
import { Rasteriser } from './rasteriser.ts'
import { type ShownPair, shownPair } from './shown-pair.ts'
import { unlitCameras, unlitPicture } from './unlit-kernel.ts'

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
  /** One of a file in which nothing moves, TIMES of another, in their order. */
  readonly moments: readonly ComparedMoment[]
  /** The moment with most pixels that differ, the first of several. */
  readonly worst: ComparedMoment
  /** What we leave out of the file, one sentence each. */
  readonly notes: readonly string[]
  readonly check: Check
}

export interface ComparedMoment {
  /** Its time, s; 0 for a file in which nothing moves. */
  readonly seconds: number
  readonly pair: ShownPair
  readonly comparison: Shares
}

/** A comparison without its picture. */
export type Shares = Omit<Comparison, 'marks'>

/** One that could not be compared. */
export interface FailedFile {
  readonly name: string
  readonly failed: string
  readonly check: Check
}

/** Samples per pixel along each axis. Ours are as many, elsewhere in the pixel. */
export const SUPERSAMPLING = 8

/** At so many times is a file compared in which something moves. */
export const TIMES = 5

/** Evenly spread over the length of what moves, s. At its end, it begins again: that is 0. @param seconds none for what does not move */
export const timesOf = (seconds: number | undefined): number[] =>
  seconds === undefined ? [0] : Array.from({ length: TIMES }, (_, i) => (seconds * i) / TIMES)

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
  let scene: ReadyScene | undefined
  try {
    scene = await loadScene(path, { floor: false, cache: false, signal })
    const cameraIn = unlitCameras(scene, size)
    const times = timesOf(scene.motion?.seconds)
    // Ours stays where it is, whatever moves.
    const camera = scene.cameras.length > 0 ? undefined : cameraIn(0)
    const theirs = await three.rasterise(path, size, SUPERSAMPLING, camera, times)
    const moments: ComparedMoment[] = []
    for (const [i, seconds] of times.entries()) {
      await setImmediate()
      signal.throwIfAborted()
      const { held, cameras } = (await scene.at?.(seconds, i)) ?? scene
      const ours = await unlitPicture(engine, held, cameraIn(i, cameras), size, SUPERSAMPLING ** 2)
      const { picture, blended } = theirs[i]!
      const { marks, ...shares } = comparePictures(picture, ours, blended)
      moments.push({ seconds, pair: await shownPair(picture, ours, marks), comparison: shares })
    }
    if (moments.every(({ comparison }) => comparison.shown === 0))
      return failure(name, 'neither picture shows anything')
    const worst = moments.reduce((a, b) => (b.comparison.differing > a.comparison.differing ? b : a))
    const check = checkOf(name, worst.comparison.differing)
    return { name, moments, worst, notes: scene.problems, check }
  } catch (error) {
    signal.throwIfAborted()
    return failure(name, messageOf(error))
  } finally {
    await scene?.close?.()
  }
}

/** As if all of it differed. */
const failure = (name: string, failed: string): FailedFile => ({ name, failed, check: checkOf(name, 1) })

const checkOf = (name: string, differing: number): Check =>
  atMost(`${name}: pixels that differ from three.js`, differing, TOLERANCE.pixels)
