/** KHR_animation_pointer: what is moved by a JSON pointer. */
import { describe, expect, it } from 'vitest'
import { importThree } from '../../../../scenes/import/import-three.ts'
import { type AnyGltf, FLOAT, glb, triangle, viewsOf } from '../../../support/gltf.ts'
import { gltfFolder, round } from './gltf-scenes.ts'

const { loaded } = gltfFolder()

/** From a value to another one in a second, with a little of everything to be moved. */
function pointed(pointers: Record<string, readonly [number[], number[]]>, change: (d: AnyGltf) => void = () => {}) {
  const { document } = triangle()
  const all = Object.entries(pointers)
  const { bufferViews, body } = viewsOf(
    ...[Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), Uint16Array.of(0, 1, 2), Float32Array.of(0, 1)],
    ...all.map(([, values]) => Float32Array.from(values.flat())),
    Float32Array.of(0, 0, 1, 0, 0, 1),
  )
  Object.assign(document, { bufferViews, buffers: [{ byteLength: body.length }] })
  document.accessors.push({ bufferView: 2, componentType: FLOAT, count: 2, type: 'SCALAR' })
  all.forEach(([, [value]], i) => {
    const scalars = ['weights'].some(word => all[i]![0].endsWith(word))
    const type = value.length === 1 || scalars ? 'SCALAR' : `VEC${value.length}`
    const count = scalars ? value.length * 2 : 2
    document.accessors.push({ bufferView: i + 3, componentType: FLOAT, count, type })
  })
  const uvs = document.accessors.push({ bufferView: all.length + 3, componentType: FLOAT, count: 3, type: 'VEC2' }) - 1
  Object.assign(document.meshes[0].primitives[0], {
    material: 0,
    attributes: { POSITION: 0, TEXCOORD_0: uvs },
    targets: [{ POSITION: 0 }, { POSITION: 0 }],
  })
  const png =
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  Object.assign(document, {
    extensionsUsed: ['KHR_animation_pointer'],
    images: [{ uri: png }],
    textures: [{ source: 0 }],
    materials: [0, 1].map(() => ({
      pbrMetallicRoughness: { baseColorTexture: { index: 0 } },
      extensions: { KHR_materials_emissive_strength: { emissiveStrength: 1 }, KHR_materials_clearcoat: {} },
    })),
    cameras: [{ type: 'perspective', perspective: { yfov: 1, znear: 0.1 } }],
    extensions: { KHR_lights_punctual: { lights: [{ type: 'spot', spot: { outerConeAngle: 0.5 } }] } },
    animations: [
      {
        samplers: all.map((_, i) => ({ input: 2, output: i + 3 })),
        channels: all.map(([pointer], i) => ({
          sampler: i,
          target: { path: 'pointer', extensions: { KHR_animation_pointer: { pointer } } },
        })),
      },
    ],
  })
  document.meshes.push({ primitives: [{ ...document.meshes[0].primitives[0], material: 1 }] })
  document.nodes.push({ mesh: 1 }, { camera: 0 }, { extensions: { KHR_lights_punctual: { light: 0 } } })
  document.scenes[0].nodes = [0, 1, 2, 3]
  change(document)
  return glb({ document, body })
}

async function half(...asked: Parameters<typeof pointed>) {
  const scene = await loaded(pointed(...asked))
  // Later times before: they leave nothing behind.
  for (const time of [0.9, 0.25, 0.5]) scene.motion?.setTime(time, 0)
  return { ...scene, ...importThree(scene.scene).description, moved: scene.motion?.cameras() }
}

describe('what a pointer moves', () => {
  it('of materials: factors, colours, and textures of one that others share', async () => {
    const { materials, problems, declared } = await half({
      '/materials/0/pbrMetallicRoughness/baseColorFactor': [
        [0, 0, 0, 1],
        [1, 0.5, 0, 1],
      ],
      '/materials/0/pbrMetallicRoughness/roughnessFactor': [[1], [0]],
      '/materials/0/emissiveFactor': [
        [0, 0, 0],
        [1, 1, 1],
      ],
      '/materials/0/extensions/KHR_materials_emissive_strength/emissiveStrength': [[0], [10]],
      '/materials/0/extensions/KHR_materials_clearcoat/clearcoatFactor': [[0], [1]],
      '/materials/0/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/offset': [
        [0, 0],
        [1, 0.5],
      ],
      '/materials/0/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/scale': [
        [1, 1],
        [3, 1],
      ],
    })
    expect(materials[0]).toMatchObject({
      color: [0.5, 0.25, 0],
      roughness: 0.5,
      emission: [2.5, 2.5, 2.5],
      coat: 0.5,
      maps: { color: { transform: [2, 0, 0.5, 0, 1, 0.25] } },
    })
    expect(materials[1]).toMatchObject({ color: [1, 1, 1], maps: { color: { transform: [1, 0, 0, 0, 1, 0] } } })
    expect(problems).toEqual([])
    expect(declared!.extensions).toEqual([{ name: 'KHR_animation_pointer', required: false, honoured: true }])
  })

  it('of textures: what is turned in the file, or by the animation, is scaled before', async () => {
    const { materials } = await half(
      {
        '/materials/0/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/offset': [
          [0, 0],
          [1, 0.5],
        ],
        '/materials/1/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/rotation': [
          [0],
          [Math.PI],
        ],
      },
      ({ materials }) => {
        const [turned, scaled] = materials.map((each: AnyGltf) => each.pbrMetallicRoughness.baseColorTexture)
        turned.extensions = { KHR_texture_transform: { rotation: Math.PI / 2, scale: [3, 1] } }
        scaled.extensions = { KHR_texture_transform: { scale: [3, 1], offset: [0.5, 0.25] } }
      },
    )
    const transform = materials.map(({ maps }) => maps.color!.transform.map(round))
    expect(transform).toEqual([
      [0, 1, 0.5, -3, 0, 0.25],
      [0, 1, 0.5, -3, 0, 0.25],
    ])
  })

  it('of nodes: places, weights, whether they are seen', async () => {
    const { instances, meshes } = await half({
      '/nodes/0/translation': [
        [0, 0, 0],
        [0, 0, 4],
      ],
      '/nodes/0/weights': [
        [0, 0],
        [1, 2],
      ],
      '/meshes/1/weights/1': [[0], [6]],
    })
    expect(instances[0]!.transform[11]).toBe(2)
    const xOf = (number: number) => Math.max(...meshes[instances[number]!.mesh]!.vertices)
    expect([0, 1].map(xOf)).toEqual([2.5, 4])
    const seen = (values: [number[], number[]], visible: boolean) =>
      half({ '/nodes/0/extensions/KHR_node_visibility/visible': values }, document => {
        document.nodes[0].extensions = { KHR_node_visibility: { visible } }
        document.animations[0].samplers[0].interpolation = 'STEP'
      })
    expect((await seen([[1], [1]], false)).instances).toHaveLength(2)
    expect((await seen([[0], [1]], true)).instances).toHaveLength(1)
  })

  it('of lights and cameras', async () => {
    const { lights, moved } = await half({
      '/extensions/KHR_lights_punctual/lights/0/intensity': [[-8], [8]],
      '/extensions/KHR_lights_punctual/lights/0/color': [
        [1, 1, 1],
        [0, 1, 1],
      ],
      '/extensions/KHR_lights_punctual/lights/0/spot/outerConeAngle': [[0.5], [1.5]],
      '/extensions/KHR_lights_punctual/lights/0/spot/innerConeAngle': [[0], [0.5]],
      '/cameras/0/perspective/yfov': [[0.5], [1.5]],
    })
    expect(lights[0]).toMatchObject({ intensity: [0, 0, 0] })
    expect(lights[0]).toMatchObject({
      outerCosine: expect.closeTo(Math.cos(1), 6),
      innerCosine: expect.closeTo(Math.cos(0.25), 6),
    })
    expect(moved![0]!.tanHalfY).toBeCloseTo(Math.tan(0.5))
  })

  it('that cannot be moved is told, and not honoured', async () => {
    const { problems, declared, motion } = await half({
      '/materials/0/doubleSided': [[0], [1]],
      '/nodes/77/scale': [
        [1, 1, 1],
        [2, 2, 2],
      ],

      '/cameras/0/constructor': [[0], [1]],
      '/constructor/0/x': [[0], [1]],
      '/materials/0/toString': [[0], [1]],
    })
    expect(problems).toEqual(['what its animation moves by /materials/0/doubleSided and 4 other pointers is not shown'])
    expect(declared!.extensions[0]!.honoured).toBe(false)
    expect(motion).toBeUndefined()
  })

  it('by values of another size is refused', async () => {
    const wrong = loaded(pointed({ '/materials/0/emissiveFactor': [[0], [1]] }))
    await expect(wrong).rejects.toThrow(
      'animation 0, channel 0: expected 2 values of VEC3 for 2 times, got 2 of SCALAR',
    )
  })
})
