/** Uses an engine in the calling thread alone. */
import { type PixelSet, pixelCount } from '../../../shared/frame/pixel-set.ts'
import type { Rect } from '../../../shared/frame/rect.ts'
import { allSamples, type View } from '../../../shared/frame/view.ts'
import type { BakedScene } from '../../../shared/scene/ambient-look.ts'
import type { Engine, Tracer } from '../../../worker/engine/engine.ts'
import { engineList } from '../../../worker/node/engines.ts'
import { sharedBytes } from './meshes.ts'

/** Names of the engines that can be used on this machine. */
export const usableEngines = engineList()
  .filter(({ unavailable }) => unavailable === undefined)
  .map(({ name }) => name)

/** A scene, built to be opened by so many threads. */
export function buildHere(engine: Engine, scene: BakedScene, threads = 1): object {
  const building = engine.begin(sharedBytes(scene), threads)
  engine.help(building)
  return engine.finish(building)
}

export const openHere = (engine: Engine, scene: BakedScene): Tracer => engine.open(buildHere(engine, scene), 0)

/** The pixels of a set, RGB8, packed. */
export function traceSet(tracer: Tracer, view: View, set: PixelSet): Uint8Array {
  const rgb = new Uint8Array(pixelCount(set) * 3)
  tracer.trace(view, set, allSamples(view), { rgb })
  return rgb
}

/** The pixels of a rectangle, RGB8. */
export const traceTile = (tracer: Tracer, view: View, rect: Rect): Uint8Array => traceSet(tracer, view, { rect })
