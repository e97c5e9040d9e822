/** Reads OBJ meshes through three's loader, with their groups, and with their materials and pictures if available. */
import {
  type BufferGeometry,
  Float32BufferAttribute,
  type Group,
  type Material,
  Mesh,
  type MeshPhysicalMaterial,
} from 'three'
import { OBJLoader } from 'three/addons/loaders/OBJLoader.js'
import { messageOf } from '../../../shared/errors.ts'
import { printable } from '../../../shared/text/printable.ts'
import { BadMeshError } from '../../errors.ts'
import { creasedNormals } from '../../import/geometry/creased-normals.ts'
import { paletteSurface, tintedSurface } from '../../look/surfaces.ts'
import type { DeclaredContents } from '../../scene-source.ts'
import type { SceneFolder } from '../folders/scene-folder.ts'
import { decodeText } from '../text-file.ts'
import { type MtlEntry, readMtl, unmetOf } from './mtl.ts'
import { materialOf } from './mtl-material.ts'
import { MtlPictures } from './mtl-pictures.ts'
import { checkObj } from './obj-check.ts'

export interface ObjScene {
  readonly group: Group
  /** What was left out. */
  readonly problems: readonly string[]
  readonly declared: DeclaredContents
}

/** More than a material file has. */
const MOST_MTL_BYTES = 2 ** 26
/** As a packed scene has. */
const MOST_MATERIALS = 2 ** 16
/** Names appear in messages. */
const LONGEST_NAME = 200

/**
 * The meshes in `source`. `path` is only used in messages.
 * @param folder has the material files and pictures
 * @throws BadMeshError, BadVertexError, BadIndexError, EmptySceneError
 */
export async function readObj(source: string, path: string, folder: SceneFolder): Promise<ObjScene> {
  const checked = checkObj(source, path)
  const problems = [...checked.problems]
  if (checked.ignored > 0) problems.push(`${checked.ignored} OBJ statements that define no triangles were ignored`)
  const described = new Map<string, MtlEntry>()
  for (const library of checked.libraries)
    try {
      const text = decodeText(await folder.read(library.replaceAll('\\', '/'), MOST_MTL_BYTES))
      for (const [name, entry] of readMtl(text)) described.set(name, entry)
    } catch (error) {
      problems.push(`material file '${library.slice(0, LONGEST_NAME)}' was not read: ${messageOf(error)}`)
    }

  const group = new OBJLoader().parse(checked.text)
  group.position.set(...checked.offset)
  const meshes = group.children.filter(child => child instanceof Mesh) as ObjMesh[]
  const materials = new ObjMaterials(described, folder, path)
  await materials.make(meshes.flatMap(({ material }) => material))
  for (const mesh of meshes) {
    // Explicit normals in the file take precedence over its smoothing groups.
    const convert = (from: Material) => materials.like(from, checked.hasNormals)
    mesh.material = Array.isArray(mesh.material) ? mesh.material.map(convert) : convert(mesh.material)
    mesh.name = printable(mesh.name.slice(0, LONGEST_NAME))
    shareMaterials(mesh)
    if (checked.hasNormals) continue
    const positions = mesh.geometry.getAttribute('position').array as Float32Array
    mesh.geometry.setAttribute('normal', new Float32BufferAttribute(creasedNormals(positions), 3))
  }
  return {
    group,
    problems: [...problems, ...materials.problems],
    declared: { textures: materials.decoded, animations: [], variants: [], extensions: [] },
  }
}

/** The loader has a material for each time that one is chosen, which may be a great many times for two of them. */
function shareMaterials(mesh: ObjMesh): void {
  if (!Array.isArray(mesh.material)) return
  const before = mesh.material
  const numbers = new Map<Material, number>()
  for (const material of before) if (!numbers.has(material)) numbers.set(material, numbers.size)
  for (const group of mesh.geometry.groups) group.materialIndex = numbers.get(before[group.materialIndex ?? 0]!)!
  mesh.material = [...numbers.keys()]
}

type ObjMesh = Mesh<BufferGeometry, Material | Material[]>

/** The materials that are in use, by the names that three's loader gives to its own. */
class ObjMaterials {
  readonly #described: ReadonlyMap<string, MtlEntry>
  readonly #pictures: MtlPictures
  readonly #path: string
  readonly #plain = new Map<string, MeshPhysicalMaterial>()
  /** The same, shaded flat or tinted by vertices. */
  readonly #variants = new Map<string, MeshPhysicalMaterial>()
  readonly #unmet: { readonly name: string; readonly unmet: Map<string, string> }[] = []

  constructor(described: ReadonlyMap<string, MtlEntry>, folder: SceneFolder, path: string) {
    this.#described = described
    this.#path = path
    this.#pictures = new MtlPictures(folder)
  }

  get problems(): string[] {
    return [...unmetOf(this.#unmet), ...this.#pictures.problems]
  }

  get decoded(): DeclaredContents['textures'] {
    return this.#pictures.decoded
  }

  async make(all: readonly Material[]): Promise<void> {
    let others = this.#described.size
    const names = new Set(all.map(({ name }) => name)).size
    if (names > MOST_MATERIALS)
      throw new BadMeshError(this.#path, `expected at most ${MOST_MATERIALS} materials, got ${names}`)
    for (const { name, vertexColors } of all) {
      if (this.#plain.has(name)) continue
      const entry = this.#described.get(name)
      if (entry) {
        const unmet = new Map(entry.unmet)
        this.#unmet.push({ name, unmet })
        this.#plain.set(name, await materialOf(entry, this.#pictures, unmet))
      } else {
        const plain = vertexColors ? tintedSurface() : paletteSurface(others++)
        plain.name = name
        this.#plain.set(name, plain)
      }
    }
  }

  like(from: Material, isSmooth: boolean): MeshPhysicalMaterial {
    const { name, vertexColors } = from
    const flatShading = !isSmooth && 'flatShading' in from && from.flatShading === true
    const plain = this.#plain.get(name)!
    if (plain.flatShading === flatShading && plain.vertexColors === vertexColors) return plain
    const key = `${flatShading} ${vertexColors} ${name}`
    const variant = this.#variants.get(key) ?? Object.assign(plain.clone(), { flatShading, vertexColors })
    this.#variants.set(key, variant)
    return variant
  }
}
