/**
 * A grid of directions over an environment map, as next-event estimation chooses them: a cell's probability is what the texels in it
 * and next to it send to a sphere. Coarser than a large map, so that its tables stay in the cache.
 */

import { sinTurns } from '../../../../shared/math/trig.ts'
import type { EnvironmentMap } from '../../../../shared/scene/environment.ts'
import type { KernelMemory } from '../memory.ts'
import { type HeaderName, header } from '../records/access.ts'
import { sameNumbers } from '../same-numbers.ts'
import { luminance } from './choices.ts'

const MOST_COLUMNS = 512
const MOST_ROWS = 256

export interface EnvironmentGrid {
  readonly width: number
  readonly height: number
  /** Cumulative probabilities of rows, height + 1; and of the cells in each row, height × (width + 1). From 0 to 1. */
  readonly rows: Float32Array
  readonly columns: Float32Array
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
  if (!sameNumbers(at('map', map.texels.length), map.texels)) return undefined
  const { width, height } = gridSize(map)
  const rows = at('gridRows', height + 1)
  return { width, height, rows, columns: at('gridColumns', height * (width + 1)), mean }
}

/** Cells across and down. */
export const gridSize = ({ width, height }: Pick<EnvironmentMap, 'width' | 'height'>) => ({
  width: Math.min(width, MOST_COLUMNS),
  height: Math.min(height, MOST_ROWS),
})

export function environmentGrid(map: EnvironmentMap): EnvironmentGrid {
  const { width, height } = gridSize(map)
  const rows = new Float32Array(height + 1)
  const columns = new Float32Array(height * (width + 1))
  const totals = new Float64Array(height)
  const cells = new Float64Array(width)
  let [light, area] = [0, 0]
  for (let row = 0; row < height; row++) {
    const level = sinTurns((row + 0.5) / height / 2)
    let total = 0
    for (let column = 0; column < width; column++) {
      const mean = cellMean(map, column / width, (column + 1) / width, row / height, (row + 1) / height)
      cells[column] = mean
      total += mean
    }
    cumulate(cells, total, columns.subarray(row * (width + 1), (row + 1) * (width + 1)))
    totals[row] = total * level
    light += total * level
    area += width * level
  }
  cumulate(totals, light, rows)
  return { width, height, rows, columns, mean: light / area }
}

/** Mean luminance of the texels that can be seen in a cell, whose sides are shares of the map's. */
function cellMean({ width, height, texels }: EnvironmentMap, left: number, right: number, top: number, bottom: number) {
  const [fromX, toX] = [Math.floor(left * width - 0.5), Math.floor(right * width - 0.5) + 1]
  const [fromY, toY] = [
    Math.max(0, Math.floor(top * height - 0.5)),
    Math.min(height - 1, Math.floor(bottom * height - 0.5) + 1),
  ]
  let sum = 0
  for (let y = fromY; y <= toY; y++)
    for (let x = fromX; x <= toX; x++) {
      const at = (y * width + ((x + width) % width)) * 3
      sum += luminance([texels[at]!, texels[at + 1]!, texels[at + 2]!])
    }
  return sum / ((toX - fromX + 1) * (toY - fromY + 1))
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
