/**
 * A worker with an accelerator, live: how fast its CPU and its device are alone, together as one worker, and flat, as two; and how many
 * adjustments it takes from any share to the best one. One worker process, frames of one camera, one kind of run after the other in
 * turns. Rates are of what areas are limited to: they leave room on the machine for the programs beside them.
 */
import { availableParallelism } from 'node:os'
import type { FrameReport } from '../../shared/frame/frame-report.ts'
import { raysPerPixel } from '../../shared/frame/rays-per-pixel.ts'
import type { Size } from '../../shared/frame/rect.ts'
import { settledAfter } from '../../shared/metrics/settled-after.ts'
import { mean } from '../../shared/metrics/statistics.ts'
import type { StrategyOptions } from '../../shared/session/strategy-options.ts'
import type { Log } from '../../shared/text/log.ts'
import { parseAccelerator } from '../../worker/accelerators/spec.ts'
import { type Cluster, connect } from '../library/cluster.ts'
import { loadScene, type ReadyScene } from '../library/ready-scene.ts'
import { render } from '../library/render.ts'
import { startMasterProcess, startWorkerProcess } from '../library/worker-process.ts'
import { anyOf } from '../terminal/interrupt.ts'
import { BenchError } from './bench-error.ts'
import { checkCores, checkShares, type DeviceWork, isAccelerator, workOf } from './device-work.ts'
import { median } from './measure.ts'

export interface HybridBenchOptions {
  readonly scene: string
  readonly size: Size
  readonly accelerator: string
  readonly frames: number
  /** Of the worker. @default the system's cache folder */
  readonly cache?: string
}

export interface HybridBench {
  readonly scene: string
  readonly size: Size
  readonly frames: number
  /** Each alone, the CPU first. Rays per second, those of a pixel taken to be as many as its quality says. */
  readonly devices: readonly BenchedDevice[]
  /** Both as one worker with `--within proportional`, and as two (`flat`), rays per second. */
  readonly together: number
  readonly flat: number
  /** `together` over the sum of both alone. */
  readonly efficiency: number
  /** Adjustments until the accelerator's share stays within 2 points of the best; null: it did not. */
  readonly adjustments: Readonly<Record<'from0' | 'from50' | 'from75' | 'from100', number | null>>
  /** Last share of the accelerator less the best one, on average over the starts. */
  readonly shareError: number
  /** Why these figures may mean little. */
  readonly warnings: readonly string[]
}

/** A device alone. */
export interface BenchedDevice {
  readonly name: string
  readonly simulated: boolean
  readonly raysPerSecond: number
  /** That it is limited to. */
  readonly cores: number
  /** That it used on average, its own waiting for a simulated link included. */
  readonly usedCores: number
}

const QUALITY = { samples: 2, ambientRays: 2 }
/** Of the machine's cores; the rest is for masters, clients, and the threads that talk. */
const USED = 0.75
/** How often every kind of run is made. */
const TURNS = 2
/** Frames before those that count. */
const WARM_UP = 2
/** A worker with a device of WebGPU tries it first, and its driver may be new to the machine. If it ends, nothing waits for it. */
const WAIT_S = 300
/** What the other one, which is idle, takes from a device was not measured of it, and from one that is slow it takes all. */
const ALONE = { within: 'fixed', rowStealing: false } as const
const NEAR = 0.02
/** Frames that these areas could trace in less are mostly other things than tracing, whatever else the host does, ms. */
const SHORT_MS = 100
const STARTS = [
  ['from0', 0],
  ['from50', 0.5],
  ['from75', 0.75],
  ['from100', 1],
] as const

/**
 * Rejects with BenchError if the accelerator does not do what it is limited to, or nothing; with what starting the programs, loading the scene or
 * rendering throws, or with the signal's reason.
 */
export async function benchHybrid(
  { scene: name, size, accelerator, frames, cache }: HybridBenchOptions,
  asked: AbortSignal,
  log: Log,
): Promise<HybridBench> {
  const { factor, kind } = parseAccelerator(accelerator)
  const isLimited = kind !== 'webgpu'
  const cores = (USED * availableParallelism()) / (1 + factor)
  const { master, url } = await startMasterProcess()
  const words = [url, '--accelerator', accelerator, '--accelerator-required', '--cores', `${cores}`]
  const worker = startWorkerProcess('hybrid', [...words, ...(cache === undefined ? [] : ['--cache', cache])])
  const lost = new AbortController()
  void worker.ended.then(how => lost.abort(new BenchError(`the worker with ${accelerator} ended: ${whyEnded(how)}`)))
  const signal = anyOf([asked, lost.signal])
  let cluster: Cluster | undefined
  try {
    const scene = await loadScene(name, { signal })
    cluster = await connect(url, { workers: 1, signal })
    const runs = new Runs(cluster, scene, size, frames, signal)
    log.info(
      `${name} at ${size.join('x')}: the CPU with ${cores.toFixed(2)} cores, ${accelerator}${isLimited ? ` with ${(cores * factor).toFixed(2)}` : ''}`,
    )
    const made = await runs.inTurn([
      { ...ALONE, withinStart: 0 },
      { ...ALONE, withinStart: 1 },
      { within: 'proportional' },
      { within: 'flat' },
    ])
    const [cpu, device, together, flat] = made.map(reports => runs.rateOf(reports)) as [number, number, number, number]
    const alone = [workOf(made[0]!, area => !isAccelerator(area)), workOf(made[1]!, isAccelerator)] as const
    const besideCpu = workOf([...made[2]!, ...made[3]!], isAccelerator)
    checkShares(accelerator, { alone: alone[1], 'beside the CPU': besideCpu })
    const best = bestShare(made[2]!)
    const deviceName = isLimited ? accelerator : (nameOf(made[1]!) ?? accelerator)
    const frameMs = mean(made[2]!.map(cpuMsOf)) / (cores * (1 + factor))
    // Of shorter frames, devices are not what takes most of the time.
    if (frameMs >= SHORT_MS) checkCores(accelerator, alone[1])
    const adjustments: Record<string, number | null> = {}
    const errors: number[] = []
    for (const [key, withinStart] of STARTS) {
      const shares = (await runs.reports({ within: 'proportional', withinStart })).map(shareOf)
      adjustments[key] = settledAfter(shares, best, NEAR)
      errors.push(Math.abs(shares.at(-1)! - best))
      log.info(
        `${key}: ${shares.map(share => `${(share * 100).toFixed(1)} %`).join(', ')} (best: ${(best * 100).toFixed(1)} %)`,
      )
    }
    return {
      scene: name,
      size,
      frames,
      devices: [
        benched('cpu', false, cpu, alone[0], cores),
        benched(deviceName, kind === 'simulated', device, alone[1], cores * factor),
      ],
      together,
      flat,
      efficiency: together / (cpu + device),
      adjustments: adjustments as HybridBench['adjustments'],
      shareError: mean(errors),
      warnings: [
        ...(frameMs < SHORT_MS
          ? [
              `frames of ${frameMs.toFixed(0)} ms of tracing are too short to tell devices apart: use a larger --size, or a heavier scene`,
            ]
          : []),
        ...(deviceName.endsWith('(software)')
          ? [`${deviceName} runs on the CPU: its speed says nothing of a graphics card's`]
          : []),
      ],
    }
  } finally {
    await cluster?.close()
    for (const each of [worker, master]) each.leave()
    await Promise.all([worker.ended, master.ended])
  }
}

/** What the accelerator has turned out to be. */
const nameOf = (reports: readonly FrameReport[]): string | undefined =>
  reports.flatMap(({ workers }) => workers).find(isAccelerator)?.device

/** Of all tiles of a frame. */
const cpuMsOf = ({ tiles }: FrameReport): number => tiles.reduce((sum, { cpuMs }) => sum + cpuMs, 0)

const benched = (
  name: string,
  simulated: boolean,
  raysPerSecond: number,
  { cores, usedCores }: DeviceWork,
  wanted: number,
): BenchedDevice => ({ name, simulated, raysPerSecond, cores: cores ?? wanted, usedCores })

/** The sentence with which a program ended, or else its signal or exit code, which stands before its last words. */
const whyEnded = (how: string): string => /sortfirst: (.*)/.exec(how)?.[1] ?? how.split(':')[0]!

/** The share with which both end together: that of the device in what both do per ms while both are at work. */
function bestShare(reports: readonly FrameReport[]): number {
  const done = { cpu: { work: 0, ms: 0 }, device: { work: 0, ms: 0 } }
  for (const { tiles, workers } of reports) {
    const cpus = new Set(workers.filter(({ id, workerId = id }) => id === workerId).map(({ id }) => id))
    for (const { worker, work = 0, wallMs } of tiles) {
      const sum = cpus.has(worker) ? done.cpu : done.device
      sum.work += work
      sum.ms += wallMs
    }
  }
  const [cpu, device] = [done.cpu, done.device].map(({ work, ms }) => (ms > 0 ? work / ms : 0)) as [number, number]
  return cpu + device > 0 ? device / (cpu + device) : 0
}

/** As planned. */
const shareOf = ({ decisions }: FrameReport): number => decisions.acceleratorShare ?? 0

class Runs {
  readonly #cluster: Cluster
  readonly #scene: ReadyScene
  readonly #size: Size
  readonly #frames: number
  readonly #signal: AbortSignal

  constructor(cluster: Cluster, scene: ReadyScene, size: Size, frames: number, signal: AbortSignal) {
    this.#cluster = cluster
    this.#scene = scene
    this.#size = size
    this.#frames = frames
    this.#signal = signal
  }

  /** Frames with each of these options, in turn, so that all see the same moods of the machine. */
  async inTurn(kinds: readonly Partial<StrategyOptions>[]): Promise<FrameReport[][]> {
    const made = kinds.map((): FrameReport[] => [])
    for (let turn = 0; turn < TURNS; turn++)
      for (const [i, options] of kinds.entries())
        made[i]!.push(...(await this.reports(options, WARM_UP)).slice(WARM_UP))
    return made
  }

  /** Rays per second of the median frame. */
  rateOf(reports: readonly FrameReport[]): number {
    const rays = this.#size[0] * this.#size[1] * raysPerPixel(QUALITY)
    return (1000 * rays) / median(reports.map(({ frameMs }) => frameMs))
  }

  /** Of frames in a still view, so that all have the same best share; one in the making at a time. */
  async reports(strategyOptions: Partial<StrategyOptions>, before = 0): Promise<FrameReport[]> {
    const reports: FrameReport[] = []
    const frames = render(this.#scene, {
      size: this.#size,
      frames: this.#frames + before,
      camera: 'still',
      inFlight: 1,
      ...QUALITY,
      cluster: this.#cluster,
      wait: WAIT_S,
      strategyOptions,
      clock: 'wall',
      signal: this.#signal,
    })
    for await (const { report } of frames) reports.push(report)
    return reports
  }
}
