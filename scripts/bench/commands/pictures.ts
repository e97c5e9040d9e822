/** `bench pictures`. */
import { join } from 'node:path'
import { OptionError } from '../../../shared/errors.ts'
import { loadWasmEngine } from '../../../worker/node/load-kernel.ts'
import { withOutputFolder } from '../../files/output-folder.ts'
import { print } from '../../files/standard-output.ts'
import { hostText } from '../../run/host.ts'
import { interruptible } from '../../terminal/interrupt.ts'
import { isUnavailable } from '../kernel/unavailable.ts'
import { benchPictures } from '../pictures/bench-pictures.ts'
import type { Check } from '../pictures/checks/check.ts'
import { benchCycles } from '../pictures/cycles/bench-cycles.ts'
import { timesJson, timesSection, timesText } from '../pictures/cycles/report.ts'
import { kernelTracer, tracedAndDenoised } from '../pictures/kernel/as-tracer.ts'
import { kernelDraw } from '../pictures/kernel/draw.ts'
import { kernelLights } from '../pictures/kernel/lights.ts'
import { kernelLobes } from '../pictures/kernel/lobes.ts'
import { timedHere } from '../pictures/model/timed-tracer.ts'
import { naiveTracer } from '../pictures/naive/as-tracer.ts'
import { numberText, picturesPage } from '../pictures/page.ts'
import { textTable } from '../pictures/tables.ts'

export interface RawPicturesOptions {
  readonly out: string
  readonly quick?: boolean
  readonly againstCycles?: boolean
  readonly json?: boolean
  /** Of the comparisons of files, which are commands of their own. */
  readonly size?: string
  readonly chromium?: string
  readonly environment?: string
  readonly reference?: string
  readonly samples?: string
  readonly diffuse?: boolean
}

/** Options of other commands, and what they need. */
const OF_FILES = {
  size: '--against-three or --against-cycles and files',
  chromium: '--against-three',
  environment: '--against-cycles and files',
  reference: '--against-cycles and a file',
  samples: '--against-cycles and files',
  diffuse: '--against-cycles and files',
} as const

/** Sets exit code 1 if a check fails. */
export async function pictures(raw: RawPicturesOptions): Promise<void> {
  for (const [option, needed] of Object.entries(OF_FILES) as [keyof typeof OF_FILES, string][])
    if (raw[option] !== undefined)
      throw new OptionError(`--${option}`, `it together with ${needed} only`, `${raw[option]}`)
  if (raw.out.trim() === '') throw new OptionError('--out', 'the path of a folder', 'nothing')
  const quick = raw.quick === true
  const engine = loadWasmEngine('wasm')
  const [ours, theirs] = [kernelTracer('the kernel', engine), naiveTracer('the naive tracer', 1)]
  const denoised = kernelTracer('the kernel, denoised', engine, tracedAndDenoised())
  const progress = (line: string) => void process.stderr.write(`${line}\n`)
  const { checks, cycles } = await interruptible(signal =>
    withOutputFolder(raw.out, async folder => {
      const result = await benchPictures(
        { ours, theirs, lobes: kernelLobes(engine), lights: kernelLights(engine), draw: kernelDraw(engine), quick },
        signal,
        progress,
      )
      const beside = raw.againstCycles
        ? await benchCycles({ ours: timedHere(ours), denoised: timedHere(denoised), quick }, signal, progress)
        : undefined
      const cycles = beside && isUnavailable(beside) ? undefined : beside
      if (beside && isUnavailable(beside)) progress(`not compared with Cycles: ${beside.unavailable}`)
      const checks = [...result.checks, ...(cycles?.checks ?? [])]
      const host = hostText()
      await folder.write(
        'index.html',
        await picturesPage(
          { ...result, checks },
          { ours: ours.name, theirs: theirs.name, quick, host },
          cycles && (await timesSection(cycles, ours.name)),
        ),
      )
      return { checks, cycles }
    }),
  )
  await print(
    raw.json
      ? `${JSON.stringify({ checks, ...(cycles && { cycles: timesJson(cycles) }) }, null, 1)}\n`
      : `${checksTable(checks)}\n${cycles ? `${timesText(cycles)}\n` : ''}${join(raw.out, 'index.html')}\n`,
  )
  if (checks.some(({ ok }) => !ok)) process.exitCode = 1
}

const checksTable = (checks: readonly Check[]): string =>
  textTable(
    ['check', 'value', 'limit', ''],
    checks.map(({ name, value, limit, ok }) => [name, numberText(value), numberText(limit), ok ? 'holds' : 'FAILS']),
  )
