/**
 * Light that facets of a clear body scatter several times, (`several.ts`), as in `dielectric.ts`; less what facets of any body reflect
 * of it (`surface.ts`). Globals of a hit, as those of `surface.ts`.
 */
import {
  ALBEDO_COSINES,
  ALBEDO_ROUGHNESSES,
  CLEAR_MEANS,
  CLEAR_ROW,
  CLEAR_SIDE,
  CLEAR_TABLE,
  MATERIAL_ALBEDO,
} from '../../../layout'
import { single } from '../../workspace'
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
  if (single || share == 0 || roughness * roughness < LEAST_ALPHA) return
  if (thin) {
    // Facets of sheets lose the same of any light. What they do not reflect of it passes.
    clearLost = share * (1 - clearAgain) * lost
    clearPasses = 1
    clearBack = 0
    clearThrough = 1 / meanLost
    return
  }
  const place = roughness * <f64>ALBEDO_ROUGHNESSES
  const above = cellAt(place, ALBEDO_ROUGHNESSES)
  row = load<u32>(material, MATERIAL_ALBEDO) + above * CLEAR_ROW
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
  const across = placeOf(cosine, ALBEDO_COSINES)
  const left = cellAt(across, ALBEDO_COSINES)
  const at = row + (inner ? CLEAR_SIDE : 0) + left * 4
  const all = between(termsAt(at, across - <f64>left), termsAt(at + CLEAR_ROW, across - <f64>left), down)
  if (inner) return max<f64>(0, all)
  setAlbedos(roughness, cosine)
  return max<f64>(0, all - clearAgain * max<f64>(0, 1 - f0Albedo - f90Albedo))
}

@inline
function termsAt(at: u32, across: f64): f64 {
  const left = <f64>load<f32>(at) + clearF0 * <f64>load<f32>(at, CLEAR_TABLE) + clearF90 * <f64>load<f32>(at, 2 * CLEAR_TABLE)
  const right =
    <f64>load<f32>(at, 4) + clearF0 * <f64>load<f32>(at, CLEAR_TABLE + 4) + clearF90 * <f64>load<f32>(at, 2 * CLEAR_TABLE + 4)
  return between(left, right, across)
}

/** Mean over the cosine-weighted hemisphere. */
@inline
function meanOf(inner: bool): f64 {
  const at = row + CLEAR_MEANS + (inner ? 12 : 0)
  return between(meanAt(at), meanAt(at + CLEAR_ROW), down)
}

@inline
function meanAt(at: u32): f64 {
  return <f64>load<f32>(at) + clearF0 * <f64>load<f32>(at, 4) + clearF90 * <f64>load<f32>(at, 8)
}
