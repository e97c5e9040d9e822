/** Variants of materials, and instances, of glTF files. */
import { describe, expect, it } from 'vitest'
import { importThree } from '../../../../scenes/import/import-three.ts'
import type { CheckedLook } from '../../../../scenes/look/scene-look.ts'
import { bakedThree } from '../../../support/baked.ts'
import { type AnyGltf, FLOAT, glb, triangle, viewsOf } from '../../../support/gltf.ts'
import { gltfFolder } from './gltf-scenes.ts'

const { loaded, refusal, traced, ending } = gltfFolder()

/** A red triangle that is green by night, and one that is always blue. */
const shoe = (change: (document: AnyGltf) => void = () => {}) =>
  triangle(document => {
    document.extensionsUsed = ['KHR_materials_variants']
    document.extensions = { KHR_materials_variants: { variants: [{ name: 'day' }, { name: 'night' }] } }
    document.materials = [
      [1, 0, 0, 1],
      [0, 1, 0, 1],
      [0, 0, 1, 1],
    ].map(baseColorFactor => ({ pbrMetallicRoughness: { baseColorFactor } }))
    const [primitive] = document.meshes[0].primitives
    const mappings = [{ material: 1, variants: [1] }]
    document.meshes[0].primitives = [
      { ...primitive, material: 0, extensions: { KHR_materials_variants: { mappings } } },
      { ...primitive, material: 2 },
    ]
    change(document)
  })

describe('variants of materials', () => {
  const colorsOf = async (look: CheckedLook) =>
    bakedThree((await loaded(glb(shoe()), 'shoe.glb', look)).scene).description.materials.map(({ color }) =>
      ['red', 'green', 'blue'].at(color.indexOf(1)),
    )

  it('are those that the look names, or none', async () => {
    expect(await colorsOf({})).toEqual(['red', 'blue'])
    expect(await colorsOf({ variant: 'none' })).toEqual(['red', 'blue'])
    expect(await colorsOf({ variant: 'day' })).toEqual(['red', 'blue'])
    expect(await colorsOf({ variant: 'night' })).toEqual(['green', 'blue'])
    expect(await colorsOf({ variant: '1' })).toEqual(['green', 'blue'])
    await expect(colorsOf({ variant: 'nigth' })).rejects.toThrow(
      "unknown variant 'nigth': expected one of day, night, none; did you mean 'night'?",
    )
    await expect(loaded(glb(triangle()), 'plain.glb', { variant: 'day' })).rejects.toThrow(
      'plain.glb: it has no variants, got --variant day',
    )
  })

  it('are honoured', async () => {
    const { declared, problems } = await loaded(glb(shoe()))
    expect(declared!.variants).toEqual(['day', 'night'])
    expect(declared!.extensions).toEqual([{ name: 'KHR_materials_variants', required: false, honoured: true }])
    expect(problems).toEqual([])
  })

  it.each<[string, unknown, string]>([
    ['material', 7, 'mesh 0, primitive 0: expected a material below 3, got 7'],
    ['variants', [0, 4], 'mesh 0, primitive 0: expected a variant below 2, got 4'],
  ])('with a %s that is not there are refused', async (key, value, message) => {
    const wrong = shoe(document => {
      document.meshes[0].primitives[0].extensions.KHR_materials_variants.mappings[0][key] = value
    })
    expect((await refusal('wrong.glb', glb(wrong))).message).toContain(message)
  })
})

describe('instances', () => {
  const placed = (attributes: Record<string, readonly [object, Int8Array | Float32Array]>) => {
    const { document } = triangle()
    const { bufferViews, body } = viewsOf(
      ...[Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), Uint16Array.of(0, 1, 2)],
      ...Object.values(attributes).map(([, array]) => array),
    )
    Object.assign(document, { bufferViews, buffers: [{ byteLength: body.length }] })
    const names = Object.keys(attributes)
    document.accessors.push(...names.map((name, i) => ({ bufferView: i + 2, ...attributes[name]![0] })))
    document.nodes[0].extensions = {
      EXT_mesh_gpu_instancing: { attributes: Object.fromEntries(names.map((name, i) => [name, i + 2])) },
    }
    return { document, body }
  }

  it('are turned by bytes, and moved with their node', async () => {
    const parts = placed({
      TRANSLATION: [{ componentType: FLOAT, count: 2, type: 'VEC3' }, Float32Array.of(0, 0, 0, 5, 0, 0)],
      ROTATION: [
        { componentType: 5120, count: 2, type: 'VEC4', normalized: true },
        Int8Array.of(0, 0, 0, 127, 0, 0, 127, 0),
      ],
    })
    parts.document.nodes[0].translation = [0, 0, 3]
    const { corners, problems } = await traced(parts)
    expect(problems).toEqual([])
    expect(corners(0)[1]).toEqual([1, 0, 3])
    expect(corners(1)[1]).toEqual([4, 0, 3])
  })

  it('have no other attributes, whatever these are', async () => {
    const parts = placed({
      TRANSLATION: [{ componentType: FLOAT, count: 1, type: 'VEC3' }, Float32Array.of(1, 0, 0)],
    })
    Object.assign(parts.document.nodes[0].extensions.EXT_mesh_gpu_instancing.attributes, { _ID: 99, position: 2 })
    expect((await traced(parts)).corners(0)[1]).toEqual([2, 0, 0])
  })

  it('in a pose have the weights of their node', async () => {
    const parts = placed({
      TRANSLATION: [{ componentType: FLOAT, count: 2, type: 'VEC3' }, Float32Array.of(0, 0, 0, 5, 0, 0)],
    })
    parts.document.meshes[0].primitives[0].targets = [{ POSITION: 0 }]
    parts.document.meshes[0].weights = [2]
    expect((await traced(parts)).corners(1)[1]).toEqual([8, 0, 0])
    parts.document.nodes[0].weights = [1]
    expect((await traced(parts)).corners(1)[1]).toEqual([7, 0, 0])
  })

  it('by the million end in a picture', async () => {
    const parts = placed({})
    parts.document.accessors.push({ componentType: FLOAT, count: 1e6, type: 'VEC3' })
    parts.document.nodes[0].extensions.EXT_mesh_gpu_instancing.attributes = { TRANSLATION: 2 }
    expect(importThree((await loaded(glb(parts))).scene).description.instances).toHaveLength(1e6)
  })

  it('with more vertices of morph targets than anyone adds up are refused', async () => {
    const parts = triangle(document => {
      document.accessors[0].count = 3
      document.accessors.push({ componentType: FLOAT, count: 3, type: 'VEC3' })
      document.meshes[0].primitives[0].targets = Array.from({ length: 3000 }, () => ({ POSITION: 2 }))
      document.nodes = Array.from({ length: 30_000 }, () => ({ mesh: 0 }))
      document.scenes[0].nodes = [...document.nodes.keys()]
    })
    expect(await ending(glb(parts))).toContain(
      'all nodes together: expected at most 268435456 vertices of morph targets, got 270000000',
    )
  })
})
