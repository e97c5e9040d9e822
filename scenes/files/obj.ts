/** Reads OBJ meshes through three's loader, with their groups, and with their material colours if available. */
import {
  type BufferGeometry,
  Float32BufferAttribute,
  type Group,
  type Material,
  Mesh,
  type MeshPhysicalMaterial,
} from 'three'
import { OBJLoader } from 'three/addons/loaders/OBJLoader.js'
import { creasedNormals } from '../creased-normals.ts'
import { paletteSurface } from '../surfaces.ts'
import { type MtlMaterial, readMtl, unmetOf } from './mtl.ts'
import { checkObj } from './obj-check.ts'

/** Reads a file next to the OBJ as text; undefined if it does not exist. */
export type ReadSibling = (name: string) => Promise<string | undefined>

/**
 * The meshes in `source`, and what was left out. `path` is only used in messages.
 * @throws BadMeshError, BadVertexError, BadIndexError, EmptySceneError
 */
export async function readObj(
  source: string,
  path: string,
  readSibling: ReadSibling,
): Promise<{ group: Group; problems: string[] }> {
  const checked = checkObj(source, path)
  const problems: string[] = []
  if (checked.ignored > 0) problems.push(`${checked.ignored} OBJ statements that define no triangles were ignored`)
  if (checked.hasColors) problems.push('vertex colours are not supported, only plain ones')
  const described = new Map<string, MtlMaterial>()
  for (const library of checked.libraries) {
    const text = await readSibling(library)
    if (text === undefined) problems.push(`material file '${library}' was not found beside the OBJ`)
    else for (const [name, material] of readMtl(text)) described.set(name, material)
  }

  const group = new OBJLoader().parse(checked.text)
  group.position.set(...checked.offset)
  const used = new Map<string, MtlMaterial>()
  const flat = new Map<MeshPhysicalMaterial, MeshPhysicalMaterial>()
  const convert = (from: Material): Material => {
    const known = described.get(from.name) ?? undescribed(described.size)
    described.set(from.name, known)
    used.set(from.name, known)
    const to = known.material
    // Explicit normals in the file take precedence over its smoothing groups.
    if (checked.hasNormals || !('flatShading' in from && from.flatShading)) return to
    const copy = flat.get(to) ?? to.clone()
    copy.flatShading = true
    flat.set(to, copy)
    return copy
  }
  group.traverse(object => {
    if (!(object instanceof Mesh)) return
    const mesh: Mesh<BufferGeometry, Material | Material[]> = object
    mesh.material = Array.isArray(mesh.material) ? mesh.material.map(convert) : convert(mesh.material)
    if (checked.hasNormals) return
    const positions = mesh.geometry.getAttribute('position').array as Float32Array
    mesh.geometry.setAttribute('normal', new Float32BufferAttribute(creasedNormals(positions), 3))
  })
  return { group, problems: [...problems, ...unmetOf(used)] }
}

/** For a name without an entry in a material file. */
const undescribed = (index: number): MtlMaterial => ({ material: paletteSurface(index), unmet: new Map() })
