/**
 * What next-event estimation is told of emissive triangles: how much light leaves them. Where a texture says how much, a triangle is divided into cells with
 * their own means, so that what is black is rarely asked, and the tree chooses among what is left by where it is (`kernel/path/lights/cells.ts`). Means are
 * no more than good guesses: what is sampled or hit is looked up.
 */
import { linearFromSrgb } from '../../../../shared/math/srgb.ts'
import { isPoint, materialOf, type Triangles, vertexNumber } from '../../../../shared/scene/bake.ts'
import { UV_NUMBERS } from '../../../../shared/scene/bake-extras.ts'
import type { Material } from '../../../../shared/scene/material.ts'
import type { TextureUse } from '../../../../shared/scene/texture.ts'
import type { KernelMemory } from '../memory.ts'
import { get } from '../records/access.ts'
import { LEVEL, TEXELS, TEXTURE, WRAPS } from '../records/texture.ts'
import { levelAt, texelIn, textureAt } from '../textures.ts'
import { luminance } from './choices.ts'

/** Cells of all triangles with textures together, unless these are more. */
const MOST_CELLS = 8192
/** Cells along an edge, a power of two; a cell has a texel at least. */
const LONGEST_SIDE = 32
/** Cells whose means are no farther apart are not worth more than one choice. */
const EVEN = 1.25

/** Triangles of which some light leaves, in ascending order; all arrays but the last have an element for each. */
export interface EmissionCells {
  readonly triangles: Uint32Array
  /** Cells along an edge. */
  readonly sides: Uint32Array
  /** Number of the first cell of each. */
  readonly firstCells: Uint32Array
  /** Mean luminance of each cell. */
  readonly means: Float64Array
}

/** Where textures are. */
export interface PutTexels {
  readonly memory: KernelMemory
  readonly at: number
}

/** Luminance by which next-event estimation samples a material, with the most that is there of it. */
export const askedLight = ({ emission, unlit, ...material }: Material): number =>
  unlit ? 0 : luminance(emission) * mostCoverage(material)

/** Textures and colours of vertices only take away from it. */
function mostCoverage({ alpha, opacity, alphaCutoff }: Pick<Material, 'alpha' | 'opacity' | 'alphaCutoff'>): number {
  if (alpha === 'mask') return opacity < alphaCutoff ? 0 : 1
  return alpha === 'blend' ? opacity : 1
}

/** The most cells of so many triangles without and with textures. */
export const mostCells = (plain: number, textured: number): number =>
  plain + Math.min(textured * LONGEST_SIDE ** 2, Math.max(textured, MOST_CELLS))

/** @param count of the triangles, which may be fewer than the arrays have room for */
export function emissionCells(
  materials: readonly Material[],
  baked: Triangles,
  count: number,
  texels: PutTexels | undefined,
): EmissionCells {
  const asked = materials.map(askedLight)
  const guesses = materials.map(({ maps: { emission: use }, emission }, i) =>
    use && texels && asked[i]! > 0 ? guessOf(use, emission, asked[i]!, texels) : undefined,
  )
  const sides = sidesOf(baked, count, guesses)
  const lit = asked.some(light => light > 0) ? count : 0
  const found = { triangles: [] as number[], sides: [] as number[], firstCells: [] as number[], means: [] as number[] }
  for (let triangle = 0; triangle < lit; triangle++) {
    const material = materialOf(baked, triangle)
    if (!(asked[material]! > 0) || isPoint(baked, triangle)) continue
    const guess = guesses[material]
    const means = guess
      ? meansOf(guess, cornersOf(guess, baked, triangle), sides.get(triangle) ?? 1)
      : [asked[material]!]
    if (!means.some(mean => mean > 0)) continue
    found.triangles.push(triangle)
    found.sides.push(Math.sqrt(means.length))
    found.firstCells.push(found.means.length)
    for (const mean of means) found.means.push(mean)
  }
  return {
    triangles: Uint32Array.from(found.triangles),
    sides: Uint32Array.from(found.sides),
    firstCells: Uint32Array.from(found.firstCells),
    means: Float64Array.from(found.means),
  }
}

/** A material's texture of emission. */
interface Guess {
  readonly use: TextureUse
  /** Luminance of what is there of a texel at a place in a level, in units of the image. */
  readonly at: (level: number, u: number, v: number) => number
  readonly levels: readonly { readonly width: number; readonly height: number }[]
}

function guessOf(use: TextureUse, emission: Material['emission'], asked: number, { memory, at }: PutTexels): Guess {
  const record = textureAt(at, use.texture)
  const levels = Array.from({ length: get(memory, TEXTURE, record, 'levelCount') }, (_, number) => {
    const level = levelAt(record, number)
    return { level, width: get(memory, LEVEL, level, 'width'), height: get(memory, LEVEL, level, 'height') }
  })
  const [wrapU, wrapV] = [get(memory, TEXTURE, record, 'wrapU'), get(memory, TEXTURE, record, 'wrapV')]
  const light = (get(memory, TEXTURE, record, 'flags') & TEXELS.srgb) !== 0 ? SRGB : LINEAR
  // What there is of a material dims all of its emission.
  const there = asked / luminance(emission)
  return {
    use,
    levels,
    at: (number, u, v) => {
      const { level, width, height } = levels[number]!
      const texel = texelIn(memory, level, texelOf(u, width, wrapU), texelOf(v, height, wrapV))
      const channel = (i: 0 | 1 | 2) => emission[i] * light[(texel >>> (8 * i)) & 255]!
      return there * luminance([channel(0), channel(1), channel(2)])
    },
  }
}

const SRGB = Float64Array.from({ length: 256 }, (_, byte) => linearFromSrgb(byte / 255))
const LINEAR = Float64Array.from({ length: 256 }, (_, byte) => byte / 255)

/** The texel of a side that a coordinate is in. */
function texelOf(coordinate: number, side: number, wrap: number): number {
  let place = coordinate
  if (wrap === WRAPS.repeat) place -= Math.floor(place)
  else if (wrap === WRAPS.mirror) {
    place -= 2 * Math.floor(place / 2)
    if (place > 1) place = 2 - place
  }
  // Written so that NaN is 0.
  return place > 0 ? Math.min(side - 1, Math.floor(place * side)) : 0
}

/** u and v of a triangle's corners in the image. */
type Corners = readonly [au: number, av: number, bu: number, bv: number, cu: number, cv: number]

function cornersOf({ use }: Guess, baked: Triangles, triangle: number): Corners {
  const [a, b, c, d, e, f] = use.transform
  const corner = (number: number): [u: number, v: number] => {
    const [u, v] = coordinatesAt(baked, triangle, number, use.set === 1)
    return [a * u + b * v + c, d * u + e * v + f]
  }
  return [...corner(0), ...corner(1), ...corner(2)]
}

/** A scene with textures has coordinates. */
function coordinatesAt(baked: Triangles, triangle: number, corner: number, second: boolean): [u: number, v: number] {
  const { uv, uv2 } = baked.extras ?? {}
  const set = second && uv2 ? uv2 : uv
  const at = vertexNumber(baked, triangle, corner) * UV_NUMBERS
  return [set![at]!, set![at + 1]!]
}

/** Texels of the finest level that a triangle has. */
function texelsOf({ levels: [finest] }: Guess, [au, av, bu, bv, cu, cv]: Corners): number {
  return (Math.abs((bu - au) * (cv - av) - (cu - au) * (bv - av)) / 2) * finest!.width * finest!.height
}

/** Cells along the edges of triangles with textures; those with one are left out. */
function sidesOf(baked: Triangles, count: number, guesses: readonly (Guess | undefined)[]): Map<number, number> {
  const sides = new Map<number, number>()
  if (!guesses.some(guess => guess)) return sides
  let total = 0
  for (let triangle = 0; triangle < count; triangle++) {
    const guess = guesses[materialOf(baked, triangle)]
    if (!guess || isPoint(baked, triangle)) continue
    const texels = texelsOf(guess, cornersOf(guess, baked, triangle))
    let side = 1
    while (side < LONGEST_SIDE && texels >= 4 * side * side) side *= 2
    if (side > 1) sides.set(triangle, side)
    total += side * side
  }
  for (let most = LONGEST_SIDE / 2; total > MOST_CELLS && most >= 1; most /= 2)
    for (const [triangle, side] of sides)
      if (side > most) {
        sides.set(triangle, most)
        total += most * most - side * side
      }
  return sides
}

/** Mean of each cell, or of all if they hardly differ. */
function meansOf(guess: Guess, corners: Corners, side: number): number[] {
  const count = side * side
  const cells = Array.from({ length: count }, () => 0)
  let inCell = texelsOf(guess, corners) / count
  // As many places as the level has texels there at most: none is missed.
  const steps = inCell > 1 / 4 ? 4 : 1
  let level = 0
  for (; inCell > steps * steps && level < guess.levels.length - 1; inCell /= 4) level++
  const all = side * steps
  let cell = 0
  for (let row = 0; row < side; row++)
    for (let place = 0; place < 2 * (side - row) - 1; place++, cell++) {
      const between = (place & 1) !== 0
      /** Of a point that is (x, y) steps into the cell, which lies in the triangle as cells of one kind or the other do. */
      const lightAt = (x: number, y: number): number => {
        const b = ((place >> 1) * steps + (between ? steps - x : x)) / all
        const c = (row * steps + (between ? steps - y : y)) / all
        return guess.at(level, ...mixed(corners, b, c))
      }
      let sum = 0
      for (let j = 0; j < steps; j++) for (let i = 0; i < 2 * (steps - j) - 1; i++) sum += lightAt(...middleOf(i, j))
      let around = 0
      for (const [x, y] of AROUND) around += lightAt(x * steps, y * steps)
      cells[cell] = ((1 - MARGIN_SHARE) * sum) / (steps * steps) + (MARGIN_SHARE * around) / AROUND.length
    }
  const [least, most] = [Math.min(...cells), Math.max(...cells)]
  return most <= EVEN * least ? [cells.reduce((sum, mean) => sum + mean, 0) / count] : cells
}

/**
 * Corners of a cell and the middles of its edges, half as far again from its middle: light that reaches into it only a little, or by interpolation between
 * texels, has to be asked, too, or scattered rays would find it rarely and with all of its weight.
 */
const AROUND = (
  [
    [0, 0],
    [1, 0],
    [0, 1],
    [0.5, 0],
    [0.5, 0.5],
    [0, 0.5],
  ] as const
).map(([x, y]) => [1.5 * x - 1 / 6, 1.5 * y - 1 / 6] as const)
/** What these count of a cell's mean. */
const MARGIN_SHARE = 1 / 8

/** Weights of corners b and c of the middle of a cell of side 1. */
function middleOf(place: number, row: number): [b: number, c: number] {
  const third = (place & 1) === 0 ? 1 / 3 : 2 / 3
  return [(place >> 1) + third, row + third]
}

const mixed = ([au, av, bu, bv, cu, cv]: Corners, b: number, c: number): [u: number, v: number] => [
  au + b * (bu - au) + c * (cu - au),
  av + b * (bv - av) + c * (cv - av),
]

/** Weights of corners b and c of the corners of cell number `cell` of a triangle, as `cells.ts` of the kernel counts them. */
export function cellCorners(cell: number, side: number): [b: number, c: number][] {
  let row = 0
  while (row * (2 * side - row) + 2 * (side - row) - 1 <= cell) row++
  const place = cell - row * (2 * side - row)
  const [b, c] = [place >> 1, row]
  const corners =
    (place & 1) === 0
      ? [
          [b, c],
          [b + 1, c],
          [b, c + 1],
        ]
      : [
          [b + 1, c + 1],
          [b, c + 1],
          [b + 1, c],
        ]
  return corners.map(([x, y]) => [x! / side, y! / side])
}
