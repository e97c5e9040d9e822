/** Maps three materials to the few kinds that are traced, without duplicates. */
import { Color, MeshPhysicalMaterial, MeshStandardMaterial, type Material as ThreeMaterial } from 'three'
import type { Material } from '../shared/scene/material.ts'
import type { Vec3 } from '../shared/view.ts'
import { SceneMeshError } from './errors.ts'

const MAX_MATERIALS = 65536

/** Collects materials: equal ones share a number, however many three objects describe them. */
export class MaterialTable {
  readonly materials: Material[] = []
  readonly #numbers = new Map<string, number>()
  readonly #told = new Set<ThreeMaterial>()
  readonly #problems: string[]

  /** Unsupported features of the materials are reported in `problems`, once each. */
  constructor(problems: string[]) {
    this.#problems = problems
  }

  /**
   * The number of a material, its colour multiplied by `tint` if given (an instance's colour). `mesh` is used in messages.
   * @throws SceneMeshError for more than 65536 different materials
   */
  numberOf(material: ThreeMaterial, mesh: string, tint?: Color): number {
    this.#tellOnce(material, mesh)
    const mapped = mapMaterial(material, tint)
    const key = JSON.stringify(mapped)
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    if (this.materials.length === MAX_MATERIALS)
      throw new SceneMeshError(mesh, `expected at most ${MAX_MATERIALS} different materials in the scene, got more`)
    this.#numbers.set(key, this.materials.length)
    return this.materials.push(mapped) - 1
  }

  #tellOnce(material: ThreeMaterial, mesh: string): void {
    if (this.#told.has(material)) return
    this.#told.add(material)
    const name = `material '${material.name || material.type}' of ${mesh}`
    if ('map' in material && material.map)
      this.#problems.push(`${name}: textures are not supported, only its plain colour`)
    if (material.vertexColors) this.#problems.push(`${name}: vertex colours are not supported, only its plain colour`)
    if (material instanceof MeshStandardMaterial && material.emissiveIntensity > 0 && !isBlack(material.emissive))
      this.#problems.push(`${name}: its emission is not supported`)
    if (!('color' in material)) this.#problems.push(`${name}: has no colour and is shown grey`)
  }
}

/**
 * transmission → glass; smooth metal → mirror; clear coat → coated; everything else → matte. Colours are clamped to
 * [0, 1] and rounded to 1e-6, so equal colours have equal bytes even if their conversions differ in the last bit.
 */
export function mapMaterial(material: ThreeMaterial, tint?: Color): Material {
  const own = 'color' in material && material.color instanceof Color ? material.color : GREY
  const color: Vec3 = tint
    ? [channel(own.r * tint.r), channel(own.g * tint.g), channel(own.b * tint.b)]
    : [channel(own.r), channel(own.g), channel(own.b)]
  if (material instanceof MeshPhysicalMaterial && material.transmission > 0)
    return { kind: 'glass', color, ior: indexOfRefraction(material) }
  if (material instanceof MeshStandardMaterial && material.metalness >= 0.5 && material.roughness < 0.3)
    return { kind: 'mirror', color }
  if (material instanceof MeshPhysicalMaterial && material.clearcoat > 0)
    return { kind: 'coated', color, ior: indexOfRefraction(material) }
  return { kind: 'matte', color }
}

const GREY = new Color(0.5, 0.5, 0.5)

const isBlack = ({ r, g, b }: Color): boolean => r === 0 && g === 0 && b === 0

const channel = (value: number): number => (value > 0 ? Math.round(Math.min(value, 1) * 1e6) / 1e6 : 0)

/** Clamped to what a packed scene allows; `!(…)` also catches NaN. */
const indexOfRefraction = ({ ior }: MeshPhysicalMaterial): number =>
  !(ior >= 1) ? 1 : Math.round(Math.min(ior, 4) * 1e6) / 1e6
