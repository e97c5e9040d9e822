/**
 * Turns a picture of heights, as `bump` of Wavefront materials names it, into one of normals in tangent space, as `normalMap` of three
 * has it: x to the right, y up, z out of the surface, −1 to 1 in a byte each. The same bytes everywhere.
 */
import type { Picture } from './picture.ts'

export interface NormalMap {
  readonly picture: Picture
  /** By how much its slopes are steeper than those of the heights: gentle ones would get lost in 8 bits. */
  readonly steepness: number
}

/** White is this many texels higher than black: as tools for normal maps have it, a step from one to the other is steep. */
const HEIGHT_TEXELS = 1
/** Steepest factor: differences of a level between neighbours become slopes of a quarter. */
const MOST_STEEPNESS = 64

/** @param clamped whether the texels at the edges have themselves for neighbours, instead of those at the other edge */
export function normalsOf({ data, width, height }: Picture, clamped: boolean): NormalMap {
  const heights = new Uint8Array(width * height)
  for (let texel = 0; texel < heights.length; texel++) heights[texel] = luminance(data, texel * 4)
  const before = (at: number, side: number) => (at > 0 ? at - 1 : clamped ? 0 : side - 1)
  const after = (at: number, side: number) => (at < side - 1 ? at + 1 : clamped ? at : 0)
  // Differences of neighbours on both sides, in levels: the slope between them is half of it.
  const across = new Int16Array(heights.length)
  const upwards = new Int16Array(heights.length)
  let steepest = 1
  for (let y = 0; y < height; y++) {
    const [above, row, below] = [before(y, height) * width, y * width, after(y, height) * width]
    for (let x = 0; x < width; x++) {
      const texel = row + x
      across[texel] = heights[row + after(x, width)]! - heights[row + before(x, width)]!
      upwards[texel] = heights[above + x]! - heights[below + x]!
      steepest = Math.max(steepest, Math.abs(across[texel]!), Math.abs(upwards[texel]!))
    }
  }
  let steepness = 1
  while (steepness < MOST_STEEPNESS && steepest * steepness * 2 <= LEVELS_PER_SLOPE) steepness *= 2
  const normals = new Uint8Array(data.length)
  for (let texel = 0, at = 0; texel < heights.length; texel++, at += 4) {
    const x = -across[texel]! * steepness
    const y = -upwards[texel]! * steepness
    const length = Math.sqrt(x * x + y * y + LEVELS_PER_SLOPE * LEVELS_PER_SLOPE)
    normals[at] = byteOf(x / length)
    normals[at + 1] = byteOf(y / length)
    normals[at + 2] = byteOf(LEVELS_PER_SLOPE / length)
    normals[at + 3] = 255
  }
  return { picture: { data: normals, width, height }, steepness }
}

/** Levels between texels that are two apart, at a slope of 1. */
const LEVELS_PER_SLOPE = (2 * 255) / HEIGHT_TEXELS

const byteOf = (share: number): number => Math.round(127.5 + 127.5 * share)

/** Of BT.709, in levels. */
export const luminance = (data: Uint8Array, at: number): number =>
  Math.floor((2126 * data[at]! + 7152 * data[at + 1]! + 722 * data[at + 2]! + 5000) / 10000)

/** How far from 1 the square of a normal's length may be: it is rounded, blended, and compressed. */
const LENGTH_ERROR = 0.3
/** Share of the texels, as one in so many, that may be anything, such as unused space. */
const OTHERS = 4

/** Whether a picture has normals in it already: exporters write them as `bump`, too. Heights are grey. */
export function isNormalMap({ data }: Picture): boolean {
  let normals = 0
  for (let at = 0; at < data.length; at += 4) {
    const [x, y, z] = [0, 1, 2].map(axis => data[at + axis]! / 127.5 - 1) as [number, number, number]
    if (z > 0 && data[at + 2]! - Math.min(data[at]!, data[at + 1]!) > 16)
      if (Math.abs(x * x + y * y + z * z - 1) < LENGTH_ERROR) normals++
  }
  return normals * 4 > (data.length * (OTHERS - 1)) / OTHERS
}
