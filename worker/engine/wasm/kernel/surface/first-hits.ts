/** What camera rays hit, for the channels beside colour: how many hit something, and the mean colour of it. */
import { Material, Sum } from '../records'
import { accumulate } from './accumulate'
import { albedos, countsHits, covered, part } from './workspace'

/** Empties the counts of a block's pixels. */
export function clearFirstHits(pixels: u32): void {
  if (!countsHits) return
  memory.fill(albedos, 0, pixels * Sum.BYTES)
  memory.fill(covered, 0, pixels * 4)
}

/** Counts a hit of one of a pixel's camera rays. */
@inline
export function countFirstHit(pixel: u32, material: u32): void {
  if (!countsHits) return
  const count = covered + pixel * 4
  store<u32>(count, load<u32>(count) + 1)
  accumulate(
    albedos + pixel * Sum.BYTES,
    part * <f64>Material.colorRed(material),
    part * <f64>Material.colorGreen(material),
    part * <f64>Material.colorBlue(material),
  )
}
