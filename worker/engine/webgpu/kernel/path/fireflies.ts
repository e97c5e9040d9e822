/** What keeps rare bright samples away, as `worker/engine/wasm/kernel/path/fireflies.ts`; whether a path was scattered widely is a field of its own. */
import { VIEW_FLAGS } from '../../../wasm/records/view.ts'

export const FIREFLIES = /* wgsl */ `
const NARROW = 1.0;

/* By what light that was scattered so often is to be multiplied. */
fn limit_of(scattered: u32, light: vec3<f32>) -> f32 {
  let largest = max(light.x, max(light.y, light.z));
  return select(1.0, order.most / largest, scattered > 1u && largest > order.most);
}

fn is_dropped(wide: bool, density: f32) -> bool {
  return (view.flags & ${VIEW_FLAGS.plain}u) != 0u && wide && (density == 0.0 || density > NARROW);
}

fn drops_lights(path: Path) -> bool {
  return is_dropped(path.wide, path.density);
}

fn is_wide_at(path: Path) -> bool {
  return path.wide || (path.density > 0.0 && path.density <= NARROW);
}
`
