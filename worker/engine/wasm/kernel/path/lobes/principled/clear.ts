/**
 * Light that facets of a clear body scatter several times, (`several.ts`), as in `dielectric.ts`; less what facets of any body reflect
 * of it (`surface.ts`). Globals of a hit, as those of `surface.ts`.
 */
import { Albedo, ClearMeans, ClearRow, ClearSide, Material } from '../../../records'
import { single } from '../../workspace'
import { inAir } from '../boundary'
import { between, cellAt, placeOf } from '../albedo'
import { f0Albedo, f90Albedo, LEAST_ALPHA, meanF0Albedo, meanF90Albedo, setAlbedos } from './albedos'
import { clear, clearAgain, clearF0, clearF90, eta, film, inside, lost, meanLost, oz, roughness, thin } from './surface'

/** How much of the light towards the viewer is scattered so, 0 if none is; and the share of it that passes. */
export let clearLost: f64 = 0
export let clearPasses: f64 = 0
/** What `clearLost`, times the same in the direction of light, is to be multiplied with: for light that is reflected, and that passes. */
export let clearBack: f64 = 0
export let clearThrough: f64 = 0

/** The row of the table below the roughness, and how far it is above that. */
let row: u32 = 0
let down: f64 = 0

/** After `setSurface`. */
export function setClear(material: u32): void {
  clearLost = 0
  clearPasses = 0
  // There are no tables for films: what their facets scatter several times stays lost.
  const share = clear * (1 - film)
  if (single || share == 0 || (!inAir && !thin) || roughness * roughness < LEAST_ALPHA) return
  if (thin) {
    // Facets of sheets lose the same of any light. What they do not reflect of it passes.
    clearLost = share * (1 - clearAgain) * lost
    clearPasses = 1
    clearBack = 0
    clearThrough = 1 / meanLost
    return
  }
  const place = roughness * <f64>Albedo.ROUGHNESSES
  const above = cellAt(place, Albedo.ROUGHNESSES)
  row = Material.albedo(material) + above * ClearRow.BYTES
  down = place - <f64>above
  const outer = max<f64>(LEAST_MEAN, meanOf(false) - clearAgain * meanLost)
  const inner = max<f64>(LEAST_MEAN, meanOf(true))
  // The square of the index inside over that outside.
  const square = inside ? 1 / (eta * eta) : eta * eta
  const reflectedOnce = clearF0 * meanF0Albedo(roughness) + clearF90 * meanF90Albedo(roughness)
  const passed = (1 - reflectedOnce) * min<f64>(outer, square * inner)
  clearLost = share * lostOn(inside, oz)
  clearPasses = passed / (inside ? square * inner : outer)
  clearBack = (1 - clearPasses) / (inside ? inner : outer)
  clearThrough = passed / (outer * inner)
}

const LEAST_MEAN: f64 = 1e-9

/** What a surface that is clear as a whole loses in the direction of light, on the viewer's side or beyond. */
export function clearLostThere(cosine: f64, near: bool): f64 {
  if (!thin) return lostOn(inside == near, cosine)
  setAlbedos(roughness, cosine)
  return max<f64>(0, 1 - f0Albedo - f90Albedo)
}

function lostOn(inner: bool, cosine: f64): f64 {
  const across = placeOf(cosine, Albedo.COSINES)
  const left = cellAt(across, Albedo.COSINES)
  const at = ClearRow.sides(row, <u32>inner) + left * 4
  const all = between(termsAt(at, across - <f64>left), termsAt(at + ClearRow.BYTES, across - <f64>left), down)
  if (inner) return max<f64>(0, all)
  setAlbedos(roughness, cosine)
  return max<f64>(0, all - clearAgain * max<f64>(0, 1 - f0Albedo - f90Albedo))
}

/** Between the entries of a side that are four times the cell behind its address, and the next ones. */
@inline
function termsAt(at: u32, across: f64): f64 {
  const left = <f64>ClearSide.rest(at, 0) + clearF0 * <f64>ClearSide.withF0(at, 0) + clearF90 * <f64>ClearSide.withF90(at, 0)
  const right =
    <f64>ClearSide.restNext(at, 0) + clearF0 * <f64>ClearSide.withF0Next(at, 0) + clearF90 * <f64>ClearSide.withF90Next(at, 0)
  return between(left, right, across)
}

/** Mean over the cosine-weighted hemisphere. */
@inline
function meanOf(inner: bool): f64 {
  const at = ClearRow.means(row, <u32>inner)
  return between(meanAt(at), meanAt(at + ClearRow.BYTES), down)
}

@inline
function meanAt(at: u32): f64 {
  return <f64>ClearMeans.rest(at) + clearF0 * <f64>ClearMeans.withF0(at) + clearF90 * <f64>ClearMeans.withF90(at)
}
