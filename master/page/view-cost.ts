/**
 * How dear a view is, before it is traced: every cell of the newest picture is a piece of surface, which the view sees as large as it is from
 * there, and whose pixels cost what they did. What hides what is not asked, and what comes into view is thought to cost what the picture did.
 */
import type { Size } from '../../shared/frame/rect.ts'
import type { Camera } from '../../shared/frame/view.ts'
import type { FrameDepths } from '../../shared/session/session.ts'
import { cameraMove } from '../costs/camera-move.ts'

/** A view costs at most so many times what the one that was seen did, or as small a part: that is as far as such predictions hold. */
const MOST_CHANGE = 16
/** The most that is said of views one after the other: in between they are measured. */
const MOST = 1e6

interface Seen {
  readonly camera: Camera
  readonly size: Size
  readonly cells: FrameDepths
  readonly cost: number
}

export class ViewCost {
  #seen: Seen | undefined

  /** Of a view with perspective, in units of the first one that was seen. */
  of(camera: Camera): number {
    const seen = this.#seen
    if (!seen) return 1
    const before = seen.cells.costs.reduce((sum, cost) => sum + cost, 0) / (seen.size[0] * seen.size[1])
    const change = meanCost(seen, camera, before) / before
    return change > 0 ? within(seen.cost * within(change, MOST_CHANGE), MOST) : seen.cost
  }

  /** A picture of a view that was said to cost so much. */
  saw(camera: Camera, size: Size, cells: FrameDepths, cost: number): void {
    if (cells.costs.some(each => each > 0)) this.#seen = { camera, size, cells, cost }
  }
}

/** Per pixel, in the picture's unit. @param unseen where nothing is known */
function meanCost(
  { camera, size: [w, h], cells: { cell, columns, rows, depths, costs } }: Seen,
  to: Camera,
  unseen: number,
): number {
  const [x0, x1, x2, x3, y0, y1, y2, y3, z0, z1, z2, z3] = cameraMove(camera, to) as unknown as Twelve
  let cost = 0
  let pixels = 0
  for (let row = 0; row < rows; row++) {
    const height = Math.min(cell, h - row * cell)
    const v = 1 - (2 * row * cell + height) / h
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column
      const width = Math.min(cell, w - column * cell)
      const u = (2 * column * cell + width) / w - 1
      const inverse = 1 / depths[at]!
      const z = z0 * inverse + z1 + z2 * u + z3 * v
      // Behind the camera, or of unknown depth.
      if (!(z > 0)) continue
      const isInside =
        Math.abs(x0 * inverse + x1 + x2 * u + x3 * v) <= z && Math.abs(y0 * inverse + y1 + y2 * u + y3 * v) <= z
      if (!isInside) continue
      // What is so close that it fills the picture does so once.
      const area = Math.min(w * h, (width * height) / (z * z))
      cost += (costs[at]! / (width * height)) * area
      pixels += area
    }
  }
  return (cost + Math.max(0, w * h - pixels) * unseen) / Math.max(w * h, pixels)
}

type Twelve = [number, number, number, number, number, number, number, number, number, number, number, number]

const within = (value: number, most: number): number => Math.min(most, Math.max(1 / most, value))
