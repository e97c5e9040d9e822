/**
 * What the path tracer needs of a scene besides its triangles: materials, lights, how to choose among them, and the environment
 * map; computed here, laid out in the kernel's memory, and found through the scene header.
 */

import type { Vec3 } from '../../../../shared/frame/view.ts'
import { sinTurns } from '../../../../shared/math/trig.ts'
import { cornerOf, materialOf, type Triangles } from '../../../../shared/scene/bake.ts'
import type { SceneDescription } from '../../../../shared/scene/description.ts'
import type { EnvironmentMap } from '../../../../shared/scene/environment.ts'
import type { Light } from '../../../../shared/scene/light.ts'
import type { Material } from '../../../../shared/scene/material.ts'
import type { KernelMemory } from '../memory.ts'
import { offsetOf, put, putHeader } from '../records/access.ts'
import { CHOICE, LIGHT, LIGHT_KINDS } from '../records/light.ts'
import { MATERIAL } from '../records/material.ts'
import { LIGHT_GROUP, SCENE, SCENE_AT } from '../records/scene.ts'
import { type AliasTable, aliasTable, type Candidate, candidateOf, luminance, probabilities } from './choices.ts'
import { type EnvironmentGrid, gridOf, gridSize, type PutGrid } from './environment-grid.ts'
import { type MaterialTable, tableFor, tableOf } from './material-tables.ts'
import { modelOf } from './models.ts'

/** The parts of a scene that light depends on, besides its triangles. */
type Look = Pick<SceneDescription, 'materials' | 'lights' | 'environment'>

export interface LightTables {
  readonly look: Look
  /** Numbers of the emissive triangles. */
  readonly litTriangles: Uint32Array
  /** Of the lights, the environment map if there is one, and the emissive triangles, in this order. */
  readonly chances: Float64Array
  /** Of distant lights, and of those in the scene. */
  readonly choices: readonly [AliasTable, AliasTable]
  readonly grid: EnvironmentGrid | undefined
  /** Of the materials that need one; shared by those with equal numbers. */
  readonly albedos: ReadonlyMap<string, MaterialTable>
  /** Probability per area with which a point of an emissive triangle is chosen, by material. */
  readonly densities: Float64Array
}

/** Bytes in the kernel's memory; a bound, because triangles without area are still counted. */
export function lightBytes({
  meshes,
  instances,
  ...look
}: Look & Pick<SceneDescription, 'meshes' | 'instances'>): number {
  const { materials, lights, environment } = look
  const emits = materials.map(material => askedLight(material) > 0)
  let lit = 0
  if (emits.includes(true))
    for (const { mesh, materials: slots } of instances)
      for (const slot of meshes[mesh]!.slots) if (emits[slots[slot]!]) lit++
  const map = environment.kind === 'map' ? environment : undefined
  const listed = lights.length + (map ? 1 : 0)
  return (
    align(listed * LIGHT.bytes) +
    align((listed + lit) * CHOICE.bytes) +
    align(lit * 4) +
    align(albedoBytes(albedosOf(materials))) +
    (map ? align(map.texels.byteLength) + gridBytes(map) : 0)
  )
}

function gridBytes(map: EnvironmentMap): number {
  const { width, height } = gridSize(map)
  return align((height + 1) * 4) + align(height * (width + 1) * 4)
}

/**
 * @param count of the triangles, which may be fewer than the arrays have room for
 * @param put another scene's grid, which is taken over if it is the same
 */
export function lightTables(look: Look, baked: Triangles, count: number, put?: PutGrid): LightTables {
  const { materials, lights, environment } = look
  const emits = materials.map(askedLight)
  const litTriangles = emits.some(light => light > 0)
    ? Uint32Array.from(triangles(count, triangle => emits[materialOf(baked, triangle)]! > 0))
    : new Uint32Array(0)
  const map = environment.kind === 'map' ? environment : undefined
  const grid = map && gridOf(map, put)
  const areas = Float64Array.from(litTriangles, triangle => areaOf(baked, triangle))
  const candidates: readonly Candidate[] = [
    ...lights.map(candidateOf),
    ...(map && grid ? [{ distant: true, power: Math.PI * grid.mean * map.intensity }] : []),
    ...Array.from(litTriangles, (triangle, i) => ({
      distant: false,
      // Towards both sides.
      power: 2 * Math.PI * areas[i]! * emits[materialOf(baked, triangle)]!,
    })),
  ]
  const chances = probabilities(candidates)
  const densities = new Float64Array(materials.length)
  const firstTriangle = chances.length - litTriangles.length
  litTriangles.forEach((triangle, i) => {
    if (areas[i]! > 0) densities[materialOf(baked, triangle)] = chances[firstTriangle + i]! / areas[i]!
  })
  const albedos = albedosOf(materials)
  const groupOf = (far: boolean) =>
    aliasTable(
      chances,
      candidates.flatMap(({ distant }, i) => (distant === far && chances[i]! > 0 ? [i] : [])),
    )
  const choices = [groupOf(true), groupOf(false)] as const
  return { look, litTriangles, chances, choices, grid, albedos, densities }
}

/** Luminance by which next-event estimation samples a material: none where a texture scales the emission, mostly to little; scattered rays find that. */
export const askedLight = ({ emission, unlit, maps }: Material): number =>
  unlit || maps.emission ? 0 : luminance(emission)

function* triangles(count: number, wanted: (triangle: number) => boolean): Generator<number> {
  for (let i = 0; i < count; i++) if (wanted(i)) yield i
}

function areaOf(baked: Triangles, triangle: number): number {
  const [a, b, c] = [cornerOf(baked, triangle, 0), cornerOf(baked, triangle, 1), cornerOf(baked, triangle, 2)]
  const [ux, uy, uz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]]
  const [vx, vy, vz] = [c[0] - a[0], c[1] - a[1], c[2] - a[2]]
  const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx]
  return 0.5 * Math.sqrt(x * x + y * y + z * z)
}

/** By their keys. */
const albedosOf = (materials: readonly Material[]): Map<string, MaterialTable> =>
  new Map(materials.flatMap(material => tableOf(material) ?? []).map(table => [table.key, table]))

const albedoBytes = (albedos: ReadonlyMap<string, MaterialTable>): number =>
  [...albedos.values()].reduce((sum, { bytes }) => sum + bytes, 0)

/** Writes the tables to their place, and what header and material table, which are already there, say of them. */
export function putLightTables(
  memory: KernelMemory,
  tables: LightTables,
  { materials, light }: { readonly materials: number; readonly light: number },
): void {
  const { look, litTriangles, chances, choices, grid, albedos } = tables
  const { words, floats } = memory
  let next = light
  const place = (bytes: number): number => {
    const at = next
    next += align(bytes)
    return at
  }
  const listed = chances.length - litTriangles.length
  const lights = place(listed * LIGHT.bytes)
  look.lights.forEach((light, i) => {
    putLight(memory, lights + i * LIGHT.bytes, light, chances[i]!)
  })
  if (grid)
    put(memory, LIGHT, lights + (listed - 1) * LIGHT.bytes, {
      kind: LIGHT_KINDS.map,
      probability: chances[listed - 1]!,
    })
  putHeader(memory, { lights, lightCount: listed, lamps: Number(look.lights.some(isLamp)) })

  let choice = place(chances.length * CHOICE.bytes)
  choices.forEach(({ shares, own, others }, group) => {
    const at = SCENE_AT + offsetOf(SCENE, 'groups') + group * LIGHT_GROUP.bytes
    put(memory, LIGHT_GROUP, at, { choices: choice, count: shares.length })
    for (let i = 0; i < shares.length; i++, choice += CHOICE.bytes)
      put(memory, CHOICE, choice, { share: shares[i]!, own: own[i]!, other: others[i]! })
  })

  const lit = place(litTriangles.byteLength)
  words.set(litTriangles, lit >>> 2)
  putHeader(memory, { litTriangles: lit })

  const placed = new Map<string, PlacedTable>()
  let albedo = place(albedoBytes(albedos))
  for (const [key, table] of albedos) {
    const { values, mean } = tableFor(table)
    floats.set(values, albedo >>> 2)
    placed.set(key, { at: albedo, mean })
    albedo += table.bytes
  }
  look.materials.forEach((material, i) => {
    putMaterial(memory, materials + i * MATERIAL.bytes, material, tables.densities[i]!, placed)
  })

  if (!grid || look.environment.kind !== 'map') return
  const { width, height, texels, intensity, rotation } = look.environment
  const map = place(texels.byteLength)
  const rows = place(grid.rows.byteLength)
  const columns = place(grid.columns.byteLength)
  floats.set(texels, map >>> 2)
  floats.set(grid.rows, rows >>> 2)
  floats.set(grid.columns, columns >>> 2)
  putHeader(memory, {
    map,
    mapWidth: width,
    mapHeight: height,
    gridRows: rows,
    gridColumns: columns,
    gridWidth: grid.width,
    gridHeight: grid.height,
    mapIntensity: intensity,
    mapRotation: rotation,
    mapProbability: chances[listed - 1]!,
  })
}

interface PlacedTable {
  readonly at: number
  readonly mean: number
}

function putMaterial(
  memory: KernelMemory,
  at: number,
  material: Material,
  density: number,
  placed: ReadonlyMap<string, PlacedTable>,
): void {
  const { model, alpha } = modelOf(material)
  const { ior, absorption, emission } = material
  put(memory, MATERIAL, at, { model, ior, alpha, absorption, emission, emissionDensity: density })
  const table = tableOf(material)
  if (!table) return
  const { at: albedo, mean } = placed.get(table.key)!
  put(memory, MATERIAL, at, { albedo, meanAlbedo: mean })
}

function putLight(memory: KernelMemory, at: number, light: Light, probability: number): void {
  put(memory, LIGHT, at, { kind: LIGHT_KINDS[light.kind], probability })
  switch (light.kind) {
    case 'distant': {
      // The half angle's sine squared, and 1 − its cosine without cancellation.
      const sine = sinTurns(light.angle / 2)
      const rest = 2 * sinTurns(light.angle / 4) ** 2
      put(memory, LIGHT, at, {
        position: light.direction,
        // Irradiance of a disc that is faced = radiance × π sin².
        color: sine > 0 ? scaled(light.irradiance, 1 / (Math.PI * sine * sine)) : light.irradiance,
        size: 1 - rest,
        area: sine > 0 ? 1 / (2 * Math.PI * rest) : 0,
      })
      return
    }
    case 'point':
    case 'spot':
      put(memory, LIGHT, at, { position: light.position, color: light.intensity, size: light.radius })
      if (light.kind === 'point') return
      put(memory, LIGHT, at, {
        axis: light.direction,
        inner: light.innerCosine,
        outer: light.outerCosine,
        squared: Number(light.falloff === 'squared'),
      })
      return
    case 'rectangle': {
      const normal = cross(light.across, light.up)
      const length = Math.sqrt(normal[0] ** 2 + normal[1] ** 2 + normal[2] ** 2)
      put(memory, LIGHT, at, {
        position: light.position,
        color: light.radiance,
        axis: light.across,
        up: light.up,
        area: 4 * length,
        normal: scaled(normal, 1 / length),
      })
    }
  }
}

/** Whether it is somewhere in the scene, and has a size. */
const isLamp = (light: Light): boolean => light.kind === 'rectangle' || (light.kind !== 'distant' && light.radius > 0)

const scaled = ([x, y, z]: Vec3, factor: number): Vec3 => [x * factor, y * factor, z * factor]
const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]

/** Tables start at multiples of a cache line. */
const align = (bytes: number): number => Math.ceil(bytes / 64) * 64
