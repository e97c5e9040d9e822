/**
 * Whole path-traced frames: a scene with its own materials and lights, from its own camera if it has one. Shading is some 40 % of their time,
 * which no figure of rays shows. Another build traces the same frames in the same process, in turn; only what an engine is asked by the rest of
 * the program is asked of it (`worker/engine/engine.ts`).
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { cameraAt } from '../../../scenes/cameras/camera-paths.ts'
import { importThree } from '../../../scenes/import/import-three.ts'
import { openScene } from '../../../scenes/open-scene.ts'
import { messageOf, OptionError } from '../../../shared/errors.ts'
import type { Size } from '../../../shared/frame/rect.ts'
import type { View } from '../../../shared/frame/view.ts'
import { relativeTo } from '../../../shared/scene/centre.ts'
import { packScene } from '../../../shared/scene/packed-scene.ts'
import type { Engine } from '../../../worker/engine/engine.ts'
import { loadWasmEngine } from '../../../worker/node/load-kernel.ts'
import { framed } from '../../library/cameras.ts'
import { median } from '../measure.ts'
import { type FrameTracer, openFrame } from './frame-tracers.ts'

/** As often as light is scattered. */
const BOUNCES = 4
const SAMPLES = 1
const WARM_UP_ROUNDS = 2

export interface PathFrameBench {
  readonly size: Size
  readonly bounces: number
  /** Milliseconds of CPU time of a frame. */
  readonly median: number
  readonly best: number
  /** Of the other build. */
  readonly before?: number
  /** Speed of this build relative to the other one: median over the rounds. */
  readonly ratio?: number
  /** Whether both builds' frames have the same bytes. */
  readonly same?: boolean
}

export interface PathFrameOptions {
  readonly mesh: string
  readonly size: Size
  readonly rounds: number
  /** Root of a checkout that has been built, to compare with. */
  readonly before?: string | undefined
}

/** @throws UsageError for a scene that cannot be loaded, OptionError for a build that cannot trace it */
export async function benchPathFrame(options: PathFrameOptions, signal: AbortSignal): Promise<PathFrameBench> {
  const { size, rounds, before } = options
  const { bytes, view } = await openPathScene(options.mesh, size)
  const ours = openFrame(loadWasmEngine('wasm'), bytes, view)
  const theirs = before === undefined ? undefined : await openOther(before, bytes, view)
  const times: { own: number; other: number }[] = []
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    signal.throwIfAborted()
    // Neither is always the first.
    const early = round % 2 === 0 ? undefined : theirs?.trace()
    const own = ours.trace()
    const other = early ?? theirs?.trace() ?? Number.NaN
    if (round >= 0) times.push({ own, other })
  }
  const own = times.map(time => time.own)
  return {
    size,
    bounces: BOUNCES,
    median: median(own),
    best: Math.min(...own),
    ...(theirs && {
      before: median(times.map(time => time.other)),
      ratio: median(times.map(time => time.other / time.own)),
      same: Buffer.compare(ours.pixels(), theirs.pixels()) === 0,
    }),
  }
}

async function openPathScene(mesh: string, size: Size): Promise<{ bytes: Uint8Array; view: View }> {
  const loaded = await openScene(mesh)
  const { description } = importThree(loaded.scene)
  const aspect = size[0] / size[1]
  const [own] = loaded.cameras ?? []
  const camera = own ? framed(own, aspect) : cameraAt(loaded.defaultCamera, loaded, 0, aspect)
  const quality = { samples: SAMPLES, ambientRays: 0, maxDepth: 0, bounces: BOUNCES }
  return {
    bytes: packScene({ ...description, centre: [0, 0, 0] }).bytes,
    view: { frame: 0, size, camera: relativeTo(description.centre, camera), quality, exposure: loaded.exposure },
  }
}

/** @param root of a checkout */
async function openOther(root: string, bytes: Uint8Array, view: View): Promise<FrameTracer<number>> {
  const module = join(root, 'dist/worker/node/load-kernel.js')
  try {
    const { loadWasmEngine: load } = (await import(pathToFileURL(module).href)) as {
      loadWasmEngine(name: 'wasm'): Engine
    }
    const tracer = openFrame(load('wasm'), bytes, view)
    tracer.trace()
    return tracer
  } catch (error) {
    throw new OptionError('--before', 'a build that can trace this scene', `'${root}': ${messageOf(error)}`)
  }
}
