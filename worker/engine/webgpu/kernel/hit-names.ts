/** What a ray has hit, by the number of the object, as `worker/engine/wasm/kernel/hit-names.ts`. */
export const HIT_NAMES = /* wgsl */ `
fn hit_object(found: Answer) -> u32 {
  if (is_of_instance(found)) { return instance_object(found); }
  let triangle = triangle_of(found);
  /* The first run that ends after it. */
  var low = 0u;
  var high = scene.object_count - 1u;
  while (low < high) {
    let middle = (low + high) >> 1u;
    if (read_object_run(scene.objects + middle * OBJECT_RUN_WORDS).end > triangle) { high = middle; }
    else { low = middle + 1u; }
  }
  return read_object_run(scene.objects + low * OBJECT_RUN_WORDS).object;
}
`
