/**
 * What keeping frames costs: the time of a checkpoint of a large frame with all sums, what the event loop of its master has to wait for
 * meanwhile, and what a still costs that is divided so that little of it can be lost.
 */
import { mkdtemp, open, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { channelsFor } from '../../../master/assembly/finish-frame.ts'
import { SharedAssembly } from '../../../master/assembly/shared-assembly.ts'
import { PlanePool } from '../../../master/planes/plane-pool.ts'
import { startPlaneThread } from '../../../master/planes/start-thread.ts'
import { bytesPerPixelOf } from '../../../shared/frame/channels.ts'
import type { Size } from '../../../shared/frame/rect.ts'
import { DEFAULT_STRATEGY_OPTIONS } from '../../../shared/session/strategy-options.ts'
import { CheckpointWorker } from '../../checkpoint/checkpoint-worker.ts'
import { Checkpoints } from '../../checkpoint/checkpoints.ts'
import { checkpointFile } from '../../checkpoint/fitting.ts'
import { withOutputFolder } from '../../files/output-folder.ts'
import { startCluster } from '../../library/cluster.ts'
import { type FilmKeeper, type FilmOptions, resolveOptions } from '../../library/program-options.ts'
import { loadScene } from '../../library/ready-scene.ts'
import { renderFilm } from '../../library/render-film.ts'
import { encodePartial, keptPassesOf, TILE_SAMPLES } from '../../run/keep-frames.ts'
import { BenchError } from '../bench-error.ts'
import { median } from '../measure.ts'

export interface CheckpointBenchOptions {
  readonly size: Size
  readonly rounds: number
  /** Of the still. */
  readonly still: { readonly scene: string; readonly size: Size; readonly samples: number }
}

export interface CheckpointBench extends CheckpointBenchOptions {
  readonly bytes: number
  /** From the wish to keep a frame to the file and its picture on the disk, ms, and CPU time of the process meanwhile. */
  readonly wallMs: readonly number[]
  readonly cpuMs: readonly number[]
  /** To write as many bytes to the same disk, ms. */
  readonly diskMs: number
  /** The longest that the event loop was held up, ms. */
  readonly heldMs: number
  /** CPU time of a checkpoint, as a share of that of a minute of one core. */
  readonly shareOfMinute: number
  /** CPU time of tracing the still, divided as one that is kept, over that of one that is not: median of the rounds. */
  readonly dividedOverPlain: number
}

/** @throws BenchError if nothing was kept */
export async function benchCheckpoint(
  options: CheckpointBenchOptions,
  progress: (line: string) => void,
): Promise<CheckpointBench> {
  const out = await mkdtemp(join(tmpdir(), 'sortfirst-bench-'))
  try {
    const kept = await withOutputFolder(out, folder => keep(options, folder))
    progress(`kept ${kept.wallMs.length} times`)
    return { ...options, ...kept, dividedOverPlain: await divided(options, progress) }
  } finally {
    await rm(out, { recursive: true, force: true })
  }
}

/** Keeps a frame with everything that one can have, in the middle of a later pass. */
async function keep(
  { size, rounds }: CheckpointBenchOptions,
  folder: Parameters<Parameters<typeof withOutputFolder>[1]>[0],
) {
  const content = {
    passes: 4,
    quality: { samples: 4, ambientRays: 0, maxDepth: 0, bounces: 4 },
    transparent: true,
    denoise: true,
    channels: ['albedo', 'normal', 'depth', 'id'],
  } as const
  const { passes, quality } = content
  const taking = { quality, passes, isAdaptive: false, isDenoised: true, isBlurred: false }
  const channels = channelsFor(content)
  const planes = new PlanePool({ start: startPlaneThread, threads: 2, alarm: () => () => {} })
  const look = { exposure: 1 }
  const assembly = new SharedAssembly({ size, channels, content, look, preview: () => {} }, planes)
  const range = { from: 0, to: 1 }
  const rect = { x: 0, y: 0, w: size[0], h: size[1] }
  await assembly.put({ rect }, new Uint8Array(size[0] * size[1] * bytesPerPixelOf(channels)))
  assembly.passDone(range, 'all')
  const point = { range: { from: 1, to: 2 }, phase: 'tracing' } as const
  const failures: string[] = []
  const checkpoints = new Checkpoints(
    { film: {}, kernel: '', size, channels, look, taking },
    {
      folder,
      worker: new CheckpointWorker(),
      everyMs: 0,
      now: () => performance.now(),
      alarm: () => () => {},
      info: () => {},
      warn: text => failures.push(text),
      encode: encodePartial,
    },
  )
  const [wallMs, cpuMs] = [[] as number[], [] as number[]]
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const path = join(folder.path, checkpointFile(0))
  try {
    // The first starts the threads.
    for (let round = 0; round <= rounds; round++) {
      await rm(path, { force: true })
      checkpoints.begun(0, () => assembly.state(point))
      if (round === 1) delay.enable()
      const [beganAt, before] = [performance.now(), process.cpuUsage()]
      await checkpoints.givenUp(0)
      const { user, system } = process.cpuUsage(before)
      if (round === 0) continue
      wallMs.push(performance.now() - beganAt)
      cpuMs.push((user + system) / 1000)
      if (failures.length > 0) throw new BenchError(`expected a frame that is kept, got: ${failures[0]}`)
    }
    delay.disable()
    const { size: bytes } = await stat(path).catch(() => {
      throw new BenchError('expected a checkpoint, got none')
    })
    const shareOfMinute = median(cpuMs) / 60_000
    const diskMs = await writing(path, bytes)
    return { bytes, wallMs, cpuMs, diskMs, heldMs: delay.max / 1e6, shareOfMinute }
  } finally {
    await checkpoints.end()
    assembly.end()
    planes.close()
  }
}

async function writing(path: string, bytes: number): Promise<number> {
  const piece = new Uint8Array(2 ** 22)
  const beganAt = performance.now()
  const file = await open(path, 'w')
  for (let at = 0; at < bytes; at += piece.length) await file.write(piece)
  await file.datasync()
  await file.close()
  return performance.now() - beganAt
}

async function divided({ still, rounds }: CheckpointBenchOptions, progress: (line: string) => void): Promise<number> {
  const cluster = await startCluster({ workers: 1, cache: false })
  const scene = await loadScene(still.scene)
  const cpuMsOf = async (isKept: boolean): Promise<number> => {
    const { size, samples } = still
    const passes = isKept ? keptPassesOf(size, samples) : 1
    const options = resolveOptions({ size, samples, passes, integrator: 'path' })
    const film: FilmOptions = {
      ...options,
      strategy: 'predictive',
      strategyOptions: DEFAULT_STRATEGY_OPTIONS,
      cluster,
      ...(isKept ? { keeper: nobody } : {}),
    }
    let cpuMs = 0
    for await (const { report } of renderFilm(scene, film))
      cpuMs += report.tiles.reduce((sum, tile) => sum + tile.cpuMs, 0)
    return cpuMs
  }
  try {
    const ratios: number[] = []
    for (let round = 0; round < rounds; round++) {
      const plain = await cpuMsOf(false)
      ratios.push((await cpuMsOf(true)) / plain)
      progress(`still, round ${round + 1}: ${ratios.at(-1)!.toFixed(3)}`)
    }
    return median(ratios)
  } finally {
    await scene.close?.()
    await cluster.close()
  }
}

/** Has frames divided, and keeps nothing. */
const nobody: FilmKeeper = {
  mostTileSamples: TILE_SAMPLES,
  from: async () => undefined,
  during: () => {},
  begun: () => {},
  passDone: () => {},
  givenUp: async () => {},
  complete: async () => {},
}
