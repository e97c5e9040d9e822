/** A triangle's number among all that the scene shows, as `worker/engine/wasm/kernel/triangle-number.ts`. */
import { wordsTo } from '../../wasm/records/access.ts'
import { RUN } from '../../wasm/records/instances.ts'

export const TRIANGLE_NUMBER = /* wgsl */ `
const RUN_WORDS = ${RUN.bytes / 4}u;

fn number_in_scene(id: u32, instance: u32) -> u32 {
  if (instance != 0u) { return id + tables[instance_words(instance) + INSTANCE_NUMBER]; }
  /* The last run that begins at or before it. */
  var low = 0u;
  var high = order.run_count;
  while (low < high) {
    let middle = (low + high) >> 1u;
    if (tables[order.runs + middle * RUN_WORDS + ${wordsTo(RUN, 'first')}u] <= id) { low = middle + 1u; } else { high = middle; }
  }
  if (low == 0u) { return id; }
  return id + tables[order.runs + (low - 1u) * RUN_WORDS + ${wordsTo(RUN, 'distance')}u];
}
`
