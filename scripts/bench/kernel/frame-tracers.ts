/**
 * Renderers of the directly lit frame: this project's engine as workers use it, and the same image in C++ on Embree's
 * single rays.
 */
import { readFileSync } from 'node:fs'
import { area, frameRect } from '../../../shared/frame/rect.ts'
import { allSamples, type View } from '../../../shared/frame/view.ts'
import type { BakedScene } from '../../../shared/scene/ambient-look.ts'
import type { Engine } from '../../../worker/engine/engine.ts'
import { EngineUnavailableError } from '../../../worker/engine/errors.ts'
import { loadWasmEngine } from '../../../worker/node/load-kernel.ts'
import { cpuMsOf } from '../cpu-time.ts'
import type { BenchScene } from './bench-scene.ts'
import { buildScene } from './build-scene.ts'
import { EMBREE_BUILDS } from './embree.ts'
import type { EmbreeHome } from './embree-home.ts'
import type { Unavailable } from './unavailable.ts'

export interface FrameTracer<Ms = number | Promise<number>> {
  /** Renders the frame once, on one thread; CPU milliseconds. */
  trace(): Ms
  /** RGB8 of the latest frame. */
  pixels(): Uint8Array
  close(): void
}

/** Rows per call: whole blocks of the kernel, a few milliseconds of work. */
const ROWS = 32

export function openWasmFrame({ scene, view }: BenchScene): FrameTracer | Unavailable {
  try {
    return openFrame(loadWasmEngine('wasm'), scene.bytes, view)
  } catch (error) {
    if (error instanceof EngineUnavailableError) return { unavailable: error.reason }
    throw error
  }
}

/** @param bytes a packed scene */
export function openFrame<Building extends object, Built extends object>(
  engine: Engine<Building, Built>,
  bytes: Uint8Array,
  view: View,
): FrameTracer<number> {
  const tracer = engine.open(buildScene(engine, { bytes }), 0)
  const rect = frameRect(view.size)
  const rgb = new Uint8Array(area(rect) * 3)
  const traceAll = () => {
    for (let y = 0; y < rect.h; y += ROWS) {
      const rows = { ...rect, y, h: Math.min(ROWS, rect.h - y) }
      tracer.trace(view, { rect: rows }, allSamples(view), {
        rgb: rgb.subarray(y * rect.w * 3, (y + rows.h) * rect.w * 3),
      })
    }
  }
  return { trace: () => cpuMsOf(traceAll), pixels: () => rgb, close: () => {} }
}

export async function openEmbreeFrame({ scene, view }: BenchScene, home: EmbreeHome): Promise<FrameTracer> {
  const program = await home.start(false)
  const file = home.fileFor('frame')
  const command = `frame ${frameNumbers(scene, view).join(' ')} ${file}`
  const trace = async () => (await program.ask(command))[0]!
  // Find the fastest build for this frame.
  let best = { build: '', ms: Number.POSITIVE_INFINITY }
  for (const build of EMBREE_BUILDS) {
    await program.ask(`build ${build}`)
    for (let i = 0; i < 3; i++) {
      const ms = await trace()
      if (ms < best.ms) best = { build, ms }
    }
  }
  await program.ask(`use ${best.build}`)
  return { trace, pixels: () => readFileSync(file), close: () => program.close() }
}

/** The numbers that `frame.h` reads, in its order. */
function frameNumbers({ materials, sky, sun }: BakedScene, { size, camera, exposure }: View): number[] {
  const { origin, right, up, back, tanHalfX, tanHalfY, near, far } = camera
  return [
    ...[size, origin, right, up, back, [tanHalfX, tanHalfY, near, far, exposure]],
    ...[materials[0]!.color, sky.zenith, sky.horizon, sky.ground, sun.direction, sun.irradiance],
  ].flat()
}
