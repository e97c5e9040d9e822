/** The floor under a subject: two-tone geometric tiles on ground that fades into the horizon, see `haze.ts`. */
import { type Box3, BufferGeometry, Float32BufferAttribute, Group, Mesh, Uint32BufferAttribute, Vector3 } from 'three'
import type { Vec3 } from '../../shared/frame/view.ts'
import { cosTurns, sinTurns } from '../../shared/math/trig.ts'
import { centreOf } from '../../shared/scene/centre.ts'
import { hazy } from './haze.ts'
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
export const tiledFloor = (options: TileOptions): Mesh => tilesIn(options, 1, () => 0, options.tones.map(matte))

/**
 * Tiles in rings, whose contrast falls to nothing at the edge of the tiles: so far away they would be smaller than a pixel and
 * flicker. Beyond, bare ground in their mean tone extends to where a viewer sees the horizon. A group named 'floor'.
 */
export function tiledGround(options: TileOptions): Group {
  const { tiles, tones } = options
  const [a, b] = tones
  const mean: Vec3 = mix(a, b, 0.5)
  const edge = tiles / 2
  const bandAt = (distance: number) => Math.min(TILE_BANDS - 1, Math.floor((distance / edge) * TILE_BANDS))
  const materials = Array.from({ length: TILE_BANDS }, (_, band) => {
    const share = (band + 0.5) / TILE_BANDS
    return tones.map(tone => hazy(mix(tone, mean, share * share * (3 - 2 * share)), hazeAt(share * edge)))
  }).flat()
  const paving = tilesIn({ ...options, radius: options.radius ?? edge - 0.5 }, TILE_BANDS, bandAt, materials)
  const floor = new Group().add(paving, bareGround(options, mean))
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

/** Rings of tiles and of bare ground: so many that no step between two is visible. */
const TILE_BANDS = 24
const RINGS = 24
/** Corners of a ring. */
const RING_SIDES = 96
/** Radius of the ground, in tiles. A viewer who is two tiles high sees its edge 0.3° below the horizon. */
const REACH = 400
/** Distance, in tiles, at which haze hides 63 % of the ground. */
const HAZE_REACH = 60

/** Share of the ground that haze hides at a distance in tiles; grows slowly at first, which keeps the tiles' colours. */
const hazeAt = (distance: number): number => {
  const depth = (distance / HAZE_REACH) * (distance / HAZE_REACH)
  // 1 − exp(−depth) as a rational function, for equal bits everywhere; within 0.01 of it.
  const falling = 1 + depth * (1 + depth * (0.5 + depth * (1 / 6 + depth * (1 / 24))))
  return 1 - 1 / falling
}

/** The checkerboard with `materials[2 * band + tone]` for tiles whose centre is at a distance, in tiles. */
function tilesIn(
  { y, centre = [0, 0], tile, tiles, radius = tiles }: TileOptions,
  bands: number,
  bandAt: (distance: number) => number,
  materials: Mesh['material'],
): Mesh {
  const side = tiles + 1
  const positions: number[] = []
  for (let row = 0; row < side; row++)
    for (let column = 0; column < side; column++)
      positions.push(centre[0] + (column - tiles / 2) * tile, y, centre[1] + (row - tiles / 2) * tile)

  const groups = Array.from({ length: 2 * bands }, (): number[] => [])
  for (let row = 0; row < tiles; row++)
    for (let column = 0; column < tiles; column++) {
      const [x, z] = [column + 0.5 - tiles / 2, row + 0.5 - tiles / 2]
      if (x * x + z * z > radius * radius) continue
      const corner = row * side + column
      const group = groups[2 * bandAt(Math.sqrt(x * x + z * z)) + ((row + column) % 2)]!
      group.push(corner, corner + side, corner + side + 1, corner, corner + side + 1, corner + 1)
    }
  const mesh = new Mesh(new BufferGeometry(), materials)
  let start = 0
  groups.forEach((group, number) => {
    mesh.geometry.addGroup(start, group.length, number)
    start += group.length
  })
  call(mesh, 'tiles')
  mesh.geometry.setAttribute('position', new Float32BufferAttribute(positions, 3))
  mesh.geometry.setIndex(new Uint32BufferAttribute(groups.flat(), 1))
  return mesh
}

/** A disc, and rings around it from the edge of the tiles on, each a step hazier. */
function bareGround({ y, centre = [0, 0], tile, tiles }: TileOptions, tone: Vec3): Mesh {
  const below = y - tile * 2e-3 // one piece beneath the tiles: no seam to leak light
  const edge = tiles / 2
  // Rings look equally wide: the ground at distance d is seen at 1 / d below the horizon.
  const near = 1 / (0.9 * edge)
  const radii = Array.from({ length: RINGS + 1 }, (_, ring) => 1 / (near + ((1 / REACH - near) * ring) / RINGS))
  const positions = [centre[0], below, centre[1]]
  for (const radius of radii)
    for (let i = 0; i < RING_SIDES; i++) {
      const [x, z] = [radius * tile * sinTurns(i / RING_SIDES), radius * tile * cosTurns(i / RING_SIDES)]
      positions.push(centre[0] + x, below, centre[1] + z)
    }
  const indices: number[] = []
  const geometry = new BufferGeometry()
  for (let i = 0; i < RING_SIDES; i++) indices.push(0, 1 + i, 1 + ((i + 1) % RING_SIDES))
  geometry.addGroup(0, indices.length, 0)
  for (let ring = 0; ring < RINGS; ring++) {
    geometry.addGroup(indices.length, RING_SIDES * 6, ring + 1)
    for (let i = 0; i < RING_SIDES; i++) {
      const [inner, outer] = [1 + ring * RING_SIDES, 1 + (ring + 1) * RING_SIDES]
      const next = (i + 1) % RING_SIDES
      indices.push(inner + i, outer + i, outer + next, inner + i, outer + next, inner + next)
    }
  }
  geometry.setAttribute('position', new Float32BufferAttribute(positions, 3))
  geometry.setIndex(indices)
  const hazes = radii.slice(1).map((radius, ring) => hazeAt((radius + radii[ring]!) / 2))
  const ground = new Mesh(geometry, [matte(tone), ...hazes.map(haze => hazy(tone, haze))])
  call(ground, 'ground')
  return ground
}

/** Gives a mesh and its materials a name: pictures of ids tell them apart by that, not by shades of haze. */
function call(mesh: Mesh, name: string): void {
  mesh.name = name
  for (const material of [mesh.material].flat()) material.name = name
}

const mix = (a: Vec3, b: Vec3, share: number): Vec3 => [
  a[0] + (b[0] - a[0]) * share,
  a[1] + (b[1] - a[1]) * share,
  a[2] + (b[2] - a[2]) * share,
]
