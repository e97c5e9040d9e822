/** `sortfirst tile`: traces one tile of a frame alone, to find out why it fails. */

import { OptionError } from '../../shared/errors.ts'
import { contains, formatRect, frameRect, type Rect } from '../../shared/frame/rect.ts'
import { type Look, lookOf } from '../../shared/light/tone-map.ts'
import type { Log } from '../../shared/text/log.ts'
import type { Device } from '../../worker/accelerators/guarded-pool.ts'
import { type EngineName, isWebgpu } from '../../worker/engine/engine.ts'
import { DEVICE_THREADS, startWebgpuEngine } from '../../worker/node/accelerators.ts'
import { engineByName } from '../../worker/node/engines.ts'
import { startThreadPool } from '../../worker/node/thread-pool.ts'
import { openAsked } from '../files/asked-file.ts'
import { print } from '../files/standard-output.ts'
import { FrameEncoder } from '../film/frame-encoder.ts'
import type { Words } from '../options/declare/group.ts'
import { camerasOf } from '../options/groups/camera-file.ts'
import { exposureFrom } from '../options/groups/exposure.ts'
import { wholeSize } from '../options/groups/film.ts'
import { readRun } from '../options/groups/index.ts'
import { timesOf } from '../options/groups/shutter.ts'
import { openRun } from '../options/integrator.ts'
import { type RunOptions, resolveRunOptions } from '../options/run.ts'
import { hostCores } from '../run/host.ts'
import { type PreparedScene, prepareScene } from '../run/prepare-scene.ts'
import { type TileMoment, traceTile } from '../run/trace-tile.ts'
import { interruptible } from '../terminal/interrupt.ts'
import { createProgress } from '../terminal/progress.ts'

/** Rejects with OptionError, or with what the engine says. */
export async function tile(sceneName: string, words: Words): Promise<void> {
  const given = readRun('tile', words)
  const cameras = await camerasOf(given)
  const context = { command: 'tile', cores: hostCores(), chosen: [], cameras } as const
  const run = openRun(given, 'tile', each => resolveRunOptions(sceneName, each, context))
  const { picture, camera, look, cache, engine } = run.options
  // Nothing is prepared for one that cannot be had.
  checkEngine(engine)
  // Commander does not go on without these.
  const [frame, rect] = [given.frame!, rectOf(given.rect!, run.options)]
  const progress = createProgress(process.stderr, run.options.logForm)
  await interruptible(async signal => {
    const file = await openAsked('--out', picture)
    const scene = await prepareScene(sceneName, wholeSize(run.options), camera, progress, signal, { ...look, cache })
    const { options } = run.of(scene.lighting)
    const { pool, close, label } = await startEngine(engine, progress)
    signal.addEventListener('abort', () => void close())
    const encoder = new FrameEncoder({ ...options, outputs: ['png'], aovs: [], look: shownAs(scene, options) })
    try {
      const { pixels, planes } = await traceTile(pool, await momentsOf(scene, frame, options), rect)
      const [png] = await encoder.files([rect.w, rect.h], pixels, planes, label)
      await file.write(png![1])
      await file.finish()
    } finally {
      await file.discard()
      await close()
      await scene.close?.()
    }
  })
  await print(`tile ${formatRect(rect)} of frame ${frame}: ${picture}\n`)
}

/** @throws EngineUnavailableError of one that is known at once not to be had */
const checkEngine = (engine: EngineName): unknown => isWebgpu(engine) || engineByName(engine)

interface TracingEngine extends Pick<Device, 'pool' | 'close'> {
  /** Of a device. */
  readonly label?: string
}

/** As a worker of it traces, with all cores. */
async function startEngine(engine: EngineName, log: Log): Promise<TracingEngine> {
  if (isWebgpu(engine)) return startWebgpuEngine(engine, DEVICE_THREADS, log)
  const pool = await startThreadPool({ threads: hostCores(), engine })
  return { pool, close: () => pool.close() }
}

const shownAs = ({ exposure }: PreparedScene, options: RunOptions): Look =>
  lookOf({ ...options, exposure: exposureFrom(options.exposure, exposure) })

/** The frame as `render` would show it. */
async function momentsOf(
  scene: PreparedScene,
  frame: number,
  options: RunOptions,
): Promise<[TileMoment, ...TileMoment[]]> {
  const { size, region, quality, fps, shutter, transparent } = options
  const moments: TileMoment[] = []
  for (const time of shutter ? timesOf(frame, shutter) : [frame]) {
    const then = await scene.at?.(time / fps, frame)
    const camera = { ...scene.cameraAt(frame, then?.cameras, time), ...(region ? { region } : {}) }
    const look = { ...shownAs(scene, options), ...(transparent ? { transparent: true as const } : {}) }
    moments.push({ scene: then?.held ?? scene.held, view: { frame, size, camera, quality, ...look } })
  }
  return moments as [TileMoment, ...TileMoment[]]
}

function rectOf(text: string, { size, region }: Pick<RunOptions, 'size' | 'region'>): Rect {
  const [, x, y, w, h] = (/^(\d+),(\d+),(\d+),(\d+)$/.exec(text) ?? []).map(Number)
  const rect = { x: x!, y: y!, w: w!, h: h! }
  if (w! > 0 && h! > 0 && contains(frameRect(size), rect)) return rect
  throw new OptionError(
    '--rect',
    `x,y,width,height in px inside the ${region ? 'region' : 'frame'} of ${size.join('x')}`,
    `'${text}'`,
  )
}
