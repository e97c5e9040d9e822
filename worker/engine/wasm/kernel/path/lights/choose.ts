/**
 * Which light next-event estimation samples: of each group (distant ones, and those in the scene) one of the lights in the scene's list or an
 * emissive triangle, with a probability that the host derives from their power, by the alias method (Vose, IEEE Transactions on
 * Software Engineering 17(9), 1991).
 */
import {
  CHOICE_BYTES,
  CHOICE_OTHER,
  CHOICE_OWN,
  GROUP_CHOICES,
  GROUP_COUNT,
  GROUP_ENTRY,
  SCENE,
  SCENE_GROUPS,
} from '../../layout'

/** How much there is to choose from. */
@inline
export function choicesIn(group: u32): u32 {
  return load<u32>(SCENE + group * GROUP_ENTRY, SCENE_GROUPS + GROUP_COUNT)
}

/** The number of a choice from a group that is not empty: below the number of lights it is a light, above it an emissive triangle. */
export function choose(group: u32, u: f64): u32 {
  const count = choicesIn(group)
  const at = u * <f64>count
  const cell = min<u32>(count - 1, <u32>at)
  const entry = load<u32>(SCENE + group * GROUP_ENTRY, SCENE_GROUPS + GROUP_CHOICES) + cell * CHOICE_BYTES
  return at - <f64>cell < <f64>load<f32>(entry) ? load<u32>(entry, CHOICE_OWN) : load<u32>(entry, CHOICE_OTHER)
}
