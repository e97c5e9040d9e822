/**
 * What every frame of a film in which something moves costs beside tracing: making the scene of its moment, the parts of it that
 * travel, and putting them together and building them, which every worker does. CPU time of one thread.
 */

import { frameRect, type Size } from '../../../shared/frame/rect.ts'
import type { Quality, View } from '../../../shared/frame/view.ts'
import { mean } from '../../../shared/metrics/statistics.ts'
import type { HeldScene } from '../../../shared/scene/held-scene.ts'
import { type JoinedScene, joinScene } from '../../../shared/scene/manifest.ts'
import type { Log } from '../../../shared/text/log.ts'
import type { Tracer } from '../../../worker/engine/engine.ts'
import { engineByName } from '../../../worker/node/engines.ts'
import { DEFAULT_FPS } from '../../options/groups/film.ts'
import { AMBIENT_QUALITY, resolveQuality } from '../../options/groups/light.ts'
import { type PreparedScene, prepareScene } from '../../run/prepare-scene.ts'
import { BenchError } from '../bench-error.ts'
import { cpuMsOf } from '../cpu-time.ts'
import { median } from '../measure.ts'

export interface MomentsBenchOptions {
  readonly size: Size
  /** At least 3. */
  readonly frames: number
  /** Single-threaded ones, among which a frame is shared evenly. */
  readonly workers: number
}

/** Medians over the frames after the first; ms of CPU time of one thread. */
export interface MomentsRow {
  readonly scene: string
  readonly triangles: number
  /** Making the scene of the frame in the client's thread for it. */
  readonly makeMs: number
  /** Parts that the frame before did not have, and all. */
  readonly freshBytes: number
  readonly bytes: number
  /** What each worker does for a frame before it can trace: it packs the parts, and builds. */
  readonly joinMs: number
  readonly buildMs: number
  /** A worker's share of tracing a frame: mean of three. */
  readonly tracing: { readonly ambientMs: number; readonly pathMs: number }
}

/** The path tracer's time is proportional to its samples: it is measured with a few of the 64. */
const PATH = resolveQuality({ integrator: 'path' })
const MEASURED_SAMPLES = 4
const ROWS = 32

/** Rejects as `prepareScene` does, with BenchError for a scene in which nothing moves, and with the signal's reason on abort. */
export async function benchMoments(
  files: readonly string[],
  options: MomentsBenchOptions,
  signal: AbortSignal,
  log: Log,
): Promise<MomentsRow[]> {
  const rows: MomentsRow[] = []
  for (const file of files) {
    const scene = await prepareScene(file, options.size, undefined, log, signal)
    try {
      rows.push(await measureScene(file, scene, options, signal))
    } finally {
      await scene.close?.()
    }
  }
  return rows
}

async function measureScene(
  file: string,
  scene: PreparedScene,
  { size, frames, workers }: MomentsBenchOptions,
  signal: AbortSignal,
): Promise<MomentsRow> {
  const { at } = scene
  if (!at) throw new BenchError(`${file}: expected a scene in which something moves, got one that stands still`)
  const times = { make: [] as number[], fresh: [] as number[], join: [] as number[], build: [] as number[] }
  const traced = { ambient: [] as number[], path: [] as number[] }
  const probed = [1, Math.ceil(frames / 2), frames - 1]
  let before: HeldScene | undefined
  let joined: JoinedScene | undefined
  let like: object | undefined
  let spare: object | undefined
  for (let frame = 0; frame < frames; frame++) {
    signal.throwIfAborted()
    // Nothing else runs in this process meanwhile: what it uses is the scene thread's.
    const started = process.cpuUsage()
    const { held, cameras } = await at(frame / DEFAULT_FPS, frame)
    const { user, system } = process.cpuUsage(started)
    const { manifest, parts } = held
    const join = cpuMsOf(() => {
      joined = { manifest, bytes: joinScene(manifest, part => parts.get(part)!, shared, joined).bytes }
    })
    const { tracer, built, ms } = build(joined!.bytes, like, spare)
    spare = like
    like = built
    if (before) {
      const had = before.parts
      times.make.push((user + system) / 1000)
      times.fresh.push(bytesOf(held.manifest.parts.filter(({ sha256 }) => !had.has(sha256))))
      times.join.push(join)
      times.build.push(ms)
    }
    before = held
    if (!probed.includes(frame)) continue
    const view = { frame, size, camera: scene.cameraAt(frame, cameras), exposure: scene.exposure }
    const traceMs = (quality: Quality, samples: number) => cpuMsOf(() => trace(tracer, { ...view, quality }, samples))
    // The first rays compile the engine.
    if (traced.ambient.length === 0) traceMs(AMBIENT, AMBIENT.samples)
    traced.ambient.push(traceMs(AMBIENT, AMBIENT.samples))
    traced.path.push((traceMs(PATH, MEASURED_SAMPLES) * PATH.samples) / MEASURED_SAMPLES)
  }
  return {
    scene: scene.name,
    triangles: scene.triangles,
    makeMs: median(times.make),
    freshBytes: median(times.fresh),
    bytes: bytesOf(before!.manifest.parts),
    joinMs: median(times.join),
    buildMs: median(times.build),
    tracing: { ambientMs: mean(traced.ambient) / workers, pathMs: mean(traced.path) / workers },
  }
}

const AMBIENT: Quality = AMBIENT_QUALITY

const bytesOf = (parts: readonly { readonly bytes: number }[]): number =>
  parts.reduce((sum, { bytes }) => sum + bytes, 0)

const shared = (bytes: number) => new Uint8Array(new SharedArrayBuffer(bytes))

/** As a worker does it. @param like the scene of the frame before @param spare that of the frame before that */
function build(packed: Uint8Array, like: object | undefined, spare: object | undefined) {
  const engine = engineByName('wasm')
  let built: object | undefined
  let tracer: Tracer | undefined
  const ms = cpuMsOf(() => {
    const building = engine.begin(packed, 1, like && { built: like, refit: true, spare })
    engine.help(building)
    built = engine.finish(building)
    tracer = engine.open(built, 0)
  })
  return { tracer: tracer!, built: built!, ms }
}

function trace(tracer: Tracer, view: View, samples: number): void {
  const frame = frameRect(view.size)
  const light = new Float64Array(frame.w * ROWS * 3)
  for (let y = 0; y < frame.h; y += ROWS) {
    const rect = { ...frame, y, h: Math.min(ROWS, frame.h - y) }
    tracer.trace(view, { rect }, { from: 0, to: samples }, { light: light.subarray(0, 3 * rect.w * rect.h) })
  }
}
