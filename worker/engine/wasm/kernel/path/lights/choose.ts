/**
 * Which distant light next-event estimation samples, with a probability that the host derives from what they send, by the alias method (Vose,
 * IEEE Transactions on Software Engineering 17(9), 1991). Of the lights in the scene it samples another one: which depends on where (`tree.ts`).
 */
import { Choice, LightGroup, Scene } from '../../records'

/** The group of distant lights. */
export const DISTANT: u32 = 0

/** How much there is to choose from: distant lights, or those in the scene. */
@inline
export function choicesIn(group: u32): u32 {
  return LightGroup.count(Scene.groups(group))
}

/** What is left of the number that made the choice, uniform in [0, 1) again. */
export let restOfDistant: f64 = 0

/** The number of a distant light; there is one. */
export function chooseDistant(u: f64): u32 {
  const count = choicesIn(DISTANT)
  const at = u * <f64>count
  const cell = min<u32>(count - 1, <u32>at)
  const entry = LightGroup.choices(Scene.groups(DISTANT)) + cell * Choice.BYTES
  const within = at - <f64>cell
  const share: f64 = Choice.share(entry)
  const isOwn = within < share
  restOfDistant = isOwn ? within / share : (within - share) / (1 - share)
  return isOwn ? Choice.own(entry) : Choice.other(entry)
}
