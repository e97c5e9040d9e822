/**
 * Which light next-event estimation samples: of each group (distant ones, and those in the scene) one of the lights in the scene's list or an
 * emissive triangle, with a probability that the host derives from their power, by the alias method (Vose, IEEE Transactions on
 * Software Engineering 17(9), 1991).
 */
import { Choice, LightGroup, Scene } from '../../records'

/** How much there is to choose from. */
@inline
export function choicesIn(group: u32): u32 {
  return LightGroup.count(Scene.groups(group))
}

/** The number of a choice from a group that is not empty: below the number of lights it is a light, above it an emissive triangle. */
export function choose(group: u32, u: f64): u32 {
  const count = choicesIn(group)
  const at = u * <f64>count
  const cell = min<u32>(count - 1, <u32>at)
  const entry = LightGroup.choices(Scene.groups(group)) + cell * Choice.BYTES
  return at - <f64>cell < <f64>Choice.share(entry) ? Choice.own(entry) : Choice.other(entry)
}
