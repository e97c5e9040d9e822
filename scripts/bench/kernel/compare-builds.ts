/**
 * Whether the kernel became faster or slower since another commit: both builds in separate processes, the same rays,
 * interleaved rounds. Memory layout alone can cost a process a percent, so new pairs of processes are started several
 * times.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '../../../shared/errors.ts'
import type { Size } from '../../../shared/frame/rect.ts'
import { quantile } from '../../../shared/metrics/statistics.ts'
import { openBenchScene } from './bench-scene.ts'
import { LineProcess } from './line-process.ts'
import { ROOT, withBuildOf } from './other-build.ts'
import { writeRays, writeScene } from './ray-files.ts'
import { makeRaySets } from './ray-sets.ts'
import { RAY_KINDS, type RayKind } from './rays/ray-kinds.ts'

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

/** Without the kinds of rays that the other build does not know. */
export type Comparison = Readonly<Partial<Record<RayKind, Change>>>

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
  return withBuildOf({ option: '--against', ref: against }, signal, say, async otherRoot => {
    const folder = mkdtempSync(join(tmpdir(), 'sortfirst-rays-'))
    try {
      writeScene(folder, scene)
      writeRays(folder, makeRaySets(scene, view))
      const ratios = await interleave(folder, otherRoot, options.rounds, signal, say)
      return Object.fromEntries([...ratios].map(([kind, values]) => [kind, change(values)]))
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
): Promise<Map<RayKind, number[]>> {
  const ratios = new Map<RayKind, number[]>()
  const perPair = Math.ceil(rounds / PAIRS)
  for (let pair = 0; pair < PAIRS; pair++) {
    const ours = startRounds(ROOT, folder)
    const theirs = startRounds(otherRoot, folder)
    try {
      if (pair === 0) for (const kind of await kindsKnownTo(theirs)) ratios.set(kind, [])
      for (let round = -WARM_UP_ROUNDS; round < perPair; round++) {
        signal.throwIfAborted()
        say(round < 0 ? 'warming up' : `round ${pair * perPair + round + 1} of ${PAIRS * perPair}`)
        for (const [kind, values] of ratios) {
          const oursFirst = round % 2 === 0
          const first = (await (oursFirst ? ours : theirs).ask(`trace ${kind}`))[0]!
          const second = (await (oursFirst ? theirs : ours).ask(`trace ${kind}`))[0]!
          if (round >= 0) values.push(oursFirst ? second / first : first / second)
        }
      }
    } finally {
      ours.close()
      theirs.close()
    }
  }
  return ratios
}

/** The kinds of rays that a build knows: an older one refuses some. @throws Error if it has another reason */
export async function kindsKnownTo(build: LineProcess): Promise<RayKind[]> {
  const kinds: RayKind[] = []
  for (const kind of RAY_KINDS) {
    try {
      await build.ask(`trace ${kind}`)
      kinds.push(kind)
    } catch (error) {
      if (!messageOf(error).includes('unknown order')) throw error
    }
  }
  return kinds
}

function startRounds(root: string, folder: string): LineProcess {
  const [own, earlier] = ['dist/scripts/bench/commands/main.js', 'dist/scripts/sortfirst.js'].map(file =>
    join(root, file),
  )
  // Benches were commands of the program until they had one of their own.
  const program = existsSync(own!) ? [own!] : [earlier!, 'bench']
  return new LineProcess(process.execPath, [...program, 'kernel-rounds', folder])
}

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
