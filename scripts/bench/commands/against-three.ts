/** `npm run bench -- pictures --against-three`. */
import { join } from 'node:path'
import { OptionError } from '../../../shared/errors.ts'
import type { Size } from '../../../shared/frame/rect.ts'
import { loadWasmEngine } from '../../../worker/node/load-kernel.ts'
import { withOutputFolder } from '../../files/output-folder.ts'
import { print } from '../../files/standard-output.ts'
import { parseSize } from '../../options/groups/film.ts'
import { hostText } from '../../run/host.ts'
import { interruptible } from '../../terminal/interrupt.ts'
import { benchThree } from '../pictures/three/bench-three.ts'
import { gltfPaths } from '../pictures/three/gltf-paths.ts'
import { threeJson, threePage, threeText } from '../pictures/three/report.ts'

export interface RawThreeOptions {
  readonly out: string
  readonly againstThree: readonly string[]
  readonly size?: string
  readonly chromium?: string
  readonly quick?: boolean
  readonly againstCycles?: boolean | readonly string[]
  readonly json?: boolean
}

const FULL: Size = [512, 384]
const QUICK: Size = [160, 120]
const [PAGE, RESULTS] = ['against-three.html', 'against-three.json']

/** Sets exit code 1 if a file looks different. */
export async function againstThree(raw: RawThreeOptions): Promise<void> {
  const { out, chromium } = raw
  if (out.trim() === '') throw new OptionError('--out', 'the path of a folder', 'nothing')
  if (raw.againstCycles) throw new OptionError('--against-three', 'no --against-cycles with it', 'both')
  const size = raw.size === undefined ? (raw.quick ? QUICK : FULL) : parseSize(raw.size)
  const files = await gltfPaths(raw.againstThree, '--against-three')
  const engine = loadWasmEngine('wasm')
  const progress = (line: string) => void process.stderr.write(`${line}\n`)
  const bench = await interruptible(signal =>
    withOutputFolder(out, async folder => {
      const bench = await benchThree({ engine, files, size, ...(chromium && { chromium }) }, signal, progress)
      await folder.write(PAGE, threePage(bench, 'the kernel', hostText()))
      await folder.write(RESULTS, jsonOf(threeJson(bench)))
      return bench
    }),
  )
  await print(raw.json ? jsonOf(threeJson(bench)) : `${threeText(bench)}\n${join(out, PAGE)}\n`)
  if (bench.files.some(({ check }) => !check.ok)) process.exitCode = 1
}

const jsonOf = (result: object): string => `${JSON.stringify(result, null, 1)}\n`
