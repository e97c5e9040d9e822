/** What camera rays hit, for the channels beside colour: how many hit something, and the mean colour of it. */
import { MATERIAL_COLOR, SUM_BYTES } from '../layout'
import { accumulate } from './accumulate'
import { albedos, countsHits, covered, share } from './workspace'

/** Empties the counts of a block's pixels. */
export function clearFirstHits(pixels: u32): void {
  if (!countsHits) return
  memory.fill(albedos, 0, pixels * SUM_BYTES)
  memory.fill(covered, 0, pixels * 4)
}

/** Counts a hit of one of a pixel's camera rays. */
@inline
export function countFirstHit(pixel: u32, material: u32): void {
  if (!countsHits) return
  const count = covered + pixel * 4
  store<u32>(count, load<u32>(count) + 1)
  accumulate(
    albedos + pixel * SUM_BYTES,
    share * <f64>load<f32>(material, MATERIAL_COLOR),
    share * <f64>load<f32>(material, MATERIAL_COLOR + 4),
    share * <f64>load<f32>(material, MATERIAL_COLOR + 8),
  )
}
