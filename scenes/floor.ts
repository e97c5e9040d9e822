/** The floor under a subject: two-tone geometric tiles on ground that extends to the horizon. */
import { type Box3, BufferGeometry, Float32BufferAttribute, Group, Mesh, Uint32BufferAttribute, Vector3 } from 'three'
import { centreOf } from '../shared/scene/centre.ts'
import type { Vec3 } from '../shared/view.ts'
import { matte } from './surfaces.ts'

export interface TileOptions {
  /** Height of the surface, scene units. */
  readonly y: number
  /** Centre of the floor. @default [0, 0] */
  readonly centre?: readonly [x: number, z: number]
  /** Side of a tile, scene units, above 0. */
  readonly tile: number
  /** Tiles along each side. If even, the floor's centre is a corner of four tiles. */
  readonly tiles: number
  /** Keep only tiles whose centre is within this distance of the floor's centre, in tiles. @default all */
  readonly radius?: number
  /** Linear RGB. */
  readonly tones: readonly [Vec3, Vec3]
}

/** A level checkerboard of `tiles` × `tiles` quads named 'tiles', one group per tone, facing up. */
export function tiledFloor({ y, centre = [0, 0], tile, tiles, radius = tiles, tones }: TileOptions): Mesh {
  const side = tiles + 1
  const positions: number[] = []
  for (let row = 0; row < side; row++)
    for (let column = 0; column < side; column++)
      positions.push(centre[0] + (column - tiles / 2) * tile, y, centre[1] + (row - tiles / 2) * tile)

  const indices: number[] = []
  const mesh = new Mesh(new BufferGeometry(), tones.map(matte))
  for (const tone of [0, 1]) {
    const start = indices.length
    for (let row = 0; row < tiles; row++)
      for (let column = (row + tone) % 2; column < tiles; column += 2) {
        const [x, z] = [column + 0.5 - tiles / 2, row + 0.5 - tiles / 2]
        if (x * x + z * z > radius * radius) continue
        const corner = row * side + column
        indices.push(corner, corner + side, corner + side + 1, corner, corner + side + 1, corner + 1)
      }
    mesh.geometry.addGroup(start, indices.length - start, tone)
  }
  mesh.name = 'tiles'
  mesh.geometry.setAttribute('position', new Float32BufferAttribute(positions, 3))
  mesh.geometry.setIndex(new Uint32BufferAttribute(indices, 1))
  return mesh
}

/**
 * Tiles surrounded by bare ground in their mean tone, so large that its edge blends into the horizon: tiles that far
 * away would be smaller than a pixel and flicker. A group named 'floor'.
 */
export function tiledGround(options: TileOptions): Group {
  const { y, centre = [0, 0], tile, tones } = options
  const [a, b] = tones
  const reach = tile * 400
  const [left, right, back, front] = [centre[0] - reach, centre[0] + reach, centre[1] - reach, centre[1] + reach]
  const below = y - tile * 2e-3 // one piece beneath the tiles: no seam to leak light
  const geometry = new BufferGeometry()
  const corners = [left, below, back, left, below, front, right, below, front, right, below, back]
  geometry.setAttribute('position', new Float32BufferAttribute(corners, 3))
  geometry.setIndex([0, 1, 2, 0, 2, 3])
  const ground = new Mesh(geometry, matte([(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2]))
  ground.name = 'ground'
  const floor = new Group().add(tiledFloor(options), ground)
  floor.name = 'floor'
  return floor
}

/** A floor for a subject of unknown size: just below its lowest point, with tiles of suitable size. */
export function floorUnder(subject: Box3): Group {
  const centre = subject.getCenter(new Vector3())
  const size = subject.getSize(new Vector3())
  const extent = Math.max(size.x, size.y, size.z) || 1
  // Far from the origin, single precision would shift the tiles' corners.
  const [x, y, z] = centreOf(subject.min.toArray(), subject.max.toArray())
  const floor = tiledGround({
    y: subject.min.y - y - extent * 1e-4,
    centre: [centre.x - x, centre.z - z],
    tile: extent * 0.25,
    tiles: 96,
    tones: STONE,
  })
  floor.position.set(x, y, z)
  return floor
}

/** Warm limestone and slate. */
export const STONE: readonly [Vec3, Vec3] = [
  [0.6, 0.54, 0.45],
  [0.22, 0.225, 0.24],
]
