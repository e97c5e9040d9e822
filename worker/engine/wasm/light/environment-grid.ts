/**
 * A grid of directions over an environment map, as next-event estimation chooses them: blocks of cells. A cell's probability is what the texels in it
 * and next to it send to a sphere; a block's is that times the cosine to a surface's normal, for each of some ways that surfaces face, and for those that
 * light passes without it (Clarberg and Akenine-Möller, "Practical Product Importance Sampling for Direct Illumination", CGF 27(2), 2008, with tables in
 * place of wavelets). Coarser than a large map, so that its tables stay in the cache.
 */

import type { Vec3 } from '../../../../shared/frame/view.ts'
import { cosTurns, sinTurns } from '../../../../shared/math/trig.ts'
import type { EnvironmentMap } from '../../../../shared/scene/environment.ts'
import type { KernelMemory } from '../memory.ts'
import { type HeaderName, header } from '../records/access.ts'
import { MAP_GRID } from '../records/light.ts'
import { sameNumbers } from '../same-numbers.ts'
import { luminance } from './choices.ts'

/** Cells along a side of a block. */
const MOST_CELLS = 16
const { across: ACROSS, down: DOWN, facings: FACINGS } = MAP_GRID
const FACING_FLOATS = DOWN + 1 + DOWN * (ACROSS + 1)

export interface EnvironmentGrid {
  /** Cells across and down a block. */
  readonly width: number
  readonly height: number
  /** Cumulative probabilities, from 0 to 1, of rows of blocks, and of the blocks in each row: without a facing, then for each. */
  readonly facings: Float32Array
  /** The same of each block's rows of cells, and of the cells in each row. */
  readonly blocks: Float32Array
  /** Mean luminance over all directions, without the map's intensity. */
  readonly mean: number
}

/** A scene whose grid was written before, and its mean. */
export interface PutGrid {
  readonly memory: KernelMemory
  readonly mean: number
}

/** The grid of an environment map, taken over if another scene has the same. */
export const gridOf = (map: EnvironmentMap, put?: PutGrid): EnvironmentGrid =>
  (put && gridIn(put, map)) ?? environmentGrid(map)

function gridIn({ memory, mean }: PutGrid, map: EnvironmentMap): EnvironmentGrid | undefined {
  if (header(memory, 'map') === 0) return undefined
  if (header(memory, 'mapWidth') !== map.width || header(memory, 'mapHeight') !== map.height) return undefined
  const at = (name: HeaderName, length: number): Float32Array => {
    const first = header(memory, name) >>> 2
    return memory.floats.subarray(first, first + length)
  }
  if (header(memory, 'mapRotation') !== map.rotation) return undefined
  if (!sameNumbers(wordsOf(at('map', map.texels.length)), wordsOf(map.texels))) return undefined
  const { facings, blocks } = gridFloats(map)
  return { ...cellsOf(map), facings: at('gridFacings', facings), blocks: at('gridBlocks', blocks), mean }
}

const wordsOf = ({ buffer, byteOffset, length }: Float32Array): Uint32Array =>
  new Uint32Array(buffer, byteOffset, length)

type MapSize = Pick<EnvironmentMap, 'width' | 'height'>

/** Cells across and down a block. */
const cellsOf = ({ width, height }: MapSize) => ({
  width: Math.min(MOST_CELLS, Math.ceil(width / ACROSS)),
  height: Math.min(MOST_CELLS, Math.ceil(height / DOWN)),
})

const blockFloats = ({ width, height }: MapSize): number => height + 1 + height * (width + 1)

/** How many numbers the tables of a map's grid have. */
export const gridFloats = (map: MapSize) => ({
  facings: (1 + FACINGS * FACINGS) * FACING_FLOATS,
  blocks: ACROSS * DOWN * blockFloats(cellsOf(map)),
})

export function environmentGrid(map: EnvironmentMap): EnvironmentGrid {
  const cells = cellsOf(map)
  const floats = gridFloats(map)
  const blocks = new Float32Array(floats.blocks)
  const light = new Float64Array(ACROSS * DOWN)
  let [sum, area] = [0, 0]
  for (let row = 0; row < DOWN; row++)
    for (let column = 0; column < ACROSS; column++) {
      const number = row * ACROSS + column
      const own = blocks.subarray(number * blockFloats(cells), (number + 1) * blockFloats(cells))
      light[number] = putBlock(own, map, cells, row, column)
      sum += light[number]!
    }
  for (let row = 0; row < DOWN * cells.height; row++) area += ACROSS * cells.width * levelOf(row, cells)
  return { ...cells, facings: facingTables(light, map.rotation), blocks, mean: sum / area }
}

/** Sine of the angle from the zenith at the middle of a row of cells. */
const levelOf = (row: number, { height }: MapSize): number => sinTurns((row + 0.5) / (DOWN * height) / 2)

/** Writes the shares of a block's cells, and returns its light. */
function putBlock(
  out: Float32Array,
  map: EnvironmentMap,
  cells: MapSize,
  blockRow: number,
  blockColumn: number,
): number {
  const { width, height } = cells
  const means = new Float64Array(width)
  const totals = new Float64Array(height)
  let light = 0
  for (let y = 0; y < height; y++) {
    const row = blockRow * height + y
    let total = 0
    for (let x = 0; x < width; x++) {
      const column = blockColumn * width + x
      means[x] = cellMean(
        map,
        column / (ACROSS * width),
        (column + 1) / (ACROSS * width),
        row / (DOWN * height),
        (row + 1) / (DOWN * height),
      )
      total += means[x]!
    }
    const from = height + 1 + y * (width + 1)
    cumulate(means, total, out.subarray(from, from + width + 1))
    totals[y] = total * levelOf(row, cells)
    light += totals[y]!
  }
  cumulate(totals, light, out.subarray(0, height + 1))
  return light
}

/** For surfaces that light passes, and for each facing, the shares of blocks with such light. */
function facingTables(light: Float64Array, rotation: number): Float32Array {
  const tables = new Float32Array((1 + FACINGS * FACINGS) * FACING_FLOATS)
  putFacing(tables.subarray(0, FACING_FLOATS), light)
  const directions = Array.from({ length: ACROSS * DOWN }, (_, block) => directionOf(block, rotation))
  const weighed = new Float64Array(ACROSS * DOWN)
  for (let facing = 0; facing < FACINGS * FACINGS; facing++) {
    const normals = normalsOf(facing)
    for (let block = 0; block < weighed.length; block++) {
      const [x, y, z] = directions[block]!
      let cosines = 0
      for (const [nx, ny, nz] of normals) cosines += Math.max(0, x * nx + y * ny + z * nz + WIDTH)
      weighed[block] = light[block]! * cosines
    }
    putFacing(tables.subarray((1 + facing) * FACING_FLOATS, (2 + facing) * FACING_FLOATS), weighed)
  }
  return tables
}

/** About the sine of half a block's diagonal: so far below the horizon its middle may be. */
const WIDTH = 0.13

function putFacing(out: Float32Array, blocks: Float64Array): void {
  const totals = new Float64Array(DOWN)
  let all = 0
  for (let row = 0; row < DOWN; row++) {
    const own = blocks.subarray(row * ACROSS, (row + 1) * ACROSS)
    totals[row] = own.reduce((sum, value) => sum + value, 0)
    const from = DOWN + 1 + row * (ACROSS + 1)
    cumulate(own, totals[row]!, out.subarray(from, from + ACROSS + 1))
    all += totals[row]!
  }
  cumulate(totals, all, out.subarray(0, DOWN + 1))
}

/** Towards the middle of a block, as the kernel has it (`path/lights/map.ts`). */
function directionOf(block: number, rotation: number): Vec3 {
  const turns = ((block % ACROSS) + 0.5) / ACROSS - 0.5 - rotation
  const down = (Math.floor(block / ACROSS) + 0.5) / DOWN / 2
  const level = sinTurns(down)
  return [level * cosTurns(turns), cosTurns(down), level * sinTurns(turns)]
}

/** Normals of a facing, its corners among them (`path/lights/facing.ts`). */
function normalsOf(facing: number): Vec3[] {
  const [row, column] = [Math.floor(facing / FACINGS), facing % FACINGS]
  return STEPS.flatMap(along => STEPS.map(across => unfolded((column + across) / FACINGS, (row + along) / FACINGS)))
}

const STEPS = [0, 0.5, 1]

/** The direction at a place of the octahedron's square. */
function unfolded(across: number, along: number): Vec3 {
  let [x, z] = [2 * across - 1, 2 * along - 1]
  const y = 1 - Math.abs(x) - Math.abs(z)
  if (y < 0) [x, z] = [(1 - Math.abs(z)) * (x < 0 ? -1 : 1), (1 - Math.abs(x)) * (z < 0 ? -1 : 1)]
  const length = Math.sqrt(x * x + y * y + z * z)
  return [x / length, y / length, z / length]
}

/** Mean luminance in a cell, whose sides are shares of the map's: at its middle if it is narrower than texels are apart, or of the texels that can be seen in it. */
function cellMean(map: EnvironmentMap, left: number, right: number, top: number, bottom: number): number {
  const { width, height } = map
  const [x, y] = [((left + right) / 2) * width - 0.5, ((top + bottom) / 2) * height - 0.5]
  const isNarrow = (right - left) * width < 1 && (bottom - top) * height < 1
  const [fromX, toX] = isNarrow ? [Math.floor(x), Math.floor(x) + 1] : touched(left * width, right * width)
  const [fromY, toY] = isNarrow ? [Math.floor(y), Math.floor(y) + 1] : touched(top * height, bottom * height)
  const share = (at: number, place: number): number => (isNarrow ? 1 - Math.abs(at - place) : 1)
  let [sum, all] = [0, 0]
  for (let row = fromY; row <= toY; row++)
    for (let column = fromX; column <= toX; column++) {
      const weight = share(row, y) * share(column, x)
      sum += weight * texelAt(map, column, row)
      all += weight
    }
  return sum / all
}

/** The texels that are seen between two places. */
const touched = (from: number, to: number) => [Math.floor(from - 0.5), Math.floor(to - 0.5) + 1] as const

/** Luminance of a texel; the map goes on around the horizon, and ends at the poles. */
function texelAt({ width, height, texels }: EnvironmentMap, column: number, row: number): number {
  const at = (Math.min(height - 1, Math.max(0, row)) * width + ((column + width) % width)) * 3
  return luminance([texels[at]!, texels[at + 1]!, texels[at + 2]!])
}

/** Writes cumulative shares of values, from 0 to 1; equal shares of nothing. */
function cumulate(values: Float64Array, total: number, out: Float32Array): void {
  let sum = 0
  for (let i = 0; i < values.length; i++) {
    out[i] = total > 0 ? sum / total : i / values.length
    sum += values[i]!
  }
  out[values.length] = 1
}
