/**
 * Reprojects a measured cost map to another camera: every cell is treated as a piece of surface at the depth of its
 * centre, which the new camera sees elsewhere (forward warping with a z-buffer: Mark, McMillan and Bishop,
 * "Post-rendering 3D warping", I3D 1997). Its cost per pixel is assumed to be the same in both views. The sky follows the
 * camera's rotation only. Cells that nothing lands on were hidden or outside before: they take the values of their
 * neighbours, preferring far ones to the near ones that hid them. Cells that showed something that has moved since move with it, and
 * where it was, there is what is beside it.
 */

import type { Camera } from '../../shared/frame/view.ts'
import type { Bodies } from '../../shared/scene/bodies.ts'
import { guessAppeared, mayShow } from './body-cells.ts'
import { type BodyMoves, bodyMoves, movedCamera } from './body-moves.ts'
import { bodyOwners } from './body-owners.ts'
import { cameraMove } from './camera-move.ts'
import type { MeasuredFrame } from './cost-history.ts'
import { CostMap } from './cost-map.ts'
import { fillHoles } from './fill-holes.ts'

export interface Reprojection {
  readonly costs: CostMap
  /** Share of the costs that lie where the old view saw something, 0 to 1; a low value means that the camera jumped. */
  readonly seen: number
}

/** Cells are moved in 2 × 2 pieces, unless those would be smaller than this, px. */
const MIN_PIECE_PX = 4
/** Surfaces whose inverse depths differ by less than this share count as one. */
const SAME_SURFACE = 0.1

/**
 * The costs of a frame as seen by `camera` at the same frame size.
 * @param bodies where things are by then
 */
export function reproject(frame: MeasuredFrame, camera: Camera, bodies?: Bodies): Reprojection {
  const parts = frame.costs.cell >= 2 * MIN_PIECE_PX ? 2 : 1
  const moves = bodyMoves(frame.bodies, bodies)
  const gathered = gather(land(frame, camera, moves, parts), frame.costs, parts)
  const { map, known, inverseDepths, moved } = gathered
  const { costs } = map
  // Where a body was, there is now what is behind it, unless another part of the body is there.
  const fits = moved && { of: moved, to: mayShow(moves.moved, camera, map) }
  fillHoles(costs, known, inverseDepths, map.columns, fits)
  guessAppeared(moves.appeared, frame.costs, camera, gathered)
  let sum = 0
  let seen = 0
  let cells = 0
  for (let i = 0; i < known.length; i++) {
    sum += costs[i]!
    if (known[i] === 0) continue
    seen += costs[i]!
    cells++
  }
  return { costs: map, seen: sum > 0 ? seen / sum : cells / known.length }
}

/** What landed on each piece of the new view's cells; row-major. */
interface Landed {
  /** Inverse depth of the nearest surface. */
  readonly nearest: Float32Array
  /** Sum of the costs per pixel that landed on that surface, and their number. */
  readonly sums: Float32Array
  readonly counts: Uint8Array
  /** The body that it is part of, as in `BodyOwners`; absent if nothing has moved. */
  readonly owners?: Uint16Array
}

function land(frame: MeasuredFrame, to: Camera, bodies: BodyMoves, parts: number): Landed {
  const { camera: from, costs: map } = frame
  const { size, cell, columns, rows, costs } = map
  const [across, down] = [columns * parts, rows * parts]
  const nearest = new Float32Array(across * down)
  const sums = new Float32Array(across * down)
  const counts = new Uint8Array(across * down)
  const { moved } = bodies
  const showed = moved.length > 0 ? bodyOwners(bodies, from, map) : undefined
  const depths = showed?.depths ?? map.depths
  const owners = showed && new Uint16Array(across * down)
  /** How what each cell showed has moved in the camera's eyes: first what stands still, then the bodies. */
  const moves = [cameraMove(from, to), ...moved.map(({ move }) => cameraMove(movedCamera(from, move), to))]
  // Number of pieces in half the frame's width and height.
  const halfX = (size[0] * parts) / (2 * cell)
  const halfY = (size[1] * parts) / (2 * cell)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const owner = showed?.owners[row * columns + column] ?? 0
      if (owner > 0 && !moved[owner - 1]!.now) continue
      const inverse = 1 / depths[row * columns + column]!
      const perPixel = costs[row * columns + column]! / map.area(column, row)
      const [x0, x1, x2, x3, y0, y1, y2, y3, z0, z1, z2, z3] = moves[owner] as unknown as Twelve
      // Parallel rays spread no further with depth.
      const spread = from.orthographic ? inverse : 1
      for (let j = 0; j < parts; j++) {
        const v = 1 - (row * parts + j + 0.5) / halfY
        for (let i = 0; i < parts; i++) {
          const u = (column * parts + i + 0.5) / halfX - 1
          const z = z0 * inverse + z1 + (z2 * u + z3 * v) * spread
          const shrink = to.orthographic ? inverse : z
          // Behind the camera, or of unknown depth; without perspective, the sky has no place.
          if (!(z > 0 && shrink > 0)) continue
          const x = ((x0 * inverse + x1 + (x2 * u + x3 * v) * spread) / shrink + 1) * halfX
          const y = (1 - (y0 * inverse + y1 + (y2 * u + y3 * v) * spread) / shrink) * halfY
          if (!(x >= 0 && y >= 0 && x < across && y < down)) continue
          const at = Math.floor(y) * across + Math.floor(x)
          const near = inverse / z
          const other = nearest[at]!
          const alike = owners && owners[at] !== owner ? 0 : SAME_SURFACE
          if (counts[at] === 0 || near * (1 - alike) > other) {
            nearest[at] = near
            sums[at] = perPixel
            counts[at] = 1
            if (owners) owners[at] = owner
          } else if (near >= other * (1 - alike) && counts[at]! < 255) {
            sums[at]! += perPixel
            counts[at]!++
          }
        }
      }
    }
  }
  return { nearest, sums, counts, ...(owners ? { owners } : {}) }
}

export interface Gathered {
  readonly map: CostMap
  /** 1 for each cell that anything landed on. */
  readonly known: Uint8Array
  /** Inverse depth of the farthest surface in each cell. */
  readonly inverseDepths: Float32Array
  /** 1 for each cell that shows nothing but what has moved; absent if nothing has. */
  readonly moved?: Uint8Array
}

/** Combines pieces into cells. */
function gather({ nearest, sums, counts, owners }: Landed, { size, cell }: CostMap, parts: number): Gathered {
  const map = new CostMap(size, cell)
  const { columns, rows, costs } = map
  const known = new Uint8Array(columns * rows)
  const inverseDepths = new Float32Array(columns * rows)
  const moved = owners && new Uint8Array(columns * rows)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      let sum = 0
      let count = 0
      let farthest = Number.POSITIVE_INFINITY
      let still = 0
      for (let j = row * parts; j < (row + 1) * parts; j++) {
        for (let i = column * parts; i < (column + 1) * parts; i++) {
          const at = j * columns * parts + i
          if (counts[at] === 0) continue
          sum += sums[at]! / counts[at]!
          farthest = Math.min(farthest, nearest[at]!)
          count++
          if (owners?.[at] === 0) still++
        }
      }
      if (count === 0) continue
      const at = row * columns + column
      known[at] = 1
      inverseDepths[at] = farthest
      if (moved && still === 0) moved[at] = 1
      costs[at] = (sum / count) * map.area(column, row)
    }
  }
  return { map, known, inverseDepths, ...(moved ? { moved } : {}) }
}

type Twelve = [number, number, number, number, number, number, number, number, number, number, number, number]
