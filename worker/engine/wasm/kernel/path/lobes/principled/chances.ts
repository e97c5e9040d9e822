/** With which probability a direction is sampled for a part of a principled surface: by how much light the part sends towards the viewer, if light comes from everywhere. */
import { clearLost, clearPasses } from './clear'
import {
  againBlue,
  againGreen,
  againRed,
  blue,
  body,
  clear,
  coat,
  coatAt,
  coatX,
  coatY,
  coatZ,
  f90,
  green,
  inside,
  lost,
  ox,
  oy,
  oz,
  red,
  reflected,
  setShares,
  shareBlue,
  shareGreen,
  shareRed,
  sheen,
  sheenAt,
  viewerF0Albedo,
  viewerF90Albedo,
} from './surface'

/** Probabilities of choosing facets, the cosine, and the coat. */
export let choosesFacets: f64 = 1
export let choosesCosine: f64 = 0
export let choosesCoat: f64 = 0
/** Share of the cosine's directions that are on the other side. */
export let passesCosine: f64 = 0

/** The least share of samples for a part, so that none becomes noisy. */
const LEAST: f64 = 0.05

/** After `setSurface` and `setClear`. */
export function setChances(): void {
  const facingCoat = ox * coatX + oy * coatY + oz * coatZ
  const onCoat = coat > 0 && !inside && facingCoat > 0 ? coatAt(facingCoat) : 0
  const onFibres = sheen > 0 && !inside ? sheenAt(oz) : 0
  const below = (1 - onCoat) * (1 - onFibres)
  const largest = max(max(red, green), blue)
  const several = lost * max(max(againRed, againGreen), againBlue)
  setShares(oz, 0)
  const facing = max(max(shareRed, shareGreen), shareBlue)
  const facets = below * (facing * viewerF0Albedo + f90 * viewerF90Albedo + (clear - clearLost))
  const passing = below * clearLost * clearPasses * largest
  const back = clearLost * (1 - clearPasses)
  const cosine = (1 - onCoat) * onFibres + below * (several + body * largest * (1 - reflected) + back) + passing
  passesCosine = passing > 0 ? passing / cosine : 0
  const all = onCoat + facets + cosine + 1e-9
  choosesCoat = onCoat > 0 ? max<f64>(LEAST, onCoat / all) : 0
  choosesCosine = cosine > 0 ? max<f64>(LEAST, cosine / all) * (1 - choosesCoat) : 0
  choosesFacets = 1 - choosesCoat - choosesCosine
}
