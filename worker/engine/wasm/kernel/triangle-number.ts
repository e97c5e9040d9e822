/** A triangle's number among all that the scene shows, as if every instance had been baked in its turn. */
import { Instance, Run, Scene } from './records'

/** @param id of the triangle in memory @param instance that it belongs to, or 0 if it is baked */
export function numberInScene(id: u32, instance: u32): u32 {
  if (instance != 0) return id + Instance.number(instance)
  // The last run that begins at or before it.
  const runs = Scene.runs()
  let low: u32 = 0
  let high = Scene.runCount()
  while (low < high) {
    const middle = (low + high) >> 1
    if (Run.first(runs + middle * Run.BYTES) <= id) low = middle + 1
    else high = middle
  }
  return low == 0 ? id : id + Run.distance(runs + (low - 1) * Run.BYTES)
}
