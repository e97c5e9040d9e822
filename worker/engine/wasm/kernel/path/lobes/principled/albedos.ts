/**
 * Directional albedos for materials whose roughness varies: how much GGX facets reflect that reflect like F₀ + (F₉₀ − F₀) (1 − cos)⁵, in two
 * tables, the factors of F₀ and of F₉₀ (Karis, "Real Shading in Unreal Engine 4", SIGGRAPH 2013 course); and
 * how much fibres do. Computed here once for a scene that has such materials, over roots of cosines and over roughnesses from 0 to 1. Entries of
 * one cosine and roughness are as far from each other as their tables: accessors take the tables' address plus the place in a table.
 */
import { Albedo, AlbedoRow, Albedos, Scene } from '../../../records'
import { schlickWeight } from '../../../surface/fresnel'
import { onCircle } from '../../../surface/math/trig'
import { between, cellAt, entryAt, placeOf } from '../albedo'
import { chooseFacet, ggxLambda, hx, hy, hz } from '../ggx'
import { fibres } from './fibres'

/** Smallest α: narrower lobes are as good as smooth. */
export const LEAST_ALPHA: f64 = 0.001
/** For the first entry, a direction along the surface. */
const GRAZING: f64 = 1.0 / 1024.0
/** Points over which facets are averaged, and directions for fibres. */
const AROUND: u32 = 16
const AWAY: u32 = 64

/** Fills the tables where the scene header says. */
export function fillAlbedos(): void {
  const tables = Scene.albedos()
  if (tables == 0) return
  for (let i: u32 = 0; i <= Albedo.ROUGHNESSES; i++) {
    const roughness = <f64>i / <f64>Albedo.ROUGHNESSES
    const alpha = max<f64>(LEAST_ALPHA, roughness * roughness)
    let meanF0Albedo: f64 = 0
    let meanF90Albedo: f64 = 0
    for (let j: u32 = 0; j <= Albedo.COSINES; j++) {
      const root = <f64>j / <f64>Albedo.COSINES
      const cosine = max<f64>(GRAZING, root * root)
      averageFacets(alpha, cosine)
      const at = tables + i * AlbedoRow.BYTES + j * 4
      Albedos.setWithF0(at, 0, <f32>f0Part)
      Albedos.setWithF90(at, 0, <f32>f90Part)
      Albedos.setOfFibres(at, 0, <f32>averageFibres(roughness, cosine))
    }
    for (let j: u32 = 0; j < Albedo.COSINES; j++) {
      const at = tables + i * AlbedoRow.BYTES + j * 4
      meanF0Albedo += cellMean(Albedos.withF0Address(at), <f64>j)
      meanF90Albedo += cellMean(Albedos.withF90Address(at), <f64>j)
    }
    Albedos.setMeansF0(tables, i, <f32>meanF0Albedo)
    Albedos.setMeansF90(tables, i, <f32>meanF90Albedo)
  }
}

/**
 * What a cell adds to 2 ∫ albedo · cos d cos, of what lies linearly between two entries: with the root r as variable ∫ albedo · 4 r³ dr, a
 * polynomial of the fourth degree, for which three points of Gauss suffice.
 */
function cellMean(entry: u32, cell: f64): f64 {
  const low: f64 = load<f32>(entry)
  const high: f64 = load<f32>(entry, 4)
  return (5 * atPoint(low, high, cell, 0.1127016653792583) + 8 * atPoint(low, high, cell, 0.5) + 5 * atPoint(low, high, cell, 0.8872983346207417)) / 18
}

@inline
function atPoint(low: f64, high: f64, cell: f64, place: f64): f64 {
  const root = (cell + place) / <f64>Albedo.COSINES
  return ((low + (high - low) * place) * 4 * root * root * root) / <f64>Albedo.COSINES
}

let f0Part: f64 = 0
let f90Part: f64 = 0

/** Mean over the facets that are visible at a cosine; denser where they are steep. */
function averageFacets(alpha: f64, cosine: f64): void {
  const sine = sqrt<f64>(1 - cosine * cosine)
  const lambdaO = ggxLambda(alpha, sine, 0, cosine)
  f0Part = 0
  f90Part = 0
  for (let i: u32 = 0; i < AROUND; i++)
    for (let j: u32 = 0; j < AWAY; j++) {
      const circle = onCircle((<f64>i + 0.5) / <f64>AROUND / 2)
      const tail = (<f64>j + 0.5) / <f64>AWAY
      chooseFacet(alpha, sine, 0, cosine, f64x2.extract_lane(circle, 0), f64x2.extract_lane(circle, 1), 1 - tail * tail * tail)
      const facing = sine * hx + cosine * hz
      const iz = 2 * facing * hz - cosine
      if (!(iz > 0)) continue
      const lambdaI = ggxLambda(alpha, 2 * facing * hx - sine, 2 * facing * hy, iz)
      const share = (3 * tail * tail * (1 + lambdaO)) / ((1 + lambdaO + lambdaI) * <f64>(AROUND * AWAY))
      const grazing = schlickWeight(facing)
      f0Part += share * (1 - grazing)
      f90Part += share * grazing
    }
}

/** Over the hemisphere, with more directions along the surface. */
function averageFibres(roughness: f64, cosine: f64): f64 {
  const sine = sqrt<f64>(1 - cosine * cosine)
  let sum: f64 = 0
  for (let i: u32 = 0; i < AROUND; i++)
    for (let j: u32 = 0; j < AWAY; j++) {
      const root = (<f64>j + 0.5) / <f64>AWAY
      const iz = root * root
      const radius = sqrt<f64>(1 - iz * iz)
      const circle = onCircle((<f64>i + 0.5) / <f64>AROUND / 2)
      const ix = radius * f64x2.extract_lane(circle, 0)
      const iy = radius * f64x2.extract_lane(circle, 1)
      // Around: 2π; along the cosine: 2 √cos d√cos.
      sum += fibres(roughness, sine, 0, cosine, ix, iy, iz) * 2 * root
    }
  return (sum * 6.283185307179586) / <f64>(AROUND * AWAY)
}

/** The factors of F₀ and of F₉₀ for the direction of the latest `setAlbedos`; their sum is the albedo of perfect mirrors. */
export let f0Albedo: f64 = 0
export let f90Albedo: f64 = 0

/** Both at once, because finding the place takes longer than reading. */
export function setAlbedos(roughness: f64, cosine: f64): void {
  const down = roughness * <f64>Albedo.ROUGHNESSES
  const across = placeOf(cosine, Albedo.COSINES)
  const i = cellAt(down, Albedo.ROUGHNESSES)
  const j = cellAt(across, Albedo.COSINES)
  const at = Scene.albedos() + i * AlbedoRow.BYTES + j * 4
  f0Albedo = bilinear(Albedos.withF0Address(at), down - <f64>i, across - <f64>j)
  f90Albedo = bilinear(Albedos.withF90Address(at), down - <f64>i, across - <f64>j)
}

export function fibreAlbedo(roughness: f64, cosine: f64): f64 {
  const down = roughness * <f64>Albedo.ROUGHNESSES
  const across = placeOf(cosine, Albedo.COSINES)
  const i = cellAt(down, Albedo.ROUGHNESSES)
  const j = cellAt(across, Albedo.COSINES)
  const at = Scene.albedos() + i * AlbedoRow.BYTES + j * 4
  return bilinear(Albedos.ofFibresAddress(at), down - <f64>i, across - <f64>j)
}

@inline
export function meanF0Albedo(roughness: f64): f64 {
  return meanIn(Albedos.meansF0Address(Scene.albedos()), roughness)
}

@inline
export function meanF90Albedo(roughness: f64): f64 {
  return meanIn(Albedos.meansF90Address(Scene.albedos()), roughness)
}

@inline
function bilinear(at: u32, down: f64, across: f64): f64 {
  return between(entryAt(at, across), entryAt(at + AlbedoRow.BYTES, across), down)
}

function meanIn(table: u32, roughness: f64): f64 {
  const down = roughness * <f64>Albedo.ROUGHNESSES
  const i = cellAt(down, Albedo.ROUGHNESSES)
  return entryAt(table + i * 4, down - <f64>i)
}
