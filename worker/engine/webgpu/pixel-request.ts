/** What a device that traces whole paths is asked for. */
import { SortfirstError } from '../../../shared/errors.ts'

/** Pixels of a view, for some of their samples. All but `pixels` are addresses in the memory of the scene. */
export interface PixelRequest {
  /** As the device has numbered it. */
  readonly scene: number
  /** How many. */
  readonly count: number
  /** Column plus 2^16 times the row, in the frame. */
  readonly pixels: Uint32Array
  /** VIEW, with the samples that are to be traced, and whether their sums go on from what is there. */
  readonly view: number
  /** Where a SUM, the steps (u32) and the depth (f32) of each pixel belong. */
  readonly sums: number
  readonly steps: number
  readonly depths: number
  /** Where what else the view counts belongs: SUM and u32, FEATURES, and COVERAGE twice. */
  readonly albedos: number
  readonly covered: number
  readonly features: number
  readonly objectTables: number
  readonly labelTables: number
}

/** There is no such device, it is lost, its pictures are not right, or it does not trace such a scene. */
export class PixelsDeviceError extends SortfirstError {
  readonly code = 'PIXELS_DEVICE'
}
