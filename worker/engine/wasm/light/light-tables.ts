/**
 * What the path tracer needs of a scene besides its triangles: materials, lights, how to choose among them, and the environment
 * map; computed here, laid out in the kernel's memory, and found through the scene header.
 */

import type { Vec3 } from '../../../../shared/frame/view.ts'
import { sinTurns } from '../../../../shared/math/trig.ts'
import { bakedSize, cornerOf, type Triangles } from '../../../../shared/scene/bake.ts'
import type { SceneDescription } from '../../../../shared/scene/description.ts'
import type { EnvironmentMap } from '../../../../shared/scene/environment.ts'
import type { Light } from '../../../../shared/scene/light.ts'
import { coatIor, type Material } from '../../../../shared/scene/material.ts'
import type { KernelMemory } from '../memory.ts'
import { offsetOf, put, putHeader } from '../records/access.ts'
import {
  CHOICE,
  LIGHT,
  LIGHT_BOX,
  LIGHT_CONE,
  LIGHT_KINDS,
  LIGHT_NODE,
  LIT_TRIANGLE,
  TREE_LIGHT,
} from '../records/light.ts'
import { MATERIAL, MEDIUM } from '../records/material.ts'
import { LIGHT_GROUP, SCENE, SCENE_AT } from '../records/scene.ts'
import { type AliasTable, aliasTable, powerOf, probabilities } from './choices.ts'
import {
  askedLight,
  cellCorners,
  type EmissionCells,
  emissionCells,
  mostCells,
  type PutTexels,
} from './emission-cells.ts'
import { type EnvironmentGrid, gridFloats, gridOf, type PutGrid } from './environment-grid.ts'
import { type LightBounds, LightList, lightBounds, triangleBounds } from './light-bounds.ts'
import { type LightTree, lightTree } from './light-tree.ts'
import { type MaterialTable, tableFor, tableOf } from './material-tables.ts'
import { type Media, mediaOf, WITH_ONE } from './media.ts'
import { modelOf } from './models.ts'
import { outerMedia, solidsTouch } from './outer-media.ts'
import { isLamp, mostWideNodes, putLightTree } from './put-light-tree.ts'

/** The parts of a scene that light depends on, besides its triangles. */
type Look = Pick<SceneDescription, 'materials' | 'lights' | 'environment'>

export interface LightTables {
  readonly look: Look
  readonly cells: EmissionCells
  /** Of distant lights, by their numbers in the list, whose last is the environment map if there is one; 0 for others. */
  readonly chances: Float64Array
  /** Of distant lights. */
  readonly choices: AliasTable
  /** Over those in the scene, and their numbers in the list, behind which cells are counted. */
  readonly tree: LightTree
  readonly numbers: Uint32Array
  readonly powers: Float64Array
  readonly grid: EnvironmentGrid | undefined
  /** Of the materials that need one; shared by those with equal numbers. */
  readonly albedos: ReadonlyMap<string, MaterialTable>
  readonly media: Media
  /** Whether solids of different media may. */
  readonly touching: boolean
  /** Of each triangle, the medium on its outer side where that is known. */
  readonly outers: Uint8Array | undefined
}

/** Bytes in the kernel's memory; a bound, because triangles without area are still counted. */
export function lightBytes({
  meshes,
  instances,
  ...look
}: Look & Pick<SceneDescription, 'meshes' | 'instances'>): number {
  const { materials, lights, environment } = look
  const emits = materials.map(material => askedLight(material) > 0)
  let [plain, textured] = [0, 0]
  if (emits.includes(true))
    for (const { mesh, materials: slots } of instances)
      for (const slot of meshes[mesh]!.slots) {
        const material = slots[slot]!
        if (emits[material]) materials[material]!.maps.emission ? textured++ : plain++
      }
  const lit = plain + textured
  const cells = mostCells(plain, textured)
  const map = environment.kind === 'map' ? environment : undefined
  const nodes = mostWideNodes(lights.length + cells)
  const listed = lights.length + (map ? 1 : 0)
  const media = mediaOf(materials).list.length
  return (
    align(listed * LIGHT.bytes) +
    align(listed * CHOICE.bytes) +
    align(nodes * LIGHT_NODE.bytes) +
    align(nodes * LIGHT_BOX.bytes) +
    align(nodes * LIGHT_CONE.bytes) +
    align((lights.length + cells) * TREE_LIGHT.bytes) +
    align((listed + cells) * 4) +
    align(cells * 4) +
    align(lit * LIT_TRIANGLE.bytes) +
    align(albedoBytes(albedosOf(materials))) +
    align(media * MEDIUM.bytes) +
    (media > WITH_ONE ? align(bakedSize({ meshes, instances }).triangles) : 0) +
    (map ? align(map.texels.byteLength) + gridBytes(map) : 0)
  )
}

function gridBytes(map: EnvironmentMap): number {
  const { facings, blocks } = gridFloats(map)
  return align(facings * 4) + align(blocks * 4)
}

/**
 * @param count of the triangles, which may be fewer than the arrays have room for
 * @param texels where the scene's textures are by now
 * @param put another scene's grid, which is taken over if it is the same
 */
export function lightTables(
  look: Look,
  baked: Triangles,
  count: number,
  texels?: PutTexels,
  put?: PutGrid,
): LightTables {
  const { materials, lights, environment } = look
  const cells = emissionCells(materials, baked, count, texels)
  const map = environment.kind === 'map' ? environment : undefined
  const grid = map && gridOf(map, put)
  const media = mediaOf(materials)
  const touching = media.list.length > WITH_ONE && solidsTouch(baked, count, media.numbers)
  const chances = probabilities([
    ...lights.map(light => (light.kind === 'distant' ? powerOf(light) : 0)),
    ...(map && grid ? [Math.PI * grid.mean * map.intensity] : []),
  ])
  const inside = new LightList(lights.length + cells.means.length)
  const numbers: number[] = []
  const add = (number: number, light: LightBounds) => {
    if (!(light.power > 0)) return
    numbers.push(number)
    inside.add(light)
  }
  lights.forEach((light, i) => {
    if (light.kind !== 'distant') add(i, lightBounds(light))
  })
  cells.triangles.forEach((triangle, i) => {
    const corners: Corners = [cornerOf(baked, triangle, 0), cornerOf(baked, triangle, 1), cornerOf(baked, triangle, 2)]
    const [first, side] = [cells.firstCells[i]!, cells.sides[i]!]
    const area = areaOf(...corners) / (side * side)
    for (let cell = 0; cell < side * side; cell++) {
      // Towards both sides.
      const power = 2 * Math.PI * area * cells.means[first + cell]!
      add(chances.length + first + cell, triangleBounds(...cornersOfCell(corners, cell, side), power))
    }
  })
  return {
    look,
    cells,
    chances,
    choices: aliasTable(
      chances,
      [...chances.keys()].filter(i => chances[i]! > 0),
    ),
    tree: lightTree(inside),
    numbers: Uint32Array.from(numbers),
    powers: Float64Array.from(numbers, (_, i) => inside.power(i)),
    grid,
    albedos: albedosOf(materials),
    media,
    touching,
    outers: touching ? outerMedia(baked, count, media.numbers) : undefined,
  }
}

type Corners = [Vec3, Vec3, Vec3]

function cornersOfCell(corners: Corners, cell: number, side: number): Corners {
  if (side === 1) return corners
  const [a, b, c] = corners
  const [first, second, third] = cellCorners(cell, side).map(
    ([onB, onC]): Vec3 =>
      [0, 1, 2].map(k => a[k]! + onB * (b[k]! - a[k]!) + onC * (c[k]! - a[k]!)) as [number, number, number],
  )
  return [first!, second!, third!]
}

function areaOf(a: Vec3, b: Vec3, c: Vec3): number {
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
  const { look, cells, chances, choices, grid, albedos, outers } = tables
  const listed = chances.length
  const { floats } = memory
  let next = light
  const place = (bytes: number): number => {
    const at = next
    next += align(bytes)
    return at
  }
  const lights = place(listed * LIGHT.bytes)
  look.lights.forEach((light, i) => {
    putLight(memory, lights + i * LIGHT.bytes, light, chances[i]!)
  })
  if (grid)
    put(memory, LIGHT, lights + (listed - 1) * LIGHT.bytes, {
      kind: LIGHT_KINDS.map,
      probability: chances[listed - 1]!,
    })
  putHeader(memory, { lights, lightCount: listed })

  const { shares, own, others } = choices
  const choice = place(listed * CHOICE.bytes)
  const [distant, inside] = [0, 1].map(group => SCENE_AT + offsetOf(SCENE, 'groups') + group * LIGHT_GROUP.bytes)
  put(memory, LIGHT_GROUP, distant!, { choices: choice, count: shares.length })
  put(memory, LIGHT_GROUP, inside!, { count: tables.numbers.length })
  for (let i = 0; i < shares.length; i++)
    put(memory, CHOICE, choice + i * CHOICE.bytes, { share: shares[i]!, own: own[i]!, other: others[i]! })

  putCells(memory, cells, place)
  const isMet = (number: number) => number < look.lights.length && isLamp(look.lights[number]!)
  putLightTree(memory, tables, listed + cells.means.length, isMet, place)

  const placed = new Map<string, PlacedTable>()
  let albedo = place(albedoBytes(albedos))
  for (const [key, table] of albedos) {
    const { values, mean } = tableFor(table)
    floats.set(values, albedo >>> 2)
    placed.set(key, { at: albedo, mean })
    albedo += table.bytes
  }
  const { list, numbers: mediumOf } = tables.media
  const media = place(list.length * MEDIUM.bytes)
  list.forEach((medium, i) => {
    put(memory, MEDIUM, media + i * MEDIUM.bytes, medium)
  })
  putHeader(memory, { media, mediaCount: list.length, touching: Number(tables.touching) })
  if (outers) {
    const at = place(outers.length)
    memory.bytes.set(outers, at)
    putHeader(memory, { outers: at })
  }
  look.materials.forEach((material, i) => {
    const at = materials + i * MATERIAL.bytes
    putMaterial(memory, at, material, placed)
    put(memory, MATERIAL, at, { medium: mediumOf[i]! })
  })

  if (!grid || look.environment.kind !== 'map') return
  const { width, height, texels, intensity, rotation } = look.environment
  const map = place(texels.byteLength)
  const facings = place(grid.facings.byteLength)
  const blocks = place(grid.blocks.byteLength)
  floats.set(texels, map >>> 2)
  floats.set(grid.facings, facings >>> 2)
  floats.set(grid.blocks, blocks >>> 2)
  putHeader(memory, {
    map,
    mapWidth: width,
    mapHeight: height,
    gridFacings: facings,
    gridBlocks: blocks,
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
  placed: ReadonlyMap<string, PlacedTable>,
): void {
  const { model, alpha } = modelOf(material)
  const { ior, emission } = material
  const coatF0 = ((coatIor(material) - 1) / (coatIor(material) + 1)) ** 2
  put(memory, MATERIAL, at, { model, ior, alpha, emission, coatF0 })
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
        ...frameAround(light.direction),
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

/** Writes emissive triangles and their cells to where `place` has room for them. */
function putCells(memory: KernelMemory, cells: EmissionCells, place: (bytes: number) => number): void {
  const { triangles, sides, firstCells, means } = cells
  const lit = place(triangles.length * LIT_TRIANGLE.bytes)
  const owners = place(means.length * 4)
  triangles.forEach((triangle, i) => {
    const [firstCell, side] = [firstCells[i]!, sides[i]!]
    put(memory, LIT_TRIANGLE, lit + i * LIT_TRIANGLE.bytes, { triangle, firstCell, side })
    memory.words.fill(i, (owners >>> 2) + firstCell, (owners >>> 2) + firstCell + side * side)
  })
  putHeader(memory, { litTriangles: lit, litCount: triangles.length, cells: owners, cellCount: means.length })
}

/** Unit vectors at right angles to one and to each other, as the kernel has them around normals (`path/frame.ts`). */
function frameAround([x, y, z]: Vec3): { axis: Vec3; up: Vec3 } {
  const sign = z < 0 ? -1 : 1
  const a = -1 / (sign + z)
  const b = x * y * a
  return { axis: [1 + sign * x * x * a, sign * b, -sign * x], up: [b, sign + y * y * a, -y] }
}

const scaled = ([x, y, z]: Vec3, factor: number): Vec3 => [x * factor, y * factor, z * factor]
const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]

/** Tables start at multiples of a cache line. */
const align = (bytes: number): number => Math.ceil(bytes / 64) * 64
