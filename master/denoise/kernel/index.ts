/**
 * Denoises a rectangle of a picture. The host writes LIGHT, HALF_FEATURES, SAMPLES and INSIDE of the rectangle and MARGIN px around it, where
 * pixels beyond the picture's edge repeat the nearest one, and reads DENOISED and SQUARE_ERROR. What a pixel becomes depends on the picture alone: every sum
 * has the same summands in the same order, whatever the rectangle.
 */
import { blend } from './blend'
import { estimateErrors } from './error'
import { denoiseFeatures } from './features'
import { isNoisy, measureNoise } from './noise'
import { JUDGED_RADIUS, MARGIN, OWN_RADIUS, RADIUS, REACHED, STEP } from './parameters'
import { at, clear, height, INSIDE, layOut, planeBytes, PREDICTED, REACH, stride, width } from './planes'
import { predict } from './window'

export { FEATURES, MARGIN, STEP } from './parameters'
export { DENOISED, HALF_FEATURES, INSIDE, layOut, LIGHT, SAMPLES, SQUARE_ERROR } from './planes'

/** Floats from row to row, of the rectangle that was laid out. */
export function rowFloats(): i32 {
  return stride
}

/** Floats from plane to plane. */
export function planeFloats(): i32 {
  return planeBytes >> 2
}

/** @param gridX, gridY the first centre of the picture's grid, px from the corner of the margin, from 0 to STEP − 1 @param errors whether SQUARE_ERROR is wanted */
export function denoise(gridX: i32, gridY: i32, errors: bool): void {
  denoiseFeatures()
  measureNoise()
  for (let i = 0; i < 8; i++) clear(PREDICTED + i)
  predictFromGrid(gridX, gridY)
  predictAlone()
  blend()
  if (errors) estimateErrors()
}

function predictFromGrid(gridX: i32, gridY: i32): void {
  const edge = MARGIN - JUDGED_RADIUS - 2 * RADIUS
  for (let y = gridY; y < height - edge; y += STEP)
    for (let x = gridX; x < width - edge; x += STEP) {
      if (x < edge || y < edge || !isInside(x, y) || !isNoisy(x, y)) continue
      predict(x, y, 0, RADIUS)
      predict(x, y, 1, RADIUS)
    }
}

/** Thin things and small lights are like no centre of the grid: each of their pixels is a centre of its own. */
function predictAlone(): void {
  for (let half = 0; half < 2; half++)
    memory.copy(at(REACH + half, 0, 0), at(PREDICTED + 4 * half + 3, 0, 0), planeBytes)
  const edge = MARGIN - JUDGED_RADIUS - RADIUS
  for (let y = edge; y < height - edge; y++)
    for (let x = edge; x < width - edge; x++) {
      if (!isInside(x, y) || !isNoisy(x, y)) continue
      for (let half = 0; half < 2; half++)
        if (load<f32>(at(REACH + half, x, y)) < REACHED) predict(x, y, half, OWN_RADIUS)
    }
}

@inline
function isInside(x: i32, y: i32): bool {
  return load<f32>(at(INSIDE, x, y)) > 0
}
