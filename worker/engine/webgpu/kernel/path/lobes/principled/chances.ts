/** With which probability a part of a principled surface is sampled, as `worker/engine/wasm/kernel/path/lobes/principled/chances.ts`. */
import type { PrincipledParts } from './surface.ts'

export const chances = ({ coat, sheen, clear }: PrincipledParts): string => /* wgsl */ `
const LEAST_CHANCE = 0.05;

fn set_chances() {
  var on_coat = 0.0;
  var on_fibres = 0.0;
  ${
    coat
      ? /* wgsl */ `
  let facing_coat = dot(layers.o, layers.coat_normal);
  if (layers.coat > 0.0 && !layers.inside && facing_coat > 0.0) { on_coat = coat_at(facing_coat); }`
      : ''
  }
  ${sheen ? 'if (layers.sheen > 0.0 && !layers.inside) { on_fibres = sheen_at(layers.o.z); }' : ''}
  let below = (1.0 - on_coat) * (1.0 - on_fibres);
  let brightest = largest(layers.color);
  let several = layers.lost * largest(layers.again);
  let facing = largest(shares_at(layers.o.z, 0.0));
  let clear_lost = ${clear ? 'layers.clear_lost' : '0.0'};
  let clear_passes = ${clear ? 'layers.clear_passes' : '0.0'};
  let facets = below * (facing * layers.viewer.x + layers.f90 * layers.viewer.y + (layers.clear - clear_lost));
  let passing = below * clear_lost * clear_passes * brightest;
  let back = clear_lost * (1.0 - clear_passes);
  let cosine = (1.0 - on_coat) * on_fibres + below * (several + layers.body * brightest * (1.0 - layers.reflected) + back) + passing;
  layers.passes_cosine = passing / max(cosine, 1e-30);
  let all = on_coat + facets + cosine + 1e-9;
  layers.chooses_coat = select(0.0, max(LEAST_CHANCE, on_coat / all), on_coat > 0.0);
  layers.chooses_cosine = select(0.0, max(LEAST_CHANCE, cosine / all) * (1.0 - layers.chooses_coat), cosine > 0.0);
  layers.chooses_facets = 1.0 - layers.chooses_coat - layers.chooses_cosine;
}
`
