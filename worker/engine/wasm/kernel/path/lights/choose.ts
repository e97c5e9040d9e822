/**
 * Which light next-event estimation asks: one of the lights in the scene's list or an emissive triangle, with a probability that
 * the host derives from their power, by the alias method (Vose, IEEE Transactions on Software Engineering 17(9), 1991).
 */
import { CHOICE_BYTES, SCENE, SCENE_CHOICE_COUNT, SCENE_CHOICES } from '../../layout'

/** The number of a choice: below the number of lights it is a light, above it an emissive triangle. */
export function choose(u: f64): u32 {
  const count = load<u32>(SCENE, SCENE_CHOICE_COUNT)
  const at = u * <f64>count
  const cell = min<u32>(count - 1, <u32>at)
  const entry = load<u32>(SCENE, SCENE_CHOICES) + cell * CHOICE_BYTES
  return at - <f64>cell < <f64>load<f32>(entry) ? cell : load<u32>(entry, 4)
}
