/**
 * The random numbers of hits that are shaded one after another, and the angles of their new directions. They are drawn for all of them before any
 * is shaded: of one they are chains of operations that wait for each other, of four the processor works on all at once.
 */
import { Drawn, Hit, Path, Ray } from '../records'
import { cosTurns, sinTurns } from '../surface/math/trig'
import { draw } from './sampler'
import { drawn } from './workspace'

/** Draws for the hits from `first` to `last`, at most four; there is room for four. */
export function drawHits(first: u32, last: u32): void {
  let at = drawn
  for (let hit = first; hit <= last; hit += Hit.BYTES, at += Drawn.BYTES) {
    const state = Hit.weight(hit)
    draw(at, Path.seed(state), Path.scattered(state) + 1, Ray.number(Hit.ray(hit)))
  }
  // Two angles at a time; without a second hit one of an earlier one goes with it.
  for (let pair = drawn; pair < at; pair += 2 * Drawn.BYTES) {
    const turns = f64x2.replace_lane(f64x2.splat(Drawn.lobeU(pair)), 1, Drawn.lobeU(pair + Drawn.BYTES))
    const cosines = cosTurns(turns)
    const sines = sinTurns(turns)
    Drawn.setLobeCosine(pair, f64x2.extract_lane(cosines, 0))
    Drawn.setLobeSine(pair, f64x2.extract_lane(sines, 0))
    Drawn.setLobeCosine(pair + Drawn.BYTES, f64x2.extract_lane(cosines, 1))
    Drawn.setLobeSine(pair + Drawn.BYTES, f64x2.extract_lane(sines, 1))
  }
}
