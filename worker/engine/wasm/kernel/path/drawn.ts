/**
 * The random numbers of hits that are shaded one after another, and the angles of their new directions. They are drawn for all of them before any
 * is shaded: of one they are chains of operations that wait for each other, of four the processor works on all at once.
 */
import { Drawn, Hit, Path, Ray } from '../records'
import { two } from '../surface/math/doubles'
import { cosTurns, sinTurns } from '../surface/math/trig'
import { drawPair, four, mirrored } from './sampler'

/** Draws for the hits from `first` to `last`, at most four, at `drawn`, where there is room for four. Without a second hit, or a fourth, the last one goes with the others. */
export function drawHits(first: u32, last: u32, drawn: u32): void {
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
  const ab = anglesOf(drawn)
  const cd = anglesOf(drawn + 2 * Drawn.BYTES)
  setCircles(drawn, cosTurns(ab), sinTurns(ab))
  setCircles(drawn + 2 * Drawn.BYTES, cosTurns(cd), sinTurns(cd))
}

/** Of two hits. */
@inline
function anglesOf(at: u32): v128 {
  return two(Drawn.lobeU(at), Drawn.lobeU(at + Drawn.BYTES))
}

@inline
function setCircles(at: u32, cosines: v128, sines: v128): void {
  Drawn.setLobeCosine(at, f64x2.extract_lane(cosines, 0))
  Drawn.setLobeSine(at, f64x2.extract_lane(sines, 0))
  Drawn.setLobeCosine(at + Drawn.BYTES, f64x2.extract_lane(cosines, 1))
  Drawn.setLobeSine(at + Drawn.BYTES, f64x2.extract_lane(sines, 1))
}

/** Number of the sample of a hit. */
@inline
function numberOf(hit: u32): u32 {
  return Ray.number(Hit.ray(hit))
}
