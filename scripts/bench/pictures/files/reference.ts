/** A file beside a picture that another renderer has made of it. */
import { readFile } from 'node:fs/promises'
import { messageOf, OptionError } from '../../../../shared/errors.ts'
import type { Size } from '../../../../shared/frame/rect.ts'
import type { WasmEngine } from '../../../../worker/engine/wasm/wasm-engine.ts'
import { packedTracer } from '../kernel/as-tracer.ts'
import type { Estimate } from '../model/estimate.ts'
import type { FileScene } from '../model/file-scene.ts'
import { type LinearPicture, readExr } from '../model/read-exr.ts'
import { estimated } from '../model/tracer.ts'
import { viewOf } from '../scenes/views.ts'
import { BOUNCES, RENDERINGS } from './bench-files.ts'
import { type ComparedFile, comparedFile } from './compared-file.ts'
import { fileToCompare } from './file-to-compare.ts'

export interface ReferenceOptions {
  readonly engine: WasmEngine
  readonly path: string
  /** An OpenEXR file. Its noise is unknown, and taken for a difference. */
  readonly reference: string
  /** It is made smaller by a whole number, so that both its sides are at most so long, px. */
  readonly longest: number
  readonly samples: number
  readonly environment?: string
}

/** Rejects with an OptionError for a picture that cannot be read, with what `loadScene` does, or with the signal's reason. */
export async function benchReference(
  { engine, path, reference, longest, samples, environment }: ReferenceOptions,
  signal: AbortSignal,
  progress: (line: string) => void,
): Promise<ComparedFile> {
  const theirs = shrunk(await pictureIn(reference), longest)
  const { size } = theirs
  const file = await fileToCompare(
    path,
    { size, bounces: BOUNCES, diffuse: false, ...(environment && { environment }) },
    signal,
  )
  progress(`${file.name}: ${size.join(' × ')} px`)
  const tracer = packedTracer<FileScene>('the kernel', engine)
  const view = viewOf(file.camera, size, { samples, bounces: file.bounces })
  const ours = await estimated(tracer, file.scene, view, RENDERINGS, signal)
  return comparedFile(engine, file, ours, theirs)
}

async function pictureIn(path: string): Promise<LinearPicture> {
  try {
    return readExr(await readFile(path))
  } catch (error) {
    throw new OptionError('--reference', 'an OpenEXR picture', `'${path}' (${messageOf(error)})`)
  }
}

/** Means of squares of pixels; what is left at the rim is cut off. */
function shrunk({ size: [width, height], values }: LinearPicture, longest: number): Estimate {
  const factor = Math.max(1, Math.ceil(Math.max(width, height) / longest))
  const size: Size = [Math.floor(width / factor), Math.floor(height / factor)]
  const mean = new Float64Array(size[0] * size[1] * 3)
  for (let y = 0; y < size[1] * factor; y++)
    for (let x = 0; x < size[0] * factor; x++)
      for (let channel = 0; channel < 3; channel++) {
        const to = (Math.floor(y / factor) * size[0] + Math.floor(x / factor)) * 3 + channel
        mean[to]! += values[(y * width + x) * 3 + channel]! / factor ** 2
      }
  return { size, mean, variance: new Float64Array(mean.length), count: 1 }
}
