/**
 * Whether the kernel became faster or slower since another commit: both builds in separate processes, the same rays,
 * interleaved rounds. Memory layout alone can cost a process a percent, so new pairs of processes are started several
 * times.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { quantile } from '../../../shared/metrics/statistics.ts'
import type { Size } from '../../../shared/rect.ts'
import { openBenchScene } from './bench-scene.ts'
import { LineProcess } from './line-process.ts'
import { ROOT, withBuildOf } from './other-build.ts'
import { writeRays, writeScene } from './ray-files.ts'
import { makeRaySets, RAY_KINDS, type RayKind } from './ray-sets.ts'

export interface CompareOptions {
  readonly mesh: string
  readonly size: Size
  readonly rounds: number
  /** A commit, branch or tag. */
  readonly against: string
}

/** This build's rate over the other's, over all rounds. */
export interface Change {
  readonly median: number
  readonly lowerQuartile: number
  readonly upperQuartile: number
  /** More than NOISE slower. */
  readonly worse: boolean
}

export type Comparison = Readonly<Record<RayKind, Change>>

/** Smaller changes are treated as no change. */
const NOISE = 0.03
const PAIRS = 3
const WARM_UP_ROUNDS = 2

/** @throws UsageError for a mesh that cannot be loaded or a commit that cannot be built */
export async function compareBuilds(
  options: CompareOptions,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<Comparison> {
  const { mesh, size, against } = options
  const { scene, view } = await openBenchScene(mesh, size, 'close')
  return withBuildOf(against, signal, say, async otherRoot => {
    const folder = mkdtempSync(join(tmpdir(), 'sortfirst-rays-'))
    try {
      writeScene(folder, scene)
      writeRays(folder, makeRaySets(scene, view))
      const ratios = await interleave(folder, otherRoot, options.rounds, signal, say)
      return { primary: change(ratios.primary), shadow: change(ratios.shadow), bounce: change(ratios.bounce) }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
}

async function interleave(
  folder: string,
  otherRoot: string,
  rounds: number,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<Record<RayKind, number[]>> {
  const ratios: Record<RayKind, number[]> = { primary: [], shadow: [], bounce: [] }
  const perPair = Math.ceil(rounds / PAIRS)
  for (let pair = 0; pair < PAIRS; pair++) {
    const ours = startRounds(ROOT, folder)
    const theirs = startRounds(otherRoot, folder)
    try {
      for (let round = -WARM_UP_ROUNDS; round < perPair; round++) {
        signal.throwIfAborted()
        say(round < 0 ? 'warming up' : `round ${pair * perPair + round + 1} of ${PAIRS * perPair}`)
        for (const kind of RAY_KINDS) {
          const oursFirst = round % 2 === 0
          const first = (await (oursFirst ? ours : theirs).ask(`trace ${kind}`))[0]!
          const second = (await (oursFirst ? theirs : ours).ask(`trace ${kind}`))[0]!
          if (round >= 0) ratios[kind].push(oursFirst ? second / first : first / second)
        }
      }
    } finally {
      ours.close()
      theirs.close()
    }
  }
  return ratios
}

const startRounds = (root: string, folder: string): LineProcess =>
  new LineProcess(process.execPath, [join(root, 'dist/scripts/sortfirst.js'), 'bench', 'kernel-rounds', folder])

function change(ratios: readonly number[]): Change {
  const sorted = [...ratios].sort((a, b) => a - b)
  const median = quantile(sorted, 0.5)
  return {
    median,
    lowerQuartile: quantile(sorted, 0.25),
    upperQuartile: quantile(sorted, 0.75),
    worse: median < 1 - NOISE,
  }
}
