/** The rays of an orthographic camera in any direction, in the order of camera rays. */
import type { Vec3 } from '../../../shared/frame/view.ts'
import { pixelsInBlocks } from '../kernel/rays/camera-rays.ts'
import type { Region } from '../kernel/rays/lights.ts'
import { RAY_FLOATS } from '../kernel/rays/ray-kinds.ts'

/** Rays start at this distance from the region's centre, in radii. */
const BACK = 8

/** RAY_FLOATS each: parallel rays, `side` × `side` of them, through a square around a region. */
export function parallelRays(direction: Vec3, { centre, radius }: Region, side: number): Float32Array {
  const lengths = direction.map(Math.abs)
  const longest = Math.max(...lengths)
  const ahead = lengths.indexOf(longest)
  const [across, along] = [(ahead + 1) % 3, (ahead + 2) % 3]
  const rays = new Float32Array(side * side * RAY_FLOATS)
  const place = (pixel: number) => ((2 * (pixel + 0.5)) / side - 1) * radius
  pixelsInBlocks([side, side]).forEach((pixel, i) => {
    const origin = centre.map((x, k) => x - (direction[k]! / longest) * BACK * radius)
    origin[across]! += place(pixel % side)
    origin[along]! += place(Math.floor(pixel / side))
    rays.set([...origin, 0, ...direction, Number.POSITIVE_INFINITY], i * RAY_FLOATS)
  })
  return rays
}
