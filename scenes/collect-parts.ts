/** Collects what a THREE.Scene draws: which triangles of which geometry, where, in which material. */
import {
  type BufferGeometry,
  Color,
  InstancedMesh,
  Line,
  type Material,
  Matrix4,
  Mesh,
  type Object3D,
  Points,
  type Scene,
  SkinnedMesh,
  Sprite,
} from 'three'
import { SceneMeshError } from './errors.ts'
import type { MaterialTable } from './map-material.ts'

/** Corners of a geometry (of its index, if it has one) that share a material. */
export interface CornerRange {
  /** Any corner: groups need not start at a multiple of 3. */
  readonly start: number
  /** A multiple of 3. */
  readonly count: number
  /** Number in the material table. */
  readonly material: number
}

/** One geometry at one place. */
export interface Part {
  /** For messages: `mesh 'wheel'`. */
  readonly name: string
  readonly geometry: BufferGeometry
  readonly matrix: Matrix4
  /** Whether the winding order is reversed: the matrix mirrors, or only back sides are shown. */
  readonly flipped: boolean
  readonly ranges: readonly CornerRange[]
}

/** Parts in scene graph order. World matrices must be up to date; problems are appended. */
export function collectParts(scene: Scene, table: MaterialTable, problems: string[]): Part[] {
  const parts: Part[] = []
  let meshes = 0
  scene.traverseVisible(object => {
    if (object instanceof Mesh) {
      const name = object.name ? `mesh '${object.name}'` : `mesh ${meshes} (unnamed)`
      meshes++
      collectMesh(object, name, table, problems, parts)
    } else if (object instanceof Line || object instanceof Points || object instanceof Sprite)
      problems.push(`${object.type.toLowerCase()} '${object.name}' was ignored: only triangles are supported`)
  })
  return parts
}

function collectMesh(mesh: Mesh, name: string, table: MaterialTable, problems: string[], parts: Part[]): void {
  if (mesh instanceof SkinnedMesh || mesh.morphTargetInfluences?.some(influence => influence !== 0))
    problems.push(`${name} is shown in its rest pose: skins and morph targets are not supported`)
  if (isBatched(mesh)) {
    problems.push(`${name} was ignored: batched meshes are not supported`)
    return
  }
  const materials: readonly Material[] = Array.isArray(mesh.material) ? mesh.material : [mesh.material]
  if (!mesh.geometry.hasAttribute('position')) throw new SceneMeshError(name, 'expected positions, got none')
  const geometry = materials.length > 0 && materials.every(isFlat) ? facetted(mesh.geometry) : mesh.geometry
  const backOnly = materials.length > 0 && materials.every(material => material.side === BACK_SIDE)
  const add = (matrix: Matrix4, ranges: readonly CornerRange[]) => {
    if (ranges.length > 0)
      parts.push({ name, geometry, matrix, flipped: matrix.determinant() < 0 !== backOnly, ranges })
  }
  if (!(mesh instanceof InstancedMesh)) {
    add(mesh.matrixWorld, rangesOf(mesh, geometry, name, table))
    return
  }
  const plain = mesh.instanceColor ? undefined : rangesOf(mesh, geometry, name, table)
  for (let instance = 0; instance < mesh.count; instance++) {
    const matrix = new Matrix4()
    mesh.getMatrixAt(instance, matrix)
    matrix.premultiply(mesh.matrixWorld)
    if (plain) add(matrix, plain)
    else {
      const tint = new Color()
      mesh.getColorAt(instance, tint)
      add(matrix, rangesOf(mesh, geometry, name, table, tint))
    }
  }
}

const BACK_SIDE = 1

const isFlat = (material: Material): boolean => 'flatShading' in material && material.flatShading === true

const isBatched = (object: Object3D): boolean => 'isBatchedMesh' in object

/** A copy without shared vertices or normals: each triangle gets its own. */
function facetted(geometry: BufferGeometry): BufferGeometry {
  const copy = geometry.index ? geometry.toNonIndexed() : geometry.clone()
  copy.deleteAttribute('normal')
  return copy
}

/** The drawn parts of the geometry: its groups (if there are several materials) within its draw range, whole triangles. */
function rangesOf(
  { material }: Mesh,
  geometry: BufferGeometry,
  name: string,
  table: MaterialTable,
  tint?: Color,
): CornerRange[] {
  const corners = geometry.index?.count ?? geometry.getAttribute('position').count
  const first = Math.max(0, geometry.drawRange.start)
  const end = Math.min(corners, first + geometry.drawRange.count)
  const groups = Array.isArray(material) ? geometry.groups : [{ start: 0, count: corners, materialIndex: 0 }]
  const ranges: CornerRange[] = []
  for (const group of groups) {
    const chosen = Array.isArray(material) ? material[group.materialIndex ?? 0] : material
    const start = Math.max(first, group.start)
    const count = Math.floor((Math.min(end, group.start + group.count) - start) / 3) * 3
    if (chosen?.visible && count > 0) ranges.push({ start, count, material: table.numberOf(chosen, name, tint) })
  }
  return ranges
}
