/** A scene as `sortfirst view` shows it: prepared, with the order of its frames, and what pages may ask for. */
import type { ViewSource } from '../../master/page/view-source.ts'
import { lookOf } from '../../shared/light/tone-map.ts'
import type { SessionOrder } from '../../shared/protocol/session-order.ts'
import type { SessionRunner } from '../../shared/session/session.ts'
import type { Log } from '../../shared/text/log.ts'
import { engineKind } from '../../worker/engine/engine.ts'
import { waitMsOf } from '../options/groups/cluster.ts'
import { exposureFrom } from '../options/groups/exposure.ts'
import type { OpenRun } from '../options/integrator.ts'
import type { RunOptions } from '../options/run.ts'
import type { ViewedScene } from './dropped-files.ts'
import { firstViewpoint } from './first-viewpoint.ts'
import { type PreparedScene, prepareScene, warnOfGaps } from './prepare-scene.ts'
import type { ViewLines } from './tile-command.ts'
import { viewSource } from './view-source.ts'

export interface AskedView {
  /** As it is loaded. */
  readonly name: string
  /** As the log names it: a file that a page sent has its own name, not that of its place. @default its name */
  readonly called?: string
  /** False: not in the cache. */
  readonly cache: string | false
  readonly run: OpenRun
  readonly strategy: string
  /** Render it with the same light and look, but for camera and size; none if they cannot be written as a line. */
  readonly lines: ReturnType<ViewLines>
  readonly log: Log
  readonly signal: AbortSignal
  /** The cluster, as soon as it is there. */
  readonly cluster: () => Promise<{ readonly workers: number; readonly run: SessionRunner['run'] }>
  readonly receive: NonNullable<ViewSource['receive']>
}

/** Rejects as `prepareScene` does. */
export async function viewedScene(asked: AskedView): Promise<ViewedScene> {
  const { name, called, cache, run, strategy, lines, log, signal, cluster, receive } = asked
  const { size, camera, look } = run.options
  const scene = await prepareScene(name, size, camera, log, signal, { ...look, cache }, called)
  try {
    const { options, because } = run.of(scene.lighting)
    if (because) log.info(`integrator: path, for ${because}; --integrator ambient is faster`)
    warnOfGaps(scene, options.quality, log)
    const { workers, run: runSession } = await cluster()
    const first = await scene.at?.(0, 0)
    const held = first?.held ?? scene.held
    const order = { ...orderOf(scene, options, strategy), scene: held.hash, minWorkers: workers }
    const facts = {
      triangles: scene.triangles,
      ...firstViewpoint(scene, scene.cameraAt(0, first?.cameras)),
      ...lines,
    }
    const { close, ...source } = viewSource({ scene, name, options, order, run: runSession, receive })
    return {
      shown: { order, scene: held, facts, source },
      async close() {
        await close()
        await scene.close?.()
      },
    }
  } catch (error) {
    await scene.close?.()
    throw error
  }
}

const orderOf = (
  scene: PreparedScene,
  options: RunOptions,
  strategy: string,
): Omit<SessionOrder, 'scene' | 'minWorkers'> => {
  const { size, quality, noise, denoise, clock, engine, mixEngines } = options
  return {
    kind: 'viewer',
    sceneName: scene.name,
    size,
    quality,
    ...lookOf({ ...options, exposure: exposureFrom(options.exposure, scene.exposure) }),
    passes: 1,
    ...(noise === undefined ? {} : { noise }),
    ...(denoise === 'on' ? { denoise: true } : {}),
    progressive: false,
    inFlight: 1,
    strategy,
    options: options.strategy,
    record: false,
    spans: false,
    clock,
    engine: engineKind(engine),
    ...(mixEngines ? { mixEngines } : {}),
    waitMs: waitMsOf(options),
  }
}
