/** glTF files beside Cycles, which reads them through Blender's importer: how far the pictures are apart, and the time to the same error. */
import { setImmediate } from 'node:timers/promises'
import { messageOf } from '../../../../shared/errors.ts'
import type { Size } from '../../../../shared/frame/rect.ts'
import type { WasmEngine } from '../../../../worker/engine/wasm/wasm-engine.ts'
import { BenchError } from '../../bench-error.ts'
import { isUnavailable } from '../../kernel/unavailable.ts'
import { Cycles } from '../cycles/cycles.ts'
import { packedTracer, tracedAndDenoised } from '../kernel/as-tracer.ts'
import type { FileScene } from '../model/file-scene.ts'
import { timedHere } from '../model/timed-tracer.ts'
import type { GltfPath } from '../three/gltf-paths.ts'
import { measureTimes, type SceneTimes } from '../times/measure-times.ts'
import { type ComparedFile, comparedFile } from './compared-file.ts'
import { fileToCompare } from './file-to-compare.ts'

export interface FilesBenchOptions {
  readonly engine: WasmEngine
  readonly files: readonly GltfPath[]
  readonly size: Size
  /** Of each of the renderings that are compared, per pixel. */
  readonly samples: number
  /** See `FileLook`. */
  readonly environment?: string
  readonly diffuse: boolean
}

export interface FilesBench {
  /** Of Cycles, version included. */
  readonly name: string
  readonly size: Size
  readonly samples: number
  readonly files: readonly FileResult[]
}

export type FileResult = MeasuredFile | { readonly name: string; readonly failed: string }

export interface MeasuredFile extends ComparedFile {
  readonly times: SceneTimes<FileScene>
}

export const BOUNCES = 12
export const RENDERINGS = 4
/** Samples per pixel of denoised pictures. */
export const DENOISED_SAMPLES = [4, 16]
const ROUNDS = 2
/** A share of the samples of what is compared. */
const MEASURED = [1 / 16, 1 / 4, 1]
/** Materials differ: whether pictures are the same decides only what errors are told by. */
const RESOLUTION = 0.02

/** Rejects with BenchError without Blender, or with the signal's reason. What is wrong with a file is its result. */
export async function benchFiles(
  { engine, files, size, samples, environment, diffuse }: FilesBenchOptions,
  signal: AbortSignal,
  progress: (line: string) => void,
): Promise<FilesBench> {
  const cycles = await Cycles.start()
  if (isUnavailable(cycles)) throw new BenchError(`not compared with Cycles: it ${cycles.unavailable}`)
  const stop = () => cycles.close()
  signal.addEventListener('abort', stop)
  const [ours, denoised] = [
    timedHere(packedTracer<FileScene>('the kernel', engine)),
    timedHere(packedTracer<FileScene>('the kernel, denoised', engine, tracedAndDenoised())),
  ]
  const sizes = {
    size,
    rounds: ROUNDS,
    resolution: RESOLUTION,
    reference: { renderings: RENDERINGS, samples },
    samples: [...new Set(MEASURED.map(share => Math.max(1, Math.round(share * samples))))],
    denoisedSamples: DENOISED_SAMPLES,
  }
  try {
    const results: FileResult[] = []
    for (const { path, name } of files) {
      await setImmediate()
      signal.throwIfAborted()
      try {
        const file = await fileToCompare(
          path,
          { size, bounces: BOUNCES, diffuse, ...(environment && { environment }) },
          signal,
        )
        const scenes = [{ ...file, name }]
        const [times] = await measureTimes<FileScene>(
          { ours, denoised, theirs: cycles, scenes, ...sizes },
          signal,
          progress,
        )
        const { pictures } = times!
        results.push({ ...comparedFile(engine, { ...file, name }, pictures.ours, pictures.theirs), times: times! })
      } catch (error) {
        signal.throwIfAborted()
        progress(`${name}: ${messageOf(error)}`)
        results.push({ name, failed: messageOf(error) })
      }
    }
    return { name: cycles.name, size, samples: samples * RENDERINGS, files: results }
  } finally {
    signal.removeEventListener('abort', stop)
    cycles.close()
  }
}
