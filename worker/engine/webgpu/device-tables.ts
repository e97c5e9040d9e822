/**
 * What shaders read of a scene besides its triangles and their tree (`kernel/records.ts`): small records as words, and which parts of the memory are copied
 * as they are. Every address of the memory that one of them has becomes the place on the device.
 */

import { linearFromSrgb } from '../../../shared/math/srgb.ts'
import { materialIn, vertexIn } from '../../../shared/scene/triangle-bits.ts'
import { gridFloats } from '../wasm/light/environment-grid.ts'
import type { KernelMemory } from '../wasm/memory.ts'
import { get, type HeaderName, header, offsetOf } from '../wasm/records/access.ts'
import { ALBEDOS, CLEAR_ALBEDO, GLASS_ALBEDO, SPECULAR_ALBEDO } from '../wasm/records/albedos.ts'
import { INSTANCE, OBJECT_RUN, TANGENT_FLOATS } from '../wasm/records/instances.ts'
import { CHOICE, LIGHT, LIGHT_BOX, LIGHT_CONE, LIGHT_NODE, LIT_TRIANGLE, TREE_LIGHT } from '../wasm/records/light.ts'
import { MATERIAL, MEDIUM, MODELS, TEXTURE_USE } from '../wasm/records/material.ts'
import { SLOT, TANGENT, UV, VERTEX_COLOR } from '../wasm/records/mesh.ts'
import type { RecordOf } from '../wasm/records/record.ts'
import { LIGHT_GROUP, SCENE, SCENE_AT } from '../wasm/records/scene.ts'
import { LEVEL, TEXTURE } from '../wasm/records/texture.ts'
import { bitsIn } from '../wasm/scene-header.ts'
import { levelAt } from '../wasm/textures.ts'
import type { Range } from './device-buffers.ts'
import { type InstanceOrder, instanceTableWords, packInstances } from './device-instances.ts'
import type { DeviceRecord, Moved } from './device-record.ts'
import {
  DEVICE_CHOICE,
  DEVICE_LEVEL,
  DEVICE_LIGHT,
  DEVICE_LIGHT_BOX,
  DEVICE_LIGHT_CONE,
  DEVICE_LIGHT_NODE,
  DEVICE_LIT_TRIANGLE,
  DEVICE_MATERIAL,
  DEVICE_MEDIUM,
  DEVICE_OBJECT_RUN,
  DEVICE_SCENE,
  DEVICE_TEXTURE,
  DEVICE_TEXTURE_USE,
  DEVICE_TREE_LIGHT,
  LINEARS,
  LINEARS_AT,
} from './kernel/records.ts'

export interface DeviceTables {
  readonly scene: Uint32Array<ArrayBuffer>
  readonly tables: Uint32Array<ArrayBuffer>
  /** What is in the other buffers, each behind UNUSED_WORDS. */
  readonly texels: readonly Range[]
  readonly attributes: readonly Range[]
  /** Absent where there are none. */
  readonly instances?: InstanceOrder
}

/** Words at the beginning of every buffer, so that nothing is at 0, which means none. */
export const UNUSED_WORDS = 4

/** A part of the memory whose records, one of so many bytes after the other, have so many words on the device each. */
interface Section extends Range {
  readonly at: number
  readonly bytes: number
  readonly words: number
}

/** Sections of one buffer on the device. */
class Layout {
  readonly sections: Section[] = []
  end = UNUSED_WORDS

  add(from: number, count: number, bytes = WORD, words = 1): void {
    if (from === 0 || count === 0) return
    this.sections.push({ from, to: from + count * bytes, at: this.end, bytes, words })
    this.end += count * words
  }
}

export function deviceTables(memory: KernelMemory): DeviceTables {
  const of = (name: HeaderName) => header(memory, name)
  const [tables, texels, attributes] = [new Layout(), new Layout(), new Layout()]
  const writes: ((words: Uint32Array, moved: Moved) => void)[] = []
  const records = (from: number, count: number, { bytes }: Pick<RecordOf, 'bytes'>, device: DeviceRecord) => {
    const to = tables.end
    tables.add(from, count, bytes, device.words)
    writes.push((words, moved) => {
      for (let i = 0; i < count; i++) device.pack(memory, from + i * bytes, words, to + i * device.words, moved)
    })
  }
  const numbers = (from: number, count: number) => {
    const to = tables.end
    tables.add(from, count)
    if (from !== 0) writes.push(words => words.set(memory.words.subarray(from >>> 2, (from >>> 2) + count), to))
  }

  tables.end = LINEARS_AT + LINEARS
  writes.push(words => new Float32Array(words.buffer).set(LIGHT_OF_BYTES, LINEARS_AT))
  const materials = Array.from({ length: of('materialCount') }, (_, i) => of('materials') + i * MATERIAL.bytes)
  records(of('materials'), materials.length, MATERIAL, DEVICE_MATERIAL)
  const uses = materials.flatMap(at => {
    const [maps, count] = [get(memory, MATERIAL, at, 'maps'), get(memory, MATERIAL, at, 'mapCount')]
    records(maps, count, TEXTURE_USE, DEVICE_TEXTURE_USE)
    return Array.from({ length: count }, (_, i) => maps + i * TEXTURE_USE.bytes)
  })
  for (const texture of new Set(uses.map(use => get(memory, TEXTURE_USE, use, 'texture')))) {
    const count = get(memory, TEXTURE, texture, 'levelCount')
    records(texture, 1, { bytes: offsetOf(TEXTURE, 'levels') }, DEVICE_TEXTURE)
    records(levelAt(texture, 0), count, LEVEL, DEVICE_LEVEL)
    for (let number = 0; number < count; number++) {
      const level = levelAt(texture, number)
      texels.add(get(memory, LEVEL, level, 'blocks'), texelsIn(memory, level))
    }
  }
  for (const [at, model] of new Map(
    materials.map(at => [get(memory, MATERIAL, at, 'albedo'), get(memory, MATERIAL, at, 'model')]),
  ))
    numbers(at, albedoOf(model).bytes / WORD)
  numbers(of('albedos'), ALBEDOS.bytes / WORD)

  const [distant, near] = [0, 1].map(group => SCENE_AT + offsetOf(SCENE, 'groups') + group * LIGHT_GROUP.bytes) as [
    number,
    number,
  ]
  const nodes = (of('lightBoxes') - of('lightTree')) / LIGHT_NODE.bytes
  records(of('lights'), of('lightCount'), LIGHT, DEVICE_LIGHT)
  records(
    get(memory, LIGHT_GROUP, distant, 'choices'),
    get(memory, LIGHT_GROUP, distant, 'count'),
    CHOICE,
    DEVICE_CHOICE,
  )
  records(of('litTriangles'), of('litCount'), LIT_TRIANGLE, DEVICE_LIT_TRIANGLE)
  numbers(of('cells'), of('cellCount'))
  records(of('lightTree'), nodes, LIGHT_NODE, DEVICE_LIGHT_NODE)
  records(of('lightBoxes'), nodes, LIGHT_BOX, DEVICE_LIGHT_BOX)
  records(of('lightCones'), nodes, LIGHT_CONE, DEVICE_LIGHT_CONE)
  records(of('treeLights'), get(memory, LIGHT_GROUP, near, 'count'), TREE_LIGHT, DEVICE_TREE_LIGHT)
  numbers(of('leaves'), of('lightCount') + of('cellCount'))
  records(of('media'), of('mediaCount'), MEDIUM, DEVICE_MEDIUM)
  numbers(of('outers'), Math.ceil(of('bakedCount') / WORD))
  records(of('objects'), of('objectCount'), OBJECT_RUN, DEVICE_OBJECT_RUN)
  if (of('map') !== 0) {
    const grid = gridFloats({ width: of('mapWidth'), height: of('mapHeight') })
    texels.add(of('map'), of('mapWidth') * of('mapHeight') * 3)
    numbers(of('gridFacings'), grid.facings)
    numbers(of('gridBlocks'), grid.blocks)
  }

  const vertices = of('vertexCount')
  for (const [name, { bytes }] of Object.entries(ATTRIBUTES))
    attributes.add(of(name as keyof typeof ATTRIBUTES), (vertices * bytes) / WORD)

  let instances: InstanceOrder | undefined
  let meshTangents = 0
  if (of('instanceCount') > 0) {
    const { lists, firstVertex } = meshesIn(memory)
    const listsAt = tables.end
    tables.add(lists.from, (lists.to - lists.from) / WORD)
    writes.push((words, moved) => {
      for (let at = lists.from, to = listsAt; at < lists.to; at += WORD, to++)
        words[to] = moved(memory.words[at >>> 2]!)
    })
    const first = tables.end
    tables.end += instanceTableWords(memory, false)
    writes.push((words, moved) => {
      const packed = packInstances(memory, false, first, moved)
      words.set(packed.words, first)
      instances = packed.order
    })
    if (of('meshTangents') !== 0) {
      const numbersEach = TANGENT_FLOATS.bytes / WORD
      meshTangents = tables.end - firstVertex * numbersEach
      numbers(of('meshTangents') + firstVertex * TANGENT_FLOATS.bytes, (vertices - firstVertex) * numbersEach)
    }
  }

  const moved = placesIn([tables, texels, attributes])
  const words = new Uint32Array(tables.end)
  for (const write of writes) write(words, moved)
  const scene = new Uint32Array(DEVICE_SCENE.words)
  DEVICE_SCENE.pack(memory, SCENE_AT, scene, 0, moved)
  // As in the kernel where that of vertex 0 would be, which may be before all words.
  scene[DEVICE_SCENE.wordOf('meshTangents')] = meshTangents
  return {
    ...{ scene, tables: words, texels: texels.sections, attributes: attributes.sections },
    ...(instances ? { instances } : {}),
  }
}

/** Lists of materials of instances, and the number of the first vertex of a mesh that is not baked. */
function meshesIn(memory: KernelMemory): { readonly lists: Range; readonly firstVertex: number } {
  const instances = header(memory, 'instances')
  const bits = bitsIn(memory)
  const words = memory.words.subarray(header(memory, 'triangles') >>> 2)
  let [from, to, firstVertex, slots] = [Number.POSITIVE_INFINITY, 0, header(memory, 'vertexCount'), 0]
  for (let i = header(memory, 'bakedCount'); i < header(memory, 'triangleCount'); i++) {
    for (const corner of [0, 1, 2]) firstVertex = Math.min(firstVertex, vertexIn(words, bits, i, corner))
    slots = Math.max(slots, 1 + Math.floor(materialIn(words, bits, i) / SLOT.number))
  }
  for (let i = 0; i < header(memory, 'instanceCount'); i++) {
    const list = get(memory, INSTANCE, instances + i * INSTANCE.bytes, 'materials')
    from = Math.min(from, list)
    to = Math.max(to, list + slots * WORD)
  }
  return { lists: { from, to }, firstVertex }
}

const WORD = 4
const LIGHT_OF_BYTES = Float32Array.from({ length: LINEARS }, (_, byte) => linearFromSrgb(byte / 255))
/** Texels along the sides of a block of them. */
const BLOCK_SIDE = 4

/** What only some scenes need of vertices, by the header's fields. */
const ATTRIBUTES = { colors: VERTEX_COLOR, uv: UV, uv2: UV, tangents: TANGENT } as const

/** With those that fill its blocks. */
const texelsIn = (memory: KernelMemory, level: number): number =>
  get(memory, LEVEL, level, 'across') * Math.ceil(get(memory, LEVEL, level, 'height') / BLOCK_SIDE) * BLOCK_SIDE ** 2

/** The table of albedos that materials of a model have, if they have one. */
const albedoOf = (model: number): RecordOf =>
  model === MODELS.dielectric ? GLASS_ALBEDO : model === MODELS.principled ? CLEAR_ALBEDO : SPECULAR_ALBEDO

/** Where an address is on the device, in the buffer that it is in; 0 for none, and for those of empty sections. */
function placesIn(layouts: readonly Layout[]): Moved {
  const sections = layouts.flatMap(layout => layout.sections).toSorted((a, b) => a.from - b.from)
  return address => {
    let [low, high] = [0, sections.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (sections[middle]!.to <= address) low = middle + 1
      else high = middle
    }
    const found = sections[low]
    return found && found.from <= address ? found.at + ((address - found.from) / found.bytes) * found.words : 0
  }
}
