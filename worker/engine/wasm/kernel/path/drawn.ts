/**
 * The random numbers of hits that are shaded one after another, and the angles of their new directions. They are drawn for all of them before any
 * is shaded: of one they are chains of operations that wait for each other, of four the processor works on all at once.
 */
import { Drawn, Hit, Path, Ray } from '../records'
import { cosTurns, sinTurns } from '../surface/math/trig'
import { drawPair, four, mirrored } from './sampler'
import { drawn } from './workspace'

/** Draws for the hits from `first` to `last`, at most four; there is room for four. Without a second hit, or a fourth, the last one goes with the others. */
export function drawHits(first: u32, last: u32): void {
  const second = min<u32>(first + Hit.BYTES, last)
  const third = min<u32>(first + 2 * Hit.BYTES, last)
  const a = Hit.weight(first)
  const b = Hit.weight(second)
  const c = Hit.weight(third)
  const d = Hit.weight(last)
  const seeds = four(Path.seed(a), Path.seed(b), Path.seed(c), Path.seed(d))
  const sets = four(Path.scattered(a) + 1, Path.scattered(b) + 1, Path.scattered(c) + 1, Path.scattered(d) + 1)
  const numbers = mirrored(four(numberOf(first), numberOf(second), numberOf(third), numberOf(last)))
  drawPair(drawn, 0, seeds, sets, numbers)
  drawPair(drawn, 1, seeds, sets, numbers)
  drawPair(drawn, 2, seeds, sets, numbers)
  // Two angles at a time.
  const end = drawn + ((last - first) / Hit.BYTES + 1) * Drawn.BYTES
  for (let pair = drawn; pair < end; pair += 2 * Drawn.BYTES) {
    const turns = f64x2.replace_lane(f64x2.splat(Drawn.lobeU(pair)), 1, Drawn.lobeU(pair + Drawn.BYTES))
    const cosines = cosTurns(turns)
    const sines = sinTurns(turns)
    Drawn.setLobeCosine(pair, f64x2.extract_lane(cosines, 0))
    Drawn.setLobeSine(pair, f64x2.extract_lane(sines, 0))
    Drawn.setLobeCosine(pair + Drawn.BYTES, f64x2.extract_lane(cosines, 1))
    Drawn.setLobeSine(pair + Drawn.BYTES, f64x2.extract_lane(sines, 1))
  }
}

/** Number of the sample of a hit. */
@inline
function numberOf(hit: u32): u32 {
  return Ray.number(Hit.ray(hit))
}
