/** Which distant light is sampled, as `worker/engine/wasm/kernel/path/lights/choose.ts`, by the alias method. */
export const CHOOSE = /* wgsl */ `
const DISTANT = 0u;
/* The largest float below 1. */
const MOST_REST = 0.99999994;

fn choices_in(group: u32) -> u32 {
  return scene.groups[group].count;
}

/* A light, the probability of choosing it, and what is left of the number that did, uniform in [0, 1) again. */
struct Chosen { number: u32, probability: f32, rest: f32 }

fn choose_distant(u: f32) -> Chosen {
  let count = choices_in(DISTANT);
  let at = u * f32(count);
  let cell = min(count - 1u, u32(at));
  let choice = read_choice(scene.groups[DISTANT].choices + cell * CHOICE_WORDS);
  let within = at - f32(cell);
  let is_own = within < choice.share;
  let number = select(choice.other, choice.own, is_own);
  /* One of both differences is none, where the other may be divided by. */
  let rest = select(within - choice.share, within, is_own) / max(select(1.0 - choice.share, choice.share, is_own), 1e-30);
  let probability = read_light(scene.lights + number * LIGHT_WORDS).probability;
  return Chosen(number, probability, min(MOST_REST, rest));
}
`
