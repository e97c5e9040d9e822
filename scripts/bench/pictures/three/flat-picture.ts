/** A picture without light: the colour of surfaces, and how much of each pixel they cover. */
import type { Size } from '../../../../shared/frame/rect.ts'

export interface FlatPicture {
  readonly size: Size
  /** Linear red, green and blue, each times the coverage, then the coverage, 0 to 1: four a pixel, row by row from the top. */
  readonly values: Float32Array
}

/** Values of a pixel. */
export const CHANNELS = 4
/** The channel of the coverage. */
export const COVERAGE = 3
