/** Builds a scene with this project's kernel on the calling thread. */
import type { BakedScene } from '../../../shared/scene/ambient-look.ts'
import type { Engine } from '../../../worker/engine/engine.ts'

/** Complete build: from the packed scene to a memory of the right size. */
export function buildScene<Building extends object, Built extends object>(
  engine: Engine<Building, Built>,
  scene: Pick<BakedScene, 'bytes'>,
): Built {
  const building = engine.begin(scene.bytes, 1)
  engine.help(building)
  return engine.finish(building)
}
