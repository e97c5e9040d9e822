/** A triangle's number among all that the scene shows, as if every instance had been baked in its turn. */
import { SCENE } from './layout'
import { INSTANCE_NUMBER, RUN_BYTES, RUN_DISTANCE, SCENE_RUN_COUNT, SCENE_RUNS } from './instance-layout'

/** @param id of the triangle in memory @param instance that it belongs to, or 0 if it is baked */
export function numberInScene(id: u32, instance: u32): u32 {
  if (instance != 0) return id + load<u32>(instance, INSTANCE_NUMBER)
  // The last run that begins at or before it.
  const runs = load<u32>(SCENE, SCENE_RUNS)
  let low: u32 = 0
  let high = load<u32>(SCENE, SCENE_RUN_COUNT)
  while (low < high) {
    const middle = (low + high) >> 1
    if (load<u32>(runs + middle * RUN_BYTES) <= id) low = middle + 1
    else high = middle
  }
  return low == 0 ? id : id + load<u32>(runs + (low - 1) * RUN_BYTES, RUN_DISTANCE)
}
