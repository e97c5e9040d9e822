/** How fast the kernel is, beside its peers and beside another commit. */
import { loadavg } from 'node:os'
import { createInterface } from 'node:readline'
import { OptionError, UnknownNameError } from '../../../shared/errors.ts'
import { print } from '../../files/standard-output.ts'
import { parseSize } from '../../options/groups/film.ts'
import { wholeNumber } from '../../options/option-values.ts'
import { describeHost } from '../../run/host.ts'
import { interruptible } from '../../terminal/interrupt.ts'
import { benchKernel } from '../kernel/bench-kernel.ts'
import { BENCH_VIEWS, type BenchView } from '../kernel/bench-scene.ts'
import { compareBuilds } from '../kernel/compare-builds.ts'
import { compileWithGpp } from '../kernel/embree-home.ts'
import { rayEngineName } from '../kernel/index.ts'
import { withBuildIn } from '../kernel/other-build.ts'
import { RAY_ENGINES } from '../kernel/ray-engine.ts'
import { RAY_KINDS } from '../kernel/rays/ray-kinds.ts'
import { answerRounds } from '../kernel/rounds.ts'
import { changesText, complaints, kernelText } from '../kernel/table.ts'
import { progress } from './output.ts'

export interface RawKernelOptions {
  readonly mesh: string
  readonly view: string
  readonly size: string
  readonly rounds: string
  readonly engines?: string
  readonly before?: string
  readonly json?: boolean
}

export async function kernel(raw: RawKernelOptions): Promise<void> {
  const engines = raw.engines?.split(',').map(name => rayEngineName(name.trim())) ?? RAY_ENGINES
  const options = {
    mesh: raw.mesh,
    view: benchView(raw.view),
    size: parseSize(raw.size),
    rounds: wholeNumber('--rounds', raw.rounds, 1, 1000),
    engines: [...new Set(engines)],
  }
  // Running processes, mean of a minute; the bench itself is one of them after it.
  const loadBefore = loadavg()[0]!
  const { before } = raw
  if (before !== undefined && !options.engines.includes('wasm'))
    throw new OptionError('--before', 'wasm among --engines', options.engines.join(', '))
  const result = await interruptible(signal => {
    const bench = (root?: string) => benchKernel({ ...options, before: root }, compileWithGpp, signal, progress)
    return before === undefined ? bench() : withBuildIn({ option: '--before', ref: before }, signal, progress, bench)
  })
  if (!raw.json) return print(kernelText(result))
  for (const complaint of complaints(result)) progress(complaint)
  const { mesh, triangles, ...rest } = result
  const host = { ...describeHost(), loadBefore, loadAfter: loadavg()[0] }
  await print(`${JSON.stringify({ mesh, triangles, host, ...rest }, null, 2)}\n`)
}

function benchView(name: string): BenchView {
  const known = BENCH_VIEWS.find(view => view === name)
  if (!known) throw new UnknownNameError('view', name, BENCH_VIEWS)
  return known
}

export interface RawCompareOptions {
  readonly mesh: string
  readonly size: string
  readonly rounds: string
  readonly against: string
}

/** Sets exit code 1 if the kernel has become slower. */
export async function compare(raw: RawCompareOptions): Promise<void> {
  const size = parseSize(raw.size)
  const rounds = wholeNumber('--rounds', raw.rounds, 3, 1000)
  const { mesh, against } = raw
  const result = await interruptible(signal => compareBuilds({ mesh, size, rounds, against }, signal, progress))
  await print(changesText(result, against))
  if (RAY_KINDS.some(kind => result[kind]?.worse)) process.exitCode = 1
}

/** Started by `compare` in both builds. */
export const kernelRounds = (folder: string): Promise<void> =>
  answerRounds(folder, createInterface({ input: process.stdin }), line => void print(`${line}\n`))
