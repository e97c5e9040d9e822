/** `npm run bench -- pictures --against-cycles` with files: glTF files beside Cycles, or one beside a picture that is there already. */
import { join } from 'node:path'
import { OptionError } from '../../../shared/errors.ts'
import { MAX_SAMPLES } from '../../../shared/frame/frame-limits.ts'
import type { Size } from '../../../shared/frame/rect.ts'
import { loadWasmEngine } from '../../../worker/node/load-kernel.ts'
import { withOutputFolder } from '../../files/output-folder.ts'
import { print } from '../../files/standard-output.ts'
import { parseSize } from '../../options/groups/film.ts'
import { hostText } from '../../run/host.ts'
import { interruptible } from '../../terminal/interrupt.ts'
import { benchFiles, RENDERINGS } from '../pictures/files/bench-files.ts'
import { benchReference } from '../pictures/files/reference.ts'
import { type FilesReport, filesJson, filesPage, filesText } from '../pictures/files/report.ts'
import { gltfPaths } from '../pictures/three/gltf-paths.ts'

export interface RawFilesOptions {
  readonly out: string
  readonly againstCycles: readonly string[]
  readonly environment?: string
  readonly reference?: string
  readonly samples?: string
  readonly diffuse?: boolean
  readonly size?: string
  readonly quick?: boolean
  readonly json?: boolean
}

const FULL = { size: [320, 240] as Size, samples: 64 }
const QUICK = { size: [64, 48] as Size, samples: 8 }
const [PAGE, RESULTS] = ['against-cycles.html', 'against-cycles.json']

/** Sets exit code 1 if a file cannot be compared. How far pictures may be apart depends on their materials, and is not judged. */
export async function againstCycles(raw: RawFilesOptions): Promise<void> {
  const { out, environment, reference } = raw
  if (out.trim() === '') throw new OptionError('--out', 'the path of a folder', 'nothing')
  const defaults = raw.quick ? QUICK : FULL
  const size = raw.size === undefined ? defaults.size : parseSize(raw.size)
  const samples = raw.samples === undefined ? defaults.samples : samplesOf(raw.samples)
  const files = await gltfPaths(raw.againstCycles, '--against-cycles')
  if (reference !== undefined && files.length !== 1)
    throw new OptionError('--reference', 'one file to compare with it', `${files.length}`)
  if (reference !== undefined && raw.diffuse) throw new OptionError('--diffuse', 'no --reference with it', 'both')
  const engine = loadWasmEngine('wasm')
  const progress = (line: string) => void process.stderr.write(`${line}\n`)
  const common = { engine, samples, ...(environment !== undefined && { environment }) }
  const report = await interruptible(signal =>
    withOutputFolder(out, async folder => {
      const report = await (reference === undefined ? besideCycles(signal) : besideReference(reference, signal))
      await folder.write(PAGE, await filesPage(report, 'the kernel', hostText()))
      await folder.write(RESULTS, jsonOf(filesJson(report)))
      return report
    }),
  )
  await print(raw.json ? jsonOf(filesJson(report)) : `${filesText(report)}\n${join(out, PAGE)}\n`)
  if (report.files.some(file => 'failed' in file)) process.exitCode = 1

  async function besideCycles(signal: AbortSignal): Promise<FilesReport> {
    const { name: theirs, ...rest } = await benchFiles(
      { ...common, files, size, diffuse: raw.diffuse === true },
      signal,
      progress,
    )
    return { theirs, ...rest }
  }
  async function besideReference(reference: string, signal: AbortSignal): Promise<FilesReport> {
    const { path } = files[0]!
    const longest = Math.max(...size)
    const file = await benchReference({ ...common, path, reference, longest }, signal, progress)
    return { theirs: reference, size: file.size, samples: samples * RENDERINGS, files: [file] }
  }
}

function samplesOf(text: string): number {
  const samples = Number(text)
  if (Number.isInteger(samples) && samples >= 1 && samples <= MAX_SAMPLES) return samples
  throw new OptionError('--samples', `a whole number from 1 to ${MAX_SAMPLES}`, `'${text}'`)
}

const jsonOf = (result: object): string => `${JSON.stringify(result, null, 1)}\n`
