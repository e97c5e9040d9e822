/**
 * Tangents for textures of normals, where a geometry has none: those of MikkTSpace (Mikkelsen 2008), for which such textures are made. A
 * vertex at which they differ between triangles, as at a seam of the texture, is split.
 */
import { BufferAttribute, BufferGeometry } from 'three'
import { generateTangents } from 'three/addons/libs/mikktspace.module.js'

export interface TangentWish {
  /** Which coordinates the texture is looked up with: 0 is `uv`, 1 is `uv1`. */
  readonly channel: number
  /** Whether v grows towards the picture's first row, as three has it unless a file says otherwise. */
  readonly flipped: boolean
  /** Whether each triangle is flat. */
  readonly facetted: boolean
}

/** The geometry with tangents: itself if it has them, or lacks what they follow from. Corners keep their order. */
export function withTangents(geometry: BufferGeometry, { channel, flipped, facetted }: TangentWish): BufferGeometry {
  const coordinates = channel === 0 ? 'uv' : 'uv1'
  const has = (name: string) =>
    geometry.hasAttribute(name) && geometry.getAttribute(name).count >= geometry.getAttribute('position').count
  if (has('tangent') || !has(coordinates)) return geometry
  const source = facetted || !has('normal') ? withNormals(geometry, facetted) : geometry
  const corners = cornersOf(source)
  // The library takes whole triangles only.
  const whole = corners.subarray(0, corners.length - (corners.length % 3))
  const tangents = generateTangents(
    gathered(source, 'position', 3, whole),
    gathered(source, 'normal', 3, whole),
    gathered(source, coordinates, 2, whole),
  )
  // Normals turn towards the picture's first row, which is where v ends, or begins.
  if (!flipped) for (let at = 3; at < tangents.length; at += 4) tangents[at] = -tangents[at]!
  return split(source, corners, tangents)
}

function withNormals(geometry: BufferGeometry, facetted: boolean): BufferGeometry {
  const own = facetted && geometry.index ? geometry.toNonIndexed() : geometry.clone()
  own.computeVertexNormals()
  return own
}

/** The vertex of each corner. */
function cornersOf({ index, attributes }: BufferGeometry): Uint32Array {
  return index
    ? Uint32Array.from({ length: index.count }, (_, corner) => index.getX(corner))
    : Uint32Array.from({ length: attributes.position!.count }, (_, corner) => corner)
}

function gathered(geometry: BufferGeometry, name: string, size: 2 | 3, corners: Uint32Array): Float32Array {
  const from = geometry.getAttribute(name)
  const values = new Float32Array(corners.length * size)
  corners.forEach((vertex, corner) => {
    values[corner * size] = from.getX(vertex)
    values[corner * size + 1] = from.getY(vertex)
    if (size === 3) values[corner * size + 2] = from.getZ(vertex)
  })
  return values
}

/** A vertex for each pair of an old one and a tangent that any corner has. */
function split(geometry: BufferGeometry, corners: Uint32Array, tangents: Float32Array): BufferGeometry {
  const old: number[] = []
  const first: number[] = []
  const next: number[] = []
  const newest = new Int32Array(geometry.getAttribute('position').count).fill(-1)
  const index = corners.map((vertex, corner) => {
    const at = corner * 4
    let known = newest[vertex]!
    while (known >= 0 && !isSame(tangents, first[known]! * 4, at)) known = next[known]!
    if (known >= 0) return known
    next.push(newest[vertex]!)
    first.push(corner)
    newest[vertex] = old.length
    return old.push(vertex) - 1
  })
  const made = new BufferGeometry()
  for (const [name, from] of Object.entries(geometry.attributes)) {
    // Whole numbers stay whole: a float does not hold all of 32 bits.
    const values = new (from.array instanceof Uint32Array ? Uint32Array : Float32Array)(old.length * from.itemSize)
    old.forEach((vertex, i) => {
      for (let part = 0; part < from.itemSize; part++)
        values[i * from.itemSize + part] = from.getComponent(vertex, part)
    })
    made.setAttribute(name, new BufferAttribute(values, from.itemSize))
  }
  const values = new Float32Array(old.length * 4)
  first.forEach((corner, i) => {
    values.set(tangents.subarray(corner * 4, corner * 4 + 4), i * 4)
  })
  made.setAttribute('tangent', new BufferAttribute(values, 4))
  made.setIndex(new BufferAttribute(index, 1))
  made.groups.push(...geometry.groups)
  made.drawRange = geometry.drawRange
  return made
}

const isSame = (tangents: Float32Array, a: number, b: number): boolean =>
  tangents[a] === tangents[b] &&
  tangents[a + 1] === tangents[b + 1] &&
  tangents[a + 2] === tangents[b + 2] &&
  tangents[a + 3] === tangents[b + 3]
