/**
 * Half of the workers go in the middle of a film, and as many others come: as machines that are lent for a while are called back and
 * replaced. Whether a frame is lost or has other bytes, and how much more CPU time it takes than the same film with all of them throughout.
 * That is the time of whole processes, from their start to their end: that of the newcomers' start, and of rows that are traced again,
 * are in it.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Size } from '../../../shared/frame/rect.ts'
import { sha256 } from '../../../shared/node/sha256.ts'
import { untilAborted } from '../../../shared/time/until-aborted.ts'
import { startMaster } from '../../library/master.ts'
import { loadScene, type ReadyScene } from '../../library/ready-scene.ts'
import { render } from '../../library/render.ts'
import { startWorkerProcess, type WorkerProcess } from '../../library/worker-process.ts'
import { BenchError } from '../bench-error.ts'
import { median } from '../measure.ts'
import { endedChildrenCpuMs } from '../process-cpu.ts'

export interface HalfOptions {
  readonly scene: string
  readonly size: Size
  readonly samples: number
  readonly frames: number
  /** At least two. */
  readonly workers: number
  readonly rounds: number
}

/** How half of them go: they are asked to, as by SIGTERM, or are killed. */
export const PARTINGS = ['left', 'killed'] as const
type Parting = (typeof PARTINGS)[number]

export interface HalfFigures {
  /** Frames that did not come, and frames with other bytes than undisturbed, of all rounds. */
  readonly lost: number
  readonly wrong: number
  /** CPU time over that of the undisturbed film of the same round: the median; null where the system does not say. */
  readonly cpuRatio: number | null
  /** Pixels that were traced and not needed, as a share of all: the worst round. */
  readonly redundantShare: number
  /** Time from the first frame to the last over that of the undisturbed film: the median. */
  readonly wallRatio: number
}

export interface HalfBench extends HalfOptions {
  /** CPU time of the undisturbed film, s: the median; null where the system does not say. */
  readonly cpuSeconds: number | null
  readonly partings: Readonly<Record<Parting, HalfFigures>>
}

interface Lap {
  readonly hashes: readonly string[]
  readonly cpuMs: number | undefined
  readonly wallMs: number
  readonly redundantShare: number
}

export async function benchHalf(
  options: HalfOptions,
  signal: AbortSignal,
  progress: (line: string) => void,
): Promise<HalfBench> {
  const { rounds } = options
  const scene = await loadScene(options.scene)
  const cache = await mkdtemp(join(tmpdir(), 'sortfirst-half-'))
  const calm: Lap[] = []
  const disturbed: Record<Parting, Lap[]> = { left: [], killed: [] }
  try {
    // The first lap finds nothing built, and is not counted.
    await lap(scene, { ...options, frames: 1 }, cache, undefined, signal)
    for (let round = 0; round < rounds; round++) {
      calm.push(await lap(scene, options, cache, undefined, signal))
      for (const parting of PARTINGS) disturbed[parting].push(await lap(scene, options, cache, parting, signal))
      const cpu = [calm, disturbed.left, disturbed.killed].map(laps => seconds(laps.at(-1)!.cpuMs) ?? '-')
      progress(
        `round ${round + 1} of ${rounds}: ${cpu[0]} s of CPU time; half left ${cpu[1]} s, half killed ${cpu[2]} s`,
      )
    }
  } finally {
    await rm(cache, { recursive: true, force: true })
  }
  const figures = (laps: readonly Lap[]): HalfFigures => {
    const expected = calm[0]!.hashes
    const count = (is: (hash: string | undefined, frame: number) => boolean) =>
      laps.reduce((sum, { hashes }) => sum + expected.filter((_, frame) => is(hashes[frame], frame)).length, 0)
    const ratio = (of: (lap: Lap) => number | undefined) => {
      const ratios = laps.map((each, round) => of(each)! / of(calm[round]!)!)
      return ratios.every(Number.isFinite) ? Math.round(1000 * median(ratios)) / 1000 : null
    }
    return {
      lost: count(hash => hash === undefined),
      wrong: count((hash, frame) => hash !== undefined && hash !== expected[frame]),
      cpuRatio: ratio(({ cpuMs }) => cpuMs),
      redundantShare: Math.max(...laps.map(({ redundantShare }) => redundantShare)),
      wallRatio: ratio(({ wallMs }) => wallMs)!,
    }
  }
  const cpuMs = calm.flatMap(lap => lap.cpuMs ?? [])
  return {
    ...options,
    cpuSeconds: cpuMs.length === 0 ? null : seconds(median(cpuMs))!,
    partings: { left: figures(disturbed.left), killed: figures(disturbed.killed) },
  }
}

/** One film. @param parting how half of the workers go when a quarter of the frames is there; others come after half of them */
async function lap(
  scene: ReadyScene,
  { size, samples, frames, workers }: HalfOptions,
  cache: string,
  parting: Parting | undefined,
  signal: AbortSignal,
): Promise<Lap> {
  const before = endedChildrenCpuMs()
  const crew: WorkerProcess[] = []
  const master = await startMaster({ listen: '127.0.0.1:0' })
  const hire = (count: number) => {
    for (let i = 0; i < count; i++)
      crew.push(startWorkerProcess(`half-${crew.length + 1}`, [master.url, '--threads', '1', '--cache', cache]))
  }
  const killAll = () => {
    for (const { child } of crew) child.kill('SIGKILL')
  }
  process.once('exit', killAll)
  const half = Math.floor(workers / 2)
  const hashes: string[] = []
  let redundant = 0
  let wallMs = 0
  try {
    hire(workers)
    let began = 0
    for await (const { pixels, report } of render(scene, {
      ...{ cluster: { ...master, workers }, size, samples, frames, signal, wait: 120 },
    })) {
      hashes.push(sha256(pixels))
      redundant += report.redundantPx
      if (report.frame === 0) began = performance.now()
      wallMs = performance.now() - began
      if (parting === undefined) continue
      // The next frame is in progress.
      if (report.frame === Math.floor(frames / 4))
        for (const { child } of crew.slice(0, half)) child.kill(parting === 'left' ? 'SIGTERM' : 'SIGKILL')
      if (report.frame === Math.floor(frames / 2)) hire(half)
    }
  } catch (error) {
    signal.throwIfAborted()
    if (parting === undefined) throw error
    // What is missing is counted.
  } finally {
    for (const worker of crew) worker.leave()
    const ended = Promise.all(crew.map(worker => worker.ended))
    await untilAborted(signal, ended).catch(killAll)
    await ended
    await master.close()
    process.off('exit', killAll)
  }
  const after = endedChildrenCpuMs()
  const cpuMs = before === undefined || after === undefined ? undefined : after - before
  return { hashes, cpuMs, wallMs, redundantShare: redundant / (size[0] * size[1] * frames) }
}

const seconds = (ms: number | undefined): number | undefined =>
  ms === undefined ? undefined : Math.round(ms / 100) / 10

/** @throws BenchError if a frame was lost, had other bytes, or the CPU time grew by more than `mostMore` */
export function expectHalfIsEnough({ partings, frames, rounds }: HalfBench, mostMore: number): void {
  for (const [parting, { lost, wrong, cpuRatio }] of Object.entries(partings)) {
    const when = `where half of the workers ${parting === 'left' ? 'left' : 'were killed'}`
    if (lost + wrong > 0)
      throw new BenchError(
        `${lost} of ${frames * rounds} frames were lost and ${wrong} had other bytes ${when}, expected none`,
      )
    if (cpuRatio !== null && cpuRatio > 1 + mostMore)
      throw new BenchError(`${cpuRatio} times the CPU time ${when}, expected at most ${1 + mostMore}`)
  }
}
